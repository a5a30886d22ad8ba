"""``python -m benchmarks train WHAT``: gather, fit, measure on what was left out, write the weights."""

from __future__ import annotations

import argparse
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from benchmarks.embedding import Quick, cached_embedder
from benchmarks.statistics import Fit
from benchmarks.training import answerable, company, done, pairs, ranking, screen, texts
from benchmarks.training.cues import Lesson, among_lives, lessons, small
from reverie.conflicts.pairs import ALONE, KINDS, NUMBERS
from reverie.conflicts.verdict import BY_ONE, BY_TEXT, BY_THEMSELVES, WITH_CUE
from reverie.conflicts.verdict import BY_TWO as BY_TWO_MODELS
from reverie.conflicts.verdict import NAMES as COMPANY
from reverie.errors import InvalidInput
from reverie.formulas.arrays import Floats

BY_TWO, WITH_MEANING, TEXT_ALONE = "by two models", "with meaning", "text alone"
"""Sections of the weights of recall: by what is known of a candidate."""


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Write the weights; print what they find in what was left out."""
    del given
    learn = {
        "ranking": learn_ranking,
        "kinds": learn_kinds,
        "company": learn_company,
        "pairs": learn_pairs,
        "answerable": learn_answerable,
        "texts": learn_texts,
        "done": learn_done,
        "screen": learn_screen,
    }
    learn[options.what](options)
    print(f"wrote {options.out}")


def learn_ranking(options: argparse.Namespace) -> None:
    """How much each signal counts."""
    taught = [*lessons("train", options.data), *among_lives("train")]
    embedder = cached_embedder(options)
    sections: dict[str, Floats] = {}
    told: list[str] = []
    names, watched = ranking.gathered(taught, embedder)
    silent = {BY_TWO: frozenset[str](), WITH_MEANING: ranking.OF_SECOND, TEXT_ALONE: ranking.OF_MEANING}
    for section, gone in silent.items():
        seen = [one.without(names, gone) for one in watched]
        if section == BY_TWO:  # and what all say without it
            seen = [*(one.without(names, ranking.OF_SECOND) for one in watched), *(one for one in seen if one.by_two)]
        sections[section] = ranking.fit(seen)
        if options.measure and section != TEXT_ALONE:
            told += _ranked_unseen(section, seen)
    lines = [*_provenance(taught, "ranking"), *told, f"A signal's weights, one a trait: {', '.join(names.traits)}"]
    written = [f"# {line}" for line in lines]
    for section, weights in sections.items():
        written += [f"[{section}]", *itertools.starmap(_row, zip(names.signals, weights.tolist(), strict=True))]
    options.out.write_text("\n".join(written) + "\n", encoding="utf-8")


def _ranked_unseen(section: str, seen: Sequence[ranking.Seen]) -> Iterator[str]:
    """How well a fit ranks what it has not seen: groups left out, and whole sets where there are several."""
    several = len({one.set for one in seen}) > 1
    for whole_sets in (False, True) if several else (False,):
        what = "sets" if whole_sets else "groups"
        for name, (count, share) in ranking.left_out(seen, whole_sets=whole_sets).items():
            told = f"{section}, {what} left out: {name}, {count} cues, {100 * share:.1f} % @10"
            print(told, flush=True)
            yield told


def _row(name: str, weights: Sequence[float]) -> str:
    return f"{name}: {' '.join(f'{weight:.3f}' for weight in weights)}"


def _changes_counted(compared: Iterable[pairs.Compared]) -> list[str]:
    counts: dict[str, list[float]] = {}
    for one in compared:
        known = counts.setdefault(one.group, [0.0, 0.0])
        known[0] += float(one.is_change.sum())
        known[1] += len(one.is_change)
    return [f"# {group}: {int(found)} changes of {int(of)} pairs" for group, (found, of) in counts.items()]


def learn_pairs(options: argparse.Namespace) -> None:
    """Whether a later statement took an earlier one's place."""
    taught = list(pairs.taught("train", options.data))
    embedder = cached_embedder(options)
    compared = pairs.gathered(taught, embedder, pairs.heads("train", embedder))
    hands = sorted({one.group for one in taught if one.importance == 1.0})
    silent = {BY_TWO_MODELS: (), BY_ONE: pairs.OF_SECOND, BY_TEXT: pairs.OF_MEANING}
    written = [f"# {datetime.now(UTC):%Y-%m-%d}, make train WHAT=pairs. Learned from:"]
    written += _changes_counted(compared)
    for names, how in itertools.product((NUMBERS, ALONE), silent):
        section = f"{WITH_CUE if names is NUMBERS else BY_THEMSELVES}, {how}"
        seen = [pairs.without(one, silent[how]) for one in compared if one.by_two or how != BY_TWO_MODELS]
        if not seen:  # without a second model
            continue
        if options.measure:
            for edge, (right, found) in pairs.left_out(seen, len(names), hands).items():
                told = f"{section}, hands left out, from {edge}: {100 * right:.0f} % right, {100 * found:.0f} % found"
                print(told, flush=True)
                written.append(f"# {told}")
        written += [f"[{section}]", *_lines(pairs.fit(seen, len(names)), names)]
    options.out.write_text("\n".join(written) + "\n", encoding="utf-8")


def learn_kinds(options: argparse.Namespace) -> None:
    """Towards where messages lie that announce a change, take something back, or are changed later on."""
    embedder = cached_embedder(options)
    if embedder is None:
        raise InvalidInput("Kinds of messages are learned from vectors.", "Give --embedder a model.")
    found = pairs.heads("train", embedder)
    lines = pairs.told("development", embedder, found[""])
    print("\n".join(lines), flush=True)
    rows = np.hstack([found[""].directions, found[""].intercepts[:, np.newaxis]])
    held = {kind.replace(" ", "_"): row for kind, row in zip(KINDS, rows, strict=True)}
    _save(options, f"WHAT=kinds, {embedder.info.key}; development lives: {lines}", held)


def learn_company(options: argparse.Namespace) -> None:
    """How much it counts to lie near the first of what was found."""
    taught = list(lessons("train", options.data))
    met = company.gathered(taught, cached_embedder(options))
    written = [f"# {line}" for line in _provenance(taught, "company")]
    silent = {BY_TWO_MODELS: frozenset[str](), BY_ONE: company.OF_SECOND, BY_TEXT: company.OF_MEANING}
    for section, gone in silent.items():
        seen = [one.without(gone) for one in met if one.by_two or section != BY_TWO_MODELS]
        if not seen:
            continue
        for name, (count, before, after) in company.left_out(seen).items() if options.measure else ():
            told = f"{section}, groups left out: {name}, {count} cues, {100 * before:.1f} % → {100 * after:.1f} % @10"
            print(told, flush=True)
            written.append(f"# {told}")
        weights = zip(COMPANY, company.fit(seen).tolist(), strict=True)
        written += [f"[{section}]", *(f"{name}: {weight:.4f}" for name, weight in weights)]
    options.out.write_text("\n".join(written) + "\n", encoding="utf-8")


def learn_texts(options: argparse.Namespace) -> None:
    """What kind of message a text is, by its words alone; the development part says how well."""
    heads = texts.learned("train")
    lines = texts.told("development", heads)
    print("\n".join(lines), flush=True)
    names = ("kinds", "steps", "sizes", "intercepts")
    _save(options, f"WHAT=texts; development lives: {lines}", {name: getattr(heads, name) for name in names})


def learn_screen(options: argparse.Namespace) -> None:
    """What steers its reader and what tells a secret, by words alone; hands left out say how well."""
    if options.data is None:
        raise InvalidInput("The screen learns from ordinary turns, too.", "Give --data a folder with public sets.")
    found = screen.gathered(options.data)
    known = screen.Gathered.of(found)
    lines = [f"{kind}: {count} texts, {digest}" for kind, count, digest in screen.digests(found)]
    print("\n".join(lines), flush=True)
    common = screen.commonness(found)
    tokens = screen.Tokens.of(known, common)
    for told in screen.left_out(known, tokens) if options.measure else ():
        print(told, flush=True)
        lines.append(told)
    heads = screen.learned(known, tokens, common)
    _save(options, f"WHAT=screen; {lines}", {name: getattr(heads, name) for name in screen.SAVED})


def _save(options: argparse.Namespace, how: str, arrays: Mapping[str, object]) -> None:
    """Arrays by name, and how they were made."""
    about = f"{datetime.now(UTC):%Y-%m-%d}, make train {how}"
    held: dict[str, Any] = {"about": about, **arrays}
    with options.out.open("wb") as file:
        np.savez_compressed(file, **held)


def learn_done(options: argparse.Namespace) -> None:
    """Towards where cues lie that ask what was done."""
    embedder = cached_embedder(options)
    if embedder is None:
        raise InvalidInput("Cues are told by their vectors.", "Give --embedder a model.")
    asked, others = done.made_up(embedder), done.cues("train", embedder)
    lines = done.told(asked, others, done.cues("development", embedder))
    print("\n".join(lines), flush=True)
    _save(options, f"WHAT=done, {embedder.info.key}; {lines}", {"done": done.fit(asked, others).astype(np.float32)})


def learn_answerable(options: argparse.Namespace) -> None:
    """How likely anything matters."""
    taught = list(lessons("train", options.data))
    two = cached_embedder(options)
    lived = [*taught, *answerable.among_others(taught, two)]
    taught = [*lived, *small(taught)]
    written = [f"# {line}" for line in _provenance(taught, "answerable")]
    one = None if two is None else Quick(two)
    for section, model in ((BY_TWO, two), (WITH_MEANING, one), (TEXT_ALONE, None)):
        judged = answerable.gathered(lived if section == BY_TWO else taught, model)  # the second waits for twenty
        for name, (count, value) in answerable.left_out(judged).items() if options.measure else ():
            told = f"{section}, groups left out: {name}, {count} cues, AUROC {value:.3f}"
            print(told, flush=True)
            written.append(f"# {told}")
        written += [f"[{section}]", *_lines(answerable.fit(judged), answerable.names_of(judged))]
    options.out.write_text("\n".join(written) + "\n", encoding="utf-8")


def _lines(fit: Fit, names: Iterable[str]) -> list[str]:
    rows = zip(names, fit.terms, strict=True)
    return [
        f"intercept: {fit.intercept:.4f}",
        *(f"{name}: {term.mean:.4f} {term.deviation:.4f} {term.weight:.4f}" for name, term in rows),
    ]


def _provenance(taught: Sequence[Lesson], what: str) -> list[str]:
    """What the weights were learned from."""
    by_set: dict[str, list[Lesson]] = {}
    for lesson in taught:
        by_set.setdefault(lesson.set, []).append(lesson)
    return [f"{datetime.now(UTC):%Y-%m-%d}, make train WHAT={what}. Learned from:", *_counted(by_set)]


def _counted(by_set: Mapping[str, Sequence[Lesson]]) -> list[str]:
    return [
        f"{name}: {len(members)} haystacks, {sum(len(one.cues) for one in members)} cues, "
        + hashlib.sha256("".join(one.digest() for one in members).encode()).hexdigest()[:12]
        for name, members in by_set.items()
    ]
