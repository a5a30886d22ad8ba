"""``python -m benchmarks same``: what the program answers, recorded before a change and compared after it.

In: our development lives, and the sets of a folder. Out: a file with a digest for each haystack's rankings, each life's
answers and each recipe's whole life, and the words of the demo; against an earlier file, what differs.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import re
import subprocess  # the demo is run as a user runs it
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from benchmarks import same_faces
from benchmarks.embedding import KeptVectors, cached_embedder
from benchmarks.life.simulation import Life as Lived
from benchmarks.life.simulation import live
from benchmarks.lives import answers
from benchmarks.lives.form import Life, lives
from benchmarks.sets import SETS, load, sets_in
from benchmarks.systems import build
from benchmarks.values import Haystack, Question
from reverie import FixedClock, RandomIds, Reverie
from reverie.errors import ReverieError
from reverie.ports import Embedder
from reverie.recipes.recipe import NAMES as RECIPES

DEPTH = 200
"""Places of each ranking."""
LIVES = 2
"""Development lives that each recipe lives through, dreams and all."""
SEED = 0
_TIME = re.compile(r"\d+(?:\.\d+)?\s?(?:ms|s)\b")


class Differs(ReverieError):
    """Something answers otherwise than it did."""


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Record into ``--out``; with ``--against``, raise Differs where an earlier record says otherwise."""
    del given
    found = dict(_told(recorded(options.data, cached_embedder(options))))
    options.out.write_text(json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True), encoding="utf-8")
    print(f"wrote {options.out}: {len(found)} records")
    if options.against is not None:
        before = json.loads(options.against.read_text(encoding="utf-8"))
        lines = list(differences(before, found))
        print("\n".join(lines))
        if lines:
            raise Differs(
                f"{len(lines)} lines differ from {options.against}.", "Mend the change, or say why it must be."
            )
        print(f"the same as {options.against}")


def _told(records: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for name, record in records:
        print(f"same: {name}", file=sys.stderr, flush=True)
        yield name, record


def recorded(data: Path | None, embedder: Embedder | None) -> Iterator[tuple[str, str]]:
    """Each record's name and what it says."""
    for life in lives("development"):
        yield f"cues of {life.name}", digest(_answers(life, embedder))
    for recipe in RECIPES:
        yield f"whole lives by {recipe}", digest(_lived(recipe, embedder))
    yield from same_faces.answers()
    yield "the demo", _demo()
    for name, paths in ({} if data is None else sets_in(data)).items():
        for haystack in load(SETS[name], paths, Counter()):
            yield f"questions of {name}, {haystack.name}", digest(_ranked(haystack, embedder))


def digest(lines: Iterable[str]) -> str:
    """SHA-256 over lines."""
    total = sha256()
    for line in lines:
        total.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return total.hexdigest()


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """What an earlier record says otherwise; of words each line, of digests the name."""
    for name in sorted({*before, *after}):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new and "\n" in old + new:
            yield from difflib.unified_diff(old.splitlines(), new.splitlines(), f"before: {name}", "now", "", "", 1, "")
        elif old != new:
            yield f"differs: {name}" if old and new else f"only {'before' if old else 'now'}: {name}"


def _answers(life: Life, embedder: Embedder | None) -> Iterator[str]:
    """All that is answered to each cue, by hand and to a host, with its marks and its tokens."""
    for one in answers.answers(life, None if embedder is None else KeptVectors(embedder)):
        yield repr((one.system, one.way, one.budget, one.cue.id, one.places, sorted(one.marked), one.tokens))


def _lived(recipe: str, embedder: Embedder | None) -> Iterator[str]:
    """The state of a store after each life: observed, asked, slept upon."""
    for life in list(lives("development"))[:LIVES]:
        with tempfile.TemporaryDirectory(prefix="reverie-same-") as folder:
            path, clock = Path(folder) / "life.db", FixedClock(datetime.min.replace(tzinfo=UTC))
            ids = RandomIds(SEED)
            with Reverie.open(path, embedder=embedder, recipe=recipe, clock=clock, ids=ids, background=False) as engine:
                lived = live(Lived(engine, clock, path), _haystack(life), random.Random(SEED))
                yield from (night.after for night in lived.nights)
                yield lived.state


def _haystack(life: Life) -> Haystack:
    latest = max(item.at for item in life.items)
    cues = (Question(cue.id, cue.text, cue.category, (), max(cue.at, latest)) for cue in life.cues)
    return Haystack(life.name, "en", tuple(life.items), tuple(cues))


def _ranked(haystack: Haystack, embedder: Embedder | None) -> Iterator[str]:
    (system,) = build(["reverie"], embedder)
    for question, found in zip(haystack.questions, system.rank(haystack, DEPTH), strict=True):
        yield f"{question.id}: {[one.ids for one in found]}"


def _demo() -> str:
    """What ``reverie demo`` prints, without how long it took."""
    with tempfile.TemporaryDirectory(prefix="reverie-same-") as home:
        command = [same_faces.COMMAND, "demo"]
        told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=home, env=_surroundings(home))
    return _TIME.sub("…", told.stdout)


def _surroundings(home: str) -> dict[str, str]:
    return {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "COLUMNS": "100"}
