"""The limits that keep a room readable: they bind the tail, which is where good code and bad differ."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.code import CODE, Function, FunctionNode, functions, python_files, shown

FILE_LINES = 700
FUNCTION_LINES = 50
COMPLEXITY = 12
PARAMETERS = 6
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case)


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


def ways(node: ast.AST) -> int:
    """How many ways a node adds: one a branch, one each `and` and `or`, one a loop or a filter of a comprehension."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    return int(isinstance(node, BRANCHES))


def complexity(node: FunctionNode) -> int:
    """Ways through a function: one, and those that its nodes add, operators and comprehensions among them.

    Ruff's own limit of 8 (C90) counts statements alone.
    """
    return 1 + sum(map(ways, own_nodes(node)))


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
    """Every function has a complexity of at most 12, counted with boolean operators and comprehensions."""
    found = {f.place: complexity(f.node) for f in functions(*CODE)}
    assert {name: n for name, n in found.items() if n > COMPLEXITY} == {}


def test_no_function_asks_for_more_than_six_things() -> None:
    """Every function has at most 6 parameters, unless it says why it has more."""
    found = {f.place: parameters(f) for f in functions(*CODE) if not excused(f, "PLR0913")}
    assert {name: n for name, n in found.items() if n > PARAMETERS} == {}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(): pass", 1),
        ("def f(a):\n    if a: return 1\n    elif b: return 2\n    return 3", 3),
        ("def f(a):\n    for x in a:\n        while x: x -= 1", 3),
        ("def f(a):\n    try: g()\n    except OSError: pass\n    except ValueError: pass", 3),
        ("def f(a): return [x for x in a if x]", 3),
        ("def f(a): return {x: y for x in a for y in x if x if y}", 5),
        ("def f(a, b, c): return a and b or c", 3),
        ("def f(a, b, c): return a or b or c", 3),
        ("def f(a): return 1 if a else 2", 2),
        ("def f(a): return lambda b: 1 if a and b else 2", 3),
        ("def f(a):\n    match a:\n        case 1: return 1\n        case _: return 2", 3),
        ("def f(a):\n    def g():\n        if a: pass\n    return g", 1),
    ],
)
def test_the_measure_counts_branches(code: str, expected: int) -> None:
    """The count is what one gets by hand on small functions."""
    node = ast.parse(code).body[0]
    assert isinstance(node, FunctionNode)
    assert complexity(node) == expected
