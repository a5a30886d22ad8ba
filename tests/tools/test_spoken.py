"""A line a heuristic: its cases by language, and what is wanting."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools import spoken

pytest_plugins = ["pytester"]


def test_fewer_turkish_cases_than_english_are_wanting() -> None:
    """As many or more are not, and what has neither is of no language."""
    cases = Counter({("a", "en"): 2, ("a", "tr"): 1, ("b", "en"): 1, ("b", "tr"): 1, ("c", "tr"): 1})
    lines, wanting = spoken.told(cases, ["a", "b", "c", "d"])
    assert lines == [
        "a: 2 English, 1 Turkish",
        "b: 1 English, 1 Turkish",
        "c: 0 English, 1 Turkish",
        "d: of no language",
    ]
    assert wanting == ["a"]


def test_each_case_counts_by_its_one_mark(pytester: pytest.Pytester) -> None:
    """By that of its parameters or that of the whole test; no mark, or both, is unclear."""
    pytester.makeini("[pytest]\nmarkers = spoken(language, ...): the languages of a case\n")
    file = pytester.makepyfile(
        """
        import pytest

        def mark(*languages):
            return pytest.mark.spoken(*languages)

        @pytest.mark.parametrize("text", [pytest.param("tea", marks=mark("en")), pytest.param("çay", marks=mark("tr"))])
        def test_either(text): ...

        @mark("en", "tr")
        def test_both(): ...

        @mark()
        def test_neither(): ...

        def test_silent(): ...

        @mark("en")
        @pytest.mark.parametrize("text", [pytest.param("çay", marks=mark("tr"))])
        def test_twice(text): ...
        """
    )
    tally = spoken.Tally({Path(file): "language/time/english"})
    pytester.inline_run("--collect-only", plugins=[tally])
    assert tally.cases == {("language/time", "en"): 2, ("language/time", "tr"): 2}
    assert {node.rpartition("::")[2].partition("[")[0] for node in tally.unclear} == {"test_silent", "test_twice"}


def test_every_heuristic_has_its_tests() -> None:
    """A file named here and gone from there would be counted no more."""
    for name in spoken.heuristics():
        assert spoken.tests_of(name).exists(), name
