"""Runs of skills as values: how one is written down as text and read back, and how well each skill performed.

In: what a caller reports of a run, or episodes of runs. Out: a canonical text of one line a field, runs as they are
recorded, and for each skill and context a Beta posterior of its success rate.

A memory counts as a run by its write source, never by its text: another message that imitates the text is none.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from itertools import islice

from reverie.errors import InvalidInput
from reverie.formulas.beta import lower_bound, posterior_mean
from reverie.types import BY_RUN, RECALLED_STATES, Kind, Memory, Role, in_utc

SESSION = "skill runs"
"""The session that holds the runs of a scope."""
NAME_MAX, STEP_MAX = 200, 120
"""Longest name (of a skill, a version, a context, an id) and longest kept part of a step, in characters."""
STEPS_KEPT, STEPS_COUNTED = 200, 1_000_000
"""Steps of a run that are kept, the first ones; and the number at which counting them ends."""
ARROW = " → "
HALF_LIFE = 10.0
"""Later runs of the same skill and context after which a run counts half; see docs/decisions/0072-skill-memory.md."""


class RunOutcome(StrEnum):
    """How a run ended; an unfinished one counts neither as a success nor as a failure."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class SkillRun:
    """One use of a skill, as a caller reports it.

    Attributes:
        skill: its name.
        outcome: succeeded, failed or unfinished.
        version: of the skill.
        context: in what circumstances it ran, in a few words, as "staging"; each context is counted apart.
        inputs: what it was given; only a digest of it is kept, so that equal inputs can be recognised.
        steps: what was done, in order; of more than ``STEPS_KEPT`` the first are kept, and all are counted.
        cost: in any unit that the caller keeps to, ≥ 0.
        at: when it ended; None: now.
        began: when it began.
        id: the caller's id of the run, which makes a repeated report harmless; without one a run with a time is
            recognised by all its fields. A finished run replaces the unfinished one of the same id.
        formerly: the name that the skill had before; from then on, its earlier runs count as this skill's.
    """

    skill: str
    outcome: RunOutcome | str
    version: str = ""
    context: str = ""
    inputs: str = ""
    steps: Iterable[str] = ()
    cost: float | None = None
    at: datetime | None = None
    began: datetime | None = None
    id: str = ""
    formerly: str = ""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run as the store holds it; ``memory`` is the id of its episode.

    ``steps`` are the kept ones, without immediate repetitions; ``step_count`` counts all. ``inputs`` is a digest.
    ``took_s`` is None if the run's beginning is unknown, or later than its end.
    """

    skill: str
    outcome: RunOutcome
    version: str = ""
    context: str = ""
    inputs: str = ""
    steps: tuple[str, ...] = ()
    step_count: int = 0
    cost: float | None = None
    took_s: float | None = None
    formerly: str = ""
    id: str = ""
    at: datetime | None = None
    memory: str = ""

    @property
    def text(self) -> str:
        """Return the run as text: a line for what ran and how it ended, and one for each further field that is set."""
        count = f"steps ({self.step_count})"  # of steps without a letter only the count is left
        fields = {
            "version": self.version,
            "context": self.context,
            count: ARROW.join(self.steps),
            "inputs": self.inputs,
            "cost": "" if self.cost is None else repr(self.cost),
            "took s": "" if self.took_s is None else repr(self.took_s),
            "formerly": self.formerly,
            "run": self.id,
        }
        lines = (f"{name}: {value}" for name, value in fields.items() if value or (name == count and self.step_count))
        return "\n".join((f"Run of {self.skill}: {self.outcome}", *lines))


# From a caller's report to a value.


def accepted(run: SkillRun, mask: Callable[[str], str]) -> RecordedRun:
    """Validate a report and return what is kept of it; ``mask`` removes secrets from a text.

    Raises:
        InvalidInput: the skill has no name, a field has the wrong type, or a name cannot be stored.
    """
    if not isinstance(run, SkillRun):
        raise InvalidInput(f"A run is {type(run).__name__}.", "Give a reverie.SkillRun.")
    steps, count = _steps(run.steps)
    at, began = (None if time is None else in_utc(time) for time in (run.at, run.began))
    took_s = None if at is None or began is None else (at - began).total_seconds()
    return RecordedRun(
        skill=mask(_name("skill", run.skill, required=True)),
        outcome=_outcome(run.outcome),
        version=mask(_name("version", run.version)),
        context=mask(_name("context", run.context)),
        inputs=_digest(run.inputs),
        steps=tuple(map(mask, steps)),
        step_count=count,
        cost=_cost(run.cost),
        took_s=took_s if took_s is not None and took_s >= 0.0 else None,
        formerly=mask(_name("formerly", run.formerly)),
        id=_name("id", run.id),
        at=at,
    )


def own_id(run: RecordedRun) -> str:
    """Return an id for a run without one, from all its fields and its time."""
    at = "" if run.at is None else run.at.isoformat()
    return blake2b(f"{run.text}\0{at}".encode(), digest_size=12).hexdigest()


def _name(field: str, value: object, *, required: bool = False) -> str:
    """Return a name on one line, with single blanks. Raises InvalidInput."""
    if not isinstance(value, str):
        raise InvalidInput(f"The run's {field} is {type(value).__name__}, not text.", f"Give {field} as a string.")
    if any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value[: NAME_MAX + 1]) or len(value) > NAME_MAX:
        raise InvalidInput(
            f"The run's {field} is too long or holds characters that cannot be stored.",
            f"Use at most {NAME_MAX} ordinary characters.",
        )
    name = _one_line(value)
    if required and not name:
        raise InvalidInput(f"The run's {field} is empty.", f"Name the {field}, for example {field}='deploy'.")
    return name


def _one_line(text: str) -> str:
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join("".join(sign if sign.isprintable() else " " for sign in whole).split())


def _steps(steps: object) -> tuple[list[str], int]:
    """Return the first steps without immediate repetitions, and the number of all. Raises InvalidInput."""
    if isinstance(steps, str | bytes) or not isinstance(steps, Iterable):
        raise InvalidInput(f"The run's steps are {type(steps).__name__}.", "Give a list of texts.")
    kept: list[str] = []
    count = 0
    for step in islice(steps, STEPS_COUNTED):
        count += 1
        if len(kept) < STEPS_KEPT:
            if not isinstance(step, str):
                raise InvalidInput(f"A step is {type(step).__name__}, not text.", "Give each step as a string.")
            line = _one_line(step[: 2 * STEP_MAX])[:STEP_MAX].replace("→", "->").rstrip()
            if line and kept[-1:] != [line]:
                kept.append(line)
    return kept, count


def _outcome(value: object) -> RunOutcome:
    try:
        return RunOutcome(str(value))
    except ValueError:
        known = ", ".join(RunOutcome)
        raise InvalidInput(f"There is no outcome {value!r}.", f"Use one of {known}.") from None


def _cost(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value < math.inf:
        raise InvalidInput(f"The run's cost is {value!r}.", "Give a number from 0, or leave it out.")
    return float(value)


def _digest(inputs: object) -> str:
    if not isinstance(inputs, str):
        raise InvalidInput(f"The run's inputs are {type(inputs).__name__}.", "Give a text; only its digest is kept.")
    return blake2b(inputs.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest() if inputs else ""


# From memories back to runs.


def is_run(memory: Memory) -> bool:
    """Whether a memory is a recorded run: by what wrote it, whatever its text says."""
    return memory.standing.write_source == BY_RUN and memory.role is Role.TOOL and memory.kind is Kind.EPISODE


def read(memory: Memory) -> RecordedRun | None:
    """Return the run that a memory records; None for another memory, and for a text that cannot be read."""
    if not is_run(memory):
        return None
    head, *lines = memory.text.split("\n")
    before, _, outcome = head.rpartition(": ")
    fields = {name: value for name, _, value in (line.partition(": ") for line in lines)}
    counted = next((name for name in fields if name.startswith("steps (")), "")
    try:
        return RecordedRun(
            skill=before.removeprefix("Run of "),
            outcome=RunOutcome(outcome),
            version=fields.get("version", ""),
            context=fields.get("context", ""),
            inputs=fields.get("inputs", ""),
            steps=tuple(filter(None, fields.get(counted, "").split(ARROW))),
            step_count=int(counted[7:-1]) if counted else 0,
            cost=_number(fields.get("cost")),
            took_s=_number(fields.get("took s")),
            formerly=fields.get("formerly", ""),
            id=fields.get("run", ""),
            at=memory.at,
            memory=memory.id,
        )
    except ValueError:
        return None


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)


def runs_of(memories: Iterable[Memory], now: datetime) -> list[RecordedRun]:
    """Return the runs among memories that are valid now, oldest first, each skill under its present name.

    An unfinished run is left out if a finished one has its id.
    """
    valid = (one for one in memories if one.standing.state in RECALLED_STATES and one.holds_at(now))
    found = [run for one in valid if (run := read(one)) is not None]
    ended = {run.id for run in found if run.outcome is not RunOutcome.UNFINISHED}
    kept = [run for run in found if run.outcome is not RunOutcome.UNFINISHED or run.id not in ended]
    return _renamed(sorted(kept, key=by_time))


def by_time(run: RecordedRun) -> tuple[float, str]:
    """Sort key that orders runs from the oldest to the newest."""
    return (0.0 if run.at is None else run.at.timestamp()), run.memory


def _renamed(runs: Sequence[RecordedRun]) -> list[RecordedRun]:
    """Return the runs with each skill's latest name: a run that names a former name renames the runs before it."""
    names: dict[str, str] = {}
    found: list[RecordedRun] = []
    for run in reversed(runs):
        name = names.get(run.skill, run.skill)
        found.append(run if name == run.skill else replace(run, skill=name))
        if run.formerly and run.formerly != name:
            names[run.formerly] = name
    return found[::-1]


# How well each skill performs.


@dataclass(frozen=True, slots=True)
class SkillRecord:
    """How a skill performed in one context.

    Attributes:
        skill: its present name.
        context: the circumstances; "" for runs without one.
        runs: how many ended, n.
        succeeded: how many of them succeeded.
        unfinished: runs that never ended, beside those.
        mean: the posterior mean of the success rate, in (0, 1); older runs count less.
        lower: the rate that it exceeds with a probability of .95.
        version: of the latest run.
        last: when the latest run ended.
        cost: the mean of the costs that are known; None without any.
        sources: the ids of the runs' memories, oldest first.
    """

    skill: str
    context: str
    runs: int
    succeeded: int
    unfinished: int
    mean: float
    lower: float
    version: str
    last: datetime | None
    cost: float | None
    sources: tuple[str, ...]


def grouped(runs: Iterable[RecordedRun]) -> Mapping[tuple[str, str], list[RecordedRun]]:
    """Group runs, in the given order, by skill and context."""
    found: dict[tuple[str, str], list[RecordedRun]] = defaultdict(list)
    for run in runs:
        found[run.skill, run.context].append(run)
    return found


def record_of(runs: Sequence[RecordedRun], half_life: float = HALF_LIFE) -> SkillRecord:
    """Compute the record of the runs of one skill and context, given oldest first; at least one."""
    latest = runs[-1]
    ended = [run for run in runs if run.outcome is not RunOutcome.UNFINISHED]
    good, bad = weighed([run.outcome is RunOutcome.SUCCEEDED for run in ended], half_life)
    costs = [run.cost for run in ended if run.cost is not None]
    return SkillRecord(
        skill=latest.skill,
        context=latest.context,
        runs=len(ended),
        succeeded=sum(run.outcome is RunOutcome.SUCCEEDED for run in ended),
        unfinished=len(runs) - len(ended),
        mean=posterior_mean(good, bad),
        lower=lower_bound(good, bad),
        version=latest.version,
        last=latest.at,
        cost=sum(costs) / len(costs) if costs else None,
        sources=tuple(run.memory for run in runs),
    )


def weighed(outcomes: Sequence[bool], half_life: float = HALF_LIFE) -> tuple[float, float]:
    """Return the weights of the successes and of the failures, oldest first; a run's halves with each half-life."""
    good = bad = 0.0
    factor = 0.5 ** (1.0 / half_life)
    for succeeded in outcomes:
        good, bad = good * factor + succeeded, bad * factor + (not succeeded)
    return good, bad


def records(runs: Iterable[RecordedRun]) -> list[SkillRecord]:
    """Return the record of each skill and context, the highest lower bound first."""
    found = [record_of(own) for own in grouped(runs).values()]
    return sorted(found, key=lambda one: (-one.lower, one.skill, one.context))
