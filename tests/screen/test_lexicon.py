"""The lists and rules of both languages hold together."""

from __future__ import annotations

import pytest

from reverie.screen.injection import LEADS, TELLER, begun, fits, lexicon
from tests.spoken import NEITHER, english, turkish


@NEITHER
def test_every_part_of_every_rule_can_be_found() -> None:
    """A rule that names a list no file has, or a list without entries, would never hold."""
    known = lexicon()
    held = {entry.name for kept in (known.words, known.stems) for entries in kept.values() for entry in entries}
    rules = [rule for rules in known.rules.values() for rule in rules]
    assert {part.name for rule in rules for part in rule.parts} - held == set()
    assert {name for rule in rules for name in (rule.before, rule.after, rule.within) if name} - held == set()
    assert len(rules) > 100


@NEITHER
def test_every_list_is_used() -> None:
    """A list that no rule names is a slip of the pen; the lists of leads and tellers are used by the sign ``!``."""
    known = lexicon()
    rules = [rule for rules in known.rules.values() for rule in rules]
    named = {part.name for rule in rules for part in rule.parts} | {*LEADS, TELLER}
    named |= {name for rule in rules for name in (rule.before, rule.after, rule.within)}
    held = {entry.name for kept in (known.words, known.stems) for entries in kept.values() for entry in entries}
    assert held - named == set()


@NEITHER
def test_points_lie_between_a_hint_and_enough() -> None:
    """No rule weighs nothing, none more than is needed."""
    assert all(0.2 < rule.points <= 1 for rules in lexicon().rules.values() for rule in rules)


@pytest.mark.parametrize(
    ("word", "form", "whether"),
    [
        *english(
            ("ignore", "ignore", True),
            ("ignored", "ignore", False),
            ("instructions", "instruction*", True),
            ("instruct", "instruction*", False),
        ),
        *turkish(
            ("unut", "unut", True),
            ("unuttum", "unut", False),
            ("talimatları", "talimat*", True),
            ("talim", "talimat*", False),
        ),
    ],
)
def test_a_star_stands_for_an_ending(word: str, form: str, whether: bool) -> None:
    """An order and a report of the same verb are told apart by their endings."""
    assert fits(word, form) is whether


@pytest.mark.parametrize(
    ("word", "second", "rest", "unlisted"),
    [
        *english(("pay", "no", [("no", "attention", "to")], "payphone")),
        *turkish(("goz", "ardi", [("ardi", "et"), ("ardi", "edin")], "papatya")),
    ],
)
def test_a_word_begins_the_entries_that_start_with_it(
    word: str, second: str, rest: list[tuple[str, ...]], unlisted: str
) -> None:
    """Alone, and as the first of several words."""
    begins = begun(word)
    assert begins is not None
    assert [entry.rest for entry in begins.longer[second]] == rest
    assert begun(unlisted) is None


@NEITHER
def test_a_rule_says_what_may_not_stand_beside_it_or_in_it() -> None:
    """``-8@list`` after the parts, ``~@list`` between them, as the files write it."""
    rules = [rule for rules in lexicon().rules.values() for rule in rules]
    assert any(rule.after == "tr@vazgectim" and rule.gap == 8 and rule.within == "tr@benim" for rule in rules)
    assert any(rule.after == "en@for-thing" and rule.gap == 0 and rule.within == "en@mine" for rule in rules)
    assert any(rule.before == "tr@belge" and rule.after == "tr@kilmak" for rule in rules)


@NEITHER
def test_what_bars_a_rule_is_short() -> None:
    """What may not stand before the parts is looked for over eight words."""
    known = lexicon()
    before = {rule.before for rules in known.rules.values() for rule in rules}
    entries = {entry for kept in (known.words, known.stems) for entries in kept.values() for entry in entries}
    assert all(len(entry.rest) < 8 for entry in entries if entry.name in before)
