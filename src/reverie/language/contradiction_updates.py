"""Plain updates: two statements alike but for one thing, of which the later says that it changed ("now", "artık").

In: an earlier clause and a later one. Out: what was said and what is said now. What makes one of two the only one must
be shared: a purpose ("for CI"), a subject of one's own with a verb of one value ("our CI runs on"), what is kept
somewhere, or a verb of choice ("prefer"). Where it may only be added ("I like coffee now") nothing is taken back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_reading import Clause
from reverie.language.contradiction_values import Token, Value, only_differing
from reverie.language.contradiction_words import COPULAS, MINE_TR, grammar, matches, patterns, turkish_verb, verb_terms
from reverie.language.letters import plain

_RUN_MAX = 2
"""Words of what is exchanged."""
_SUBJECT_TERMS = 2
"""So many terms name one series among others: piano lesson."""
_AT_TR = re.compile(r"['’][dt][ae]\Z")
_WITH_TR = frozenset({"ile", "uzerinde"})
_PLACED = frozenset({"in", "on", "with", "at"})


def updated(was: Clause, now: Clause) -> tuple[str, str] | None:
    """What the earlier clause says and the later gives another value, both as written; None where it may be added."""
    if not matches("news", now.language, now.folded) or not _are_comparable(was, now):
        return None
    old, new = was.terms - now.terms, now.terms - was.terms
    if not old and not new:
        return _revalued(was, now)
    if was.partly or now.partly or {value.key for value in was.values} != {value.key for value in now.values}:
        return None
    before, after = _run(was, old), _run(now, new)
    if not before or not after or _has_capital(before) != _has_capital(after):
        return None
    rules = (_is_chosen, _is_for_purpose, _is_of_one_value, _is_kept)
    if not any(rule(was, before, now.terms) and rule(now, after, was.terms) for rule in rules):
        return None
    return _written(was, before[0], before[-1]), _written(now, after[0], after[-1])


def _are_comparable(was: Clause, now: Clause) -> bool:
    """Whether both clauses state what is so, of the same people."""
    if was.denial or now.denial or now.added or was.others != now.others or was.first != now.first:
        return False
    return not any(clause.bounded or clause.indefinite or _is_over(clause) for clause in (was, now))


def _is_over(clause: Clause) -> bool:
    """Whether a clause tells what was; what "is written" is so now."""
    if clause.language == "en" and not COPULAS.isdisjoint(token.plain for token in clause.tokens):
        return clause.over
    return clause.past


def _run(clause: Clause, terms: frozenset[str]) -> list[Token]:
    """The words of the terms, if they stand side by side and are few."""
    places = [place for place, token in enumerate(clause.tokens) if token.term in terms]
    is_run = 0 < len(places) <= _RUN_MAX and places[-1] - places[0] == len(places) - 1
    return list(clause.tokens[places[0] : places[-1] + 1]) if is_run else []


def _has_capital(run: Sequence[Token]) -> bool:
    return run[0].raw[:1].isupper() and run[0].start > 0


def _written(clause: Clause, first: Token, last: Token) -> str:
    return clause.text[first.start : last.end]


# --- what makes one of two the only one


def _is_chosen(clause: Clause, run: Sequence[Token], _shared: frozenset[str]) -> bool:
    """I prefer spaces, boşluk tercih ediyorum: the choice and nothing it is held against."""
    verbs = [token for token in clause.tokens if token.term in terms_of("choosing", clause.language)]
    if not verbs or len(run) != 1 or not clause.first:
        return False
    words = {token.plain for token in clause.tokens}
    if clause.language == "tr":
        return {token.term for token in clause.tokens if token.term} - {run[0].term} <= terms_of("choosing", "tr")
    is_alone = not _between(clause, verbs[0], run[0]) and words.isdisjoint(("to", "over", "than"))
    return is_alone and run[0].plain.endswith("s") and not run[0].plain.endswith("ss")


def _is_for_purpose(clause: Clause, run: Sequence[Token], shared: frozenset[str]) -> bool:
    """We use Buildkite for CI, CI için Buildkite kullanıyoruz."""
    verb = _verb(clause, "employing")
    if verb is None or verb.term not in shared:
        return False
    words = clause.tokens
    if clause.language == "tr":
        for_what = [words[at - 1] for at in range(1, len(words)) if words[at].plain == "icin"]
        is_object = not _between(clause, run[-1], verb)
    else:
        at = next((at for at, token in enumerate(words) if token.plain == "for"), len(words))
        for_what = [token for token in words[at + 1 :] if token.term][:1]
        is_object = not _between(clause, verb, run[0])
    is_narrow = bool(for_what) and all(t.term in shared and t.plain not in grammar("broad") for t in for_what)
    return is_narrow and is_object


def _is_of_one_value(clause: Clause, run: Sequence[Token], shared: frozenset[str]) -> bool:
    """Our CI runs on Buildkite, CI'mız Buildkite üzerinde çalışıyor."""
    found = patterns("runs", clause.language).search(clause.folded)
    if found is None or not _is_own(clause, shared):
        return False
    if clause.language == "tr":
        return run[-1].start < found.start() <= run[-1].end and clause.tokens[-1].end <= found.end()
    return not any(token.term and found.end() <= token.start < run[0].start for token in clause.tokens)


def _is_own(clause: Clause, shared: frozenset[str]) -> bool:
    """Whether a clause speaks of something of the speaker's, which both name: our backend, the API."""
    subject = next((token for token in clause.tokens if token.term), None)
    if subject is None or subject.term not in shared:
        return False
    if subject.plain in grammar("own things"):
        return True
    if clause.language == "tr":
        return any(MINE_TR.search(plain(token.raw)) for token in clause.tokens if token.term in shared)
    return clause.tokens[0].plain in ("my", "our")


def _is_kept(clause: Clause, run: Sequence[Token], shared: frozenset[str]) -> bool:
    """We track our bugs in Linear, notlarımı Notion'da tutuyorum."""
    verb = _verb(clause, "keeping")
    if verb is None or verb.term not in shared or not clause.first or not _has_capital(run):
        return False
    place = clause.tokens.index(run[0])
    objects = [token for token in clause.tokens if token.term and token.term in shared and token is not verb]
    if clause.language == "tr":
        behind = clause.tokens[place + len(run)].plain if place + len(run) < len(clause.tokens) else ""
        return bool(objects) and (_AT_TR.search(plain(run[-1].raw)) is not None or behind in _WITH_TR)
    before = clause.tokens[place - 1].plain
    return before in _PLACED and any(verb.start < token.start < run[0].start for token in objects)


def _verb(clause: Clause, kind: str) -> Token | None:
    """The word of a clause that is a verb of a kind."""
    return next((token for token in clause.tokens if token.term in terms_of(kind, clause.language)), None)


def _between(clause: Clause, first: Token, last: Token) -> bool:
    """Whether something is named between two words, or the second stands before the first."""
    return last.start < first.start or any(
        token.term and first.end <= token.start < last.start for token in clause.tokens
    )


@cache
def terms_of(kind: str, language: str) -> frozenset[str]:
    """The terms of the verbs of a kind."""
    return verb_terms(lists.table(f"contradiction-updates.{language}")[kind], language)


# --- times and numbers


def _revalued(was: Clause, now: Clause) -> tuple[str, str] | None:
    """The one value in which two statements of the same words differ: the day of a lesson, the number of a port."""
    pair = only_differing(was.values, now.values)
    if pair is None:
        return None
    old, new = pair
    is_series = _is_series(was, old) and _is_series(now, new)
    if not is_series and not (_is_numbered(was, old) and _is_numbered(now, new)):
        return None
    pairs = ((was, old), (now, new))
    before, after = (_written(clause, clause.tokens[v.first], clause.tokens[v.last]) for clause, v in pairs)
    return before, after


def _is_series(clause: Clause, value: Value) -> bool:
    """Whether a value is the day or the hour of something of the speaker's that comes again: my piano lesson."""
    if value.kind not in ("weekday", "clock"):
        return False
    subject = [token for token in clause.tokens[: value.first] if token.term]
    if len(subject) < _SUBJECT_TERMS:
        return False
    if clause.language == "tr":
        return MINE_TR.search(plain(subject[1].raw)) is not None and turkish_verb(clause.tokens[-1].plain) is None
    words = [token.plain for token in clause.tokens]
    return words[0] in ("my", "our") and not COPULAS.isdisjoint(words[: value.first])


def _is_numbered(clause: Clause, value: Value) -> bool:
    """Whether a number says which one something of the speaker's runs on: the API runs on port 8000."""
    before = clause.tokens[value.first - 1] if value.first else None
    if value.kind != "number" or before is None or not before.term:
        return False
    return clause.language == "en" and matches("runs", "en", clause.folded) and _is_own(clause, clause.terms)
