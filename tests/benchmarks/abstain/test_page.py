"""The page: tables of each set and of all, and the picture beside it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.abstain.page import write
from reverie.errors import InvalidInput
from tests.benchmarks.abstain.cases_of import asked


def result(path: Path, of: str, seed: int) -> Path:
    """A result file of made-up answers."""
    path.write_text(json.dumps({"rows": [], "asked": [asdict(one) for one in asked(of=of, seed=seed)]}))
    return path


def test_tables_between_the_markers_and_a_picture(tmp_path: Path) -> None:
    """Every set and all together; what stood around them stays."""
    pytest.importorskip("matplotlib")
    page = tmp_path / "confidence.md"
    page.write_text("# Confidence\n\nWhat it is.\n")
    write(page, [result(tmp_path / "a.json", "locomo", 1), result(tmp_path / "b.json", "beam", 2)], seed=0)
    text = page.read_text()
    assert text.startswith("# Confidence\n\nWhat it is.\n")
    assert "### All sets together" in text
    assert "fitted elsewhere" in text
    assert "held back below, % of" in text
    assert (tmp_path / "images" / "confidence.png").read_bytes().startswith(b"\x89PNG")


def test_one_set_is_too_few(tmp_path: Path) -> None:
    """Nothing could be fitted elsewhere."""
    with pytest.raises(InvalidInput, match="hold one set"):
        write(tmp_path / "page.md", [result(tmp_path / "a.json", "locomo", 1)], seed=0)
