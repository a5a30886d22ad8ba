"""The glossary and the code say the same words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.house.code import ROOT, SOURCE, python_files, tree

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def rows(text: str) -> Iterator[list[str]]:
    """The cells of each row of the tables in a text, without their heads."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and not set(line) <= set("| -:") and cells[0] not in ("term", "before"):
            yield cells


def gone() -> set[str]:
    """The words that name nothing any more."""
    return {
        word.strip()
        for cells in rows(PAGE.split("## Words this project used before")[1])
        for word in cells[0].split(",")
    }


def test_each_term_says_what_it_is_and_lives_where_it_says() -> None:
    """A row for each term: its meaning, and a module or package that is there."""
    terms = list(rows(PAGE.split("## Words this project used before")[0]))
    assert len(terms) >= 40
    assert len({cells[0] for cells in terms}) == len(terms)
    for term, meaning, _, place in terms:
        assert len(meaning.split()) >= 3, term
        where = SOURCE.joinpath(*place.strip("`").split("."))
        assert where.is_dir() or where.with_suffix(".py").is_file(), f"{term}: {place}"


def test_no_module_or_public_class_bears_a_word_that_is_gone() -> None:
    """Not by itself: where it stands for something else, it is part of a longer name."""
    words = gone()
    assert words
    found = []
    for path in python_files("src"):
        if path.stem in words:
            found.append(str(path.relative_to(SOURCE)))
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and _spaced(node.name) in words:
                found.append(f"{path.relative_to(SOURCE)}: {node.name}")
    assert found == []


def _spaced(name: str) -> str:
    """A class's name in words: ``RecallState`` is "recall state"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
