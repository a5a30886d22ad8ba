"""AMA-Bench's form: an agent's actions and what it observed, and questions about them of four types.

In: episodes made up here by rule, and AMA-Bench's own file if there is one. Out: how much of the evidence each system
recalls and, for what was made up, whether the answer that follows from the recalled turns alone is right. No language
model answers or judges: the rules that made an episode read the turns that were recalled. AMA-Bench's own questions
have free answers and no evidence; of them the steps that a question names and the answer's words are looked for.

Source: zhao-ama-bench
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import numpy as np

from benchmarks import results, statistics, systems
from benchmarks.embedding import NO_MODEL, cached_embedder
from benchmarks.files import Record, kind, records
from benchmarks.metrics import distinct
from benchmarks.results import RetrievalRow
from benchmarks.values import Haystack, Item, Notes, Question
from reverie.errors import InvalidExport
from reverie.language.text.analyzer import index_terms
from reverie.types import Role

TYPES = MappingProxyType({"A": "recall", "B": "causal-inference", "C": "state-updating", "D": "state-abstraction"})
BEGINS = datetime(2026, 1, 5, 9, tzinfo=UTC)
"""When the first action is taken; a fixed moment, a minute a turn, so that a run can be repeated."""
MADE, OWN = "ama-made", "ama"


@dataclass(frozen=True, slots=True)
class Turn:
    """An action and what was observed; of what was made up also what happened, by rule."""

    action: str
    observation: str
    verb: str = ""
    thing: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question of one of ``TYPES``: the answer, the steps that hold its evidence, and what it is about, by rule.

    ``thing`` is asked about as of ``step``, the last turn that counts.
    """

    type: str
    question: str
    answer: str
    steps: tuple[int, ...]
    thing: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class Episode:
    """A trajectory, the task it was to solve, and what is asked of it."""

    id: str
    language: str
    task: str
    turns: tuple[Turn, ...]
    probes: tuple[Probe, ...]

    def haystack(self) -> Haystack:
        """Each turn an item, told by the agent's tools; the questions come after the last."""
        items = tuple(
            Item(str(step), "trajectory", "agent", Role.TOOL, BEGINS + step * timedelta(minutes=1), told(self, step))
            for step in range(len(self.turns))
        )
        asked_at = BEGINS + len(items) * timedelta(minutes=1)
        questions = tuple(
            Question(f"{self.id}/{number}", one.question, TYPES[one.type], tuple(map(str, one.steps)), asked_at)
            for number, one in enumerate(self.probes)
        )
        return Haystack(self.id, self.language, items, questions)


def told(episode: Episode, step: int) -> str:
    """A turn as it is remembered."""
    turn, words = episode.turns[step], WORDS[episode.language]
    return f"{words['step']} {step}. {words['action']}: {turn.action}. {words['observation']}: {turn.observation}"


# AMA-Bench's own episodes.

STEP = re.compile(r"\b(?:step|turn)s?\s+`?(\d{1,6})\b", re.IGNORECASE)
FIELDS = ("episode_id", "trajectory", "qa_pairs")


def own_episodes(path: Path, notes: Notes) -> Iterator[Episode]:
    """The episodes of the set's ``open_end_qa_set.jsonl``.

    Raises:
        InvalidExport: a record lacks what an episode has.
    """
    for record in records(path):
        try:
            yield _own(record, notes)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidExport(
                f"An episode of {path.name} is not of AMA-Bench's form: {error!r}.",
                f"A record has {', '.join(FIELDS)}; a turn turn_idx, action and observation.",
            ) from error


def _own(record: Record, notes: Notes) -> Episode:
    told_turns = sorted(record["trajectory"], key=lambda turn: int(turn["turn_idx"]))
    turns = tuple(Turn(str(turn["action"]), str(turn["observation"])) for turn in told_turns)
    place = {int(turn["turn_idx"]): number for number, turn in enumerate(told_turns)}
    probes = []
    for pair in record["qa_pairs"]:
        letter = str(pair.get("type", "")).strip().upper()[:1]
        if letter not in TYPES:
            notes["questions of no known type (left out)"] += 1
            continue
        named = dict.fromkeys(int(number) for number in STEP.findall(str(pair["question"])))
        notes["steps that a question names and the episode lacks"] += sum(step not in place for step in named)
        steps = tuple(place[step] for step in named if step in place)
        probes.append(Probe(letter, str(pair["question"]), str(pair["answer"]), steps))
    return Episode(str(record["episode_id"]), "en", str(record.get("task", "")), turns, tuple(probes))


def own_file(named: Path | None) -> Path | None:
    """The file that was named, or the one among the public sets' files; None where there is none."""
    if named is not None:
        return named
    folder = Path(os.environ.get("REVERIE_BENCH_DATA") or "../shared/data")
    files = sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
    return next((path for path in files if _is_own(path)), None)


def _is_own(path: Path) -> bool:
    try:
        return kind(path) == OWN
    except InvalidExport:
        return False


# Episodes made up by rule: an agent goes about a house, moves things, and pulls levers that open gates.

WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            "step": "Step", "action": "Action", "observation": "Observation", "task": "Put the house in order.",
            "go": "go to the {place}", "take": "take the {thing}", "put": "put down the {thing}",
            "pull": "pull the {thing}", "try": "try the {thing}",
            "went": "You stand in the {place}.", "took": "You carry the {thing}.",
            "dropped": "The {thing} lies in the {place}.", "pulled": "Something rumbles far away.",
            "shut": "The {thing} does not move.", "open": "The {thing} is open.", "agent": "with the agent",
            "A": "What did the agent do at step {step}?", "B": "Which lever made the {thing} open?",
            "C": "Where is the {thing} after step {step}?", "D": "How many times did the agent go to the {thing}?",
        },
        "tr": {
            "step": "Adım", "action": "Eylem", "observation": "Gözlem", "task": "Evi topla.",
            "go": "şuraya git: {place}", "take": "şunu al: {thing}", "put": "şunu bırak: {thing}",
            "pull": "şunu çek: {thing}", "try": "şunu dene: {thing}",
            "went": "Bulunduğun yer: {place}.", "took": "Elindeki: {thing}.",
            "dropped": "Yere konan: {thing}. Yer: {place}.", "pulled": "Uzaktan bir gürültü geldi.",
            "shut": "Kıpırdamıyor: {thing}.", "open": "Açıldı: {thing}.", "agent": "ajanın elinde",
            "A": "Adım {step} sırasında ajan ne yaptı?", "B": "Şunu hangi kol açtı: {thing}?",
            "C": "Adım {step} sonrasında şu nerede: {thing}?", "D": "Ajan şuraya kaç kez gitti: {thing}?",
        },
    }
)  # fmt: skip  # one language a column of sentences, two or three a line
NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "en": {
            "places": ("cellar", "attic", "kitchen", "library", "stable", "workshop"),
            "things": ("brass lamp", "blue vase", "tin box", "wool blanket", "clay jug", "iron kettle", "straw hat"),
            "gates": ("north gate", "garden gate", "river gate"),
            "levers": ("red lever", "stone lever", "copper lever"),
        },
        "tr": {
            "places": ("mahzen", "tavan arası", "mutfak", "kütüphane", "ahır", "atölye"),
            "things": ("pirinç lamba", "mavi vazo", "teneke kutu", "yün battaniye", "toprak testi", "demir çaydanlık"),
            "gates": ("kuzey kapısı", "bahçe kapısı", "nehir kapısı"),
            "levers": ("kırmızı kol", "taş kol", "bakır kol"),
        },
    }
)
LEAST_TURNS = 40
EACH = 3
"""Questions of each type, so that an episode has AMA-Bench's twelve."""


def made_episode(name: str, language: str, turns: int) -> Episode:
    """An episode that follows from its name: the same name gives the same turns and questions.

    Args:
        name: seed of everything.
        language: en or tr.
        turns: at least 40, so that every type can be asked.
    """
    chance = random.Random(name)
    words, names = WORDS[language], NAMES[language]
    done = tuple(_lived(chance, names, words, max(turns, LEAST_TURNS)))
    probes = [probe for letter in TYPES for probe in _asked(letter, done, chance, language)]
    return Episode(name, language, words["task"], done, tuple(probes))


def _lived(
    chance: random.Random, names: Mapping[str, tuple[str, ...]], words: Mapping[str, str], turns: int
) -> Iterator[Turn]:
    """Moves at random; each gate is tried, its lever pulled, the gate tried again, one lever after the other."""
    levers = chance.sample(names["levers"], len(names["levers"]))
    pulls = [(verb, gate, lever) for gate, lever in zip(names["gates"], levers, strict=True) for verb in PULLING]
    when = sorted(chance.sample(range(turns), len(pulls)))
    house = _House(names["places"], {thing: chance.choice(names["places"]) for thing in names["things"]})
    for step in range(turns):
        if step in when:
            verb, gate, lever = pulls[when.index(step)]
            thing = lever if verb == "pull" else gate
            yield _turn(words, verb, thing, house.at, "pulled" if verb == "pull" else verb)
        else:
            yield house.move(chance, words)


class _House:
    """Where the agent and all things are."""

    def __init__(self, places: tuple[str, ...], where: dict[str, str]) -> None:
        self.at, self._held = places[0], ""
        self._places, self._where = places, where

    def move(self, chance: random.Random, words: Mapping[str, str]) -> Turn:
        """Put down what is carried, take what is here, or go elsewhere."""
        if self._held:
            if chance.random() < PUTS:
                thing, self._held = self._held, ""
                self._where[thing] = self.at
                return _turn(words, "put", thing, self.at, "dropped")
        elif (here := [thing for thing, place in self._where.items() if place == self.at]) and chance.random() < TAKES:
            self._held = chance.choice(here)
            self._where[self._held] = ""
            return _turn(words, "take", self._held, self.at, "took")
        self.at = chance.choice([place for place in self._places if place != self.at])
        return _turn(words, "go", "", self.at, "went")


PUTS, TAKES = 0.4, 0.6
"""The chance that the agent puts down what it carries, and that it takes something where there is something."""
PULLING = ("shut", "pull", "open")
"""A gate is tried and shut, its lever pulled, and the gate tried again."""


def _turn(words: Mapping[str, str], verb: str, thing: str, place: str, seen: str) -> Turn:
    action = words["try" if verb in ("shut", "open") else verb].format(thing=thing, place=place)
    return Turn(action, words[seen].format(thing=thing, place=place), verb, thing, place)


def _asked(letter: str, turns: Sequence[Turn], chance: random.Random, language: str) -> Iterator[Probe]:
    numbered = dict(enumerate(turns))
    for thing, step in _about(letter, turns, chance, NAMES[language]):
        probe = Probe(letter, WORDS[language][letter].format(thing=thing, step=step), "", (), thing, step)
        yield replace(probe, answer=answered(probe, numbered, language), steps=evidence(probe, numbered))


def _about(
    letter: str, turns: Sequence[Turn], chance: random.Random, names: Mapping[str, tuple[str, ...]]
) -> list[tuple[str, int]]:
    """What the questions of a type are about, and the last step that counts."""
    if letter == "A":
        return [("", step) for step in chance.sample(range(len(turns)), EACH)]
    if letter == "C":
        first: dict[str, int] = {}
        for step, turn in enumerate(turns):
            if turn.verb in MOVING:
                first.setdefault(turn.thing, step)
        chosen = chance.sample(sorted(first), min(EACH, len(first)))
        return [(thing, chance.randrange(first[thing], len(turns))) for thing in chosen]
    pool = names["gates" if letter == "B" else "places"]
    return [(thing, len(turns) - 1) for thing in chance.sample(pool, EACH)]


MOVING = frozenset({"take", "put"})


def evidence(probe: Probe, turns: Mapping[int, Turn]) -> tuple[int, ...]:
    """The steps, of those given, from which the answer follows."""
    until = {step: turns[step] for step in sorted(turns) if step <= probe.step}
    if probe.type == "A":
        return (probe.step,) if probe.step in until else ()
    if probe.type == "B":
        return _cause(probe.thing, until)
    if probe.type == "C":
        return tuple(step for step, turn in until.items() if turn.thing == probe.thing)[-1:]
    return tuple(step for step, turn in until.items() if (turn.verb, turn.place) == ("go", probe.thing))


def _cause(gate: str, turns: Mapping[int, Turn]) -> tuple[int, ...]:
    """The steps at which a gate was shut, the last lever before it opened was pulled, and it opened."""
    tried = {turn.verb: step for step, turn in turns.items() if turn.thing == gate}
    if "open" not in tried:
        return ()
    pulled = [step for step, turn in turns.items() if turn.verb == "pull" and step < tried["open"]][-1:]
    return tuple(sorted({*tried.values(), *pulled}))


def answered(probe: Probe, turns: Mapping[int, Turn], language: str) -> str:
    """The answer that follows from these turns alone, by step; empty where none does.

    It may be wrong where turns are missing: a thing is where the last turn that is known put it.
    """
    steps = evidence(probe, turns)
    if probe.type == "D":
        return str(len(steps))
    if not steps:
        return ""
    last = turns[steps[-1]]
    if probe.type == "A":
        return last.action
    if probe.type == "C":
        return WORDS[language]["agent"] if last.verb == "take" else last.place
    return next((turns[step].thing for step in steps if turns[step].verb == "pull"), "")


def is_right(answer: str, said: str) -> bool:
    """Whether what was said is the answer: case, blanks and a full stop aside."""
    return bool(answer.strip()) and _plain(answer) == _plain(said)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


# Measuring.

CUTS = (10, 20, 50)
"""Turns that an answer may be drawn from."""
DEPTH = 200


@dataclass(frozen=True, slots=True)
class Value:
    """One number: of which system, what it measures at how many turns, of which type and episode."""

    system: str
    metric: str
    at: int
    category: str
    episode: str
    value: float


def measured(set_name: str, episodes: Sequence[Episode], among: Sequence[systems.System]) -> Iterator[Value]:
    """Every figure of every question: evidence found (fraction, all), and answers (right) or their words (words)."""
    for number, episode in enumerate(episodes, start=1):
        haystack = episode.haystack()
        for system in among:
            found = system.rank(haystack, DEPTH)
            for probe, ranking in zip(episode.probes, found, strict=True):
                order = [int(one) for one in distinct(one for entry in ranking for one in entry.ids)]
                for at in CUTS:
                    for metric, value in _figures(set_name, episode, probe, order[:at]):
                        yield Value(system.name, metric, at, TYPES[probe.type], episode.id, value)
        print(f"ama: {set_name}, {number} of {len(episodes)}", file=sys.stderr, flush=True)


def _figures(set_name: str, episode: Episode, probe: Probe, order: Sequence[int]) -> Iterator[tuple[str, float]]:
    if probe.steps:
        share = len(set(order).intersection(probe.steps)) / len(set(probe.steps))
        yield "fraction", share
        yield "all", float(share == 1.0)
    if set_name == MADE:
        said = answered(probe, {step: episode.turns[step] for step in order}, episode.language)
        yield "right", float(is_right(probe.answer, said))
        return
    wanted = set(index_terms(probe.answer))
    if wanted:
        held = {term for step in order for term in index_terms(told(episode, step))}
        yield "words", len(wanted & held) / len(wanted)


def rows(set_name: str, values: Sequence[Value], seed: int) -> list[RetrievalRow]:
    """Means with intervals over episodes, of all questions and by type."""
    found: dict[tuple[str, str, int, str], list[Value]] = {}
    for one in values:
        for category in ("all", one.category):
            found.setdefault((one.system, one.metric, one.at, category), []).append(one)
    made = []
    for (system, metric, at, category), of in found.items():
        column = np.array([one.value for one in of])
        place = {name: number for number, name in enumerate(dict.fromkeys(one.episode for one in of))}
        members = np.array([place[one.episode] for one in of], np.int64)
        ends = statistics.intervals(column[:, np.newaxis], statistics.resample_groups(members, seed))
        unit = "turn" if metric in ("fraction", "all") else "answer"
        told_ends = [round(float(end[0]), 4) for end in (ends.mean, ends.low, ends.high)]
        made.append(RetrievalRow(set_name, system, unit, metric, at, category, len(of), *told_ends))
    return made


def ama(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``ama``: one result file; AMA-Bench's own episodes are skipped aloud where there is no file of them."""
    embedder = None if set(options.systems) == {"bm25"} else cached_embedder(options)
    among = systems.build(options.systems, embedder)
    languages = ("en", "tr")
    invented = [
        made_episode(f"{options.seed}-{number}", languages[number % 2], options.turns)
        for number in range(options.episodes)
    ]
    told_rows = rows(MADE, list(measured(MADE, invented, among)), options.seed)
    notes: Notes = Counter()
    path, skipped = own_file(options.data), []
    if path is None:
        skipped = ["AMA-Bench's own episodes: no file of them (--data open_end_qa_set.jsonl)"]
        print(f"ama: SKIPPED {skipped[0]}", file=sys.stderr, flush=True)
    else:
        real = list(islice(own_episodes(path, notes), options.limit))
        told_rows += rows(OWN, list(measured(OWN, real, among)), options.seed)
    model = embedder.info.key if embedder else NO_MODEL
    counts = {key: number for key, number in sorted(notes.items()) if number}
    extras = {"skipped": skipped, "counts": counts, "seed": options.seed, "model": model}
    results.write(options.out, told_rows, {**extras, **results.surroundings(given)})
    for row in told_rows:
        interval = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
        print(f"{row.set:9} {row.system:10} {row.metric:9} @{row.at:<3} {row.category:18} n {row.n:4} {interval}")
    print(f"wrote {options.out}")
