"""Whether a later statement takes back an earlier one of the same person: another value, a denial, a correction.

In: two texts. Out: what no longer holds and what holds instead, or None. Rules and figures: docs/decisions/0010-contradiction.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reverie.language import lists
from reverie.language.contradiction_claims import Claim
from reverie.language.contradiction_reading import Clause, Denial, Reading, Switch, reading
from reverie.language.contradiction_values import Value

__all__ = ["Contradiction", "Reading", "contradicts", "contradicts_read", "reading"]

DENIED_SHARE = 0.8
"""Share of what is denied that the other statement must say. Tuned 2026-11-22 on the development half."""
SAME_SHARE = 0.8
"""Share of terms two statements must have in common for their numbers to be of the same thing."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why two statements cannot both hold now, of what they speak, what was said and what is said now."""

    reason: str
    subject: str
    was: str
    now: str


def contradicts(earlier: str, later: str) -> Contradiction | None:
    """What the later text takes back of the earlier, None if nothing; both are said by the same person.

    A statement tied to a time of its own ("in May", "yesterday") is not taken back by one of another time.
    """
    return contradicts_read(reading(earlier), reading(later))


def contradicts_read(earlier: Reading, later: Reading) -> Contradiction | None:
    """The same for texts that were read before."""
    for switch in later.switches:
        for clause in earlier.clauses:
            if _is_replaced(clause, switch):
                return Contradiction("correction", _subject(clause), switch.written_was, switch.written_now)
    for clause in earlier.clauses:
        for other in later.clauses:
            if clause.language == other.language and (found := _compared(clause, other)):
                return found
    return None


def _compared(was: Clause, now: Clause) -> Contradiction | None:
    if was.claims and now.claims and (found := _claimed(was, now)):
        return found
    if not was.terms & now.terms:
        return None
    rules: tuple[Callable[[Clause, Clause], Contradiction | None], ...] = (_denied, _counted, _excluded)
    return next((found for rule in rules if (found := rule(was, now))), None)


def _is_replaced(clause: Clause, switch: Switch) -> bool:
    """Whether a clause says what a later sentence replaces: its name, or the value together with what it is of."""
    said = clause.terms | {token.term or token.plain for token in clause.tokens if token.raw[:1].isdigit()}
    if not switch.was <= said or switch.now <= said or clause.past or clause.denial or clause.bounded:
        return False
    if (clause.others and not clause.first) or switch.others:
        return False
    is_name = any(token.term in switch.was and token.raw[:1].isupper() for token in clause.tokens[1:])
    return is_name or bool((clause.terms - switch.was) & switch.terms)


def _subject(clause: Clause) -> str:
    return clause.text.strip(" .!,;")


# --- attributes of one value


def _claimed(was: Clause, now: Clause) -> Contradiction | None:
    """Two claims of one attribute with different values."""
    for old in was.claims:
        for new in now.claims:
            if _is_same_attribute(old, new, now.changed) and _excludes(old, new, was, now):
                return Contradiction(_reason(new), new.name, old.written, new.written)
    return None


def _is_same_attribute(old: Claim, new: Claim, changed: bool) -> bool:
    if old.owner != new.owner:
        return False
    return old.attribute == new.attribute or (changed and new.attribute < old.attribute and len(new.attribute) > 1)


def _excludes(old: Claim, new: Claim, was: Clause, now: Clause) -> bool:
    if old.kind != new.kind or old.value & new.value:
        return False
    kind = new.kind
    is_time = kind.startswith(("date", "weekday", "clock"))
    if (was.bounded or now.bounded) and not (is_time and _is_calendar_only(was, now)):
        return False
    if kind.endswith(" once") and not kind.startswith("date") and not now.changed:
        return now.changed or kind.startswith("clock") and "flight" in new.name
    if kind == "name ":
        return now.changed or new.name == "employer"
    return not (was.past and now.past and kind != "name city" and not now.changed and not is_time)


def _is_calendar_only(was: Clause, now: Clause) -> bool:
    """Whether the time in each clause is the value itself."""
    return all(any(value.kind in ("date", "weekday", "clock") for value in clause.values) for clause in (was, now))


def _reason(claim: Claim) -> str:
    kind = claim.kind.split(" ", 1)[0]
    if kind in ("date", "weekday", "clock"):
        return "date"
    return {"name": "name", "any": "name", "version": "version"}.get(kind, "number")


# --- denial


def _denied(was: Clause, now: Clause) -> Contradiction | None:
    """One statement denies what the other says."""
    if (was.denial is None) == (now.denial is None):
        return None
    said, denying = (was, now) if now.denial else (now, was)
    denial = denying.denial
    if denial is None or not _is_denied(said, denying, denial, later_denies=now.denial is not None):
        return None
    return Contradiction("negation", _subject(was), was.text, now.text)


def _is_denied(said: Clause, denying: Clause, denial: Denial, *, later_denies: bool) -> bool:
    if denial.term not in said.terms or denial.how == "past" or _speaks_of_others(said, denying):
        return False
    if denial.how == "ended" and not later_denies and not said.changed:
        return False
    if said.bounded and denial.how != "never":
        return False
    if denying.bounded or (denial.how != "never" and said.past):
        return False
    shared = denying.terms & said.terms
    if len(shared) < DENIED_SHARE * len(denying.terms) or not _values_agree(said, denying):
        return False
    return len(denying.terms) > 1 or len(said.terms) <= 2


def _speaks_of_others(one: Clause, other: Clause) -> bool:
    return one.others != other.others and one.others | other.others != {""} or one.first != other.first


def _values_agree(said: Clause, denying: Clause) -> bool:
    """A denial with a number denies that number only."""
    return {value.normal for value in denying.values} <= {value.normal for value in said.values}


# --- counts and exclusive words


def _counted(was: Clause, now: Clause) -> Contradiction | None:
    """Two statements that differ in one number, version or percentage only."""
    if was.denial or now.denial or was.bounded or now.bounded or was.others != now.others or was.first != now.first:
        return None
    if (was.past and not _is_running(was)) or (now.past and not _is_running(now)):
        return None
    pair = _differing(was.values, now.values)
    if pair is None or not _is_same_thing(was.terms, now.terms, now.changed):
        return None
    old, new = pair
    reason = "version" if new.kind == "version" else "number"
    return Contradiction(reason, _subject(was), _written(was, old), _written(now, new))


_RUNNING = frozenset({"far", "already", "total", "now", "dek", "kadar", "toplam", "simdiye", "have", "has", "ve"})


def _is_running(clause: Clause) -> bool:
    """Whether a past form counts up to now: so far, already, I have watched."""
    return clause.changed or any(token.plain in _RUNNING for token in clause.tokens)


def _written(clause: Clause, value: Value) -> str:
    return clause.text[clause.tokens[value.first].start : clause.tokens[value.last].end]


def _differing(was: tuple[Value, ...], now: tuple[Value, ...]) -> tuple[Value, Value] | None:
    """The one value in which two lists differ, both of one kind and unit; calendar values alone do not count."""
    old = [value for value in was if _key(value) not in {_key(other) for other in now}]
    new = [value for value in now if _key(value) not in {_key(other) for other in was}]
    if len(old) != 1 or len(new) != 1:
        return None
    same = old[0].kind == new[0].kind and old[0].unit == new[0].unit
    return (old[0], new[0]) if same and old[0].kind not in ("date", "weekday", "year", "clock") else None


def _key(value: Value) -> tuple[str, str, str]:
    return value.kind, value.normal, value.unit


def _is_same_thing(was: frozenset[str], now: frozenset[str], changed: bool) -> bool:
    shared = was & now
    if changed and len(shared) >= 2 and now <= was:
        return True
    return len(shared) >= SAME_SHARE * len(was | now) and len(shared) >= 1


def _excluded(was: Clause, now: Clause) -> Contradiction | None:
    """Two statements that differ in one word of a set of which only one holds."""
    if was.denial or now.denial or was.bounded or now.bounded or was.past or now.past:
        return None
    if was.others != now.others or was.first != now.first or _differing(was.values, now.values):
        return None
    old, new = (_exclusive_words(clause) for clause in (was, now))
    pairs = [(old[kind], new[kind]) for kind in old.keys() & new.keys() if old[kind][0] != new[kind][0]]
    if len(pairs) != 1:
        return None
    (old_term, old_word), (new_term, new_word) = pairs[0]
    rest_old, rest_new = was.terms - {old_term}, now.terms - {new_term}
    if not rest_old and not rest_new or _is_same_thing(rest_old, rest_new, now.changed):
        return Contradiction("other value", _subject(was), old_word, new_word)
    return None


def _exclusive_words(clause: Clause) -> dict[str, tuple[str, str]]:
    """The words of a clause that exclude others, by their set: term and word."""
    sets = lists.table(f"contradiction-exclusive.{clause.language}")
    found: dict[str, tuple[str, str]] = {}
    for token in clause.tokens:
        for kind, words in sets.items():
            if token.plain in words:
                found[kind] = (token.term, token.raw)
    return found


