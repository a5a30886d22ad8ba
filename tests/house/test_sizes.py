"""The limits that keep a room readable: they bind the tail, which is where good code and bad differ."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.code import CODE, Function, FunctionNode, functions, python_files, shown

FILE_LINES = 700
FUNCTION_LINES = 50
COMPLEXITY = 8
PARAMETERS = 6
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)


def excused(function: Function, rule: str) -> bool:
    """Whether the head of the function switches the rule off (that a reason stands there is another test)."""
    lines = function.path.read_text(encoding="utf-8").splitlines()
    head = lines[function.node.lineno - 1 : function.node.body[0].lineno]
    return any(re.search(rf"noqa:[^#]*\b{rule}\b", line) for line in head)


def own_nodes(node: ast.AST) -> list[ast.AST]:
    """Everything inside a function that is not inside a function defined within it."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FunctionNode | ast.ClassDef):
            found += [child, *own_nodes(child)]
    return found


def complexity(node: FunctionNode) -> int:
    """Ways through a function: one, and one more for each branching statement, as mccabe and ruff count."""
    return 1 + sum(isinstance(inner, BRANCHES) for inner in own_nodes(node))


def parameters(function: Function) -> int:
    """Parameters a caller can give: all but self or cls."""
    arguments = function.node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return sum(a.arg not in ("self", "cls", "mcs") for a in named)


def test_no_file_is_longer_than_a_reader_keeps_in_mind() -> None:
    """Every Python file, tests too, has at most 700 lines: one idea whole, not a limit for its own sake."""
    lengths = {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(*CODE, "tests")}
    assert {name: n for name, n in lengths.items() if n > FILE_LINES} == {}


def test_every_function_fits_on_a_screen() -> None:
    """Every function has at most 50 lines, from its def to its end."""
    lengths = {f.place: (f.node.end_lineno or 0) - f.node.lineno + 1 for f in functions(*CODE)}
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES} == {}


def test_no_function_has_more_ways_through_than_one_can_follow() -> None:
    """Every function has a cyclomatic complexity of at most 8."""
    found = {f.place: complexity(f.node) for f in functions(*CODE)}
    assert {name: n for name, n in found.items() if n > COMPLEXITY} == {}


def test_no_function_asks_for_more_than_six_things() -> None:
    """Every function has at most 6 parameters, unless it says why it has more."""
    found = {f.place: parameters(f) for f in functions(*CODE) if not excused(f, "PLR0913")}
    assert {name: n for name, n in found.items() if n > PARAMETERS} == {}


@pytest.mark.parametrize(
    ("code", "ways"),
    [
        ("def f(): pass", 1),
        ("def f(a):\n    if a: return 1\n    elif b: return 2\n    return 3", 3),
        ("def f(a):\n    for x in a:\n        while x: x -= 1", 3),
        ("def f(a):\n    try: g()\n    except OSError: pass\n    except ValueError: pass", 3),
        ("def f(a): return [x for x in a if x]", 1),
        ("def f(a):\n    def g():\n        if a: pass\n    return g", 1),
    ],
)
def test_the_measure_counts_branches(code: str, ways: int) -> None:
    """The count is what one gets by hand on small functions."""
    node = ast.parse(code).body[0]
    assert isinstance(node, FunctionNode)
    assert complexity(node) == ways
