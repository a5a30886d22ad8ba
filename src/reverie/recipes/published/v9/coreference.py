"""Replace third-person pronouns by names: "She moved to Oslo" becomes "Alice moved to Oslo" if only Alice fits.

In: a text, and the people and things named before it. Out: the text with at most one pronoun per sentence replaced;
and the names in a message, for later pronouns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
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

# Turkish case endings of names by vowel harmony and consonant hardness: Ali'nin, Ayşe'yi, Fatih'e.


_LOW = {"a": "a", "ı": "a", "o": "a", "u": "a", "e": "e", "i": "e", "ö": "e", "ü": "e"}
_HARD = frozenset("fstkçşhp")


def inflected(name: str, case: str) -> str:
    """Inflect a Turkish name (genitive, accusative, dative, ablative or locative) with an apostrophe before the ending.

    A name without vowels is read letter by letter, and letter names end in e: NTV'nin.
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


# Resolution of pronouns.


TEXT_MAX = 4000
"""Number of characters examined; pronouns after them stay."""

_ENGLISH = re.compile(r"(?<![\w'’])(?:he|she|it|his|her|its)(?P<short>['’](?:s|ll|d))?(?![\w'’-])")
_TURKISH = re.compile(r"(?<![\w'’])o(?:nun|nu|na|ndan|nda)?(?![\w'’-])")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PRESENT = re.compile(r"\w(?:[iu]yor(?:d[iu]|mus)?|m[ae]l[iu]|m[iu]yor(?:du)?)\Z")
_QUALITY = re.compile(
    r"(?:['’]s| is| was) (?:(?:very|so|really|quite|too|now|still|also|pretty|not) )?"
    r"(?P<word>[a-z]{3,})(?P<behind>[.!,;]|\Z| and\b| but\b| (?:in|by|with|on)\b)"
)
"""A property of a thing: fast, written in C."""
_OBJECT = re.compile(r" (?P<object>[^\W\d_]+) (?P<stem>\w+?)[iu]?yor\b")
"""A Turkish present with a bare object: caz seviyor."""
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
    """A person or thing that was named, and its kind ("person", "place", "organisation", "product" …)."""

    name: str
    kind: str
    unsure: bool = False
    """Whether a pronoun may mean something else: a person named only in a question, a thing beside an unnamed one."""
    borne_by: str = ""
    """Gender that the name implies: "men", "women", or "" if unknown."""


def borne_by(name: str) -> str:
    """Return whether a person's name is that of "men" or "women"; "" for one of both, or an unknown one."""
    first = name.split()[0] if name else ""
    return next((kind for kind in ("men", "women") if first in lists.words(f"names-{kind}", WORDS)), "")


class _Fitting:
    """Candidates for the antecedent of a pronoun."""

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
        """Return the only name of a kind ("person", "thing", "any"); None if there is none or more than one."""
        names = {PERSON: self.persons, "thing": self._things}.get(kind, self.persons + self._things)
        return names[0] if len(names) == 1 else None

    def may_be(self, name: str, pronoun: str) -> bool:
        """Whether a pronoun in lower case may refer to a name: "she" not to Greg, and "o" not to an unsure one."""
        borne = self._borne.get(name, "")
        if borne and pronoun in _GENDERS:
            return borne == _GENDERS[pronoun]
        return name in self._sure or pronoun in ("it", "its")

    def without_nouns(self, words: str) -> str:
        """Return the words without nouns that describe a named person: my wife Lena, Lena is a doctor."""
        if self._introduced is None or self._described is None:
            return words
        return self._introduced.sub("", self._described.sub(_without_predicate, words))

    def is_stranger(self, name: str) -> bool:
        """Whether a name is neither one of the antecedents nor part of one."""
        said = plain(name)
        return not any(said in known or known in said for known in self.known)


def _without_predicate(match: re.Match[str]) -> str:
    """Reduce "NAME is a NOUN" to the name if the noun denotes a person."""
    is_noun = any(is_person_noun(match["what"], language) for language in ("en", "tr"))
    return match["who"] if is_noun else match.group()


def resolved(text: str, antecedents: Sequence[Antecedent]) -> str:
    """Replace third-person pronouns in a text by the only name of ``antecedents`` that each can refer to.

    ``antecedents`` are the names before and in the text, in any order. English: he, she and his; her, its and it as
    clear
    owners or subjects. Turkish: onun, onu, ona, ondan, onda, and "o" where it does not mean "that".
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
    """Replace the first pronoun of a sentence, if exactly one name fits."""
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
    """Whether the text before the pronoun mentions an unknown person, by name or as in "my brother"."""
    said = [word.partition("'")[0] for word in _WORD.findall(fitting.without_nouns(plain(before).replace("’", "'")))]
    if any(is_person_noun(word, language) for word in said) or acts_on_another(before, fitting.persons):
        return True
    return any(map(fitting.is_stranger, entities(before)))


def acts_on_another(text: str, persons: Collection[str]) -> bool:
    """Whether one of these persons acts on a "her", "him" or "onu", which is another, unnamed person."""
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
    """Whether "her" may be the possessive of a woman already named: Alice sold her car."""
    following = match["next"]
    if match["on"] == "him" or not following or following in lists.words("object-after.en", WORDS):
        return False
    is_womans = any(match[0].startswith(plain(name)) and borne_by(name) == "women" for name in persons)
    return is_womans and lists.words("gives-two.en").isdisjoint(match["doing"].split())


def _is_named_here(name: str, lead: str) -> bool:
    """Whether the clause before a pronoun already names the person: Tom told *his* assistant, Kerem *onu* aradı."""
    return _names(name, _BREAK.split(lead)[-1])


def _names(name: str, words: str) -> bool:
    return re.search(rf"\b{re.escape(plain(name))}\b", words) is not None


def _english(_sentence: str, words: str, match: re.Match[str], fitting: _Fitting) -> str | None:
    """Return the replacement of an English pronoun; None if it stays."""
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
    """Return the word right after a position, or ""."""
    behind = _WORD.findall(words[end : end + 40]) if words[end:].startswith(" ") else []
    return behind[0] if behind else ""


def _opens_alone(match: re.Match[str], following: str) -> bool:
    """Whether "it" alone begins the sentence, before a verb that takes a thing as subject."""
    return not match["short"] and match.start() == 0 and following in lists.words("thing-verbs.en", WORDS)


def _is_quality(words: str, match: re.Match[str]) -> bool:
    """Whether "it" begins a sentence about a thing's property, not the weather, the time or a clause."""
    start = match.end() - len(match["short"] or "")
    said = _QUALITY.match(words, start)
    if said is None or words[: match.start()].strip(" \"'*-") or (match["short"] or "'s")[1:] != "s":
        return False
    word = said["word"]
    if word.endswith("ing") or word in lists.words("expletive-adjectives.en", WORDS):
        return False
    return not said["behind"].startswith((" in", " by", " with", " on")) or word.endswith(("ed", "en"))


def _both(words: str) -> bool:
    """Whether a sentence contains both "he" and "she": two people, of whom only one is known."""
    return _HE.search(words) is not None and _SHE.search(words) is not None


def _owns(pronoun: str, lead: str, following: str) -> bool:
    """Whether a possessive owns the next word and refers beyond its sentence: "its" only at the beginning, "her" also
    after a preposition.
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
    """Return the name for he, he's and he'll; he'd (had or would) is not replaced."""
    ending = short.replace("’", "'")
    if ending == "'s":
        is_perfect = following in lists.words("pasts.en") | lists.words("perfects.en", WORDS)
        return f"{name} {'has' if is_perfect else 'is'}"
    return {"": name, "'ll": f"{name} will"}.get(ending)


def _turkish(sentence: str, words: str, match: re.Match[str], fitting: _Fitting) -> str | None:
    """Return the replacement of a Turkish pronoun, to which names of any kind fit; None if it stays."""
    name = fitting.one("any")
    following = _following(words, match.end())
    if name is None or not following:
        return None
    if not fitting.may_be(name, match.group()) or _is_named_here(name, words[: match.start()]):
        return None
    case = lists.table("pronoun-forms.tr", WORDS)[match.group()][0]
    if case != "nominative":
        is_other = _O_BEFORE.search(words[: match.start()])  # "o onu seviyor": two people, of whom only one is known
        return None if is_other or following in lists.words("pronoun-idioms.tr", WORDS) else inflected(name, case)
    if match.start() > 0 or not _is_somebody(sentence[match.end() :], following):
        return None
    return name


def _is_somebody(rest: str, following: str) -> bool:
    """Whether "o" means a person: before an adverb, a present verb or a place in a case; "o gün" is "that day"."""
    place = re.match(r"\s[A-ZÇĞİÖŞÜ][^\W\d_]+['’](?:da|de|ta|te|dan|den|tan|ten|ya|ye|a|e)\b", rest)
    if place is not None or following in lists.words("after-pronoun.tr", WORDS) or _PRESENT.search(following):
        return True
    done = _OBJECT.match(plain(rest))
    return (
        done is not None
        and done["stem"] in lists.words("animate-verbs.tr", WORDS)
        and not is_person_noun(following, "tr")
    )


# Antecedents: the people and things that a message names.


_LEAD = 16
"""Number of characters before a name in which a word of address is searched."""
_CASE = r"(?:[iu]n|[aeiu]|[dt][ae]n?|l[ae])?\Z"
_MINE_KIN = re.compile(rf"m(?:[iu]z)?{_CASE}")
_MINE = re.compile(rf"[iu]m(?:[iu]z)?{_CASE}")
_BEHIND = re.compile(r"\s*(?:[,.!?…]|\Z)")


@lru_cache(maxsize=64)  # each message is examined four times
def antecedents(text: str) -> tuple[Antecedent, ...]:
    """Return the people and things a message names, in order, without those it only addresses."""
    found = [one for one in named(text) if not _is_called(one, text)]
    stated = " ".join(sentence for sentence in sentences(compose(text)) if not is_question(sentence)) if found else ""
    return tuple(_antecedent(one, stated) for one in found)


def _antecedent(entity: Entity, stated: str) -> Antecedent:
    """Create an antecedent; a person is unsure if named only in questions."""
    if entity.kind != PERSON:
        return Antecedent(entity.surface, entity.kind)
    return Antecedent(entity.surface, PERSON, entity.surface not in stated, borne_by(entity.surface))


def _is_called(entity: Entity, text: str) -> bool:
    """Whether every occurrence of a person's name is an address, set apart from the sentence."""
    if entity.kind != PERSON:
        return False
    places = [match.span() for match in re.finditer(re.escape(entity.surface), text)]
    return bool(places) and all(
        _before().search(plain(text[max(0, start - _LEAD) : start])) and _BEHIND.match(text, end)
        for start, end in places
    )


@cache
def _before() -> re.Pattern[str]:
    """Return the pattern of what precedes an address: a beginning, a full stop, a calling word."""
    calls = "|".join(lists.entries("calls", WORDS))
    return re.compile(rf"(?:\A|[,.!?…\n-]|\b(?:{calls}))\s*\Z")


def spoken_of(before: Sequence[str]) -> tuple[Antecedent, ...]:
    """Return the people and things named by the last messages of a session, the latest last.

    Where a message mentions a person without a name, a later "she" may mean that person, so persons named before are
    dropped; if it is one of the speaker's ("my sister"), all persons are, and things are unsure.
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
    """Whether a text mentions a person by a noun without a name: my brother, kız kardeşim; not "my brother Mark"."""
    return has_person(_unnamed(text))


@lru_cache(maxsize=64)
def hides_somebody(text: str) -> bool:
    """Whether a later "she" may mean a person the text does not name: my daughter, kızım, the "her" whom Greg calls."""
    words = _unnamed(text)
    if any(_is_own_english(words, place) or _is_own_turkish(word) for place, word in enumerate(words)):
        return True
    return acts_on_another(text, [one.name for one in antecedents(text) if one.kind == PERSON])


def _is_own_english(words: list[str], place: int) -> bool:
    """Whether the noun at a position denotes a person related to the speaker: my daughter, our younger son."""
    return is_person_noun(words[place], "en") and not {"my", "our"}.isdisjoint(words[max(0, place - 2) : place])


def _is_own_turkish(word: str) -> bool:
    """Whether a Turkish noun denotes a person related to the speaker: kızımın, patronumuz."""
    if kin(word, "tr"):
        return _MINE_KIN.search(word) is not None
    return is_person_noun(word, "tr") and _MINE.search(word) is not None


def _unnamed(text: str) -> list[str]:
    """Return the words of a text without nouns that describe a named person."""
    text = compose(text[:TEXT_MAX])
    for person in (one.surface for one in named(text) if one.kind == PERSON):
        text = re.sub(rf"([\w-]+)\s+(?={re.escape(person)}\b)", _without_noun, text)
    return _words(text)


def _without_noun(match: re.Match[str]) -> str:
    """Return the word before a name, or "" if it is a noun that describes the person."""
    return "" if has_person(_words(match[1])) else match.group()


def _words(text: str) -> list[str]:
    return [word.partition("'")[0] for word in _WORD.findall(plain(text).replace("’", "'"))]
