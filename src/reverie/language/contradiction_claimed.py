"""Whether two clauses claim different values of one attribute of the same thing or person.

In: two clauses as read. Out: the claims that exclude each other, or that what one claims is over.
"""

from __future__ import annotations

from reverie.language.contradiction_framed import LEFT, Claim
from reverie.language.contradiction_homes import CITY, TOWN, tells_of_move
from reverie.language.contradiction_people import is_same_owner
from reverie.language.contradiction_reading import Clause
from reverie.language.contradiction_words import grammar
from reverie.language.letters import plain

_TIMES = ("date", "weekday", "clock")


def differing(was: Clause, now: Clause) -> tuple[Claim, Claim] | None:
    """Two claims of one attribute with different values; across languages only what is sure to be of the speaker."""
    is_across = was.language != now.language
    for old in was.claims:
        for new in now.claims:
            is_same = _is_same_of_speaker(old, new) if is_across else _is_same_attribute(old, new, was, now)
            if is_same and _excludes(old, new, was, now):
                return old, new
    return None


def is_left(was: Clause, now: Clause) -> bool:
    """Whether the later clause says that its subject left the employer of the earlier: I left Trendyol."""
    if was.past or was.bounded or was.partly or (now.bounded and not now.recent):
        return False
    return any(
        old.name == new.name and new.kind == LEFT and old.kind != LEFT and is_same_owner(old.owner, new.owner)
        for old in was.claims
        for new in now.claims
        if old.value == new.value
    )


def is_of_one_of_several(was: Clause, now: Clause) -> bool:
    """Whether two clauses may be of two people: one of my cousins, my cousin; not if the later says that it changed."""
    if was.indefinite or now.indefinite:
        return True
    return (was.several or now.several) and not (now.changes or now.mended or now.not_so)


def is_self_told(clause: Clause) -> bool:
    """Whether a clause tells an attribute of the speaker that is the same in both languages."""
    return any(_told_of_self(claim) for claim in clause.claims)


def _told_of_self(claim: Claim) -> str:
    """Which attribute of the speaker a claim tells, "" if of another or one that only one language knows so."""
    if claim.owner == {"1"} and claim.name in grammar("self framed"):
        return "" if claim.name == "employer" and _is_translated(claim.written) else claim.name
    if claim.attribute == {"age", "1"}:
        return "age"
    is_name = claim.own and not claim.owner and len(claim.attribute) == 1 and claim.name in grammar("self named")
    return "name" if is_name else ""


def _is_translated(name: str) -> bool:
    """Whether a name may have another form in the other language: Turkish Airlines, THY."""
    return " " in name or name.isupper()


def _is_same_of_speaker(old: Claim, new: Claim) -> bool:
    if old.kind == new.kind == TOWN:
        return False  # Jerusalem, Kudüs
    attribute = _told_of_self(old)
    return bool(attribute) and attribute == _told_of_self(new)


def _is_same_attribute(old: Claim, new: Claim, was: Clause, now: Clause) -> bool:
    if not (is_same_owner(old.owner, new.owner) or _is_known_by_change(old, new, was, now)):
        return False
    return old.attribute == new.attribute or (now.changed and new.attribute < old.attribute and len(new.attribute) > 1)


def _is_known_by_change(old: Claim, new: Claim, was: Clause, now: Clause) -> bool:
    """Whether the later relation is who was named before, as it tells a change: my sister Meera, my sister now."""
    rest = old.owner - new.owner
    return now.changes and not now.several and len(new.owner) == 1 and old.owner > new.owner and rest <= was.called


def _is_of_one_kind(old: Claim, new: Claim, now: Clause) -> bool:
    """Whether two values can be held against each other; of a town of no list only where the later is sure to be new.

    "I live in Hackney", then "I moved to London" may tell how it came so.
    """
    if new.name == "home" and old.value <= now.not_so:
        return True
    if new.kind != TOWN and old.kind != TOWN:
        return old.kind == new.kind
    is_told = (new.moved and (new.kind == TOWN or now.recent)) or now.mended or tells_of_move(now.folded, now.language)
    return {old.kind, new.kind} <= {TOWN, CITY} and is_told


def _excludes(old: Claim, new: Claim, was: Clause, now: Clause) -> bool:
    if not _is_of_one_kind(old, new, now) or new.kind == LEFT or _is_same_value(old, new):
        return False
    is_named = old.value <= now.not_so
    if len(new.attribute) == 1 and not is_named and not _is_bare_allowed(new, now):
        return False
    if _is_aside(new, now) or (now.over and not now.changed and not was.past) or _is_bound(new, was, now):
        return False
    if new.kind.endswith(" once") and not (now.changed or is_named):
        return False
    if new.kind == "name ":
        return now.changed or new.name == "employer"
    is_time = new.kind.startswith(_TIMES)
    return not (was.past and now.past and new.kind not in (CITY, TOWN) and not now.changed and not is_time)


def _is_same_value(old: Claim, new: Claim) -> bool:
    """Whether two values are one, or a name and the same by its full name: Google, Google Turkey."""
    if old.value & new.value:
        return True
    one, other = set(plain(old.written).split()), set(plain(new.written).split())
    return new.kind.startswith("name") and (one <= other or other <= one)


def _is_bound(claim: Claim, was: Clause, now: Clause) -> bool:
    """Whether one of two clauses holds at a time of its own, or for a part of the time: on weekends I work at Getir."""
    is_move = (claim.kind in (CITY, TOWN) or (claim.name == "employer" and not now.over)) and now.past
    if claim.kind.startswith(_TIMES):
        return (was.bounded or now.bounded) and not _is_calendar_only(was, now)
    return (
        was.bounded
        or was.partly
        or (now.bounded and not (is_move and now.recent))
        or (now.partly and not (is_move and claim.name == "home"))
    )


def _is_aside(claim: Claim, now: Clause) -> bool:
    """Whether a claim only adds to what holds: I also live in Paris. A number that also changed did change."""
    return now.added and not (now.changes and not claim.kind.startswith(("name", "any")))


def _is_bare_allowed(claim: Claim, now: Clause) -> bool:
    """Whether an attribute without closer description is sure to be the same: it is said to change, or is one's own."""
    if claim.kind.startswith(("name", "any")):
        return claim.own
    if claim.own and (claim.name in grammar("personal") or (claim.kind.endswith(" once") and now.mended)):
        return True
    if claim.own and claim.name in grammar("moved") and now.moved:
        return True
    if claim.name in grammar("vague") or claim.kind.endswith(" once"):
        return False
    return now.changes or now.language == "tr"


def _is_calendar_only(was: Clause, now: Clause) -> bool:
    """Whether the time in each clause is the value itself."""
    return all(any(value.kind in _TIMES for value in clause.values) for clause in (was, now))
