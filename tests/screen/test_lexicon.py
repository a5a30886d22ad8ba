"""The lists and rules of both languages hold together."""

from __future__ import annotations

import pytest

from reverie.screen.lexicon import begun, fits, lexicon
from tests.spoken import NEITHER, english, turkish


@NEITHER
def test_every_part_of_every_rule_can_be_found() -> None:
    """A rule that names a list no file has, or a list without entries, would never hold."""
    known = lexicon()
    held = {entry.name for kept in (known.words, known.stems) for entries in kept.values() for entry in entries}
    rules = [rule for rules in known.rules.values() for rule in rules]
    assert {part.name for rule in rules for part in rule.parts} - held == set()
    assert {name for rule in rules for name in (rule.before, rule.after) if name} - held == set()
    assert len(rules) > 100


@NEITHER
def test_every_list_is_used() -> None:
    """A list that no rule names is a slip of the pen; the list of leads is used by the sign ``!``."""
    known = lexicon()
    named = {part.name for rules in known.rules.values() for rule in rules for part in rule.parts} | {"en@lead"}
    named |= {name for rules in known.rules.values() for rule in rules for name in (rule.before, rule.after)}
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
