"""The data files of the screen can be read as they say."""

from __future__ import annotations

from importlib.resources import files

from reverie.screen import lists
from tests.spoken import NEITHER, TURKISH


def names() -> list[str]:
    found = (path.name for path in files("reverie.screen").joinpath("data").iterdir())
    return sorted(name.removesuffix(".txt") for name in found if name.endswith(".txt"))


@NEITHER
def test_every_list_says_what_it_is_and_holds_something() -> None:
    """A header with its source, and entries."""
    for name in names():
        text = files("reverie.screen").joinpath("data", f"{name}.txt").read_text("utf-8")
        head = " ".join(line[2:] for line in text.splitlines() if line.startswith("# "))
        assert "Source:" in head, name
        assert lists.entries(name), name


@TURKISH
def test_words_are_folded() -> None:
    """Turkish words are held against text without diacritics."""
    assert {"yanlis", "kirildi"} <= lists.words("no-secrets.tr")


@NEITHER
def test_tables_keep_what_follows_the_first_colon() -> None:
    """A value may hold a colon itself."""
    assert lists.table("fence")["begin"].startswith("[[reverie:begin ")
