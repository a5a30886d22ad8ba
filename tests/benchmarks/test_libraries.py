from argparse import Namespace

import pytest

from benchmarks import libraries


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are compared all the same, a line each."""

    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(libraries, "import_module", missing)
    monkeypatch.setattr(libraries, "dates", lambda _: "dates: compared")
    assert list(libraries._lines(Namespace(seed=1))) == [
        "lemmas: simplemma is not installed",
        "dates: compared",
        "lookalikes: confusable_homoglyphs is not installed",
    ]
