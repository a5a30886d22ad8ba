from pathlib import Path

import pytest

from tests.faces.cli.conftest import Run, formed
from tests.trusting import trusting


@pytest.fixture
def artist(talk: Run) -> Run:
    """``talk`` with a dream behind it, on a machine that can draw."""
    pytest.importorskip("matplotlib")
    talk("dream")
    return talk


def what(run: Run, picture: str) -> list[str]:
    """What a picture is drawn of."""
    return {"forgetting": [formed(run)[0]["id"]], "dream": [], "graph": ["Zeynep"], "recall": ["Zeynep"]}[picture]


@pytest.mark.parametrize("picture", ["dream", "graph", "recall"])
def test_a_picture_is_the_same_bytes_each_time(artist: Run, folder: Path, picture: str) -> None:
    """Drawing changes nothing, so the second is the first."""
    done = artist("stats", "plot", picture, *what(artist, picture), "--json").shape
    assert done["file"] == f"{picture}.svg"
    first = (folder / f"{picture}.svg").read_bytes()
    assert artist("stats", "plot", picture, *what(artist, picture), "--force").code == 0
    assert (folder / f"{picture}.svg").read_bytes() == first


def test_a_forgetting_curve_is_drawn(artist: Run, folder: Path) -> None:
    """As PNG where the file's name says so; an episode has none, nor has a recipe that forgets nothing."""
    name, v9 = formed(artist)[0]["id"], ("--recipe", "v9")
    assert artist("stats", "plot", "forgetting", name, "--out", "curve.png", *v9).code == 0
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    episode = formed(artist)[0]["sources"][0]
    assert "is an episode" in artist("stats", "plot", "forgetting", episode, *v9).err
    for recipe in ("reverie", "ocean"):
        refused = artist("stats", "plot", "forgetting", name, "--recipe", recipe)
        assert (refused.code, f"In the recipe {recipe} no memory fades" in refused.err) == (2, True)
    assert artist("stats", "plot", "forgetting", "nobody", *v9).code == 3


def test_the_settings_say_which_format(artist: Run, folder: Path) -> None:
    """Where the file's name does not."""
    with (folder / "reverie.toml").open("a", encoding="utf-8") as file:
        file.write('[plots]\nformat = "png"\ndpi = 60\n')
    trusting(folder)
    assert artist("stats", "plot", "dream").code == 0
    assert (folder / "dream.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_is_there_is_not_written_over(artist: Run, folder: Path) -> None:
    """Unless that is asked for; and no half of one is left where it cannot be written."""
    (folder / "dream.svg").write_text("mine", encoding="utf-8")
    assert artist("stats", "plot", "dream").code == 4
    assert (folder / "dream.svg").read_text(encoding="utf-8") == "mine"
    assert artist("stats", "plot", "dream", "--out", "nowhere/dream.svg").code == 10
    assert artist("stats", "plot", "dream", "--out", "dream.gif").code == 2
    assert [path.name for path in folder.iterdir() if "part" in path.name] == []


def test_what_to_draw_must_be_said(artist: Run) -> None:
    """Only a dream has a newest."""
    assert artist("stats", "plot", "recall").code == 2
    assert artist("stats", "plot", "graph", "Nobody").code == 3


def test_drawing_a_recall_counts_no_access(artist: Run) -> None:
    """Looking is not using."""
    artist("stats", "plot", "recall", "Zeynep")
    assert all(memory["accesses"] == 0 for memory in artist("timeline", "--json").shape["memories"])
