"""Pronouns made names: "She moved to Oslo" becomes "Alice moved to Oslo" where Alice is the only one it can be.

In: a text, and who and what was named before it. Out: the text, at most one pronoun a sentence replaced; and whom and
what a message names, for pronouns to come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from reverie.encode.statements import has_person
from reverie.language.names.entities import entities
from reverie.language.names.named_entities import PERSON, Entity, named
from reverie.language.names.people import CIRCUMFLEX, HIGH, VOWELS, is_person_noun, kin
from reverie.language.text import lists
from reverie.language.text.letters import compose, lower, plain
from reverie.language.text.patterns import is_question, masked, read, sentences
from reverie.recipes.published.v9 import WORDS

# Turkish case endings of names by harmony of vowels and hardness of consonants: Ali'nin, Ayşe'yi, Fatih'e.


_LOW = {"a": "a", "ı": "a", "o": "a", "u": "a", "e": "e", "i": "e", "ö": "e", "ü": "e"}
_HARD = frozenset("fstkçşhp")


def inflected(name: str, case: str) -> str:
    """A name in the genitive, accusative, dative, ablative or locative, the ending behind an apostrophe.

    A name without any vowel is read letter by letter, and each letter's own name ends in e: NTV'nin.
    """
    letters = lower(name, "tr").translate(CIRCUMFLEX)
    spelled = not any(sign in VOWELS for sign in letters)
    vowel = next((sign for sign in reversed(letters) if sign in VOWELS), "e")
    high, low = HIGH[vowel], _LOW[vowel]
    open_end = spelled or letters[-1] in VOWELS
    stop = "t" if not spelled and letters[-1] in _HARD else "d"
    ending = {
        "genitive": f"n{high}n" if open_end else f"{high}n",
        "accusative": f"y{high}" if open_end else high,
        "dative": f"y{low}" if open_end else low,
        "ablative": f"{stop}{low}n",
        "locative": f"{stop}{low}",
    }[case]
    return f"{name}'{ending}"


# Pronouns made names: "She moved to Oslo" becomes "Alice moved to Oslo" where Alice is the only one it can be.


TEXT_MAX = 4000
"""Characters that are looked at: behind them nothing is replaced."""

_ENGLISH = re.compile(r"(?<![\w'’])(?:he|she|it|his|her|its)(?P<short>['’](?:s|ll|d))?(?![\w'’-])")
_TURKISH = re.compile(r"(?<![\w'’])o(?:nun|nu|na|ndan|nda)?(?![\w'’-])")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PRESENT = re.compile(r"\w(?:[iu]yor(?:d[iu]|mus)?|m[ae]l[iu]|m[iu]yor(?:du)?)\Z")
_QUALITY = re.compile(
    r"(?:['’]s| is| was) (?:(?:very|so|really|quite|too|now|still|also|pretty|not) )?"
    r"(?P<word>[a-z]{3,})(?P<behind>[.!,;]|\Z| and\b| but\b| (?:in|by|with|on)\b)"
)
"""What a thing is like: fast, written in C."""
_OBJECT = re.compile(r" (?P<object>[^\W\d_]+) (?P<stem>\w+?)[iu]?yor\b")
"""What somebody does now with a bare object: caz seviyor."""
_O_BEFORE = re.compile(r"(?<![\w'’])o \Z")
_PREPOSITION = re.compile(r"\b(?:of|with|in|at|from|on|for|about|by|into|like) \Z")
_HE = re.compile(r"\b(?:he|his|him)\b")
_SHE = re.compile(r"\b(?:she|her|hers)\b")
_GENDERS = {"he": "men", "his": "men", "she": "women", "her": "women"}
_BREAK = re.compile(r"[,;:.!?]|\b(?:and|but|ve|ama|fakat)\b")
_DOING_EN = r"\b(?:{})(?P<doing>(?: (?!(?:and|but|or|i|we|you|they|he|she|that|who|if|when|so)\b)[\w'-]+){{1,4}}) "
_ACTED_EN = r"(?P<on>her|him)(?![\w'-])(?: (?P<next>\w+))?"
_DOING_TR = r"\b(?:{})(?: (?!(?:ve|ama|fakat|ki|ben|biz|sen|siz)\b)\w+){{0,3}} "
_ACTED_TR = r"on(?:u|a|un|dan|da|unla)(?![\w'-])(?: (?P<next>\w+))?"


@dataclass(frozen=True, slots=True)
class Antecedent:
    """Somebody or something that was named: the name, and the kind ("person", "place", "organisation", "product" …)."""

    name: str
    kind: str
    unsure: bool = False
    """Whether a pronoun may stand for another: a person whom only a question named, a thing beside one not named."""
    borne_by: str = ""
    """Whose name it is: that of "men" or "women", "" where nobody can tell."""


def borne_by(name: str) -> str:
    """Whether a person's name is that of "men" or of "women"; "" for one of both and for one that is not known."""
    first = name.split()[0] if name else ""
    return next((kind for kind in ("men", "women") if first in lists.words(f"names-{kind}", WORDS)), "")


class _Fitting:
    """The names a pronoun may refer to."""

    def __init__(self, antecedents: Sequence[Antecedent]) -> None:
        self.known = {plain(one.name) for one in antecedents}
        self.persons = tuple(dict.fromkeys(one.name for one in antecedents if one.kind == PERSON))
        self._sure = {one.name for one in antecedents if not one.unsure}
        self._borne = {one.name: one.borne_by for one in antecedents if one.borne_by}
        self._things = tuple(dict.fromkeys(one.name for one in antecedents if one.kind != PERSON))
        persons = "|".join(map(re.escape, map(plain, self.persons)))
        self._introduced = re.compile(rf"[\w-]+\s+(?=(?:{persons})\b)") if persons else None
        is_a = rf"(?P<who>\b(?:{persons})) (?:(?:is|was) (?:an?|the|my|our) )?(?:\w+ )?(?P<what>\w+)(?=[.!\n]|\Z)"
        self._described = re.compile(is_a) if persons else None

    def one(self, kind: str) -> str | None:
        """The only name of a kind ("person", "thing", "any"); None if there is none, or more than one."""
        names = {PERSON: self.persons, "thing": self._things}.get(kind, self.persons + self._things)
        return names[0] if len(names) == 1 else None

    def may_be(self, name: str, pronoun: str) -> bool:
        """Whether a lower-case pronoun can refer to a name: "she" never to Greg, "o" only to a sure name."""
        borne = self._borne.get(name, "")
        if borne and pronoun in _GENDERS:
            return borne == _GENDERS[pronoun]
        return name in self._sure or pronoun in ("it", "its")

    def without_nouns(self, words: str) -> str:
        """Plain words without the nouns that say who a named person is: my wife Lena, Lena is a doctor."""
        if self._introduced is None or self._described is None:
            return words
        return self._introduced.sub("", self._described.sub(_without_predicate, words))

    def is_stranger(self, name: str) -> bool:
        """Whether a name is none of those that were handed in, nor a part of one."""
        said = plain(name)
        return not any(said in known or known in said for known in self.known)


def _without_predicate(match: re.Match[str]) -> str:
    """The name alone, where a noun for a person is all that is said of it."""
    is_noun = any(is_person_noun(match["what"], language) for language in ("en", "tr"))
    return match["who"] if is_noun else match.group()


_Replacing = Callable[[str, str, re.Match[str], _Fitting], str | None]


def resolved(text: str, antecedents: Sequence[Antecedent]) -> str:
    """Replace third-person pronouns by the one name of ``antecedents`` that each can refer to.

    ``antecedents`` holds what was named before and in the text, in any order. English: he, she and his; her, its and it
    where they own or do something for certain. Turkish: onun, onu, ona, ondan, onda, and "o" where it is no "that".
    """
    if not antecedents:
        return text
    text = compose(text)
    fitting = _Fitting(antecedents)
    pieces: list[str] = []
    done = 0
    before = ""
    for sentence in sentences(text[:TEXT_MAX]):
        begin = text.index(sentence, done)
        pieces += [text[done:begin], _sentence(sentence, before, fitting)]
        done = begin + len(sentence)
        before += sentence + "\n"
    return "".join([*pieces, text[done:]])


def _sentence(sentence: str, before: str, fitting: _Fitting) -> str:
    """A sentence with its first pronoun replaced, if there is one name for it."""
    words = plain(masked(sentence))
    for language in read(sentence).languages:
        pattern, replacing = (_TURKISH, _turkish) if language == "tr" else (_ENGLISH, _english)
        for match in pattern.finditer(words):
            name = replacing(sentence, words, match, fitting)
            if name is not None:
                lead, rest = sentence[: match.start()], words[match.end() :]
                is_clear = not (_names(name, rest) or _speaks_of_another(before + lead, language, fitting))
                return sentence[: match.start()] + name + sentence[match.end() :] if is_clear else sentence
    return sentence


def _speaks_of_another(before: str, language: str, fitting: _Fitting) -> bool:
    """Whether the text names somebody before the pronoun whom we do not know, or speaks of "my brother"."""
    said = [word.partition("'")[0] for word in _WORD.findall(fitting.without_nouns(plain(before).replace("’", "'")))]
    if any(is_person_noun(word, language) for word in said) or acts_on_another(before, fitting.persons):
        return True
    return any(map(fitting.is_stranger, entities(before)))


def acts_on_another(text: str, persons: Collection[str]) -> bool:
    """Whether one of these persons does something to a "her", "him" or "onu": somebody else, who has no name."""
    names = "|".join(re.escape(plain(name)) for name in persons)
    words, languages = read(text)
    if not names:
        return False
    acted = re.finditer(_DOING_EN.format(names) + _ACTED_EN, words) if "en" in languages else ()
    if any(not _is_own(match, persons) for match in acted):
        return True
    acted = re.finditer(_DOING_TR.format(names) + _ACTED_TR, words) if "tr" in languages else ()
    return any(match["next"] not in lists.words("pronoun-idioms.tr", WORDS) for match in acted)


def _is_own(match: re.Match[str], persons: Collection[str]) -> bool:
    """Whether "her" may be a woman's own: Alice sold her car."""
    following = match["next"]
    if match["on"] == "him" or not following or following in lists.words("object-after.en", WORDS):
        return False
    is_womans = any(match[0].startswith(plain(name)) and borne_by(name) == "women" for name in persons)
    return is_womans and lists.words("gives-two.en").isdisjoint(match["doing"].split())


def _is_named_here(name: str, lead: str) -> bool:
    """Whether the clause names the person before the pronoun: Tom told *his* assistant, Kerem *onu* aradı."""
    return _names(name, _BREAK.split(lead)[-1])


def _names(name: str, words: str) -> bool:
    return re.search(rf"\b{re.escape(plain(name))}\b", words) is not None


def _english(_sentence: str, words: str, match: re.Match[str], fitting: _Fitting) -> str | None:
    """Return the replacement of an English pronoun; None to keep it."""
    short = match["short"] or ""
    pronoun = match.group().removesuffix(short)
    kind, role = lists.table("pronoun-subjects.en", WORDS)[pronoun]
    name = fitting.one(kind)
    if name and (kind, role) == ("thing", "subject") and _is_quality(words, match):
        return _subject(name, short, "is")
    following = _following(words, match.end())
    if name is None or not following or _both(words) or not fitting.may_be(name, pronoun):
        return None
    if role == "possessive":
        return _possessive(name, pronoun, words[: match.start()], following)
    if kind == "thing" and not _opens_alone(match, following):
        return None
    return _subject(name, short, following)


def _following(words: str, end: int) -> str:
    """Return the next word after a position; empty if there is none."""
    behind = _WORD.findall(words[end : end + 40]) if words[end:].startswith(" ") else []
    return behind[0] if behind else ""


def _opens_alone(match: re.Match[str], following: str) -> bool:
    """Whether "it" opens the sentence, whole, before a verb that has a thing for its subject."""
    return not match["short"] and match.start() == 0 and following in lists.words("thing-verbs.en", WORDS)


def _is_quality(words: str, match: re.Match[str]) -> bool:
    """Whether "it" opens a sentence that says what a thing is like; not the weather, the hour, or what follows."""
    start = match.end() - len(match["short"] or "")
    said = _QUALITY.match(words, start)
    if said is None or words[: match.start()].strip(" \"'*-") or (match["short"] or "'s")[1:] != "s":
        return False
    word = said["word"]
    if word.endswith("ing") or word in lists.words("expletive-adjectives.en", WORDS):
        return False
    return not said["behind"].startswith((" in", " by", " with", " on")) or word.endswith(("ed", "en"))


def _both(words: str) -> bool:
    """Whether a sentence speaks of a he and a she: then there are two people, and we know of one."""
    return _HE.search(words) is not None and _SHE.search(words) is not None


def _owns(pronoun: str, lead: str, following: str) -> bool:
    """Whether a possessive owns what follows and reaches back beyond its sentence: "its" does so only at the beginning,
    "her" there and behind a preposition.
    """
    if following in lists.words("object-after.en", WORDS) or following.endswith(("ly", "ing")):
        return False
    if not lead.strip(" \"'*-"):
        return True
    return pronoun == "his" or (pronoun == "her" and _PREPOSITION.search(lead) is not None)


def _possessive(name: str, pronoun: str, lead: str, following: str) -> str | None:
    is_owner = not _is_named_here(name, lead) and _owns(pronoun, lead, following)
    return _genitive(name) if is_owner else None


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _subject(name: str, short: str, following: str) -> str | None:
    """The name in place of he, he's and he'll; he'd is had or would, and stays."""
    ending = short.replace("’", "'")
    if ending == "'s":
        is_perfect = following in lists.words("pasts.en") | lists.words("perfects.en", WORDS)
        return f"{name} {'has' if is_perfect else 'is'}"
    return {"": name, "'ll": f"{name} will"}.get(ending)


def _turkish(sentence: str, words: str, match: re.Match[str], fitting: _Fitting) -> str | None:
    """Return the replacement of a Turkish pronoun; None to keep it. It has no gender, so any name fits."""
    name = fitting.one("any")
    following = _following(words, match.end())
    if name is None or not following:
        return None
    if not fitting.may_be(name, match.group()) or _is_named_here(name, words[: match.start()]):
        return None
    case = lists.table("pronoun-forms.tr", WORDS)[match.group()][0]
    if case != "nominative":
        is_other = _O_BEFORE.search(words[: match.start()])  # "o onu seviyor": there are two people, and we know of one
        return None if is_other or following in lists.words("pronoun-idioms.tr", WORDS) else inflected(name, case)
    if match.start() > 0 or not _is_somebody(sentence[match.end() :], following):
        return None
    return name


def _is_somebody(rest: str, following: str) -> bool:
    """Whether "o" is somebody: before an adverb, a verb in the present or a place in a case; "o gün" is that day."""
    place = re.match(r"\s[A-ZÇĞİÖŞÜ][^\W\d_]+['’](?:da|de|ta|te|dan|den|tan|ten|ya|ye|a|e)\b", rest)
    if place is not None or following in lists.words("after-pronoun.tr", WORDS) or _PRESENT.search(following):
        return True
    done = _OBJECT.match(plain(rest))
    return (
        done is not None
        and done["stem"] in lists.words("animate-verbs.tr", WORDS)
        and not is_person_noun(following, "tr")
    )


# Mentioning: whom and what a message names, so that a pronoun may stand for it later.


_LEAD = 16
"""Characters before a name among which a word that calls it is looked for."""
_CASE = r"(?:[iu]n|[aeiu]|[dt][ae]n?|l[ae])?\Z"
_MINE_KIN = re.compile(rf"m(?:[iu]z)?{_CASE}")
_MINE = re.compile(rf"[iu]m(?:[iu]z)?{_CASE}")
_BEHIND = re.compile(r"\s*(?:[,.!?…]|\Z)")


@lru_cache(maxsize=64)  # a message is looked back to four times
def antecedents(text: str) -> tuple[Antecedent, ...]:
    """What a message names and does not merely call, in its order."""
    found = [one for one in named(text) if not _is_called(one, text)]
    stated = " ".join(sentence for sentence in sentences(compose(text)) if not is_question(sentence)) if found else ""
    return tuple(_antecedent(one, stated) for one in found)


def _antecedent(entity: Entity, stated: str) -> Antecedent:
    """A named one; a person is unsure whom no statement names, but a question alone."""
    if entity.kind != PERSON:
        return Antecedent(entity.surface, entity.kind)
    return Antecedent(entity.surface, PERSON, entity.surface not in stated, borne_by(entity.surface))


def _is_called(entity: Entity, text: str) -> bool:
    """Whether a person is addressed by name, apart from the sentence."""
    if entity.kind != PERSON:
        return False
    places = [match.span() for match in re.finditer(re.escape(entity.surface), text)]
    return bool(places) and all(
        _before().search(plain(text[max(0, start - _LEAD) : start])) and _BEHIND.match(text, end)
        for start, end in places
    )


@cache
def _before() -> re.Pattern[str]:
    """Return the text before an addressed name: a beginning, a stop or a word of address."""
    calls = "|".join(lists.entries("calls", WORDS))
    return re.compile(rf"(?:\A|[,.!?…\n-]|\b(?:{calls}))\s*\Z")


def spoken_of(before: Sequence[str]) -> tuple[Antecedent, ...]:
    """Whom and what the last messages of a session named, the latest last.

    Where one speaks of somebody without a name ("my sister"), a later "she" may be that one: no person named before
    can be meant for certain. Nor one named after, where it is one of the speaker's.
    """
    named_by: list[tuple[Antecedent, ...]] = []
    for text in before:
        if speaks_of_somebody(text):
            named_by = [_things(names) for names in named_by]
        named_by.append(() if speaks_of_somebody(text) else antecedents(text))
    said = tuple(one for names in named_by for one in names)
    return tuple(replace(one, unsure=True) for one in _things(said)) if any(map(hides_somebody, before)) else said


def _things(names: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    return tuple(one for one in names if one.kind != PERSON)


@lru_cache(maxsize=64)
def speaks_of_somebody(text: str) -> bool:
    """Whether a text speaks of a person by a noun and no name: my brother, kız kardeşim; not "my brother Mark"."""
    return has_person(_unnamed(text))


@lru_cache(maxsize=64)
def hides_somebody(text: str) -> bool:
    """Whether a later "she" may be somebody a text does not name: my daughter, kızım, the "her" whom Greg calls."""
    words = _unnamed(text)
    if any(_is_own_english(words, place) or _is_own_turkish(word) for place, word in enumerate(words)):
        return True
    return acts_on_another(text, [one.name for one in antecedents(text) if one.kind == PERSON])


def _is_own_english(words: list[str], place: int) -> bool:
    """Whether the noun at a place is for somebody of the speaker's: my daughter, our younger son."""
    return is_person_noun(words[place], "en") and not {"my", "our"}.isdisjoint(words[max(0, place - 2) : place])


def _is_own_turkish(word: str) -> bool:
    """Whether a Turkish noun is for somebody of the speaker's: kızımın, patronumuz."""
    if kin(word, "tr"):
        return _MINE_KIN.search(word) is not None
    return is_person_noun(word, "tr") and _MINE.search(word) is not None


def _unnamed(text: str) -> list[str]:
    """The words of a text without the nouns for whom it names."""
    text = compose(text[:TEXT_MAX])
    for person in (one.surface for one in named(text) if one.kind == PERSON):
        text = re.sub(rf"([\w-]+)\s+(?={re.escape(person)}\b)", _without_noun, text)
    return _words(text)


def _without_noun(match: re.Match[str]) -> str:
    """Return the text before a name without a noun that describes the person."""
    return "" if has_person(_words(match[1])) else match.group()


def _words(text: str) -> list[str]:
    return [word.partition("'")[0] for word in _WORD.findall(plain(text).replace("’", "'"))]
