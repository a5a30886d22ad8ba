"""Updates in everyday words: two messages amid small talk, and which of them answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.files import records
from benchmarks.sets import SETS, load
from benchmarks.sets.updates import dialogue

OWN = Path("benchmarks/sets/data/updates.jsonl")
RECORD = {
    "id": "x",
    "language": "tr",
    "earlier": "Çay severim.",
    "later": "Artık kahve içiyorum.",
    "question": "Ne içerim?",
}


def test_of_an_update_the_later_answers_and_of_a_trap_the_earlier() -> None:
    """A week between any two messages; both are sides, the older first."""
    update, trap = (dialogue({**RECORD, "kind": kind}) for kind in ("update", "trap"))
    texts = {item.id: item.text for item in update.items}
    (asked,), (trapped,) = update.questions, trap.questions
    assert [texts[one] for one in asked.gold] == ["Artık kahve içiyorum."]
    assert [texts[one] for one in trapped.gold] == ["Çay severim."]
    assert [[texts[one] for one in side] for side in asked.sides] == [["Çay severim."], ["Artık kahve içiyorum."]]
    assert (asked.category, trapped.category) == ("knowledge-update", "trap")
    assert len({item.at for item in update.items}) == 8
    assert update.items == dialogue({**RECORD, "kind": "update"}).items


def test_ours_are_as_many_in_turkish_as_in_english() -> None:
    """By kind; no dialogue stands twice."""
    rows = list(records(OWN))
    counts = Counter((row["kind"], row["language"]) for row in rows)
    assert counts["update", "en"] == counts["update", "tr"] == 119
    assert counts["trap", "en"] == counts["trap", "tr"] == 100
    assert len({(row["earlier"], row["later"]) for row in rows}) == len(rows)
    assert len(list(load(SETS["updates"], [OWN], Counter(), 3))) == 3


def test_what_is_said_of_others_is_there_in_both_languages_and_apart_from_what_is_learned() -> None:
    """Nothing is learned from these, so none of them stands among those that are."""
    rows, learned = list(records(OWN.with_name("others.jsonl"))), list(records(OWN))
    counts = Counter((row["kind"], row["language"]) for row in rows)
    assert counts == {("trap", "en"): 16, ("trap", "tr"): 16, ("update", "en"): 24, ("update", "tr"): 24}
    assert {row["earlier"] for row in rows}.isdisjoint(row["earlier"] for row in learned)
