"""The review list of a store of Agent Zero's: what a person should look at, in a JSON file beside the store.

Agent Zero's store supports one process only, so nobody else writes to it: `reverie review` reads this list, and writes
the deprecations to be undone to a second file, which the extension carries out when a monologue ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from reverie.durable import replace as put
from reverie.errors import InvalidExport
from reverie.faces.agent_zero.records import CLASSIFICATION, DEPRECATED, LINEAGE, is_knowledge, moment, part, written
from reverie.locking import locked

FILE, ASKED = "reverie_review.json", "reverie_restore.json"
VERSION = 1
_WAIT_S = 10.0
_PLACES = ("memory/*", "projects/*/.a0proj/memory")
"""Where Agent Zero keeps its stores, relative to its folder ``usr``."""


class ReviewState(StrEnum):
    """Why a memory is on the review list."""

    FLAGGED = "flagged"
    DEPRECATED = "deprecated"
    DORMANT = "dormant"


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One memory with its text, why it is on the list, and the other memory of the pair, if any."""

    state: ReviewState
    id: str
    text: str
    why: str
    other: str = ""
    other_text: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """The list that a pass of maintenance made."""

    at: datetime
    passes: int
    items: tuple[ReviewItem, ...]


@dataclass(frozen=True, slots=True)
class Doubts:
    """A pass's findings for the list: flagged pairs with their reasons, and memories never recalled."""

    flagged: Mapping[tuple[str, str], str]
    dormant: tuple[str, ...]
    passes: int


def review(docs: Mapping[str, Any], doubts: Doubts, now: datetime) -> Review:
    """Make the review list: pairs to decide on, then deprecated, then dormant memories; each sorted by id."""
    texts = {name: document.page_content for name, document in docs.items()}
    gone = dict(_deprecated(docs))
    pairs = [pair for pair in sorted(doubts.flagged) if texts.keys() >= set(pair) and not gone.keys() & set(pair)]
    flagged = [
        ReviewItem(ReviewState.FLAGGED, one, texts[one], doubts.flagged[one, other], other, texts[other])
        for one, other in pairs
    ]
    deprecated = [
        ReviewItem(ReviewState.DEPRECATED, name, texts[name], _why(by), by, texts.get(by, ""))
        for name, by in sorted(gone.items())
    ]
    dormant = [
        ReviewItem(ReviewState.DORMANT, name, texts[name], "never recalled so far")
        for name in sorted(doubts.dormant)
        if name in texts
    ]
    return Review(now, doubts.passes, (*flagged, *deprecated, *dormant))


def _deprecated(docs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, document in docs.items():
        if not is_knowledge(document.metadata) and _is_deprecated(document.metadata):
            yield name, str(part(document.metadata, LINEAGE).get("superseded_by") or "")


def _is_deprecated(metadata: dict[str, Any]) -> bool:
    return part(metadata, CLASSIFICATION).get("validity") == DEPRECATED


def _why(by: str) -> str:
    return "superseded by another that says the same" if by else "deprecated by the memory classifier"


def stores(root: Path) -> list[Path]:
    """Return the store folders of an Agent Zero that hold a list."""
    found = (path for pattern in _PLACES for path in (root / "usr").glob(f"{pattern}/{FILE}"))
    return sorted(path.parent for path in found)


def read(folder: Path) -> Review:
    """Read the list of a store. Raises InvalidExport if it is missing or cannot be read."""
    path = folder / FILE
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        at = moment(said["at"])
        items = tuple(ReviewItem(**{**one, "state": ReviewState(one["state"])}) for one in said["items"])
        if at is None:
            raise ValueError("at")
        return Review(at, int(said["passes"]), items)
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise InvalidExport(
            f"{path} cannot be read.", "Delete it; the next pass of maintenance makes it anew."
        ) from error


def write(folder: Path, made: Review) -> None:
    """Write the review list. Raises StoreError."""
    items = [asdict(one) for one in made.items]
    shape = {"version": VERSION, "at": written(made.at), "passes": made.passes, "items": items}
    put(folder / FILE, json.dumps(shape, indent=1).encode())


def ask(folder: Path, names: Collection[str]) -> None:
    """Request that these deprecations be undone. Raises StoreError."""
    _change(folder, lambda there: there | set(names))


def asked(folder: Path) -> frozenset[str]:
    """Return the requested undos; none if the file is missing or unreadable."""
    try:
        said = json.loads((folder / ASKED).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    return frozenset(one for one in said if isinstance(one, str)) if isinstance(said, list) else frozenset()


def answered(folder: Path, names: Collection[str]) -> None:
    """Remove these deprecations from the requests and the list, whether undone or impossible. Raises StoreError."""
    _change(folder, lambda there: there - set(names))
    if (folder / FILE).exists():
        made = read(folder)
        left = [one for one in made.items if one.state is not ReviewState.DEPRECATED or one.id not in names]
        write(folder, replace(made, items=tuple(left)))


def _change(folder: Path, made: Callable[[frozenset[str]], frozenset[str]]) -> None:
    with locked(folder / f"{ASKED}.lock", _WAIT_S):
        left = made(asked(folder))
        if left:
            put(folder / ASKED, json.dumps(sorted(left)).encode())
        else:
            (folder / ASKED).unlink(missing_ok=True)
