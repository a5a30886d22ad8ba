"""What mem0's keyword search finds where it would have fetched a list."""

from __future__ import annotations

from pathlib import Path

from benchmarks.peers.mem0 import keyword_model


def test_the_stop_words_lie_where_fastembed_looks(tmp_path: Path) -> None:
    """Under the revision that ``main`` names: English words without the header, and an empty list for the others."""
    model = keyword_model(tmp_path / "cache", ["english", "turkish"]) / "models--Qdrant--bm25"
    snapshot = model / "snapshots" / (model / "refs" / "main").read_text()
    words = (snapshot / "english.txt").read_text().splitlines()
    assert len(words) == 33
    assert {"the", "and"} < set(words)
    assert (snapshot / "turkish.txt").read_text() == ""
    assert (snapshot / "config.json").exists()
