"""Whether a later statement takes back an earlier one of the same person: another value, a denial, a correction.

In: two texts. Out: what no longer holds and what holds instead, or None. Rules and figures:
docs/decisions/0015-contradiction.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_called_off import is_called_off, is_other_way
from reverie.language.contradiction_claimed import differing, is_left, is_of_one_of_several, is_self_told
from reverie.language.contradiction_framed import Claim
from reverie.language.contradiction_orders import replaced
from reverie.language.contradiction_parted import is_parted
from reverie.language.contradiction_ranked import reversed_rank
from reverie.language.contradiction_reading import Clause, Denial, Reading, read_in, reading
from reverie.language.contradiction_replaced import is_replaced
from reverie.language.contradiction_resumed import is_resumed
from reverie.language.contradiction_updates import updated
from reverie.language.contradiction_values import Token, Value, only_differing
from reverie.language.contradiction_words import grammar, matches
from reverie.language.letters import plain
from reverie.language.revoking import lifts

__all__ = ["Contradiction", "Reading", "contradicts", "contradicts_read", "reading"]

DENIED_SHARE = 0.8
"""Share of what is denied that the other statement must say. Tuned 2026-11-22 on the development half."""
EXCLUSIVE_SHARE = 0.6
"""The same where they differ in words that exclude each other."""
POINTED_SCOPE = 3
"""A denial of so few terms that also says "it" or "those" may be of anything."""
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
    now = reading(later)
    is_apart = read_in(earlier) != read_in(later) and not any(is_self_told(clause) for clause in now.clauses)
    if (is_apart or not now.clauses) and not (now.switches or now.orders or now.ranks):
        found = None  # no clause is held against none, and few against one of another language
    else:
        found = contradicts_read(reading(earlier), now)
    if found is None and lifts(earlier, later):
        return Contradiction("order", "standing order", earlier, later)
    return found


def contradicts_read(earlier: Reading, later: Reading) -> Contradiction | None:
    """The same for texts that were read before."""
    if later.orders and (pair := replaced(earlier.orders, later.orders)):
        return Contradiction("order", pair[1].attribute, pair[0].written, pair[1].written)
    if later.ranks and earlier.ranks:
        turned = reversed_rank(earlier.ranks, later.ranks)
        if turned:
            return Contradiction("reversal", "preference", turned[0].written, turned[1].written)
        if len(earlier.clauses) == len(later.clauses) == 1:
            return None  # tea over coffee in the morning, coffee over tea in the evening
    return _switched(earlier, later) or _parted(earlier, later) or _clashing(earlier, later)


def _switched(earlier: Reading, later: Reading) -> Contradiction | None:
    """What a later sentence replaces by name."""
    for switch in later.switches:
        for clause in earlier.clauses:
            if is_replaced(clause, switch):
                return Contradiction("correction", _subject(clause), switch.written_was, switch.written_now)
    return None


def _parted(earlier: Reading, later: Reading) -> Contradiction | None:
    """What the speaker had and has given away since."""
    for was in earlier.clauses if not later.undone else ():
        for now in later.clauses:
            if is_parted(was, now):
                return Contradiction("negation", _subject(was), was.text, now.text)
    return None


def _clashing(earlier: Reading, later: Reading) -> Contradiction | None:
    """Two clauses that cannot both hold, of one person each."""
    pairs = ((was, now) for was in earlier.clauses for now in later.clauses)
    found = ((was, now, found) for was, now in pairs if (found := _compared(was, now)))
    return next((found for was, now, found in found if not is_of_one_of_several(was, now)), None)


def _compared(was: Clause, now: Clause) -> Contradiction | None:
    if now.claims and was.claims and (found := _claimed(was, now)):
        return found
    if was.language != now.language:
        return None
    if now.resumes and is_resumed(was, now):
        return Contradiction("negation", _subject(was), was.text, now.text)
    if was.terms.isdisjoint(now.terms) and not (now.exclusive and was.exclusive):
        return None
    if was.denial or now.denial:
        return _denied(was, now)
    if is_called_off(was, now):
        return Contradiction("called off", _subject(was), was.text, now.text)
    if now.changed and (pair := updated(was, now)):
        return Contradiction("update", _subject(was), *pair)
    found = _counted(was, now) if was.values and now.values else None
    return found or (_excluded(was, now) if now.exclusive and was.exclusive else None)


def _subject(clause: Clause) -> str:
    return clause.text.strip(" .!,;")


# --- attributes of one value


def _claimed(was: Clause, now: Clause) -> Contradiction | None:
    """Two claims of one attribute with different values, or the end of what one claims."""
    pair = differing(was, now)
    if pair and not (_reason(pair[1]) == "date" and is_other_way(was, now)):
        return Contradiction(_reason(pair[1]), pair[1].name, pair[0].written, pair[1].written)
    if is_left(was, now):
        return Contradiction("negation", _subject(was), was.text, now.text)
    return None


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
    if denial.term not in said.terms or _speaks_of_others(said, denying) or "you" in said.others:
        return False
    if not _is_predicate(said, denying, denial) or _is_of_it(said) or _is_of_it(denying):
        return False
    if not _is_of_one_time(said, denying, denial, later_denies=later_denies):
        return False
    if not _covers(said, denial) or not _values_agree(said, denying, denial):
        return False
    if not denying.first and not denying.terms - {*denial.scope} <= said.terms:
        return False
    if (_points(denying) and len(denial.scope) <= POINTED_SCOPE) or _is_elsewhere(said, denying):
        return False
    return len(denial.scope) > 1 or len(said.terms) <= (4 if denial.how == "ended" else 2)


def _is_of_one_time(said: Clause, denying: Clause, denial: Denial, *, later_denies: bool) -> bool:
    """Whether both speak of now, or the denial of all time; "did not" speaks of one occasion only."""
    if denying.partly and not said.partly:
        return False
    if denial.how == "never":
        return not denying.bounded
    if denial.how == "ended":
        return not said.bounded and not said.past and (later_denies or said.changed)
    return denial.how == "not" and not said.bounded and not said.past and not denying.bounded


def _is_predicate(said: Clause, denying: Clause, denial: Denial) -> bool:
    """Whether the other statement says the same verb or noun of somebody, and not only as a purpose: games to play."""
    if said.language == "tr":
        return _is_had(said, denying, denial)
    if denial.term == "have" and (denial.how == "never" or said.past):
        return False
    place = next((at for at, token in enumerate(said.tokens) if token.term == denial.term), 0)
    if place > 0 and said.tokens[place - 1].plain in grammar("purpose"):
        return False
    return denial.term != "have" or _has(said, denial)


def _has(said: Clause, denial: Denial) -> bool:
    """Whether English has itself what it no longer has: a cat, and no insurance for the cat."""
    place = next((at for at, token in enumerate(said.tokens) if token.term in denial.scope[1:2]), 0)
    before = [token.plain for token in said.tokens[max(0, place - 2) : place]]
    if before and before[-1] in grammar("determiner"):
        before.pop()
    return not before or before[-1] not in grammar("purpose")


_THERE_TR = re.compile(r"var(?:dir|di|mis)?\Z")
_NOT_THERE_TR = re.compile(r"yok(?:tur|tu|mus)?\Z")


def _is_had(said: Clause, denying: Clause, denial: Denial) -> bool:
    """Whether what is no more is what there was: "kedim yok" takes back "kedim var", but no "kediye alerjim var"."""
    there = next((at for at, token in enumerate(said.tokens) if _THERE_TR.match(token.plain)), None)
    if there is None and not any(_NOT_THERE_TR.match(token.plain) for token in denying.tokens[-2:]):
        return True
    named = [token.term for token in said.tokens[:there] if token.term]
    return named[-1:] == [denial.term]


def _is_of_it(clause: Clause) -> bool:
    """Whether the subject is only pointed at."""
    words = [token.plain for token in clause.tokens[:2]]
    return clause.language == "en" and not grammar("pointing").isdisjoint(words) and words[1:] != ["turns"]


def _is_elsewhere(said: Clause, denying: Clause) -> bool:
    """Whether a denial holds for a place that the statement does not name: not at work, yanımda yok."""
    if matches("here", denying.language, denying.folded) and not matches("here", said.language, said.folded):
        return True
    return _narrows(denying, denying.terms - said.terms - grammar("no place"))


def _covers(said: Clause, denial: Denial) -> bool:
    """Whether a statement says what is denied: the predicate with its object, and nearly all else."""
    shared = sum(term in said.terms for term in denial.scope)
    return said.terms.issuperset(denial.scope[:2]) and shared >= DENIED_SHARE * len(denial.scope)


def _points(clause: Clause) -> bool:
    """Whether a clause speaks of something named before: them, it, that."""
    return any(token.plain in grammar("pointing") for token in clause.tokens)


def _speaks_of_others(said: Clause, denying: Clause) -> bool:
    if said.others and not denying.others and not denying.first and said.called & denying.terms:
        return False  # my husband Mert, Mert
    return said.others != denying.others or said.first != denying.first


def _values_agree(said: Clause, denying: Clause, denial: Denial) -> bool:
    """A denial with a number denies that number only; what is over may say since when."""
    if denial.how == "ended" and denying.bounded:
        return True
    return {value.normal for value in denying.values} <= {value.normal for value in said.values}


# --- counts and exclusive words


def _counted(was: Clause, now: Clause) -> Contradiction | None:
    """Two statements that differ in one number, version or percentage only."""
    if was.denial or now.denial or was.bounded or now.bounded or was.others != now.others or was.first != now.first:
        return None
    if (now.added and not now.changes) or _fresh(was) != _fresh(now):
        return None
    if (was.past and not _is_running(was)) or (now.past and not _is_running(now)):
        return None
    pair = _differing(was.values, now.values)
    is_version = pair is not None and pair[0].kind == "version" and now.changed
    if (
        pair is None
        or not (_is_state(was, pair[0]) and _is_state(now, pair[1]))
        or not _is_same_thing(was.terms, now.terms, now.changed, is_version)
    ):
        return None
    old, new = pair
    reason = "version" if new.kind == "version" else "number"
    return Contradiction(reason, _subject(was), _written(was, old), _written(now, new))


def _fresh(clause: Clause) -> bool:
    """Whether a clause speaks of something new, which is another than that of before: yeni bahçem."""
    return not grammar("fresh").isdisjoint(token.plain for token in clause.tokens)


def _is_state(clause: Clause, value: Value) -> bool:
    """Whether a clause says how much there is of something named, rather than being a heading, an order or of "it"."""
    if not clause.terms - {value.unit} - states_en() and not clause.first:
        return False
    if clause.language == "tr":
        return True
    states = states_en()
    return not _is_of_it(clause) and any(token.plain in states or token.raw[-2:] in _SHORT for token in clause.tokens)


@cache
def states_en() -> frozenset[str]:
    """English verbs of a state."""
    return frozenset(" ".join(lists.entries("contradiction-states.en")).split())


_LOCATIVE_TR = re.compile(r"[dt][ae]\Z|[dt][ae]yken\Z|[iu]nc[ae]\Z")
_SHORT = frozenset({"'s", "'m", "re", "ve", "’s", "’m"})


def _is_running(clause: Clause) -> bool:
    """Whether a past form counts up to now: so far, already, I have watched."""
    return clause.changed or any(token.plain in grammar("running") for token in clause.tokens)


def _written(clause: Clause, value: Value) -> str:
    return clause.text[clause.tokens[value.first].start : clause.tokens[value.last].end]


def _differing(was: tuple[Value, ...], now: tuple[Value, ...]) -> tuple[Value, Value] | None:
    """The one value in which two lists differ, both of one kind and unit; calendar values alone do not count."""
    pair = only_differing(was, now)
    if pair is None or pair[0].kind in ("date", "weekday", "year", "clock"):
        return None
    return pair if pair[0].unit or pair[0].kind != "number" else None


def _is_same_thing(was: frozenset[str], now: frozenset[str], changed: bool, is_version: bool = False) -> bool:
    shared = was & now
    if changed and len(shared) >= 2 and now <= was:
        return True
    if is_version and len(shared) >= 2 and was <= now:
        return True
    return len(shared) >= SAME_SHARE * len(was | now) and len(shared) >= 1


def _excluded(was: Clause, now: Clause) -> Contradiction | None:
    """Two statements that differ in one word of a set of which only one holds."""
    if was.denial or now.denial or was.bounded or now.bounded or was.past or now.past or now.added:
        return None
    if was.others != now.others or was.first != now.first or _differing(was.values, now.values):
        return None
    pairs = {(x, y) for kind, x in was.exclusive for other, y in now.exclusive if kind == other and x.term != y.term}
    if len(pairs) != 1:
        return None
    old, new = pairs.pop()
    if _tells_which(was, old) or _tells_which(now, new):
        return None
    rest_old, rest_new = was.terms - {old.term}, now.terms - {new.term}
    if _narrows(now, rest_new - rest_old):
        return None
    shared = rest_old & rest_new
    if len(shared) >= EXCLUSIVE_SHARE * len(rest_old | rest_new) and (shared or not rest_old | rest_new):
        return Contradiction("other value", _subject(was), old.raw, new.raw)
    return None


_OWNED_TR = re.compile(r"(?:[iu]m(?:[iu]z)?|s[iu])(?:n?[iu]n|d[ae])?\Z")


def _tells_which(clause: Clause, token: Token) -> bool:
    """Whether a word only says of which of several a clause speaks: *my small* dog is ill, *küçük köpeğim* hasta."""
    place = clause.tokens.index(token)
    before, behind = clause.tokens[:place], clause.tokens[place + 1 : place + 2]
    if any(word.term for word in before) or not behind or not behind[0].term:
        return False
    if clause.language == "tr":
        return _OWNED_TR.search(behind[0].plain) is not None
    return bool(before) and before[-1].plain in grammar("determiner")


def _narrows(clause: Clause, extra: frozenset[str]) -> bool:
    """Whether what a clause says more makes it hold only there: aisle seats *on trains*, *trende*."""
    for place, token in enumerate(clause.tokens):
        if token.term not in extra:
            continue
        if clause.language == "tr":
            following = clause.tokens[place + 1].plain if place + 1 < len(clause.tokens) else ""
            if following in grammar("narrowing") or _LOCATIVE_TR.search(plain(token.raw)):
                return True
        elif not grammar("condition").isdisjoint(word.plain for word in clause.tokens[max(0, place - 2) : place]):
            return True
    return False
