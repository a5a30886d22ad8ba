"""Rewrite a message in the third person: "I prefer tea" becomes "User prefers tea", in English and Turkish.

In: a first-person text, and a name. Out: the third-person text without filler words; None if a verb is
uncertain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.names.entities import is_given_name
from reverie.language.text import lists
from reverie.language.text.letters import turkish_evidence
from reverie.language.text.patterns import capital, masked, sentences
from reverie.recipes.published.v9 import WORDS, third_person_turkish

# English: pronouns, the verb after "I", and possessives.


_PIECE = re.compile(r"(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)|[\W\d_]+")
_CONTRACTIONS = {"i'm": "is", "i've": "has", "i'll": "will"}
_AUXILIARIES = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "aren't": "isn't"}
_INVERTED = _AUXILIARIES.keys() | {
    "did",
    "was",
    "had",
    "can",
    "could",
    "will",
    "would",
    "should",
    "may",
    "might",
    "must",
}
_SUBJECTS = frozenset({"i", "you", "we", "they", "he", "she", "it", "that", "what", "who"})
_SHORTENED = _SUBJECTS | {"there", "here", "where", "how"}
_ADDED = re.compile(r"(?:[^aeiou]y|s|x|z|ch|sh|o)\Z")
_FINITE = frozenset({"is", "are", "has", "does", "goes", "says"})
_FORMED = ("ize", "ise", "ate", "ify")
_OPENS = re.compile(r"[.!?\n:;•*-]\s*\Z")


class _Piece(NamedTuple):
    """A word (lower case, straight apostrophe) or the text between words, and its original spelling."""

    word: str
    text: str


class _Unsure(Exception):
    """Raised when a verb is not known."""


def rewritten_english(text: str, subject: str) -> str | None:
    """Return the text in the third person; unchanged if it has no first person, None if the result is uncertain."""
    pieces = _pieces(text)
    words = {piece.word for piece in pieces}
    if words.isdisjoint(_own()):
        return None if words & lists.words("first-person-plural.en", WORDS) else text
    if words & lists.words("first-person-plural.en", WORDS):
        return None
    try:
        return "".join(_told(pieces, subject))
    except _Unsure:
        return None


def is_own(text: str) -> bool:
    """Whether an English text contains a word of the first person, singular or plural."""
    words = {piece.word for piece in _pieces(text)}
    return not words.isdisjoint(_own() | lists.words("first-person-plural.en", WORDS))


@cache
def _own() -> frozenset[str]:
    """Return the words of the first person singular: I, my, I'm."""
    alone = lists.words("first-person.en") - lists.words("first-person-plural.en", WORDS)
    return alone | _CONTRACTIONS.keys() | {"i'd"}


def _pieces(text: str) -> list[_Piece]:
    """Split a text into words and the text between them; quotations count as between."""
    hidden = masked(text)
    return [
        _Piece(
            (match["word"] or "").lower().replace("’", "'"),
            text[match.start() : match.end()],
        )
        for match in _PIECE.finditer(hidden)
    ]


def _told(pieces: list[_Piece], subject: str) -> list[str]:
    told = [piece.text for piece in pieces]
    place = 0
    while place < len(pieces):
        word = pieces[place].word
        if word in ("me", "my", "mine", "myself"):
            told[place] = _object(pieces, place, subject)
        elif word in _own() and _is_speaker(pieces, place):
            _subject(pieces, place, subject, told)
        place += 1
    return told


def _object(pieces: Sequence[_Piece], place: int, subject: str) -> str:
    piece = pieces[place]
    before = _before(pieces, place)
    is_title = piece.text[0].isupper() and not _opens(pieces, place) and not piece.text.isupper()
    if is_title or (piece.word == "mine" and _is_before_mine(before)) or _is_inside(pieces, place):
        return piece.text
    if piece.word == "myself":
        return "themselves"
    if piece.word == "me":
        return subject
    return f"{subject}'s"


def _is_inside(pieces: Sequence[_Piece], place: int) -> bool:
    """Whether a word is part of an address, a path or a hyphenated word: me@here, my-file, i.e."""
    before = pieces[place - 1].text[-1:] if place else ""
    behind = pieces[place + 1].text if place + 1 < len(pieces) else ""
    joined = behind[:1] in tuple("@-_/") or (behind == "." and place + 2 < len(pieces))
    return before in tuple("@-_/.#") or joined


def _is_speaker(pieces: Sequence[_Piece], place: int) -> bool:
    """Whether "I" is the speaker, not a number after a name or noun, or part of an abbreviation."""
    if _is_inside(pieces, place):
        return False
    before = pieces[place - 2] if place > 1 and pieces[place - 1].text == " " else None
    return before is None or not (before.word in lists.words("numbered.en", WORDS) or _is_name(before.text))


@lru_cache(maxsize=1 << 10)
def _is_name(word: str) -> bool:
    return is_given_name(word)


def _subject(pieces: list[_Piece], place: int, subject: str, told: list[str]) -> None:
    """Replace "I" by the subject, and adapt the verb before or after it."""
    word = pieces[place].word
    if word in _CONTRACTIONS:
        told[place] = f"{subject} {_CONTRACTIONS[word]}"
        return
    told[place] = subject + ("'d" if word == "i'd" else "")
    if word == "i'd" or _is_one_of_several(pieces, place):
        return
    auxiliary = _before(pieces, place)
    if (auxiliary in _INVERTED or auxiliary.endswith("n't")) and _before(pieces, place - 2) not in _SUBJECTS:
        told[place - 2] = _like(pieces[place - 2].text, _AUXILIARIES.get(auxiliary, auxiliary))
        return
    verb = _verb(pieces, place)
    if verb is None:
        return
    told[verb], is_present = _agreed(pieces[verb])
    if is_present:
        _agree_second(pieces, verb, told)


def _is_one_of_several(pieces: Sequence[_Piece], place: int) -> bool:
    """Whether "I" is one of several subjects: "Tom and I", but not "… is Tom, and I"."""
    if _before(pieces, place) not in ("and", "or", "nor"):
        return False
    words: list[str] = []
    at = place - 4
    while at >= 0 and not (words and pieces[at + 1].text.strip()):
        words.append(pieces[at].word)
        at -= 2
    if not any(_is_any_verb(word) for word in words):
        if any(_may_be_verb(word) for word in words):
            raise _Unsure
        return len(words) > 0
    if _is_name(pieces[place - 4].text) and words[1:2] not in (["is"], ["named"], ["called"]):
        raise _Unsure
    return False


def _is_any_verb(word: str) -> bool:
    """Whether a word is or contains a verb in any form: loved, works, is, I'm, it's."""
    head, apostrophe, _ = word.partition("'")
    if apostrophe and head in _SHORTENED:
        return True
    return _is_verb(word) or word.endswith(("ed", "n't")) or word in _FINITE or word in _inflected()


def _may_be_verb(word: str) -> bool:
    """Whether a word is a verb in the third person, or a noun that looks like one: meets, plans."""
    bases = {word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"}
    return word.endswith("s") and not bases.isdisjoint(lists.words("verbs.en", WORDS))


def _is_before_mine(word: str) -> bool:
    return word in lists.words("determiners.en", WORDS) or word in lists.words("before-mine.en", WORDS)


@cache
def _unchanged() -> frozenset[str]:
    """Return the verbs whose form does not change."""
    return lists.words("pasts.en") | lists.words("verbs-unbent.en", WORDS)


@cache
def _inflected() -> frozenset[str]:
    return _unchanged() | lists.words("verbs-third.en") | lists.words("auxiliaries.en", WORDS)


def _verb(pieces: Sequence[_Piece], place: int) -> int | None:
    """Return the index of the verb after a subject, skipping adverbs; None if something else is there."""
    for at in range(place + 2, min(place + 9, len(pieces)), 2):
        if pieces[at - 1].text.strip() or not pieces[at].word:
            return None
        word = pieces[at].word
        if word in ("and", "or", "nor"):
            return None
        if not _is_adverb(word):
            return at
    return None


def _is_adverb(word: str) -> bool:
    return word in lists.words("adverbs.en", WORDS) or (
        word.endswith("ly") and word not in ("rely", "fly", "apply", "reply")
    )


def _agreed(piece: _Piece) -> tuple[str, bool]:
    """Return the verb in the third person, and whether it is a full verb in the present."""
    word = piece.word
    if word in _AUXILIARIES:
        return _like(piece.text, _AUXILIARIES[word]), word in ("am", "have")
    is_base = word in lists.words("verbs.en", WORDS)
    if word in _unchanged() or (word.endswith(("ed", "n't")) and not is_base):
        return piece.text, False
    if is_base or word.endswith(_FORMED):
        return _with_ending(piece.text), True
    raise _Unsure


def _agree_second(pieces: Sequence[_Piece], verb: int, told: list[str]) -> None:
    """Adapt the second verb of a clause ("and work at …"), unless it may belong to an infinitive before it."""
    for at in range(verb + 2, len(pieces) - 2, 2):
        if pieces[at - 1].text.strip(" 0123456789") or pieces[at].word in (
            "to",
            "can",
            "will",
            "that",
            "who",
            "which",
            "i",
        ):
            return
        if pieces[at].word in ("and", "but", "or"):
            second = at + 4 if _is_adverb(pieces[at + 2].word) else at + 2
            goes_on = second + 2 < len(pieces) and pieces[second + 1].text == " "
            if goes_on and _is_verb(pieces[second].word):
                told[second] = _agreed(pieces[second])[0]
            return


def _is_verb(word: str) -> bool:
    return word in lists.words("verbs.en", WORDS) or word in ("am", "have", "do", "don't", "haven't")


def _with_ending(verb: str) -> str:
    """Add the ending of the third person: prefers, watches, tries."""
    if not _ADDED.search(verb):
        return verb + "s"
    return verb[:-1] + "ies" if verb.endswith("y") else verb + "es"


def _like(written: str, word: str) -> str:
    return word.capitalize() if written[:1].isupper() else word


def _before(pieces: Sequence[_Piece], place: int) -> str:
    """Return the word right before, separated by a blank, or ""."""
    return pieces[place - 2].word if place > 1 and pieces[place - 1].text.isspace() else ""


def _opens(pieces: Sequence[_Piece], place: int) -> bool:
    """Whether a word begins a sentence."""
    return place == 0 or _OPENS.search(pieces[place - 1].text) is not None or (place == 1 and not pieces[0].word)


# Both languages.


SUBJECT = "User"
LIMIT = 500
_ELLIPSIS = "…"
_BLANKS = re.compile(r"[ \t]{2,}")


def third_person(text: str, subject: str = SUBJECT, limit: int = LIMIT) -> str:
    """Rewrite a text as one about ``subject``, of at most ``limit`` characters, cut after a sentence or else a word."""
    evidence = turkish_evidence(text)
    language = "tr" if evidence > 0 or (evidence == 0 and not is_own(text)) else "en"
    told = without_fillers(text.strip(), language)
    if language == "tr":
        subject = lists.table("role-names", WORDS).get(subject, (subject,))[0]
        about = third_person_turkish.rewritten_turkish(told, subject)
    else:
        about = rewritten_english(told, subject)
    return _cut(f"{subject}: {told}" if about is None else about, limit)


def without_fillers(text: str, language: str) -> str:
    """Remove words that say nothing (data/fillers.*), except in quotations."""
    always, opening, between = _fillers(language)
    hidden = masked(text)
    for pattern, kept in ((always, ""), (between, " "), (opening, "")):
        parts: list[str] = []
        end = 0
        for match in pattern.finditer(hidden):
            parts += [text[end : match.start()], kept]
            end = match.end()
            if pattern is opening and end < len(text):
                parts.append(capital(text[end], language))
                end += 1
        text = "".join([*parts, text[end:]])
        hidden = masked(text)
    return _BLANKS.sub(" ", text).strip()


@cache
def _fillers(language: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return patterns for fillers removed anywhere, at the beginning of a sentence, and between commas.

    At the beginning they are followed by a comma or, where they are unambiguous, by a subject.
    """
    table = lists.table(f"fillers.{language}", WORDS)
    kinds = ("always", "apart", "before", "subjects")
    always, apart, before, subjects = ("|".join(map(re.escape, table[kind])) for kind in kinds)
    opening = rf"(?:{apart}),\s+|(?:{before})\s+(?=(?:{subjects})\b)"
    return (
        re.compile(rf"(?<!\w)(?:{always})\b(?:,|\.{{2,3}}|…)?\s*", re.IGNORECASE),
        re.compile(rf"(?:(?<=\A)|(?<=[.!?]\s)|(?<=\n))(?:{opening})", re.IGNORECASE),
        re.compile(rf",\s+(?:{apart}),\s+", re.IGNORECASE),
    )


def _cut(text: str, limit: int) -> str:
    """Shorten a text to the limit: to its first whole sentences, or its first words and an ellipsis."""
    if len(text) <= limit:
        return text
    kept = ""
    for sentence in sentences(text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > limit:
            break
        kept = longer
    if kept:
        return kept
    head = text[: max(0, limit - 1)]
    return (head.rpartition(" ")[0] or head) + _ELLIPSIS if limit > 0 else ""
