"""The default's candidates: every signal of every message, weighed for the cue and added (decision 0051).

In: the state of a recall. Out: candidates, read from the store a handful at a time. A signal is a row of ``SIGNALS``;
how much it counts for a cue was learned from labelled lives.
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

# Ranking weights: how much each signal counts for a cue, learned from labelled lives (decision 0051).


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
"""What weights follow from: the constant 1; whether the cue has a question mark; the base-2 logarithm of its words over
5; whether it names one who spoke; the share of its words that occur nowhere; how many of the first ten by text are
among the first ten by meaning; the logarithm of the mean message's words over 6; whether it speaks of a time; the
highest coverage; the highest cosine; by how much that exceeds the mean of the first twenty; both again by the model
that stands beside the quick one;
the shares of what other people, assistants and devices said; and how likely the cue asks for advice, or for something
to be made."""
BY_TWO, WITH_MEANING, TEXT_ALONE = "by two models", "with meaning", "text alone"
_WEIGHTS = Path(__file__).with_name("data") / "ranking.txt"


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A fit: for each signal a row of weights, one a trait."""

    rows: dict[str, tuple[float, ...]]

    def weights(self, names: Sequence[str], traits: Sequence[float], muted: Collection[str] = ()) -> FloatArray:
        """(names,) weight of each signal for a query with these traits; 0 if ``muted`` or not fitted."""
        given = np.array(traits)
        silent = (0.0,) * len(TRAITS)
        rows = [silent if name in muted else self.rows.get(name, silent) for name in names]
        result: FloatArray = (np.array(rows) @ given).astype(np.float32)
        return result


@cache
def shipped() -> dict[str, Ranking]:
    """The weights that come with the package: by two models, by one, and for text alone."""
    return read_ranking(_WEIGHTS.read_text(encoding="utf-8"))


def read_ranking(text: str) -> dict[str, Ranking]:
    """Weights from their file: ``[section]``, then a line a signal: ``name: weight weight …``; ``#`` comments.

    Raises:
        InvalidInput: a line has not one number a trait.
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
                raise InvalidInput(f"The weights of {name!r} are not {len(TRAITS)}.", "Run make train.")
    return found


# Fuse: each signal of each candidate by the weight that the cue gives it, added; each stays readable.


FIRST = 10
"""So many of the best of a list say what the list is worth for a cue."""
_DAY_S = 86_400.0
_LONGEST_LOG2 = 8.0
"""A length is the base-2 logarithm of the words over this: 256 words are 1."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a signal is read from: the corpus, the cue, and what was found for it."""

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
        """(m,) centred cosines; all 0 where no vectors were compared."""
        near = self.found.compared
        if near is None:
            return np.zeros(len(self.ordinals), np.float32)
        result: FloatArray = near.alike[np.searchsorted(near.looked_at, self.ordinals)]
        return result

    def coverage(self) -> FloatArray:
        """(m,) share of the cue's words that each candidate holds, by rarity."""
        covered: FloatArray = self.words.shares @ self.words.held(self.ordinals).astype(np.float32)
        return covered

    def said_by(self, *roles: Role) -> FloatArray:
        """(m,) 1 where one of these said it."""
        codes = [ROLE_CODES[role] for role in roles]
        return np.isin(self.corpus.roles[self.ordinals], codes).astype(np.float32)


def _stands(kind: Kind) -> Callable[[Searched], FloatArray]:
    """(m,) 1 where the person said a standing order, or a lasting taste."""

    def read(at: Searched) -> FloatArray:
        marked = np.isin(at.ordinals, at.corpus.postings(MARKS[kind]).ordinals)
        return marked.astype(np.float32) * at.said_by(Role.USER)

    return read


def _context_meaning(at: Searched) -> FloatArray:
    found = at.found
    return at.likeness if found.meaning is None else scaled(found.meaning, found.meaning_best)


def _second_likeness(at: Searched) -> FloatArray:
    """(m,) centred cosines by the model beside the quick one; all 0 where there is none."""
    found = at.found.second
    return np.zeros(len(at.ordinals), np.float32) if found is None else np.maximum(found, np.float32(0.0))


def _recency(at: Searched) -> FloatArray:
    """(m,) where in the time of the whole scope it was said: 0 first, 1 last; less where all that is within a day."""
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
"""The signals of a model that stands beside the quick one; no candidate has them where none was asked."""
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
"""Each signal's name and the function that computes it, in [0, 1]. Another row needs one in each section of
``data/ranking.txt`` and its name in ``benchmarks/training/ranking.py``: docs/contributing/add-a-signal.md."""
STANDS = ("order", "taste")
"""The signals by which a candidate is known to stand."""
NAMES = tuple(name for name, _ in SIGNALS)


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates in ascending order of ordinal, their signals by column, the weight of each, and their scores.

    A score is the sum of the signals by weight: a difference of 1 makes a candidate e times as likely to be what is
    looked for. ``traits`` is what of the cue and the texts the weights follow from; ``by_two``: a second model was
    asked as well; ``words`` are the cue's, looked up.
    """

    ordinals: IntArray
    weights: FloatArray
    values: FloatArray
    scores: FloatArray
    traits: tuple[float, ...]
    by_two: bool
    words: CueWords

    def order(self) -> IntArray:
        """Rows by falling score; equal scores by order of writing."""
        result: IntArray = np.argsort(-self.scores, kind="stable")
        return result

    def signals(self, rows: IntArray) -> list[tuple[Signal, ...]]:
        """What made up each of these scores: value, weight and share of each signal; the shares add up to it."""
        columns = [place for place, name in enumerate(NAMES) if self.by_two or name not in OF_SECOND]
        names, weights = [NAMES[place] for place in columns], self.weights[columns].astype(np.float64)
        values = self.values[rows][:, columns].astype(np.float64)
        told = zip(values.tolist(), (values * weights).tolist(), strict=True)
        heavy = weights.tolist()
        about = [""] * len(names)
        return [tuple(map(Signal._make, zip(names, own, heavy, shares, about, strict=True))) for own, shares in told]

    def grounds(self) -> tuple[Signal, ...]:
        """The traits as signals of the cue, which add nothing themselves."""
        return tuple(Signal(name, value, 0.0, 0.0) for name, value in zip(TRAITS, self.traits, strict=True))


def fuse(
    corpus: Corpus,
    cue: Cue,
    found: SearchResult,
    settings: RecallSettings,
    ranking: Ranking,
    known: BoolArray | None = None,
) -> Fused:
    """Compute the weighted signals of the candidates; only ``known`` memories (None: all) count for rarity."""
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
    """What the weights follow from, in the order of ``ranking.TRAITS``."""
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
    """The highest cosine by the second model, and by how much it exceeds the mean of the first twenty."""
    likeness = np.sort(_second_likeness(at))[::-1]
    best = float(likeness[0]) if len(likeness) else 0.0
    return best, best - (float(likeness[: 2 * FIRST].mean()) if len(likeness) else 0.0)


def _share(at: Searched, role: Role) -> float:
    """The share of all that was said which one of a role said."""
    return float((at.corpus.roles == ROLE_CODES[role]).mean()) if at.corpus.size else 0.0


def _agreement(at: Searched) -> float:
    """How many of the first ten by text alone are among the first ten by meaning alone, over ten."""
    if at.found.compared is None or not len(at.ordinals):
        return 0.0
    by_text, by_meaning = (np.argsort(-column, kind="stable")[:FIRST] for column in (at.found.own, at.likeness))
    return len(np.intersect1d(by_text, by_meaning)) / FIRST


# Signals: the default's own search: text, meaning, speaker, time and more, weighed for the cue (decision 0051).


AT_ONCE = 24
"""So many candidates are read from the store at once, at least: reading one alone costs as much as three of many."""


@dataclass(frozen=True, slots=True)
class Signals:
    """Search and fuse with these weights and limits; ``tools`` says how tool calls come where a cue asks for them."""

    settings: RecallSettings
    tools: ToolCallSettings | None = None
    name: str = "search"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state with its candidates, best first, equal scores by order of writing."""
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
    """Of the tool calls those of the time the cue speaks of, if there are any."""
    if quest.cue.window is None:
        return calls
    within: BoolArray = calls & inside(quest.world.corpus, quest.cue.window)
    return within if within.any() else calls


@dataclass(frozen=True, slots=True)
class _Searched:
    """What a search brought: the candidates, best first, what they were scored by, and a line for the trace."""

    candidates: Iterator[Candidate]
    fused: Fused
    note: str


def _searched(quest: RecallState, settings: RecallSettings, among: BoolArray | None) -> _Searched:
    """Search ``among`` some of the memories (None: all) and fuse."""
    corpus, known = quest.world.corpus, known_at(quest.world.corpus, quest.request)
    vector, note = _comparable(quest, settings)
    second = None if vector is None else _by_second(quest, settings)
    vectors = None if vector is None else CueVectors(vector, second)
    found = search(corpus, quest.cue, vectors, among, settings, known)
    ranking = shipped()[TEXT_ALONE if found.compared is None else WITH_MEANING if second is None else BY_TWO]
    fused = fuse(corpus, quest.cue, found, settings, ranking, known)
    lazily = _candidates(fused, corpus, max(quest.limit, AT_ONCE), vector)
    return _Searched(lazily, fused, f"{note}; {_describe(found, corpus)}")


def _comparable(quest: RecallState, settings: RecallSettings) -> tuple[FloatArray | None, str]:
    """The cue's vector, or None where meaning cannot be compared, and which of the two."""
    corpus, vector = quest.world.corpus, asked_vector(quest.queries[0], quest.world.embed, quest.cue.speakers)
    if vector is None:
        return None, f"meaning skipped: {quest.world.why_none()}"
    if not vector.any():
        return None, "meaning skipped: nothing in the text to embed"
    if corpus.embedded < settings.embedded_share * corpus.size:
        return None, f"meaning skipped: only {corpus.embedded} of {corpus.size} memories are embedded yet"
    return vector, f"meaning compared in {len(vector)} dimensions"


def _by_second(quest: RecallState, settings: RecallSettings) -> FloatArray | None:
    """Return the query's vector by the second model, once that has embedded most memories."""
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
