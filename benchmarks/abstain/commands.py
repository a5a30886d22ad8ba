"""The command ``abstain``: its options, and its three ways: measure a set, fit the weights, write the page."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.abstain import regression, run
from benchmarks.abstain.cases import Asked
from benchmarks.embedding import NO_MODEL, cached_embedder
from benchmarks.sets import chosen
from reverie.errors import InvalidInput

TOLD = ("auroc", "ece", "accuracy")
SECTIONS = ("with meaning", "text alone")


def abstain(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Measure where ``--set`` is given, fit where ``--fit`` is, write the page where ``--page`` is.

    Raises:
        InvalidInput: none of the three is, or what it needs is missing.
    """
    if options.set and options.data and options.out:
        _measure(options, given)
    elif options.fit and options.others:
        _fit(options.fit, options.others)
    elif options.page and options.others:
        from benchmarks.abstain.page import write

        write(options.page, options.others, options.seed)
        print(f"wrote {options.page}")
    else:
        raise InvalidInput(
            "Nothing to do.", "Give --set, --data and --out; or --others with --fit FILE.txt or --page FILE.md."
        )


def _measure(options: argparse.Namespace, given: Sequence[str]) -> None:
    embedder = cached_embedder(options)
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    for one in chosen(options.set, options.data):
        request = run.Request(one.set, one.paths, tuple(options.others), options.limit, options.seed)
        rows, extras = run.run(request, embedder)
        out = one.out(options.out)
        results.write(out, rows, {**model, **results.surroundings(given), **extras})
        for row in rows:
            if row.metric in TOLD and ":" not in row.category:
                interval = f"[{row.low:.3f}, {row.high:.3f}]"
                print(f"{row.set:18}{row.system:24}{row.metric:9}{row.category:18}{row.n:6}{row.value:7.3f} {interval}")
        print(f"wrote {out}")


def _fit(out: Path, paths: Sequence[Path]) -> None:
    """Fit both sections; the files that were measured without a model are for the second."""
    sections: dict[str, list[Asked]] = {name: [] for name in SECTIONS}
    models: set[str] = set()
    for path in paths:
        model = str(results.read(path)["model"])
        models.add(model)
        sections[SECTIONS[model == NO_MODEL]] += run.asked_in(path)
    if not all(sections.values()):
        raise InvalidInput("Weights need files measured with a model and without one.", "Run with --embedder none too.")
    text = "\n".join(regression.weights_file(sections, _provenance(sections, models - {NO_MODEL})))
    out.write_text(text + "\n", encoding="utf-8")
    print(f"wrote {out}")


def _provenance(sections: dict[str, list[Asked]], models: set[str]) -> list[str]:
    counts = Counter((one.set, one.kind) for one in sections[SECTIONS[0]])
    asked = "; ".join(
        f"{name}: " + ", ".join(f"{number} {kind}" for (of, kind), number in sorted(counts.items()) if of == name)
        for name in sorted({of for of, _ in counts})
    )
    return [
        "How likely the store holds an answer: logistic weights of the evidence of a recall (recall/confidence.py).",
        "A line: name, mean, deviation, weight of one deviation in log-odds.",
        "Source: own fit, `python -m benchmarks abstain --fit` over the development halves of the public sets, each",
        f"counting the same (docs/decisions/0022-knowing-when-not.md); embedding model {', '.join(sorted(models))}.",
        f"Asked: {asked}.",
    ]
