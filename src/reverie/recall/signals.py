"""The search stage of the default recipe: score each candidate by a weighted sum of its signals (decision 0051).

In: the state of a recall. Out: candidates, read from the store a few at a time. A signal is a row of ``SIGNALS``; its
weight depends on the cue and was learned from labelled conversations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

from reverie.answers import Signal
from reverie.errors import InvalidInput
from reverie.formulas.scores import scaled
from reverie.formulas.text_statistics import ample
from reverie.language.orders import MARKS
from reverie.language.text.heads import ASKS_ADVICE, likely
from reverie.ports import Corpus
from reverie.recall.query import asked_vector, inside, speaker_match, telling_match, time_match, told_time_match
from reverie.recall.search import CueVectors, CueWords, SearchResult, search
from reverie.recall.settings import RecallSettings
from reverie.recall.state import Candidate, RecallState, held_at, known_at
from reverie.recall.tool_calls import ASKED, ToolCallSettings, asks_what_was_done, merged, tool_calls
from reverie.types import ROLE_CODES, BoolArray, Cue, FloatArray, IntArray, Kind, Role

TRAITS = (
    "any",
    "question",
    "length",
    "names a speaker",
    "absent",
    "agreement",
    "long texts",
    "window",
    "covered",
    "likest",
    "peak",
    "second likest",
    "second peak",
    "people",
    "assistants",
    "devices",
    "advice",
)
"""Names of the traits, the numbers from which a cue's weights are computed: the constant 1; whether the cue has a
question mark; the base-2 logarithm of its word count over 5; whether it names a speaker; the share of its words that
occur nowhere; the share of the first ten by text that are among the first ten by cosine; the base-2 logarithm of the
mean message's word count over 6; whether the cue names a time; the highest coverage; the highest cosine; by how much
that exceeds the mean of the first twenty; both again by the second, slower model; the shares of messages by other
people, assistants and devices; and the probability that the cue asks for advice, or for something to be made."""
BY_TWO, WITH_MEANING, TEXT_ALONE = "by two models", "with meaning", "text alone"
_WEIGHTS = Path(__file__).with_name("data") / "ranking.txt"


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A learned model of the signals' weights: for each signal a row of numbers, one for each trait of the cue."""

    rows: dict[str, tuple[float, ...]]

    def weights(self, names: Sequence[str], traits: Sequence[float], muted: Collection[str] = ()) -> FloatArray:
        """Return each signal's weight (names,) for a cue with these traits; 0 if ``muted`` or never learned."""
        given = np.array(traits)
        silent = (0.0,) * len(TRAITS)
        rows = [silent if name in muted else self.rows.get(name, silent) for name in names]
        result: FloatArray = (np.array(rows) @ given).astype(np.float32)
        return result


@cache
def shipped() -> dict[str, Ranking]:
    """Load the signals' weights that come with the package: for two embedding models, for one, and for text alone."""
    return read_ranking(_WEIGHTS.read_text(encoding="utf-8"))


def read_ranking(text: str) -> dict[str, Ranking]:
    """Read weights from their file: ``[section]``, then a line per signal: ``name: weight weight …``; ``#`` comments.

    Raises:
        InvalidInput: a line does not have one number for each trait.
    """
    found: dict[str, Ranking] = {}
    rows: dict[str, tuple[float, ...]] = {}
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            rows = {}
            found[content.strip("[]")] = Ranking(rows)
        elif content:
            name, _, numbers = content.partition(":")
            rows[name] = tuple(float(number) for number in numbers.split())
            if len(rows[name]) != len(TRAITS):
                raise InvalidInput(
                    f"{name!r} has {len(rows[name])} weights, not {len(TRAITS)}.",
                    f"Give it {len(TRAITS)} numbers, one a trait, or learn them: make train WHAT=ranking.",
                )
    return found


# Fuse: the weighted sum of each candidate's signals.


FIRST = 10
"""How many of the best of each search are compared, to estimate how much that search is worth for a cue."""
_DAY_S = 86_400.0
_LONGEST_LOG2 = 8.0
"""The signal ``size`` is the base-2 logarithm of a message's word count over this: 1 for 256 words."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The data that signals are computed from: the corpus, the cue, and what the search found for it."""

    corpus: Corpus
    cue: Cue
    found: SearchResult
    words: CueWords
    settings: RecallSettings

    @property
    def ordinals(self) -> IntArray:
        """(m,) the candidates, ascending."""
        return self.found.ordinals

    @property
    def likeness(self) -> FloatArray:
        """(m,) centred cosines of the candidates; all 0 where no vectors were compared."""
        near = self.found.compared
        if near is None:
            return np.zeros(len(self.ordinals), np.float32)
        result: FloatArray = near.alike[np.searchsorted(near.looked_at, self.ordinals)]
        return result

    def coverage(self) -> FloatArray:
        """Return the share (m,) of the cue's words, weighted by rarity, that each candidate contains."""
        covered: FloatArray = self.words.shares @ self.words.held(self.ordinals).astype(np.float32)
        return covered

    def said_by(self, *roles: Role) -> FloatArray:
        """Return (m,) 1 for each candidate that was said by one of these roles, else 0."""
        codes = [ROLE_CODES[role] for role in roles]
        return np.isin(self.corpus.roles[self.ordinals], codes).astype(np.float32)


def _stands(kind: Kind) -> Callable[[Searched], FloatArray]:
    """Return the signal (m,): 1 where the user stated an instruction or a preference, by ``kind``, else 0."""

    def read(at: Searched) -> FloatArray:
        marked = np.isin(at.ordinals, at.corpus.postings(MARKS[kind]).ordinals)
        return marked.astype(np.float32) * at.said_by(Role.USER)

    return read


def _context_meaning(at: Searched) -> FloatArray:
    found = at.found
    return at.likeness if found.meaning is None else scaled(found.meaning, found.meaning_best)


def _second_likeness(at: Searched) -> FloatArray:
    """Return the centred cosines (m,) by the second, slower model, at least 0; all 0 where there is none."""
    found = at.found.second
    return np.zeros(len(at.ordinals), np.float32) if found is None else np.maximum(found, np.float32(0.0))


def _recency(at: Searched) -> FloatArray:
    """Return each one's place (m,) in the time span of the scope: 0 first, 1 last; less if the span is under a day."""
    said = at.corpus.said_at
    first, last = float(said.min()), float(said.max())
    moments = (said[at.ordinals] - first) / max(last - first, _DAY_S)
    return moments.astype(np.float32)


def _length(at: Searched) -> FloatArray:
    s = at.settings
    words = at.corpus.words[at.ordinals]
    return ample(words, s.length_least, s.length_most, s.length_halvings, s.length_doublings)


def _size(at: Searched) -> FloatArray:
    words = np.maximum(at.corpus.words[at.ordinals], np.float32(1.0))
    return (np.log2(words) / np.float32(_LONGEST_LOG2)).astype(np.float32)


BY_SECOND, SCALED_BY_SECOND = "second likeness", "second meaning"
OF_SECOND = (BY_SECOND, SCALED_BY_SECOND)
"""The signals of the second, slower model; no candidate has them where that model was not used."""
SIGNALS: tuple[tuple[str, Callable[[Searched], FloatArray]], ...] = (
    ("text", lambda at: scaled(at.found.text, at.found.text_best)),
    ("window", lambda at: scaled(at.found.window, at.found.window_best)),
    ("coverage", Searched.coverage),
    ("meaning", _context_meaning),
    ("own meaning", lambda at: scaled(at.likeness, float(at.likeness.max(initial=0.0)))),
    (BY_SECOND, _second_likeness),
    (SCALED_BY_SECOND, lambda at: scaled(like := _second_likeness(at), float(like.max(initial=0.0)))),
    ("speaker", lambda at: speaker_match(at.corpus, at.cue, at.ordinals)),
    ("time", lambda at: time_match(at.corpus, at.cue, at.ordinals)),
    ("dated", lambda at: told_time_match(at.corpus, at.cue, at.ordinals)),
    ("telling", lambda at: telling_match(at.corpus, at.ordinals)),
    ("length", _length),
    ("size", _size),
    ("recency", _recency),
    ("user", lambda at: at.said_by(Role.USER)),
    ("assistant", lambda at: at.said_by(Role.ASSISTANT)),
    ("device", lambda at: at.said_by(Role.TOOL)),
    ("order", _stands(Kind.INSTRUCTION)),
    ("taste", _stands(Kind.PREFERENCE)),
)
"""Each signal's name and the function that computes it, in [0, 1]. A new row needs a line in each section of
``data/ranking.txt`` and its name in ``benchmarks/training/ranking.py``: docs/contributing/add-a-signal.md."""
STANDS = ("order", "taste")
"""The signals that mark a candidate as a standing instruction or a preference."""
NAMES = tuple(name for name, _ in SIGNALS)


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates in ascending order of ordinal, with their signals by column, the signals' weights, and the scores.

    A score is the weighted sum of the signals; a candidate whose score is higher by 1 is e times as likely to be
    relevant. ``traits`` are the numbers that the weights were computed from, ``by_two`` whether a second model was used
    as well, ``words`` the cue's words as looked up.
    """

    ordinals: IntArray
    weights: FloatArray
    values: FloatArray
    scores: FloatArray
    traits: tuple[float, ...]
    by_two: bool
    words: CueWords

    def order(self) -> IntArray:
        """Return the rows by falling score, equal scores by order of writing."""
        result: IntArray = np.argsort(-self.scores, kind="stable")
        return result

    def signals(self, rows: IntArray) -> list[tuple[Signal, ...]]:
        """Return each row's signals, with value, weight and share; the shares add up to the row's score."""
        columns = [place for place, name in enumerate(NAMES) if self.by_two or name not in OF_SECOND]
        names, weights = [NAMES[place] for place in columns], self.weights[columns].astype(np.float64)
        values = self.values[rows][:, columns].astype(np.float64)
        told = zip(values.tolist(), (values * weights).tolist(), strict=True)
        heavy = weights.tolist()
        about = [""] * len(names)
        return [tuple(map(Signal._make, zip(names, own, heavy, shares, about, strict=True))) for own, shares in told]

    def grounds(self) -> tuple[Signal, ...]:
        """Return the traits as signals that add nothing to a score."""
        return tuple(Signal(name, value, 0.0, 0.0) for name, value in zip(TRAITS, self.traits, strict=True))


def fuse(
    corpus: Corpus,
    cue: Cue,
    found: SearchResult,
    settings: RecallSettings,
    ranking: Ranking,
    known: BoolArray | None = None,
) -> Fused:
    """Score the found candidates by their signals; only ``known`` memories (None: all) count for a word's rarity."""
    at = Searched(corpus, cue, found, CueWords.of(corpus, cue, known), settings)
    if len(at.ordinals):
        values = np.stack([read(at) for _, read in SIGNALS], axis=1).astype(np.float32)
    else:
        values = np.zeros((0, len(NAMES)), np.float32)
    traits = _traits(at, values)
    weights = ranking.weights(NAMES, traits, muted=settings.muted or ())
    scores = np.einsum("ij,j->i", values, weights)
    return Fused(at.ordinals, weights, values, scores, traits, found.second is not None, at.words)


def _traits(at: Searched, values: FloatArray) -> tuple[float, ...]:
    """Compute the traits of a cue and its candidates, in the order of ``TRAITS``."""
    text, corpus = at.cue.text, at.corpus
    likeness = np.sort(at.likeness)[::-1]
    best = float(likeness[0]) if len(likeness) else 0.0
    mean = float(likeness[: 2 * FIRST].mean()) if len(likeness) else 0.0
    words = float(corpus.words.mean()) if corpus.size else 1.0
    covered = values[:, NAMES.index("coverage")]
    return (
        1.0,
        float("?" in text),
        float(np.log2(1 + len(text.split()))) / 5.0,
        min(len(at.cue.speakers), 1.0),
        at.words.absent,
        _agreement(at),
        float(np.log2(max(words, 1.0))) / 6.0,
        float(at.cue.window is not None),
        float(covered.max(initial=0.0)),
        best,
        best - mean,
        *_nearest_by_second(at),
        *(_share(at, role) for role in (Role.PERSON, Role.ASSISTANT, Role.TOOL)),
        likely(text, ASKS_ADVICE),
    )


def _nearest_by_second(at: Searched) -> tuple[float, float]:
    """Return the highest cosine by the second model, and by how much it exceeds the mean of the first twenty."""
    likeness = np.sort(_second_likeness(at))[::-1]
    best = float(likeness[0]) if len(likeness) else 0.0
    return best, best - (float(likeness[: 2 * FIRST].mean()) if len(likeness) else 0.0)


def _share(at: Searched, role: Role) -> float:
    """Return the share of the corpus's memories that were said by a role."""
    return float((at.corpus.roles == ROLE_CODES[role]).mean()) if at.corpus.size else 0.0


def _agreement(at: Searched) -> float:
    """Return the share of the first ten by text alone that are among the first ten by cosine alone."""
    if at.found.compared is None or not len(at.ordinals):
        return 0.0
    by_text, by_meaning = (np.argsort(-column, kind="stable")[:FIRST] for column in (at.found.own, at.likeness))
    return len(np.intersect1d(by_text, by_meaning)) / FIRST


# The search stage.


AT_ONCE = 24
"""Fewest candidates that are read from the store at once: reading one alone costs as much as three of a batch."""
REPEATS = 0.2
"""Repeats and withheld ones, over the candidates that are compared pairwise, for which the first batch has room."""


@dataclass(frozen=True, slots=True)
class Signals:
    """A stage that searches, scores and ranks candidates; ``tools``: how many tool calls are added if the cue asks."""

    settings: RecallSettings
    tools: ToolCallSettings | None = None
    name: str = "search"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with its candidates, best first, equal scores by order of writing."""
        held = held_at(quest.world.corpus, quest.request)
        found = _searched(quest, self.settings, held)
        quest = replace(quest, traits=found.fused.grounds(), words=found.fused.words)
        calls = None if self.tools is None else tool_calls(quest.world.corpus)
        if self.tools is None or calls is None:
            return quest.noted(found.note, found.candidates)
        chance = asks_what_was_done(quest)
        note = f"{found.note}; asks what was done with probability {chance:.2f}"
        if chance < self.tools.likely:
            return quest.noted(note, found.candidates)
        done = _searched(quest, self.settings, _of_the_time(quest, calls if held is None else calls & held))
        lift = self.tools.lift
        brought = [one.touched(ASKED, chance, lift) for one in islice(done.candidates, self.tools.most)]
        return quest.noted(f"{note}: {len(brought)} tool calls", merged(found.candidates, brought))


def _of_the_time(quest: RecallState, calls: BoolArray) -> BoolArray:
    """Restrict a mask of tool calls to those within the cue's time, if there are any."""
    if quest.cue.window is None:
        return calls
    within: BoolArray = calls & inside(quest.world.corpus, quest.cue.window)
    return within if within.any() else calls


@dataclass(frozen=True, slots=True)
class _Searched:
    """The result of a search: the candidates, best first, their scores and signals, and a line for the trace."""

    candidates: Iterator[Candidate]
    fused: Fused
    note: str


def _searched(quest: RecallState, settings: RecallSettings, among: BoolArray | None) -> _Searched:
    """Search ``among`` some of the memories (None: all) and score what is found."""
    corpus, known = quest.world.corpus, known_at(quest.world.corpus, quest.request)
    vector, note = _comparable(quest, settings)
    second = None if vector is None else _by_second(quest, settings)
    vectors = None if vector is None else CueVectors(vector, second)
    found = search(corpus, quest.cue, vectors, among, settings, known)
    ranking = shipped()[TEXT_ALONE if found.compared is None else WITH_MEANING if second is None else BY_TWO]
    fused = fuse(corpus, quest.cue, found, settings, ranking, known)
    first = max(quest.limit, AT_ONCE, round(quest.page.looked * (1.0 + REPEATS)))
    lazily = _candidates(fused, corpus, first, vector)
    return _Searched(lazily, fused, f"{note}; {_describe(found, corpus)}")


def _comparable(quest: RecallState, settings: RecallSettings) -> tuple[FloatArray | None, str]:
    """Return the cue's vector, or None where cosines cannot be compared, and a note for the trace about that."""
    corpus, vector = quest.world.corpus, asked_vector(quest.queries[0], quest.world.embed, quest.cue.speakers)
    if vector is None:
        return None, f"meaning skipped: {quest.world.why_none()}"
    if not vector.any():
        return None, "meaning skipped: nothing in the text to embed"
    if corpus.embedded < settings.embedded_share * corpus.size:
        return None, f"meaning skipped: only {corpus.embedded} of {corpus.size} memories are embedded yet"
    return vector, f"meaning compared in {len(vector)} dimensions"


def _by_second(quest: RecallState, settings: RecallSettings) -> FloatArray | None:
    """Return the cue's vector by the second, slower model, or None until that has embedded enough memories."""
    corpus, beside = quest.world.corpus, quest.world.corpus.second
    if beside is None or beside.embedded < max(settings.second_least, settings.second_share * corpus.size):
        return None
    vector = quest.world.embed_second(quest.queries[0])
    return vector if vector is not None and vector.any() else None


def _candidates(fused: Fused, corpus: Corpus, at_once: int, vector: FloatArray | None) -> Iterator[Candidate]:
    order = fused.order()
    for start in range(0, len(order), at_once):
        rows = order[start : start + at_once]
        ordinals = fused.ordinals[rows]
        memories = corpus.fetch(ordinals.tolist())
        cosines = [None] * len(rows) if vector is None else corpus.cosines(vector, ordinals).tolist()
        found = zip(ordinals.tolist(), memories, fused.scores[rows].tolist(), fused.signals(rows), cosines, strict=True)
        for ordinal, memory, score, signals, cosine in found:
            yield Candidate(ordinal, memory, score, signals, cosine)


def _describe(found: SearchResult, corpus: Corpus) -> str:
    left_out = f"; too common: {' '.join(found.dropped)}" if found.dropped else ""
    return f"{len(found.ordinals)} candidates of {corpus.size} memories{left_out}"
