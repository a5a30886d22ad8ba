"""Exit codes: the number a shell sees for what happened."""

from __future__ import annotations

from reverie import errors
from reverie.wire.errors import CODES, code

DONE = 0
UNEXPECTED = 1
FAULTS = 6
PARTLY = 7
UNCONFIRMED = 8
INTERRUPTED = 130
PIPE_CLOSED = 141

ERRORS = {kind: code.exit for kind, code in CODES.items()}
"""Error class → exit code, every class of the tree."""

OUTCOMES: dict[int, str] = {
    DONE: "done",
    UNEXPECTED: "a fault of Reverie's own, or the command was broken off at a question",
    FAULTS: "`verify`, `doctor` or `replay` found a fault",
    PARTLY: "`import`, `observe` or `vault` did what it could; what was broken, or changed on both sides, is named",
    UNCONFIRMED: "`erase`, `install`, `schedule` or `trust` was not confirmed; nothing was changed",
    INTERRUPTED: "interrupted (Ctrl-C); what was written stays, and `import` and `embed` go on where they stopped",
    PIPE_CLOSED: "whoever read the output stopped reading",
}
"""Exit codes that are no error class, and what each means."""


def exit_code(error: errors.ReverieError) -> int:
    """The exit code of an error."""
    return code(error).exit


def failure(kind: str, message: str, mend: str, number: int) -> dict[str, object]:
    """What is no error of the tree and ends a command all the same, in the form in which errors are told as JSON."""
    return {"error": {"kind": kind, "message": message, "mend": mend, "exit_code": number}}


UNDONE = failure(
    "Unconfirmed", "Not confirmed; nothing was erased.", "Give --yes where nobody can be asked.", UNCONFIRMED
)
"""What `erase` says as JSON where nobody said yes; `install` and `schedule` show what they would write."""


def table() -> str:
    """Every exit code and its meaning as Markdown, for the documentation."""
    rows = {number: [meaning] for number, meaning in OUTCOMES.items()}
    for kind, number in ERRORS.items():
        rows.setdefault(number, []).append(f"`{kind.__name__}`: {_meaning(kind)}")
    lines = [f"| {number} | {'; '.join(meanings)} |" for number, meanings in sorted(rows.items())]
    return "\n".join(["| code | meaning |", "| --- | --- |", *lines])


def _meaning(kind: type[errors.ReverieError]) -> str:
    if kind is errors.ReverieError:
        return "any other error"
    first = (kind.__doc__ or "").split("\n", 1)[0].rstrip(".")
    return first[:1].lower() + first[1:]
