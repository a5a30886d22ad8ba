"""``python -m benchmarks asking`` on toy files: maps that have not seen what is asked, and what refuses them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.asking.commands import held_out
from benchmarks.asking.maps import Fitted, HeldOut, Mapped, has_seen
from benchmarks.bending.overheard import NAMES
from benchmarks.cli import main
from benchmarks.embedding import Behind, KeptVectors, without
from reverie.errors import InvalidExport
from reverie.formulas.bend import read_bends, written
from reverie.models.hashing import HashEmbedder
from reverie.models.use import ANSWERS
from tests.benchmarks import toy


def fitted(tmp_path: Path, *more: str) -> tuple[int, Path]:
    """The command on all toy sets, and the file of its folds."""
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    toy.write_all(data)
    out, maps = tmp_path / "asking.json", tmp_path / "maps" / "folds.npz"
    given = ["asking", "--data", str(data), "--out", str(out), "--folds", str(maps), "--cache", str(tmp_path / "cache")]
    return main([*given, "--embedder", "hash:64", *more]), maps


def test_maps_and_rows_are_written(tmp_path: Path) -> None:
    """A row a set, a way and a depth; the map of all, with what it was fitted on."""
    code, maps = fitted(tmp_path, "--fit", str(tmp_path / "map.npz"))
    assert code == 0
    rows = json.loads((tmp_path / "asking.json").read_text())["rows"]
    ways = {"as asked", "fitted on other haystacks", "fitted on other sets"}
    assert {row["system"] for row in rows} == ways | {"as weighed", "bent by other haystacks", "bent by other sets"}
    assert all(0.0 <= row["low"] <= row["value"] <= row["high"] <= 1.0 for row in rows)
    with np.load(tmp_path / "map.npz") as held:
        assert held["matrix"].shape == (64, 64)
        assert "locomo" in str(held["told"])
        assert [bend.name for bend in read_bends(held["bends"].tolist())] == list(NAMES)
    with np.load(maps) as held:
        assert "conv-a" in held["names"].tolist()


def test_a_run_asks_by_maps_that_have_not_seen_the_haystack(tmp_path: Path) -> None:
    """``retrieval --asking`` takes them; each haystack gets the map of its fold, an unknown one the model as it is."""
    _, maps = fitted(tmp_path)
    data = str(next((tmp_path / "data").glob("a.*")))
    out, cache = str(tmp_path / "r.json"), str(tmp_path / "cache")
    given = ["retrieval", "--set", "locomo", "--data", data, "--systems", "reverie", "--out", out, "--cache", cache]
    assert main([*given, "--embedder", "hash:64", "--asking", str(maps)]) == 0
    model = HeldOut(HashEmbedder(64), maps)
    question = model.embed_query("parrot")
    ways = [without(of, name) for of, name in ((model, "conv-a"), (KeptVectors(model), "conv-b"))]
    first, other = (way.towards_answers(question) for way in ways if isinstance(way, Behind))
    assert not np.allclose(first, other)
    mine, others = (way.bends() for way in ways if isinstance(way, Behind))
    assert list(map(written, mine)) != list(map(written, others))
    assert not hasattr(without(model, "unheard of"), "towards_answers")
    assert without(None, "conv-a") is None


def test_what_is_no_map_says_what_to_do(tmp_path: Path) -> None:
    """No file, another file, another model; no model, and nothing to try a map on."""
    _, maps = fitted(tmp_path)
    (tmp_path / "text.npz").write_text("no maps")
    for path, model in ((tmp_path / "none.npz", 64), (tmp_path / "text.npz", 64), (maps, 32)):
        with pytest.raises(InvalidExport, match="asking --folds"):
            HeldOut(HashEmbedder(model), path)
    assert fitted(tmp_path, "--embedder", "none")[0] == 1
    (tmp_path / "few").mkdir()
    toy.write_lines(tmp_path / "few" / "e.jsonl", toy.xquad())
    few = ["asking", "--data", str(tmp_path / "few"), "--out", str(tmp_path / "few.json"), "--embedder", "hash"]
    assert main([*few, "--cache", str(tmp_path / "cache")]) == 1


def test_the_shipped_map_says_what_it_was_fitted_on() -> None:
    """The model it is of, and how many questions of which sets."""
    with np.load(ANSWERS) as held:
        told = str(held["told"])
    assert told.startswith("use-multilingual-v3@0db566fd0af8/512")
    assert all(name in told for name in ("locomo", "longmemeval", "beam", "xquad"))


def test_all_sets_are_asked_by_maps_that_have_not_seen_them_where_the_shipped_one_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere the shipped map is what counts, and a model without one is as it is."""
    fitted(tmp_path)
    model, file = Mapped(HashEmbedder(64), Fitted(np.eye(64, dtype=np.float32), ())), tmp_path / "folds.npz"
    assert held_out(model, tmp_path / "data", file) is model
    monkeypatch.setattr("benchmarks.asking.maps.has_seen", lambda text: "parrot" in text)
    assert isinstance(held_out(model, tmp_path / "data", file), HeldOut)
    plain = HashEmbedder(64)
    assert held_out(plain, tmp_path / "data", file) is plain


def test_a_run_says_how_many_of_its_questions_were_fitted_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the result file and as a note; with maps that have not seen them there is nothing to note."""
    assert not has_seen("Which bird did Mira adopt?")
    monkeypatch.setattr("benchmarks.retrieval.has_seen", lambda text: "bird" in text)
    _, maps = fitted(tmp_path)
    data, out = str(next((tmp_path / "data").glob("a.*"))), tmp_path / "r.json"
    given = ["retrieval", "--set", "locomo", "--data", data, "--systems", "reverie", "--out", str(out)]
    given += ["--cache", str(tmp_path / "cache"), "--embedder", "hash:64"]
    assert main(given) == 0
    assert json.loads(out.read_text())["counts"]["questions that the default model's map was fitted on"] == 2
    assert "note: 2 questions" in capsys.readouterr().err
    assert main([*given, "--asking", str(maps)]) == 0
    assert "note:" not in capsys.readouterr().err
