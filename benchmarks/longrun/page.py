"""The long run, as a table of the arms at each level of noise and capacity, what each mechanism does, and a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.longrun.arms import ALONE, APPEND_ONLY, IN, NEWEST, OURS, OUT
from benchmarks.longrun.figures import HELPFUL
from benchmarks.mechanisms import AT_NIGHT
from benchmarks.report.retrieval import TITLES
from benchmarks.report.text import percent, points, table
from benchmarks.results import LongRow, PairedLongRow, long_rows, paired_long_rows
from reverie.errors import InvalidInput

SHOWN = (
    ("evidence_per_1000_tokens", "evidence in 1,000 tokens", "{:.2f}"),
    ("evidence", "evidence, %", "%"),
    ("tokens", "tokens a call", "{:.0f}"),
    ("stale_injected", "stale a call", "{:.2f}"),
    ("junk_share", "junk, %", "%"),
    ("lost_to_forgetting", "lost, %", "%"),
    ("live", "awake", "{:,.0f}"),
    ("kept", "kept", "{:,.0f}"),
    ("recall_p50_ms", "recall, ms", "{:.1f}"),
)
"""The columns of the main table."""

COLOURS = {APPEND_ONLY: "#9aa5b1", NEWEST: "#e69f00", OURS: "#009e73"}
"""Told apart also by those who see fewer colours (Okabe and Ito)."""

EFFECTS = (
    ("evidence_per_1000_tokens", "evidence in 1,000 tokens"),
    ("evidence", "evidence, points"),
    ("stale_injected", "stale a call"),
    ("junk_share", "junk, points"),
    ("lost_to_forgetting", "lost, points"),
)
IN_POINTS = frozenset({"evidence", "junk_share", "lost_to_forgetting"})


def section(content: Mapping[str, Any]) -> str:
    """One result file."""
    rows, pairs = long_rows(content), paired_long_rows(content)
    if not rows:
        return ""
    name = TITLES.get(str(content.get("set")), str(content.get("set")))
    lives = content.get("counts", {}).get("lives")
    parts = [
        f"## {name}: {lives} lives of {content.get('messages')} messages each, before the noise",
        f"Embedding model: `{content.get('model')}`; seed {content.get('seed')}.",
    ]
    if content.get("questions"):
        parts.append("What is asked along the way is kept as a message, as by a host that keeps both sides.")
    if content.get("without"):
        parts.append(f"Not the default: taken out of every arm of `reverie`: {', '.join(content['without'])}.")
    for at in dict.fromkeys(row.at for row in rows):
        parts += _cell(at, [row for row in rows if row.at == at], [pair for pair in pairs if pair.at == at])
    return "\n\n".join(parts)


def _cell(at: str, rows: Sequence[LongRow], pairs: Sequence[PairedLongRow]) -> list[str]:
    noise, capacity = at.split("/")
    figures = {(row.system, row.metric, row.category): row for row in rows}
    overall = {(row.system, row.metric): row for row in rows if row.category in ("all", "answerable")}
    arms = [name for name in dict.fromkeys(row.system for row in rows) if not name.startswith((OUT, IN, ALONE))]
    header = ["arm", *(title for _, title, _ in SHOWN)]
    body = [[name, *(_shown(overall.get((name, metric)), form) for metric, _, form in SHOWN)] for name in arms]
    parts = [f"**Noise {noise}, {int(capacity):,} memories awake at most**", table(header, body)]
    return [*parts, *filter(None, (_by_category(arms, figures), _compared(pairs), _effects(pairs)))]


def _by_category(arms: Sequence[str], figures: Mapping[tuple[str, str, str], LongRow]) -> str:
    """Evidence by category; empty where no category has any."""
    categories = sorted({category for _, metric, category in figures if metric == "evidence"} - {"answerable"})
    if not categories:
        return ""
    of = [[name, *(_shown(figures.get((name, "evidence", c)), "%") for c in categories)] for name in arms]
    return f"Evidence found by category, %:\n\n{table(['arm', *categories], of)}"


def _compared(pairs: Sequence[PairedLongRow]) -> str:
    """Reverie beside the other arms; empty where nothing was compared."""
    ours = [pair for pair in pairs if pair.system == OURS]
    against = [pair for pair in ours if pair.metric == "evidence_per_1000_tokens"]
    return _ratios(against, ours) if against else ""


def _shown(row: LongRow | None, form: str) -> str:
    if row is None:
        return "–"
    return percent(row.value) if form == "%" else form.format(row.value)


def _ratios(against: Sequence[PairedLongRow], pairs: Sequence[PairedLongRow]) -> str:
    """How many times as much evidence in 1,000 tokens, and how many of the stale facts, as each other arm."""
    stale = {pair.against: pair for pair in pairs if pair.metric == "stale_injected"}
    body = [[pair.against, _times(pair), _times(stale[pair.against])] for pair in against]
    return f"`reverie` over each, with intervals:\n\n{table(['arm', 'evidence in 1,000 tokens', 'stale'], body)}"


def _times(pair: PairedLongRow) -> str:
    if pair.ratio is None or pair.ratio_low is None:
        return "–"
    high = "∞" if pair.ratio_high is None else f"{pair.ratio_high:.2f}"
    return f"× {pair.ratio:.2f} ({pair.ratio_low:.2f} … {high})"


def _effects(pairs: Sequence[PairedLongRow]) -> str:
    """What each mechanism adds: the arm that has it minus the arm that has it not."""
    parts = []
    for title, sign in (
        ("What each mechanism adds to the others (with all minus without it)", OUT),
        ("What others would add to `reverie`", IN),
        ("What each adds to the bare search", ALONE),
    ):
        found = {(_without(pair), pair.metric): pair for pair in pairs if _without(pair).startswith(sign)}
        body = [
            [name.removeprefix(sign), *(_effect(found.get((name, metric))) for metric, _ in EFFECTS)]
            for name in dict.fromkeys(name for name, _ in found)
        ]
        if body:
            parts.append(f"{title}:\n\n{table(['mechanism', *(title for _, title in EFFECTS)], body)}")
    return "\n\n".join(parts)


def _without(pair: PairedLongRow) -> str:
    """The arm that names the mechanism of a pair."""
    return pair.against if pair.against.startswith(OUT) else pair.system


def _effect(pair: PairedLongRow | None) -> str:
    if pair is None:
        return "–"
    form = points if pair.metric in IN_POINTS else "{:+.2f}".format
    mark = ("", " ✓", " ✗")[_side(pair)]
    return f"{form(pair.difference)} ({form(pair.low)} … {form(pair.high)}){mark}"


def _side(pair: PairedLongRow) -> int:
    """1 where the interval is wholly on the better side, −1 where it is wholly on the worse."""
    if pair.low > 0.0:
        return pair.better
    return -pair.better if pair.high < 0.0 else 0


def verdicts(contents: Sequence[Mapping[str, Any]]) -> str:
    """Each mechanism, over all result files: where it helps, and where it harms; nothing where none was tried."""
    sides: dict[str, dict[int, dict[str, list[str]]]] = {}
    for content in contents:
        for pair in paired_long_rows(content):
            name = _without(pair)
            if name.startswith((OUT, ALONE)) and pair.metric in HELPFUL:
                at = sides.setdefault(name.removeprefix(OUT).removeprefix(ALONE), {1: {}, 0: {}, -1: {}})
                at[_side(pair)].setdefault(pair.metric.replace("_", " "), []).append(_where(pair, content))
    if not sides:
        return ""
    body = [
        [name, "in a dream" if name in AT_NIGHT else "always", _named(at[1]), _named(at[-1])]
        for name, at in sides.items()
    ]
    said = (
        "Over all the cells below, taken out of `reverie` or alone beside the bare search: the metrics whose interval "
        "lies wholly on one side, each with its cells (noise/capacity of messages a life)."
    )
    return "\n\n".join(
        ["## Where each mechanism helps", said, table(["mechanism", "acts", "helps", "harms"], body, left=True)]
    )


def _named(found: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{metric} ({', '.join(cells)})" for metric, cells in found.items()) or "nowhere"


def _where(pair: PairedLongRow, content: Mapping[str, Any]) -> str:
    alone = " alone" if pair.system.startswith(ALONE) else ""
    kept = " questions kept" if content.get("questions") else ""
    return f"{pair.at} of {content.get('messages')}{kept}{alone}"


def _line(axes: Any, name: str, of: Sequence[LongRow]) -> None:
    noise = [int(row.at.split("x")[0]) for row in of]
    apart = [[row.value - row.low for row in of], [row.high - row.value for row in of]]
    axes.errorbar(noise, [row.value for row in of], apart, marker="o", color=COLOURS[name], label=name)


def draw(path: Path, content: Mapping[str, Any]) -> None:
    """Evidence in 1,000 tokens and stale facts a call by noise, at the smallest capacity.

    Raises:
        InvalidInput: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput("The chart needs matplotlib.", "pip install 'path/to/reverie[bench]'") from None
    rows = long_rows(content)
    tight = str(min(int(row.at.split("/")[1]) for row in rows))
    arms = [name for name in COLOURS if any(row.system == name for row in rows)]
    figure = Figure(figsize=(8.4, 3.6), layout="constrained")
    metrics = (("evidence_per_1000_tokens", "Evidence in 1,000 tokens"), ("stale_injected", "Stale facts a call"))
    for axes, (metric, title) in zip(figure.subplots(1, 2), metrics, strict=True):
        for name in arms:
            wanted = (name, metric, tight)
            of = [row for row in rows if (row.system, row.metric, row.at.split("/")[1]) == wanted]
            _line(axes, name, of)
        axes.set(title=title, xlabel=f"noise, times the conversation ({tight} awake)")
        axes.set_ylim(bottom=0)
    figure.axes[0].legend(fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
