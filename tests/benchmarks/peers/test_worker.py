"""The peer's process: tells, asks, and keeps its stdout for the answer."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import pytest

from benchmarks.peers import worker
from benchmarks.peers.job import Found, Job, Said, answer_from, to_line
from benchmarks.systems import PEERS


class Parrot:
    """Finds everything it was told, last first, and prints while it does."""

    def __init__(self, job: Job) -> None:
        self.told: list[Said] = []

    def tell(self, said: Sequence[Said]) -> None:
        self.told += said

    def ask(self, question: str, depth: int) -> list[Found]:
        sys.stdout.write("a peer that talks\n")
        return [Found((one.id,), one.text) for one in self.told[::-1]][:depth]


def job(*texts: str, depth: int = 9) -> Job:
    """Items t0, t1, … and two questions."""
    said = tuple(Said(f"t{n}", "s", "user", "user", "2024-05-01T12:00:00+00:00", text) for n, text in enumerate(texts))
    return Job("parrot", "folder", "http://there/v1", "hash", 256, depth, said, ("Who?", "When?"))


def test_every_question_has_its_ranking() -> None:
    """In the order asked, no deeper than wanted; a blank text is not told."""
    asked = job("one", "  \n", "two", depth=1)
    answer = worker.answer(asked, Parrot(asked))
    assert [[place.ids for place in ranking] for ranking in answer.rankings] == [[("t2",)], [("t2",)]]


def test_what_a_peer_prints_does_not_spoil_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to stderr; stdout holds one line."""
    monkeypatch.setattr(worker, "MAKERS", {"parrot": Parrot})
    monkeypatch.setattr(sys, "stdin", io.StringIO(to_line(job("one")) + "\n"))
    read, write = os.pipe()
    kept = os.dup(1), os.dup(2)
    try:
        os.dup2(write, 1)
        os.close(write)
        with open(1, "w", closefd=False) as stdout:
            monkeypatch.setattr(sys, "stdout", stdout)
            worker.main()
    finally:
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for one in kept:
            os.close(one)
    with os.fdopen(read, encoding="utf-8") as pipe:
        (line,) = pipe.read().splitlines()
    assert answer_from(line).rankings[0] == (Found(("t0",), "one"),)


def test_every_peer_has_a_maker_and_names_its_packages() -> None:
    """A row that names no release could not be measured again."""
    assert set(worker.MAKERS) == set(worker.PACKAGES) == set(PEERS)
