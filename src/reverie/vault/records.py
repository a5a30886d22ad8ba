"""What the vault knows beside the files: in and out, the JSON file ``.reverie/vault.json``.

The files are the truth; this only tells what was counted already, so that nothing counts twice. It may be deleted: the
numbers in the files then stand as they are.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from hashlib import blake2b
from pathlib import Path
from typing import Any

from reverie.vault.files import Edit, carry_out, contents
from reverie.vault.held import label
from reverie.vault.observation import Observation

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Record:
    """What was counted of one observation.

    Attributes:
        earned: importance before neglect.
        written: importance as the file had it afterwards; another one in the file is a person's.
        verified: whether a verification was counted.
        since: day (ISO) of a person's last word on its importance, from which neglect counts anew; "" where none.
        credited: the referrers that were counted.
        contradicted_by: the observations that contradict it.
        outcomes: what good came of it, each counted once.
        review: day since which it waits for a person to look at it; "" where it does not.
        copy: SHA-256 of the shared copy as it was written; "" where there is none.
        body: mark of its words, by which a renamed file is known again; "" in files of an older version.
    """

    earned: float
    written: float
    verified: bool = False
    since: str = ""
    credited: tuple[str, ...] = ()
    contradicted_by: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    review: str = ""
    copy: str = ""
    body: str = ""


_FIELDS = tuple(field.name for field in fields(Record))
_NUMBERS = ("earned", "written")


class Records:
    """Every record of a vault, by ``agent/name``; ``fault`` says why the file could not be used, or nothing.

    ``is_kept``: the file is there and can be used, so that an observation it does not know is a new one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._raw = contents(path)
        self.fault = ""
        self.known: dict[str, Record] = {}
        self.is_kept = False
        if self._raw is not None:
            try:
                self.known = _read(self._raw)
                self.is_kept = True
            except (ValueError, TypeError, KeyError) as error:
                self.fault = f"{path} is not what was written there ({error}); it is made anew"

    def save(self, records: Mapping[str, Record]) -> None:
        """Write what is known now, if it differs. Raises StoreError."""
        shown = {name: _shape(record) for name, record in sorted(records.items())}
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(shape)}" for name, shape in shown.items())
        raw = f'{{"format": {_FORMAT}, "observations": {{\n{lines}\n}}}}\n'.encode()
        if raw != self._raw:
            carry_out([Edit(self._path, self._raw, raw)])


def body_mark(seen: Observation) -> str:
    """By what the words of an observation are known again."""
    return blake2b(seen.body.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def following(known: Mapping[str, Record], active: Sequence[Observation], there: Collection[str]) -> dict[str, Record]:
    """The records under the names their observations have now: a renamed file takes its record along.

    Args:
        known: the records under the names that observations had.
        active: the observations that may be new, or renamed.
        there: every name in the vault, archived ones too.
    """
    found = dict(known)
    unknown = [one for one in active if label(one.name) not in known]
    gone = [name for name in known if name not in there] if unknown else []
    marks = {known[name].body or _older_mark(name, known[name]): name for name in reversed(gone)}
    for one in unknown:
        name = label(one.name)
        old = marks.pop(body_mark(one), None) or marks.pop(f"{one.name.id} {one.importance!r}", None)
        if old is not None:
            found[name] = found.pop(old)
    return found


def _older_mark(name: str, record: Record) -> str:
    """What tells of a renamed agent's file where its words were not marked yet: its own name, and the number in it."""
    return f"{name.rpartition('/')[2]} {record.written!r}"


def _shape(record: Record) -> dict[str, object]:
    """Both numbers, and the other fields that say something."""
    values = ((name, getattr(record, name)) for name in _FIELDS)
    return {name: value for name, value in values if name in _NUMBERS or value not in ("", False, ())}


def _read(raw: bytes) -> dict[str, Record]:
    shape = json.loads(raw)
    if shape["format"] != _FORMAT:
        raise ValueError(f"format {shape['format']}")
    return {str(name): _record(entry) for name, entry in shape["observations"].items()}


def _record(entry: Mapping[str, object]) -> Record:
    values: dict[str, Any] = {
        name: tuple(map(str, value)) if isinstance(value, list) else value
        for name, value in entry.items()
        if name in _FIELDS
    }
    for number in _NUMBERS:
        values[number] = float(values[number])
    if values.get("since"):
        date.fromisoformat(values["since"])
    return Record(**values)
