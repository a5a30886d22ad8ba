"""Docstrings are there, ignores say why, and no file is called after nothing."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.house.code import CODE, ROOT, functions, python_files, shown, tree

SWITCHES = r"noqa|ruff:\s*noqa|type:\s*ignore|pragma:\s*no cover|fmt:\s*(?:off|skip)|mypy:"
IGNORE = re.compile(rf"#\s*(?:{SWITCHES})(?P<rest>[^\n]*)", re.IGNORECASE)
CODES = re.compile(r"^[:\s]*(?:\[[\w\-, ]+\]|[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?")
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "misc", "common", "stuff", "lib"}


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """The comments of a file with their lines; what looks like one inside a string is none."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def reasonless(comment: str) -> bool:
    """Whether a comment switches a check off and gives fewer than two words of reason."""
    found = IGNORE.search(comment)
    return bool(found) and len(re.findall(r"\w{2,}", CODES.sub("", found["rest"], count=1))) < 2


def is_public(name: str) -> bool:
    """Whether a name is meant for readers outside its class or module."""
    return not name.startswith("_")


def undocumented(node: ast.Module | ast.ClassDef, place: str) -> Iterator[str]:
    """The public classes and functions below a node that have no docstring; overloads are one function."""
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and is_public(child.name):
            overload = any(ast.unparse(d).endswith("overload") for d in child.decorator_list)
            if not overload and ast.get_docstring(child) is None:
                yield f"{place}:{child.lineno} {child.name}"
            if isinstance(child, ast.ClassDef):
                yield from undocumented(child, place)


def test_every_linter_ignore_says_why() -> None:
    """A comment that switches off a check carries its reason on the same line."""
    silent = [
        f"{shown(path)}:{line} {text}"
        for path in python_files(*CODE, "tests")
        for line, text in comments(path)
        if reasonless(text)
    ]
    assert silent == []


def test_every_rule_switched_off_for_all_says_why() -> None:
    """Each entry of ruff's lists of ignored rules has a comment beside it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.split("[tool.ruff.lint]\n")[1].split("[tool.importlinter]")[0]
    ignored = section.split("ignore = [")[1].split("]")[0] + section.split("per-file-ignores]")[1]
    rules = [line for line in ignored.splitlines() if re.search(r'"[A-Z]+[0-9]*"', line)]
    assert rules
    assert [line for line in rules if "#" not in line] == []


def test_the_ignore_rule_knows_a_reason_when_it_sees_one() -> None:
    """Bare ignores are caught in each of their spellings, explained ones pass."""
    bare = ["# noqa", "# noqa: E501", "# type: ignore[attr-defined]", "# pragma: no cover", "# fmt: off"]
    assert all(map(reasonless, bare))
    assert not reasonless("# noqa: BLE001 — the host's loop must go on")
    assert not reasonless("# type: ignore[import-untyped]  # ships no types")
    assert not reasonless("# a comment about noqa")


def test_every_test_says_what_it_shows() -> None:
    """Each test function has a docstring."""
    assert [
        f.place for f in functions("tests") if f.node.name.startswith("test_") and ast.get_docstring(f.node) is None
    ] == []


def test_every_module_says_what_goes_in_and_out() -> None:
    """Each module that holds code has a docstring."""
    modules = [path for path in python_files("src", "benchmarks", "tools") if tree(path).body]
    assert [shown(path) for path in modules if ast.get_docstring(tree(path)) is None] == []


def test_every_public_thing_of_the_package_has_a_sentence() -> None:
    """Each public class, function and method of the package has a docstring."""
    assert [name for path in python_files("src") for name in undocumented(tree(path), shown(path))] == []


def test_no_file_is_named_after_nothing() -> None:
    """There is no utils and no helpers: a thing lives where its name says."""
    assert [shown(path) for path in python_files(*CODE, "tests") if path.stem in EMPTY_NAMES] == []


INTERNAL_ID = re.compile(r"\b[A-DR]\d{1,2}[a-z]?\b")
"""Ids of this project's own list of requirements and of passages in its source documents."""
REPRODUCED = "recipes/published/"
"""Recipes that reproduce a published document; their constants name its passages."""


def test_no_public_docstring_names_an_id_that_only_we_know() -> None:
    """A reader cannot look it up."""
    ours = [path for path in python_files("src") if REPRODUCED not in path.as_posix()]
    found = [
        f"{shown(path)}:{node.lineno}"
        for path in ours
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str) and INTERNAL_ID.search(node.value.value)
    ]
    assert found == []
