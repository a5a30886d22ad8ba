"""What somebody no longer did and does again: I don't eat meat, I started eating meat again; yine sigaraya başladım.

In: an earlier clause and a later one. Out: whether the later ends what the earlier denies, or the diet it tells.
"""

from __future__ import annotations

from reverie.language.contradiction_reading import Clause, Denial
from reverie.language.contradiction_updates import terms_of
from reverie.language.contradiction_words import patterns, turkish_verb

_DIETS = {"en": ("vegetarian", "vegan"), "tr": ("vejetaryen", "vegan")}


def is_resumed(was: Clause, now: Clause) -> bool:
    """Whether the speaker does again, for good, what the earlier clause denies."""
    if now.denial or was.others or now.others or not now.first or now.partly or now.added:
        return False
    if was.bounded or was.partly or (now.bounded and not now.recent):
        return False
    if was.denial is None:
        return _breaks_diet(was, now)
    return was.denial.how in ("not", "ended") and was.first and _is_taken_up(was.denial, now)


def _is_taken_up(denial: Denial, now: Clause) -> bool:
    """Whether the later clause takes up the very thing that is denied."""
    found = patterns("began", now.language).search(now.folded)
    if found is None:
        return False
    objects = frozenset(denial.scope[1:])
    if now.language == "en":
        rest = now.terms - {denial.term} - terms_of("resuming", "en")
        return denial.term in now.terms and objects <= now.terms and (bool(objects) or not rest)
    if found["verb"]:
        verb = turkish_verb(f"{found['verb']}di")
        return verb is not None and denial.term == f"v {verb.root}" and bool(objects) and objects <= now.terms
    return denial.term in terms_of("resuming", "tr") and len(objects) == 1 and objects <= now.terms


def _breaks_diet(was: Clause, now: Clause) -> bool:
    """Whether the earlier clause says no more than a diet, and the later that the speaker eats what is not in it."""
    diet = next((diet for diet in _DIETS[was.language] if was.terms == {diet}), "")
    if not diet or not _is_of_self(was):
        return False
    food = now.terms & terms_of(f"food {diet}", now.language)
    eats = now.terms & terms_of("eating", now.language)
    if now.language == "tr" and (found := patterns("began", "tr").search(now.folded)) and found["verb"] == "ye":
        return bool(food)
    began = patterns("began", now.language).search(now.folded) is not None
    return bool(food) and bool(eats) and (began or (not now.past and not now.terms - food - eats - {"tekra", "yine"}))


def _is_of_self(clause: Clause) -> bool:
    """Whether a clause of a diet alone is of the speaker: I'm vegan, veganım."""
    return clause.first if clause.language == "en" else clause.tokens[-1].plain.endswith("im")
