"""Exit codes: the one table from what happened to the number a shell sees."""

from __future__ import annotations

from reverie import errors

DONE = 0
UNEXPECTED = 1
FAULTS = 6
PARTLY = 7
UNCONFIRMED = 8
INTERRUPTED = 130
PIPE_CLOSED = 141

ERRORS: dict[type[errors.ReverieError], int] = {
    errors.ReverieError: UNEXPECTED,
    errors.InvalidInput: 2,
    errors.InvalidScope: 2,
    errors.InvalidSetting: 2,
    errors.NotFound: 3,
    errors.Conflict: 4,
    errors.InvalidExport: 5,
    errors.StoreError: 10,
    errors.StoreMissing: 11,
    errors.StoreClosed: 12,
    errors.StoreBusy: 13,
    errors.StoreFull: 14,
    errors.StoreReadOnly: 15,
    errors.StoreCorrupt: 16,
    errors.StoreTooNew: 17,
    errors.ModelError: 20,
    errors.ModelMissing: 21,
    errors.ModelCorrupt: 22,
    errors.ModelUnavailable: 23,
}
"""Error class → exit code, every class of the tree."""

OUTCOMES: dict[int, str] = {
    DONE: "done",
    UNEXPECTED: "a fault of Reverie's own, or the command was broken off at a question",
    FAULTS: "`verify`, `doctor` or `replay` found a fault",
    PARTLY: "`import` or `observe` kept what it could; some items were broken and are named",
    UNCONFIRMED: "`erase` or `schedule` was not confirmed; nothing was changed",
    INTERRUPTED: "interrupted (Ctrl-C); what was written stays, and `import` and `embed` go on where they stopped",
    PIPE_CLOSED: "whoever read the output stopped reading",
}
"""Exit codes that are no error class, and what each means."""


def exit_code(error: errors.ReverieError) -> int:
    """The exit code of an error."""
    return ERRORS[type(error)]


def table() -> str:
    """Every exit code and its meaning as Markdown, for the documentation."""
    rows = {code: [meaning] for code, meaning in OUTCOMES.items()}
    for kind, code in ERRORS.items():
        rows.setdefault(code, []).append(f"`{kind.__name__}`: {_meaning(kind)}")
    lines = [f"| {code} | {'; '.join(meanings)} |" for code, meanings in sorted(rows.items())]
    return "\n".join(["| code | meaning |", "| --- | --- |", *lines])


def _meaning(kind: type[errors.ReverieError]) -> str:
    if kind is errors.ReverieError:
        return "any other error"
    first = (kind.__doc__ or "").split("\n", 1)[0].rstrip(".")
    return first[:1].lower() + first[1:]
