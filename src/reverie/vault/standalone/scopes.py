"""Which names of a statement are those of its module: in, its syntax tree; out, each use with its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Scope: TypeAlias = _Function | _Comprehension | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Use:
    """A name of the module where it is used.

    Attributes:
        name: the name.
        attribute: what is asked of it at once (``name.attribute``); None where it stands alone.
        line: from 1.
        start: where the name begins in its line, in bytes of UTF-8.
        end: where it ends.
        attribute_end: where its attribute ends.
        locals: the names around it that are not the module's.
    """

    name: str
    attribute: str | None
    line: int
    start: int
    end: int
    attribute_end: int
    locals: frozenset[str]


def uses(node: ast.AST, inside: frozenset[str] = frozenset()) -> Iterator[Use]:
    """Every name of the module in a statement, its annotations too; ``inside`` are the names that are not."""
    match node:
        case ast.Attribute(value=ast.Name(id=name) as used) | (ast.Name(id=name) as used):
            if name not in inside:
                yield _use(used, node if isinstance(node, ast.Attribute) else None, inside)
        case _ if isinstance(node, _Scope):
            yield from _in_scope(node, inside)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from uses(child, inside)


def _in_scope(scope: ast.AST, inside: frozenset[str]) -> Iterator[Use]:
    within, around = _within(scope), inside | bound(scope)
    for child in ast.iter_child_nodes(scope):
        if child not in within:
            yield from uses(child, inside)
    for child in within:
        # What a class binds is not seen by the functions in it.
        hidden = isinstance(scope, ast.ClassDef) and isinstance(child, _Function)
        yield from uses(child, inside if hidden else around)


def bound(scope: ast.AST) -> frozenset[str]:
    """The names that a function, class or comprehension binds itself."""
    found = {argument.arg for argument in _arguments(scope)}
    waiting = _within(scope)
    while waiting:
        node = waiting.pop()
        found |= _binds(node)
        if isinstance(node, _Comprehension) and node is not scope:
            found |= {inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)}
        elif not isinstance(node, _Function | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return frozenset(found)


def _binds(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(ctx=ast.Store()):
            return {node.id}
        case ast.FunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return {name}
        case ast.Import() | ast.ImportFrom():
            return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    return set()


def _within(scope: ast.AST) -> list[ast.AST]:
    """The parts of a scope that see what it binds; decorators, defaults and annotations do not."""
    if isinstance(scope, ast.Lambda):
        return [scope.body]
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return list(scope.body)
    return list(ast.iter_child_nodes(scope))


def _arguments(scope: ast.AST) -> list[ast.arg]:
    if not isinstance(scope, _Function):
        return []
    given = scope.args
    starred = [argument for argument in (given.vararg, given.kwarg) if argument is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *starred]


def _use(name: ast.Name, attribute: ast.Attribute | None, inside: frozenset[str]) -> Use:
    end = name.end_col_offset or 0
    if attribute is None:
        return Use(name.id, None, name.lineno, name.col_offset, end, end, inside)
    return Use(name.id, attribute.attr, name.lineno, name.col_offset, end, attribute.end_col_offset or 0, inside)
