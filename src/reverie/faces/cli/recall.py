"""Commands that query: ``recall``, ``explain``, ``timeline``, and ``session instructions``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import TIME, Command, CommandGroup, Invocation, pass_invocation
from reverie.faces.cli.look import stands
from reverie.faces.cli.screen import CUT, Column, Screen, cut
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reverie.answers import Hit, Recollection, Signal
    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.recall.explain import Explanation
    from reverie.types import Memory, Scope, TimeWindow


# Asking: ``recall`` answers, ``explain`` says why in this order, ``timeline`` lists what there is.


_WHYS = 3
_DECIDING = 3
"""Signals that are shown of a hit, and places at the top that a counterfactual must change, unless all is asked for."""
_DOUBTS = {
    "en": {
        "full": "Probability that an answer is here: {likely}",
        "summary": "Hardly an answer here (probability {likely}); nearest:",
        "withheld": "Nothing here answers that (probability {likely}); nearest:",
        "": "Nothing here answers that.",
    },
    "tr": {
        "full": "Yanıtın burada olma olasılığı: {likely}",
        "summary": "Burada pek yanıt yok (olasılık {likely}); en yakınları:",
        "withheld": "Burada bunu yanıtlayan bir şey yok (olasılık {likely}); en yakınları:",
        "": "Burada bunu yanıtlayan bir şey yok.",
    },
}
"""For each language of a cue: message for each band of the probability of an answer, and for no hit."""
_STANDS = Column("state", style="yellow", under=True)
_MARKS = Column("mark", style="bold red", under=True)
_WHO = Column("who", style="cyan")
_SAID = Column("said (UTC)", style="green")
_TEXT = Column("memory", wraps=True)
_ID = Column("id", style="dim", under=True)

_top_k = click.option(
    "--top-k", type=click.IntRange(1), metavar="N", help="Most memories to return; the setting top_k."
)
_budget = click.option(
    "--budget", type=click.IntRange(0), metavar="TOKENS", help="Most tokens to return, 0 for no limit; budget_tokens."
)
_now = click.option("--now", type=TIME, metavar="TIME", help="The moment of asking, for “last week” and what held.")
_start = click.option("--start", type=TIME, metavar="TIME", help="Only what was said from here on.")
_end = click.option("--end", type=TIME, metavar="TIME", help="Only what was said before.")
_full = click.option("--full", is_flag=True, help=f"Show texts whole, not their first {CUT} characters.")


@click.command("recall", cls=Command, short_help="Recall the memories that answer a query.")
@click.argument("cue")
@_top_k
@_budget
@_now
@_start
@_end
@click.option("--as-of", type=TIME, metavar="TIME", help="What held at that moment, instead of what holds now.")
@click.option("--past", is_flag=True, help="Also what was superseded since.")
@click.option("--session", metavar="NAME", help="The conversation that asks: what was formed in it may count more.")
@_full
@pass_invocation
def recall_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    cue: str,
    top_k: int | None,
    budget: int | None,
    now: datetime | None,
    start: datetime | None,
    end: datetime | None,
    as_of: datetime | None,
    past: bool,
    session: str | None,
    full: bool,
) -> None:
    """Recall the few memories that answer CUE, best first, and count them as used.

    If hardly anything answers it, that is said first. A memory that only repeats CUE, as the question kept just before,
    is withheld.
    """
    from reverie.engine.requests import Question

    scope = invocation.scope()
    settings = invocation.settings()
    with invocation.reading() as memory:
        answer = memory.recall(
            Question(cue, session=session, as_of=as_of, past=past, without_repeats=True),
            scope,
            top_k=top_k or settings.top_k or None,
            budget_tokens=_limit(settings, budget),
            now=now,
            window=_window(start, end),
        )
        _tell_missing(invocation.screen, memory)
    screen = invocation.screen
    if screen.as_json:
        screen.json(answer)
        return
    show_head(screen, answer)
    doubt = doubt_line(answer)
    if doubt.endswith(":"):
        screen.line(doubt)
    show_hits(screen, answer.hits, beside=answer.withheld, full=full)
    if doubt and not doubt.endswith(":"):
        screen.line(doubt)
    show_beside(screen, answer)


@click.command("explain", cls=Command, short_help="Recall, and explain every score.")
@click.argument("cue")
@_top_k
@_budget
@_now
@_start
@_end
@click.option("--all", "every", is_flag=True, help="Also the stages, every signal, and every change of the order.")
@pass_invocation
def explain_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    cue: str,
    top_k: int | None,
    budget: int | None,
    now: datetime | None,
    start: datetime | None,
    end: datetime | None,
    every: bool,
) -> None:
    """Show why the answer to CUE is what it is: each hit with the three signals that set it apart from the others.

    Below the hits: which single signal, had it been missing, would have changed the first three. No access is counted.
    """
    from reverie.engine.requests import Question

    scope = invocation.scope()
    settings = invocation.settings()
    with invocation.reading() as memory:
        explanation = memory.explain(
            Question(cue, without_repeats=True),
            scope,
            top_k=top_k or settings.top_k or None,
            budget_tokens=_limit(settings, budget),
            now=now,
            window=_window(start, end),
        )
        _tell_missing(invocation.screen, memory)
    screen = invocation.screen
    if screen.as_json:
        screen.json(explanation)
        return
    show_head(screen, explanation.recollection)
    show_explanation(screen, explanation, every=every)


@click.command("timeline", cls=Command, short_help="List memories in order of time.")
@click.option("--session", metavar="NAME", help="Only this conversation.")
@_start
@_end
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many, from the earliest.")
@click.option("--as-of", type=TIME, metavar="TIME", help="Only what had been said then and held then.")
@_full
@pass_invocation
def timeline_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    session: str | None,
    start: datetime | None,
    end: datetime | None,
    limit: int | None,
    as_of: datetime | None,
    full: bool,
) -> None:
    """List what is remembered in the order it was said, with what was formed from it; forgotten memories too."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        memories = memory.timeline(scope, session=session, start=start, end=end, limit=limit, as_of=as_of)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "memories": memories})
        return
    screen.line(f"scope: {scope} · {len(memories)} memories")
    columns = [
        _SAID,
        _WHO,
        _TEXT,
        _STANDS,
        Column("forgotten", style="red", under=True),
        Column("session", style="dim", under=True),
    ]
    rows = [
        (_when(m.at), m.speaker, m.text if full else cut(m.text), stands(m), _forgotten(m.valid_until), m.session, m.id)
        for m in memories
    ]
    if rows:
        screen.table([*columns, _ID], rows)


def show_head(screen: Screen, answer: Recollection) -> None:
    """Show the scope, and how many memories were found."""
    window = f" · time: “{answer.cue.window.phrase}”" if answer.cue.window and answer.cue.window.phrase else ""
    screen.line(f"scope: {answer.scope}")
    intent = f" · {answer.intent}" if answer.intent else ""
    screen.line(f"{len(answer.hits)} of {answer.searched} memories, {answer.tokens} tokens{window}{intent}")
    if not answer.searched:
        screen.line("nothing is kept in this scope; `reverie stats --all` shows the others of this store")
    if answer.ended:
        screen.line(f"ended early: {answer.ended}")


def show_beside(screen: Screen, answer: Recollection) -> None:
    """The hot tier beside the answer, and what was left out of the answer, and why."""
    for hit in answer.standing:
        screen.line(f"always: {cut(hit.shown or hit.memory.text, 200)} ({hit.memory.id})")
    if answer.withheld:
        whys = list(dict.fromkeys(hit.withheld for hit in answer.withheld))
        more = f" and {len(whys) - _WHYS} more reasons" if len(whys) > _WHYS else ""
        screen.line(f"withheld: {len(answer.withheld)} ({'; '.join(whys[:_WHYS])}{more})")


def doubt_line(answer: Recollection) -> str:
    """Say how likely the memory holds an answer at all, in the cue's language; "" if there is no estimate.

    The bands are those by which a host that asks automatically is given less, or nothing. Recipes without an estimate
    report their best score instead, which has no grounds.
    """
    from reverie.formulas.gates import band
    from reverie.recipes.default.recall import ANSWER_GATE

    likely, words = answer.confidence, _DOUBTS.get(answer.cue.language, _DOUBTS["en"])
    if not answer.hits:
        return words[""]
    if likely is None or not (answer.grounds or likely == 0.0):
        return ""
    return words[band(likely, ANSWER_GATE.full, ANSWER_GATE.least)].replace("{likely}", f"{likely:.2f}")


def show_hits(screen: Screen, hits: Sequence[Hit], *, beside: Sequence[Hit] = (), full: bool = False) -> None:
    """Show the recalled memories, each with its annotations and its strongest reasons."""
    if not hits:
        return
    from reverie.recall.annotations import numbers

    names = numbers({hit.rank: hit.memory for hit in hits}, [hit.memory for hit in beside])
    columns = [Column("", number=True), Column("score", number=True, style="bold"), _SAID, _WHO, _TEXT]
    columns += [_MARKS, _STANDS, Column("because", style="magenta", under=True), _ID]
    rows = [
        (
            str(hit.rank),
            f"{hit.score:.2f}",
            _when(hit.memory.at),
            hit.memory.speaker,
            _text(hit, full=full),
            _marks(hit, names),
            stands(hit.memory),
            f"withheld: {hit.withheld}" if hit.withheld else because(hit),
            hit.memory.id,
        )
        for hit in hits
    ]
    screen.table(columns, rows)


def show_explanation(screen: Screen, explanation: Explanation, *, every: bool = False) -> None:
    """Show a block for each hit and withheld memory, then what would change the first three; ``every``: all there is.

    No line is longer than eighty columns, apart from a word that is.
    """
    from reverie.recall.annotations import numbers

    answer = explanation.recollection
    hits = sorted((*answer.hits, *answer.withheld), key=lambda hit: hit.rank)
    if doubt := doubt_line(answer):
        screen.line(doubt)
    if every:
        for step in answer.trace:
            screen.wrapped(f"{step.stage} ({step.took_ms:.2f} ms): {step.note}", 4)
    names = numbers({hit.rank: hit.memory for hit in hits})
    usual = _usual(hits)
    for hit in hits:
        screen.line()
        for line, indent in _block(hit, names, usual, every=every):
            screen.wrapped(line, indent)
    if hits:
        screen.line()
        _show_shifts(screen, explanation, every=every)


def _usual(hits: Sequence[Hit]) -> dict[str, float]:
    """Return what each signal adds to a hit on average; {} for a single hit."""
    sums: dict[str, float] = {}
    for signal in (signal for hit in hits for signal in hit.signals):
        sums[signal.name] = sums.get(signal.name, 0.0) + signal.share
    return {name: total / len(hits) for name, total in sums.items()} if len(hits) > 1 else {}


def _block(hit: Hit, names: Mapping[str, str], usual: Mapping[str, float], *, every: bool) -> Iterator[tuple[str, int]]:
    """Yield the lines of one hit, each with the indent of what does not fit into one."""
    memory, whose = hit.memory, f", shared by {hit.origin}" if hit.origin else ""
    yield f"{hit.rank}. {cut(hit.shown or memory.text, 240)}", 3
    yield f"   {memory.speaker}, {_when(memory.at)}{whose} · {memory.id}", 3
    # what is the same for every hit decides nothing
    signals = sorted(hit.signals, key=lambda one: (-abs(one.share - usual.get(one.name, 0.0)), -abs(one.share)))
    shown = signals if every else signals[:_DECIDING]
    told = ", ".join(_signal(signal, every=every) for signal in shown)
    more = f" and {len(signals) - len(shown)} more" if len(signals) > len(shown) else ""
    cosine = f"; cosine {hit.cosine:.2f}" if every and hit.cosine is not None else ""
    yield f"   score {hit.score:.2f}: {told}{more}{cosine}", 6
    beside = (_marks(hit, names), stands(memory), f"withheld: {hit.withheld}" if hit.withheld else "")
    if remarks := " · ".join(filter(None, beside)):
        yield f"   {remarks}", 6


def _signal(signal: Signal, *, every: bool) -> str:
    """Return what a signal added, with ``every`` also its value and weight."""
    return f"{signal.name} {signal.share:.2f}" + (f" ({signal.value:.2f}×{signal.weight:.2f})" if every else "")


def _show_shifts(screen: Screen, explanation: Explanation, *, every: bool) -> None:
    """Show which single signal would change the order if it were missing: of the first three, or with ``every`` all."""
    shifts: dict[str, list[str]] = {}
    for one in explanation.shifts:
        if every or min(one.rank, one.instead) <= _DECIDING:
            shifts.setdefault(one.signal, []).append(f"number {one.rank} would be number {one.instead}")
    for signal, changes in shifts.items():
        screen.wrapped(f"without {signal}: {', '.join(changes)}", 4)
    if not shifts:
        screen.line(f"no single signal changed the {'order' if every else 'first three'}")
    if not every:
        screen.line("--all shows the stages, every signal, and every change of the order")


def because(hit: Hit) -> str:
    """Return up to three signals that added most to the score, each with its share."""
    strongest = sorted(hit.signals, key=lambda signal: -signal.share)[:3]
    return ", ".join(f"{signal.name} {signal.share:.2f}" for signal in strongest if signal.share > 0)


def _marks(hit: Hit, names: Mapping[str, str]) -> str:
    """Return the annotations of a hit; another memory is named by its number, or by its id if it is not shown."""
    from reverie.recall.annotations import marks, others, told

    found = marks(hit.memory, hit.signals)
    return told(found, {mark.other: mark.other for mark in found} | others(names, hit.memory))


def _text(hit: Hit, *, full: bool) -> str:
    """Return the injected words: the memory's own, or their replacement."""
    if hit.shown:
        return hit.shown if hit.shown == hit.memory.text else f"{hit.shown} (abbreviated)"
    return hit.memory.text if full else cut(hit.memory.text)


def _tell_missing(screen: Screen, memory: Reverie) -> None:
    """Note memories without a vector: after a change of model, or while its endpoint is down."""
    from reverie.engine.maintain import UNAVAILABLE

    if memory.admin.model == UNAVAILABLE:
        screen.note("the embedding model does not answer: recalled by text alone; see `reverie doctor`")
    if missing := memory.admin.missing(quick=True):  # a slower model beside it is fed in the background
        screen.note(f"{missing} memories have no vector of {memory.admin.model} yet; `reverie store embed` makes them")


def _limit(settings: Settings, budget: int | None) -> int | None:
    """Return the token budget in force; None (set as 0) for no limit."""
    return (settings.budget_tokens if budget is None else budget) or None


def _window(start: datetime | None, end: datetime | None) -> TimeWindow | None:
    """Return the window between two times, either of which may be open; None if both are."""
    if start is None and end is None:
        return None
    from reverie.types import TimeWindow

    phrase = f"{f'from {_when(start)}' if start else ''} {f'before {_when(end)}' if end else ''}".strip()
    return TimeWindow(start or datetime.min.replace(tzinfo=UTC), end or datetime.max.replace(tzinfo=UTC), phrase)


def _forgotten(at: datetime | None) -> str:
    return f"forgotten {_when(at)}" if at else ""


def _when(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


# ``standing``: the orders and preferences that are to hold, and where each came from.


@dataclass(frozen=True, slots=True)
class _Order:
    """A standing instruction: the memory, its kind, the caller that stored it, and whether the person said it."""

    memory: Memory
    kind: str
    actor: str
    is_theirs: bool

    @property
    def origin(self) -> str:
        """Who said it, in which session, and through which caller it came."""
        said = self.memory
        return f"{said.speaker} ({said.role}), session {said.session or '-'}, through {self.actor or '-'}"


@click.group(
    "session",
    cls=CommandGroup,
    short_help="Show what every session is given.",
    lazy={
        "instructions": "recall.instructions_command",
        "hot": "dream.hot_command",
        "working": "observe.working_command",
        "digest": "recall.digest_command",
    },
)
def session_command() -> None:
    """Show what an agent's session gets without asking."""


@click.command("instructions", cls=Command, short_help="List standing instructions, with origins.")
@pass_invocation
def instructions_command(invocation: Invocation) -> None:
    """Show the standing instructions and preferences, each with its origin: who said it, where, and through what it
    came.

    Only what the person said is given to an agent as a standing instruction. An instruction of anybody else, such as a
    model's tool, is given as a quotation, and shown here as one.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as engine:
        found = list(_orders(engine, scope))
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "standing": [_shape(one) for one in found]})
        return
    if not found:
        screen.line("no standing instruction")
        return
    columns = [
        Column("id"),
        Column("day", style="green"),
        Column("what", style="bold"),
        Column("text"),
        Column("origin"),
    ]
    rows = [
        (
            one.memory.id,
            f"{one.memory.at:%Y-%m-%d}",
            one.kind if one.is_theirs else f"{one.kind}, quoted",
            one.memory.text,
            one.origin,
        )
        for one in found
    ]
    screen.table(columns, rows)


def _orders(engine: Reverie, scope: Scope) -> Iterator[_Order]:
    """Yield the standing instructions that still hold; for a memory and its message only the memory."""
    from reverie.engine.runtime import SystemClock
    from reverie.language.orders import MARKS, standing
    from reverie.stores.health import is_current
    from reverie.types import Kind, Role

    found: list[tuple[Memory, Kind]] = []
    now = SystemClock().now()
    for memory in engine.timeline(scope):
        kind = memory.kind if memory.kind in MARKS else standing(memory.text)
        if kind is not None and is_current(memory, now):
            found.append((memory, kind))
    formed = {source for memory, _ in found if memory.kind is not Kind.EPISODE for source in memory.sources}
    for memory, kind in found:
        if memory.id not in formed:
            events = engine.admin.history(memory.id, scope)
            yield _Order(memory, str(kind), events[0].actor if events else "", memory.role is Role.USER)


def _shape(order: _Order) -> dict[str, object]:
    return {
        **shape(order.memory),
        "stands_as": order.kind,
        "quoted": not order.is_theirs,
        "actor": order.actor,
    }


@click.command("digest", cls=Command, short_help="Condense a session into short statements.")
@click.option("--session", metavar="NAME", default="default", show_default=True, help="The conversation.")
@click.option("--budget", type=click.IntRange(0), metavar="TOKENS", help="Most tokens; without it, every statement.")
@pass_invocation
def digest_command(invocation: Invocation, session: str, budget: int | None) -> None:
    """Show what was said in a session as short statements, each with the ids of the messages that say it.

    Words without content are left out; with --budget, also the statements that say least for their length. Nothing is
    written. `reverie memory show ID` shows a message whole.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.condense(scope, session=session, budget_tokens=budget)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "session": session, **shape(found)})
        return
    screen.line(f"scope: {scope} · session {session}, {found.tokens} tokens of {found.source_tokens}")
    columns = [Column("who", style="cyan"), Column("statement", wraps=True), Column("id", style="dim", under=True)]
    screen.table(columns, [(one.speaker, one.text, ", ".join(one.sources)) for one in found.statements])
