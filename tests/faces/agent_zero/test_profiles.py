import json
from pathlib import Path

import pytest

from reverie.faces.agent_zero.settings import NONE, load_profile, profile


def write(folder: Path, name: str, **said: object) -> None:
    """A profile in the folder."""
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said), encoding="utf-8")


@pytest.mark.req("A6")
@pytest.mark.parametrize("name", ["qwen/qwen3.6-27b", "qwen_qwen3.6-27b", "qwen3.6-27b", "Qwen3.6-27B"])
def test_the_profile_is_the_one_of_the_model_in_use(tmp_path: Path, name: str) -> None:
    """By its file's name, with a folder, an underscore or without its maker; never the first that comes."""
    write(tmp_path, "aaa", memory={"max_injected": 1})
    write(tmp_path, "default", memory={"max_injected": 2})
    write(tmp_path, name, memory={"max_injected": 3})
    assert load_profile(tmp_path, "qwen/qwen3.6-27b").max_injected == 3


@pytest.mark.req("A6")
def test_else_it_is_the_one_that_names_the_model_else_the_default(tmp_path: Path) -> None:
    """An id inside counts; without it ``default.json`` holds, and without that none."""
    write(tmp_path, "aaa", memory={"max_injected": 1})
    assert load_profile(tmp_path, "x/y") == NONE
    write(tmp_path, "default", memory={"max_injected": 2})
    assert load_profile(tmp_path, "x/y").max_injected == 2
    write(tmp_path, "zzz", model_id="x/y", memory={"max_injected": 3})
    assert load_profile(tmp_path, "x/y").max_injected == 3
    assert load_profile(tmp_path, "").max_injected == 2


def test_a_missing_folder_is_no_profile(tmp_path: Path) -> None:
    """Nobody needs profiles."""
    assert load_profile(tmp_path / "none", "x") == NONE


def test_a_profile_is_read_again_when_it_changes(tmp_path: Path) -> None:
    """The evaluation of a model writes it anew."""
    write(tmp_path, "default", memory={"max_injected": 2})
    assert load_profile(tmp_path, "x") is load_profile(tmp_path, "x")
    write(tmp_path, "default", memory={"max_injected": 10})
    assert load_profile(tmp_path, "x").max_injected == 10


@pytest.mark.req("A6")
def test_all_that_a_profile_says_of_memory() -> None:
    """How many, how alike, where not at all, and where the domain is no help."""
    found = profile(
        {
            "memory": {"max_injected": 8, "similarity_threshold": 0.7, "disabled_domains": ["a", 3]},
            "bst": {"disabled_domains": ["b"]},
        }
    )
    assert (found.max_injected, found.similarity_threshold) == (8, 0.7)
    assert (found.disabled, found.unscoped) == ({"a"}, {"b"})


@pytest.mark.req("A13")
def test_a_broken_profile_is_complained_of(tmp_path: Path) -> None:
    """It is as if there were none, and the log says so."""
    (tmp_path / "default.json").write_text("{", encoding="utf-8")
    assert load_profile(tmp_path, "x").complaints == ("the profile default.json cannot be read",)
    found = profile({"memory": {"max_injected": "many", "similarity_threshold": 7, "disabled_domains": "all"}})
    assert (found.max_injected, found.similarity_threshold, found.disabled) == (None, None, frozenset())
    assert len(found.complaints) == 3
    assert profile({"memory": 5, "bst": []}) == NONE
