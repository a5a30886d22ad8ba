"""The documentation keeps up with the code: commands, settings, errors, sources, links, requirement ids."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.house.code import ROOT, SOURCE, shown, tree
from tools import docs, requirements

DECISIONS = sorted((docs.PAGES / "decisions").glob("[0-9]*.md"))
DECISION_WORDS = 300
DECISION_HEADINGS = ["Context", "Decision", "Figures", "What would change it"]
LAB_WORDS = 8_000
SOURCE_LINE = re.compile(r"^\s*Source: (?P<keys>.+?)\.?\s*$", re.MULTILINE)


def cited() -> dict[str, list[str]]:
    """Key → the places whose docstring ends in it, over the whole package."""
    found: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                for line in SOURCE_LINE.findall(ast.get_docstring(node) or ""):
                    for key in re.split(r",\s*", line):
                        found.setdefault(key, []).append(f"{shown(path)} {getattr(node, 'name', '')}".strip())
    return found


def test_the_documentation_is_complete_and_current() -> None:
    """Every command, option and setting is documented, generated parts are current, every link leads somewhere."""
    assert docs.faults() == []


def test_every_source_is_in_the_references() -> None:
    """The key after ``Source:`` in a docstring is one of docs/references.md."""
    known = docs.reference_keys()
    assert {key: places for key, places in cited().items() if key not in known} == {}


def test_every_formula_names_its_source() -> None:
    """The docstring of each public formula ends in ``Source: key``."""
    missing = []
    for path in sorted((SOURCE / "formulas").glob("*.py")):
        for node in tree(path).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                last = (ast.get_docstring(node) or "").strip().splitlines()[-1:] or [""]
                if not SOURCE_LINE.match(last[0]):
                    missing.append(f"{shown(path)}:{node.lineno} {node.name}")
    assert missing == []


def test_every_page_with_keywords_is_there() -> None:
    """The search finds a page by them; those of a page that was renamed would be lost without a word."""
    pages = tomllib.loads((ROOT / "docs" / "keywords.toml").read_text(encoding="utf-8"))
    assert [page for page in pages if not (ROOT / "docs" / f"{page}.md").is_file()] == []


def test_requirement_ids_are_listed_once() -> None:
    """No id stands twice in the list, and each looks like one."""
    ids = requirements.requirement_ids()
    assert len(ids) == len(set(ids))
    assert [i for i in ids if not re.fullmatch(r"[A-D]\d+[a-z]?(\.\d+)?", i)] == []


def test_a_decision_is_one_page() -> None:
    """No decision has more than 300 words, tables included, as ``wc -w`` counts them."""
    lengths = {page.name: len(docs.read(page).split()) for page in DECISIONS}
    assert {name: n for name, n in lengths.items() if n > DECISION_WORDS} == {}


def test_a_decision_has_four_parts() -> None:
    """Context, decision, figures, what would change it; a superseded one may have no parts, and names a later one."""
    wrong = [page.name for page in DECISIONS if not (has_four_parts(docs.read(page)) or is_pointer(page))]
    assert wrong == []


def test_lab_notes_belong_to_decisions() -> None:
    """Each note has the name of the decision it is for, which links to it; together they stay short."""
    notes = sorted((docs.PAGES / "lab").glob("[0-9]*.md"))
    assert [note.name for note in notes if f"](../lab/{note.name})" not in docs.read(page_for(note.name))] == []
    assert sum(len(docs.read(note).split()) for note in notes) <= LAB_WORDS


def page_for(name: str) -> Path:
    """The decision of a name."""
    return docs.PAGES / "decisions" / name


def has_four_parts(text: str) -> bool:
    """Whether a decision's headings are the four, in their order."""
    return re.findall(r"^## (.+)$", text, re.MULTILINE) == DECISION_HEADINGS


def is_pointer(page: Path) -> bool:
    """Whether a decision only says which later one superseded it."""
    text = docs.read(page)
    later = re.search(r"superseded\b.*?\[\d{4}\]\((?P<name>\d{4}[\w-]*\.md)\)", text, re.IGNORECASE | re.DOTALL)
    return later is not None and later["name"] > page.name and "\n## " not in text


@pytest.mark.parametrize(
    ("passed", "failed", "printed"), [(6, 0, "D14 pass 6"), (0, 0, "D14 none"), (4, 2, "D14 fail 2 of 6")]
)
def test_a_requirement_is_one_line(passed: int, failed: int, printed: str) -> None:
    """`make requirements` prints the id and how its tests fared."""
    assert requirements.line("D14", passed, failed) == printed


def test_a_link_that_leads_nowhere_is_found() -> None:
    """The link check knows a missing file and a missing heading from ones that are there."""
    page = ROOT / "README.md"
    text = "[a](LICENSE) [b](nothing.md) [c](#try-it) [d](#no-such-heading) [e](https://example.org) `[f](g.md)`"
    assert docs.broken_links(page, text) == ["README.md: nothing.md", "README.md: #no-such-heading"]
