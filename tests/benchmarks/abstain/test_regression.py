"""Fitting what was asked: what counts how much, and what is never tried on itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.abstain import regression
from benchmarks.abstain.cases import Kind
from benchmarks.statistics import auroc
from tests.benchmarks.abstain.cases_of import asked


def test_sets_count_the_same_and_in_them_both_answers() -> None:
    """A set of 10 questions counts as much as one of 60, its answerable ones as much as the others."""
    some = [*asked(60), *asked(10, of="small")]
    counts, yes = regression.importance(some), regression.labels(some) == 1.0
    small = np.array([one.set == "small" for one in some])
    sums = [counts[of & answer].sum() for of in (small, ~small) for answer in (yes, ~yes)]
    assert sums == pytest.approx([regression.SET_COUNTS] * 4)


def test_what_a_set_calls_unanswerable_counts_twice_what_was_made() -> None:
    """Unless it is a handful, which counts by the question."""
    made = asked(40)
    many = [replace(one, kind=Kind.ABSTENTION) for one in asked(40) if one.kind == Kind.REMOVED]
    for own, factor in ((many, 2.0), (many[:4], 0.1)):
        some = [*made, *own]
        counts = regression.importance(some)
        of = {kind: counts[[one.kind == kind for one in some]].sum() for kind in (Kind.REMOVED, Kind.ABSTENTION)}
        assert of[Kind.ABSTENTION] == pytest.approx(factor * of[Kind.REMOVED])


def test_a_conversation_is_in_one_fold() -> None:
    """With its questions and their twins; a set that is one conversation is split by question."""
    some = asked()
    by_store: dict[str, set[float]] = {}
    for one, fold in zip(some, regression.folds(some), strict=True):
        by_store.setdefault(one.store, set()).add(fold)
    assert all(len(folds) == 1 for folds in by_store.values())
    alone = [replace(one, store="all") for one in some]
    by_question: dict[str, set[float]] = {}
    for one, fold in zip(alone, regression.folds(alone), strict=True):
        by_question.setdefault(one.question, set()).add(fold)
    assert {len(folds) for folds in by_question.values()} == {1}
    assert len(set(regression.folds(alone).tolist())) == regression.FOLDS


def test_cross_validation_finds_what_tells_them_apart_but_no_noise() -> None:
    """The signal ranks, and with labels of pure chance nothing does."""
    some = asked(120)
    ones = np.ones((1, len(some)))
    assert auroc(regression.cross_validated(some), regression.labels(some), ones)[0] > 0.9
    shuffled = [replace(one, evidence={"noise": one.evidence["noise"]}) for one in some]
    assert auroc(regression.cross_validated(shuffled), regression.labels(shuffled), ones)[0] < 0.65


def test_the_weights_file_names_its_source_and_every_weight() -> None:
    """Comments first, then each section."""
    lines = list(regression.weights_file({"one": asked(), "two": asked(seed=2)}, ["where from"]))
    assert lines[0] == "# where from"
    assert [line for line in lines if line.startswith("[")] == ["[one]", "[two]"]
    assert [line.partition(":")[0] for line in lines[2:5]] == ["intercept", "signal", "noise"]
