"""Check that a text which a model wrote says no less and no more than its source texts.

Compared are not only words, names and numbers, but also negation, tense, mood, and who does what to whom.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache
from itertools import chain

from reverie.language.classify.question import is_first_person
from reverie.language.names.entities import entities
from reverie.language.names.named_entities import PERSON, named
from reverie.language.names.people import kin_of
from reverie.language.text import lists
from reverie.language.text.analyzer import index_terms
from reverie.language.text.letters import compose, detect_language, fold, languages_of, lower, plain
from reverie.language.text.patterns import any_of, sentences
from reverie.language.text.words import stem, words_of
from reverie.language.time.dates import dated, moments
from reverie.models.llm_grammar import (
    WORDS,
    GrammarToken,
    Roles,
    calendar_words,
    clauses,
    exchanged,
    grammar,
    language_of,
    past_forms,
    roles,
    tokens,
    turkish_verb,
)
from reverie.models.llm_port import prompt_lines
from reverie.ports import Said

_TEXT_MAX = 2_000
_WAS = re.compile(r"(?:yor|[aeiu]r|m[iu]s|y|var|yok)[dt][iu](?:m|k|n|niz|lar|ler)?\Z")
_AHEAD = re.compile(r"m[ae]y[ae]c[ae][gk](?!\w*[dt][iu])")
"""Turkish: gelmeyeceğim is not past; gelmeyecektim is."""
_FORMS = re.compile(
    r"\w{2,}?(?:mama|meme|m[ae]y[ae]n|m[ae]y[ae]l[iu]m|m[ae]y[iu]p\Z|m[ae]y[iu]n(?:[iu]z|c[ae])?\Z|m[ae]yken\Z)"
)
_LOOSE_FORMS = re.compile(r"(\w{2,}?)m[ae](?:d[ae]n|s[iu]n(?:l[ae]r)?|s[ae](?:m|n|k|n[iu]z|l[ae]r)?|y[ae]y[iu]m)\Z")
_OWN = re.compile(r"(?<!ma)(?<!me)m[ae]m\Z")
_ORDER = re.compile(r"(\w{2,})m[ae]\Z")


@dataclass(frozen=True, slots=True)
class Telling:
    """Negation, tense, moods and roles of a text, and those of its words that have an opposite.

    ``opposites`` holds for each such word the line and the side of the list of opposites it is on.
    """

    denies: bool
    is_past: bool
    moods: frozenset[str]
    roles: Roles
    opposites: frozenset[tuple[str, int]]


@lru_cache(maxsize=1 << 12)
def telling(text: str) -> Telling:
    """Analyse negation, tense, moods, roles and opposites of a text's first 2,000 characters."""
    text = compose(text[:_TEXT_MAX])
    language = language_of(text)
    words = tokens(text, language)
    return Telling(
        denies=any(_denies(words, place, language) for place in range(len(words))),
        is_past=_is_past(words, language),
        moods=_moods(text, language),
        roles=roles(text, words, language),
        opposites=frozenset(side for word in words for side in _sides(_bare(word, language), language)),
    )


def _denies(words: list[GrammarToken], place: int, language: str) -> bool:
    word = words[place]
    if _is_over(word) or _denying(word, language):
        return True
    if language == "en":
        return word.plain in grammar("denying") or word.plain.endswith("n't")
    has_end = _forbids(word.plain) or _OWN.search(word.plain) is not None
    is_verb = (_is_denied(word.plain) or _forbids(word.plain)) and (not has_end or _ends_clause(words, place))
    return is_verb or word.plain.startswith(tuple(grammar("denying turkish")))


def _is_over(word: GrammarToken) -> bool:
    return word.term.startswith("not ") or word.term == "ended"


def _denying(word: GrammarToken, language: str) -> bool:
    """Whether a verb negates by its meaning: avoid, kaçınmak."""
    return word.plain.startswith(lists.entries(f"denying-verbs.{language}", WORDS))


def _ends_clause(words: list[GrammarToken], place: int) -> bool:
    """Whether a clause ends with a word, or a function word follows: gönderme lütfen, yemem ama; not almam için."""
    following = words[place + 1 : place + 2]
    return all(
        word.start - words[place].end > 1 or word.plain == "lutfen" or (not word.term and word.plain != "icin")
        for word in following
    )


def _is_past(words: list[GrammarToken], language: str) -> bool:
    """Whether a text is in the past tense: by its first finite verb in English, by its last word in Turkish."""
    if language == "tr":
        return _was(words[-1].plain if words else "")
    for place, word in enumerate(words):
        if word.plain in grammar("present"):
            return False
        is_over = [one.plain for one in words[place : place + 2]] == ["used", "to"]
        if is_over or word.plain in past_forms() or (len(word.plain) > len("need") and word.plain.endswith("ed")):
            return True
    return False


def _was(word: str) -> bool:
    """Whether a Turkish word is a verb or predicate in the past tense."""
    verb = turkish_verb(word)
    is_ahead = _AHEAD.search(word) is not None
    return (verb is not None and not verb.present and not is_ahead) or _WAS.search(word) is not None


@lru_cache(maxsize=1 << 14)
def _is_denied(word: str) -> bool:
    """Whether a Turkish word is a negated verb, finite or not."""
    if word.startswith(tuple(lists.entries("no-denials.tr", WORDS))):
        return False
    verb = turkish_verb(word)
    loose = _LOOSE_FORMS.match(word)
    return (
        (verb is not None and verb.denied)
        or _FORMS.match(word) is not None
        or (loose is not None and loose[1] in _roots())
    )


def _forbids(word: str) -> bool:
    """Whether a word can be a negated imperative: gönderme. Only at a clause's end, else it is a noun (yüzme dersi)."""
    found = _ORDER.match(word)
    return found is not None and found[1] in _roots()


@cache
def _roots() -> frozenset[str]:
    return frozenset(map(plain, lists.entries("verb-roots.tr")))


def _moods(text: str, language: str) -> frozenset[str]:
    """Return the moods of a text: wish, doubt, duty, ahead, condition."""
    folded = plain(text).replace("’", "'")
    return frozenset(mood for mood, shape in _mood_shapes(language).items() if shape.search(folded))


@cache
def _mood_shapes(language: str) -> Mapping[str, re.Pattern[str]]:
    table = lists.table(f"moods.{language}", WORDS)
    return {mood: re.compile("|".join(f"(?:{shape})" for shape in shapes)) for mood, shapes in table.items()}


def _bare(word: GrammarToken, language: str) -> str:
    return fold(lower(word.raw.replace("’", "'").partition("'")[0], language))


def _sides(word: str, language: str) -> Iterator[tuple[str, int]]:
    exact, beginnings = _opposites(language)
    yield from exact.get(word if language == "tr" else stem(word, language), ())
    for beginning, sides in beginnings.get(word[:2], ()):
        if word.startswith(beginning):
            yield from sides


_Sides = tuple[tuple[str, int], ...]


@cache
def _opposites(language: str) -> tuple[dict[str, _Sides], dict[str, tuple[tuple[str, _Sides], ...]]]:
    """Return the lines and sides of words in the list of opposites; and of prefixes, by their first two letters."""
    exact: dict[str, _Sides] = {}
    beginnings: dict[str, tuple[tuple[str, _Sides], ...]] = {}
    for line in lists.entries(f"opposites.{language}", WORDS):
        for side, listed in enumerate(line.split(" | ")):
            for name in listed.split(", "):
                word = fold(name.rstrip("*"))
                if name.endswith("*"):
                    beginnings[word[:2]] = (*beginnings.get(word[:2], ()), (word, ((line, side),)))
                    continue
                word = word if language == "tr" else stem(word, language)
                exact[word] = (*exact.get(word, ()), (line, side))
    return exact, beginnings


_PERSON = "person"
_SAME = 4
"""Letters that two forms of a word must share to count as one here: kahve, kahveyi."""
_PARTS = re.compile(r"[,;:.!?\n]|\b(?:and|but|while|ve|ama|ise)\b")
_WORD = re.compile(r"\w+")


def turned(sources: Sequence[str], text: str) -> str:
    """Describe how a text changes the meaning of its sources with the same words; "" if it does not."""
    told = [telling(source) for source in sources]
    said = telling(text)
    if said.moods != frozenset().union(*(one.moods for one in told)):
        return "It states what is only wished, doubted, due or planned, or the reverse."
    if said.denies != any(one.denies for one in told):
        return "It turns a denial around."
    if _is_shifted(frozenset(chain.from_iterable(map(_tenses, sources))), _tenses(text)):
        return "It tells what was as what is, or the reverse."
    if any(exchanged(one.roles, said.roles) or _swapped(one, said, told) for one in told):
        return "It exchanges what stands where."
    return "It says of one what a text says of another." if _misgiven(sources, text) else ""


def _tenses(text: str) -> frozenset[bool]:
    """Return for the clauses of a text whether they are in the past tense."""
    language = language_of(text)
    return frozenset(telling(one).is_past for sentence in sentences(text) for one in clauses(sentence, language))


def _is_shifted(known: frozenset[bool], said: frozenset[bool]) -> bool:
    """Whether all past tense is lost, or all clauses are past though none was; "moved from" may be present."""
    return True not in said if True in known else bool(said) and False not in said


def _swapped(one: Telling, said: Telling, told: Sequence[Telling]) -> bool:
    """Whether a word is replaced by its opposite, which no source has: left, right."""
    known = frozenset().union(*(source.opposites for source in told))
    return any((line, 1 - side) in said.opposites - known for line, side in one.opposites - said.opposites)


def _misgiven(sources: Sequence[str], text: str) -> bool:
    """Whether the text connects a name or a word with a person with whom no source connects it."""
    known = {pair for source in sources for pair in (*_given(source), *_together(source))}
    names = {name for name, _ in known}
    if any(pair[0] in names and pair not in known for pair in _given(text)):
        return True
    told = {pair for source in sources for pair in _worded(sentences(source))}
    words = {word for word, _ in told}
    return any(pair[0] in words and pair not in told for pair in _worded(_PARTS.split(text), alone=True))


def _worded(parts: Sequence[str], *, alone: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the content words of each part with each person it names; ``alone``: only of parts that name one person."""
    for part in parts:
        persons = _persons(part)
        people = frozenset(persons.values())
        if len(people) == 1 or not alone:
            words = (word for word in tokens(part, language_of(part)) if word.term)
            stems = {word.plain[:_SAME] for word in words if word.raw.partition("'")[0] not in persons}
            yield from ((stem, person) for stem in stems for person in people)


def _given(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name that is no person's, with the person named last before it."""
    persons = _persons(text)
    places = [(found.start(), name) for name in entities(text) for found in re.finditer(re.escape(name), text)]
    places += [(found.start(), found.group()) for found in _WORD.finditer(text) if found.group() in persons]
    owner = ""
    for _, name in sorted(places):
        if name in persons:
            owner = persons[name]
        elif owner:
            yield fold(name), owner


def _together(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name with every person named in the same part of a sentence."""
    persons = _persons(text)
    for part in _PARTS.split(text):
        people = {person for name, person in persons.items() if re.search(rf"\b{re.escape(name)}", part)}
        yield from ((fold(name), person) for name in entities(text) if name in part for person in people)


def _persons(text: str) -> dict[str, str]:
    """Map the words of a text that name a person, by name or kinship, to that person."""
    language = language_of(text)
    known = {one.surface: fold(one.surface) for one in named(text) if one.kind == _PERSON}
    kin = {word: person for word in _WORD.findall(text) if (person := kin_of(word, language))}
    return known | kin


_STEM_MIN = 3
"""Least letters of a stem that counts as present if a word begins with it: stemmers cut forms of a word differently."""
_REACH = 3
"""Content words that a negation refers to: those after it in English, those before it in Turkish."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What can be counted in a text: numbers in digits, words, names, and the words each negation refers to."""

    numbers: frozenset[str]
    words: frozenset[str]
    names: tuple[frozenset[str], ...]
    negations: tuple[frozenset[str], ...]


def facts_of(text: str, language: str) -> Facts:
    """Extract the checkable details of a text: names, numbers, dates, and the stems of negated words."""
    words = [word for chunk in text.split() for word in words_of(chunk, language)]
    names = [frozenset(w for part in name.split() for w in words_of(part, language)) for name in entities(text)]
    named = frozenset[str]().union(*names)
    return Facts(
        numbers=frozenset(_numbers(words, language)),
        words=frozenset(map(fold, words)),
        names=tuple(frozenset(map(fold, name)) for name in names if name),
        negations=tuple(n for spoken in languages_of(text) for n in _negations(words, named, spoken)),
    )


def losses(sources: Sequence[str], text: str) -> str:
    """Describe what a text lacks of its sources, for the model and the log; "" if nothing."""
    language = detect_language(" ".join(sources))
    said = facts_of(text, language)
    wanted = [facts_of(source, language) for source in sources]
    lacking = _lacking(said, wanted)
    if not lacking and any(coverage(source, text, language) < 1 for source in sources):
        return "It leaves out too much of what the texts say."
    return lacking or turned(sources, text)


def _lacking(said: Facts, wanted: Sequence[Facts]) -> str:
    numbers = {number for facts in wanted for number in facts.numbers - said.numbers}
    names = {name for facts in wanted for name in facts.names if not has_name(said, name)}
    negations = [n for facts in wanted for n in facts.negations if not _meets(n, said.negations)]
    return _counted("It lacks", numbers=len(numbers), names=len(names), negations=len(negations))


def inventions(sources: Sequence[str], text: str) -> str:
    """Describe what a text says that no source says, for the model and the log; "" if nothing."""
    language = detect_language(" ".join(sources))
    said = facts_of(text, language)
    known = [facts_of(source, language) for source in sources]
    numbers = {number for number in said.numbers if not any(number in facts.numbers for facts in known)}
    names = {name for name in said.names if not any(has_name(facts, name) for facts in known)}
    negations = [n for n in said.negations if not any(_meets(n, facts.negations) for facts in known)]
    return _counted("It invents", numbers=len(numbers), names=len(names), negations=len(negations))


def lost_negations(source: str, text: str) -> str:
    """Describe how many negations of the source a text lacks; "" if none."""
    language = detect_language(source)
    said = facts_of(text, language).negations
    missing = [n for n in facts_of(source, language).negations if not _meets(n, said)]
    return _counted("It lacks", negations=len(missing))


def coverage(source: str, text: str, language: str) -> float:
    """Return the share of the source's content stems that the text contains, in [0, 1]; 1 for a source without any."""
    apart = {*prompt_lines("small-words"), *number_words(language)}
    said = (word for word in tokens(source, language) if word.term and word.plain not in apart)
    wanted = {term for word in said for term in index_terms(word.raw, language) if not term.isdecimal()}
    stems = set(index_terms(text, language))
    words = facts_of(text, language).words
    held = {term for term in wanted if term in stems or _begins(fold(term), words)}
    return len(held) / len(wanted) if wanted else 1.0


def _begins(term: str, words: Iterable[str]) -> bool:
    return len(term) >= _STEM_MIN and any(word.startswith(term) for word in words)


def _counted(what: str, **counts: int) -> str:
    """Make a sentence of the counts above zero, without words of the texts: it goes to the model and into the log."""
    parts = [f"{count} of the {name}" for name, count in counts.items() if count]
    return f"{what} {', '.join(parts)}." if parts else ""


def _numbers(words: Iterable[str], language: str) -> Iterable[str]:
    spelled = number_words(language)
    for word in words:
        if any(sign.isdecimal() for sign in word):
            yield word
        elif word in spelled:
            yield spelled[word]


def has_name(facts: Facts, name: frozenset[str]) -> bool:
    """Whether each word of a folded name begins a word of the text, which may have a case ending."""
    return all(any(word.startswith(part) for word in facts.words) for part in name)


def _meets(negation: frozenset[str], others: Iterable[frozenset[str]]) -> bool:
    """Whether another negation shares a word with this one, or both refer to no word."""
    return any(negation & other or (not negation and not other) for other in others)


def _negations(words: Sequence[str], names: frozenset[str], language: str) -> Iterable[frozenset[str]]:
    """Yield for each negation the stems of the content words it refers to; of names only if there is no other."""
    empty = {word for word in words if not index_terms(word, language) or _is_negation(word, language)}
    for place, word in enumerate(words):
        if word in names or not _is_negation(word, language):
            continue
        nearest = words[:place][::-1] if language == "tr" else words[place + 1 :]
        content = [w for w in nearest if w not in empty]
        yield frozenset(stem(w, language) for w in _reach(content, names))


def _reach(content: list[str], names: frozenset[str]) -> list[str]:
    """Return the nearest content words, to which a negation refers; names only if there are no others."""
    return ([word for word in content if word not in names] or content)[:_REACH]


def _is_negation(word: str, language: str) -> bool:
    if language != "tr":
        return word in _listed("negation.en")
    plain = fold(word)
    if word.startswith(_listed("negation.tr")):
        return True
    return plain not in _listed("negation-not.tr") and _negated().fullmatch(plain) is not None


@cache
def _listed(name: str) -> tuple[str, ...]:
    return tuple(line for line in prompt_lines(name) if line)


@cache
def _negated() -> re.Pattern[str]:
    """Return a pattern that matches any Turkish word with a negated ending."""
    return re.compile(rf"\w*(?:{'|'.join(_listed('negation-endings.tr'))})")


@cache
def number_words(language: str) -> dict[str, str]:
    """Map each number word of a language to its digits."""
    found: dict[str, str] = {}
    for line in _listed("number-words"):
        key, _, values = line.partition(": ")
        spoken, digits = key.split()
        found |= {lower(word, language): digits for word in values.split(", ") if spoken == language}
    return found


HELD_MIN = 0.7
"""Least share of a fact's content words that the message and the messages before it must contain."""
SAID_MIN = 0.5
"""Least share that the message itself must contain: facts of earlier messages were formed from those."""
_FACT_MAX = 2_000


@dataclass(frozen=True)
class Ground:
    """The texts that support a fact: the message's statements, each with its dates, and the messages before it."""

    said: Said

    @cached_property
    def language(self) -> str:
        """Language of the message."""
        return detect_language(self.said.text)

    @cached_property
    def message(self) -> str:
        """The message's statements, and again with relative days written as dates."""
        own = self.said.statements
        return "\n".join([*own, *(dated(one, self.said.at).text for one in own)])

    @cached_property
    def whole(self) -> str:
        """The message, its speaker, and the messages before it."""
        return "\n".join([self.message, self.said.speaker, *self.said.before])

    @cached_property
    def clauses(self) -> dict[str, bool]:
        """The clauses of the statements, and whether the speaker is the subject of each."""
        found: dict[str, bool] = {}
        for statement in self.said.statements:
            breaks = [m.span() for m in any_of(f"tense/clause-breaks.{self.language}").finditer(plain(statement))]
            cuts = [0, *(place for span in breaks for place in span), len(statement)]
            is_own = False
            for clause in filter(str.strip, map(statement.__getitem__, map(slice, cuts[::2], cuts[1::2]))):
                is_own = _is_own(clause, self) or (is_own and not _is_of_another(clause))
                found[clause] = is_own
        return found

    @cached_property
    def facts(self) -> Facts:
        """The countable facts of ``whole``."""
        return facts_of(self.whole, self.language)

    def ends(self, until: datetime) -> bool:
        """Whether ``until`` is the end of a time that the message names, and after the message."""
        ends = (moment.span.end for one in self.said.statements for moment in moments(one, self.said.at))
        return until > self.said.at and until in ends

    def holds(self, part: str, whole: str) -> bool:
        """Whether ``whole`` contains most content words of ``part``."""
        return _share(self, part, whole) >= HELD_MIN


def unborne(fact: str, ground: Ground) -> str:
    """Say why the message does not support a fact; "" if it does."""
    if not fact.strip() or len(fact) > _FACT_MAX:
        return "is no single fact"
    return _added(fact, ground) or _unsaid(fact, ground) or _turned(fact, ground)


def _added(fact: str, ground: Ground) -> str:
    """Name the first name or number of a fact that the message does not have; "" if there is none."""
    known = set(map(fold, _speakers()))
    for name in entities(fact):
        parts = _folded(name, ground)
        if parts - known and not has_name(ground.facts, parts):
            return f"names {name!r} that the message does not"
    numbers = facts_of(fact, ground.language).numbers - ground.facts.numbers
    return f"has the number {min(numbers)!r} that the message has not" if numbers else ""


def _unsaid(fact: str, ground: Ground) -> str:
    if _share(ground, fact, ground.whole) < HELD_MIN or _share(ground, fact, ground.message) < SAID_MIN:
        return "says what the message does not"
    return ""


def _turned(fact: str, ground: Ground) -> str:
    """Say if a fact differs in negation, certainty or subject from the clauses most like it; "" if it does not."""
    shares = {one: _share(ground, fact, one, names=True) for one in ground.clauses}
    most = max(shares.values(), default=0.0)
    best = [one for one, share in shares.items() if share == most]
    agree = any if most == 1.0 else all  # if no clause holds all of the fact, none of the best may contradict it
    if not agree(_denies_it(one, ground) == _denies_it(fact, ground) for one in best):
        return "turns a denial around"
    if not any(_is_stated(fact, ground) <= _is_stated(one, ground) for one in best):
        return "states what is only supposed"
    if not any(_same_person(fact, one, ground) for one in best):
        return "says it of somebody else"
    return ""


def _denies_it(text: str, ground: Ground) -> bool:
    if facts_of(text, ground.language).negations:
        return True
    if ground.language != "tr":
        return False
    verbs = (turkish_verb(plain(word)) for word in words_of(text, "tr"))  # yemem, whose ending is not in the list
    return any(verb is not None and verb.denied for verb in verbs)


def _is_stated(text: str, ground: Ground) -> bool:
    """Whether a text states something, not as a wish, condition or plan."""
    return not any(re.search(pattern, plain(text)) for pattern in lists.entries(f"unasserted.{ground.language}", WORDS))


def _same_person(fact: str, clause: str, ground: Ground) -> bool:
    """Whether the speaker is the subject of both fact and clause, or of neither."""
    if not ground.clauses[clause]:
        return not _is_own(fact, ground) and not _is_speakers(fact, clause, ground)
    known = facts_of("\n".join([clause, ground.said.speaker, *ground.said.before, *_speakers()]), ground.language)
    return all(has_name(known, _folded(name, ground)) for name in entities(fact))


def _is_own(text: str, ground: Ground) -> bool:
    """Whether the speaker is the subject: I work, çalışıyorum; not: my cousin works."""
    words = [word.plain for word in tokens(text, ground.language)]
    if ground.language == "tr":
        return any(verb is not None and verb.first for verb in map(turkish_verb, words))
    return any(word.partition("'")[0] in ("i", "we") for word in words)


def _is_of_another(clause: str) -> bool:
    """Whether a clause has a subject of its own, so that the one before does not carry over: my sister studies."""
    return is_first_person(clause) or any(one.kind == PERSON for one in named(clause))


def _is_speakers(fact: str, clause: str, ground: Ground) -> bool:
    """Whether a fact begins with the speaker, by name or as "user", though the clause does not name the speaker."""
    selves = {*map(fold, _speakers()), *_folded(ground.said.speaker, ground)}
    first = [word for word in fact.split() if fold(word) != "the"][:1]
    if is_first_person(clause) and any(sign in word for word in first for sign in "'’"):
        return False  # "Ada's cousin" for "my cousin"
    words = _folded("".join(first), ground)
    return len(words) == 1 and words <= selves and not words & facts_of(clause, ground.language).words


def _folded(text: str, ground: Ground) -> frozenset[str]:
    return frozenset(fold(word) for part in text.split() for word in words_of(part, ground.language))


def _speakers() -> list[str]:
    """Return the words by which a model names the speaker."""
    return prompt_lines("speaker-words")


def _share(ground: Ground, fact: str, text: str, *, names: bool = False) -> float:
    """Return the share of a fact's content stems that a text contains, without numbers, dates, and persons' names."""
    language = ground.language
    left_out = [
        *_speakers(),
        *prompt_lines("small-words"),
        *number_words(language),
        *calendar_words(language),
    ]
    if not names:
        left_out += [ground.said.speaker, *entities(fact)]
    apart = {stem for word in left_out for stem in index_terms(word, language)}
    every = [stem for stem in index_terms(fact, language) if not stem.isdecimal()]
    wanted = {stem for stem in every if stem not in apart} or set(every)
    return len(wanted & set(index_terms(text, language))) / len(wanted) if wanted else 1.0


def until_of(fact: str, plans: tuple[tuple[str, datetime], ...], ground: Ground) -> datetime | None:
    """Return when a fact ends: by the first plan that covers it and ends at a time the message names; else None."""
    for text, until in plans:
        if ground.ends(until) and ground.holds(text, fact):
            return until
    return None
