"""Several modules as one file: in, a function of the package; out, the source of it and of everything it uses.

Only what is reached is taken, each definition as it is written, in an order in which it can run; imports of the package
go, and a name is changed only where it would mean two things (``tfidf.score`` beside a variable ``score`` becomes
``tfidf_score``). What cannot be told apart for certain is refused.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from reverie.vault.standalone.scopes import Use, uses

PACKAGE = "reverie"
_BUILTINS = {*dir(builtins), "__file__", "__name__"}


class Refused(Exception):
    """A source that this cannot make one file of, and where."""


class Key(NamedTuple):
    """A definition: its module and its name there."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement at the top of a module, with the comments above it and the words below it that describe it."""

    module: str
    node: ast.stmt
    names: tuple[str, ...]
    first: int
    last: int

    @property
    def is_value(self) -> bool:
        """Whether it is a constant, not a function or class."""
        return isinstance(self.node, ast.Assign | ast.AnnAssign)


@dataclass(slots=True)
class Module:
    """A module's statements, and what its imports stand for.

    Attributes:
        defined: name → the statement that defines it.
        ours: name → the definition of the package it stands for.
        modules: name → the module of the package it stands for.
        others: name → the import of the standard library that brings it, as (module, name or "", name here).
    """

    name: str
    lines: list[str]
    statements: list[Statement] = field(default_factory=list)
    defined: dict[str, Statement] = field(default_factory=dict)
    ours: dict[str, Key] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    others: dict[str, tuple[str, str, str]] = field(default_factory=dict)


class Sources:
    """The modules of the package, read when they are asked for; ``order`` is that in which they can run."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read: dict[str, Module] = {}
        self.order: list[str] = []

    def module(self, name: str) -> Module:
        """A module, and before it in ``order`` all it imports."""
        if name not in self._read:
            path = self._path(name)
            text = path.read_text(encoding="utf-8")
            module = self._read[name] = Module(name, text.splitlines())
            for node in ast.parse(text, filename=str(path)).body:
                self._take(module, node)
            self.order.append(name)
        return self._read[name]

    def _path(self, name: str) -> Path:
        path = self._root.joinpath(*name.split("."))
        return path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"

    def _take(self, module: Module, node: ast.stmt) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self._imported(module, node)
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body):
                for inner in body:
                    self._take(module, inner)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                _define(module, node, (name,))
            case ast.Assign(targets=targets):
                _define(module, node, tuple(target.id for target in targets if isinstance(target, ast.Name)))
            case ast.Expr(value=ast.Constant()):
                _describe(module, node)
            case _:
                raise Refused(f"{module.name}:{node.lineno}: a statement of this kind cannot be taken over")

    def _imported(self, module: Module, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            here = alias.asname or alias.name
            source = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            if not source:
                module.others[here] = (alias.name, "", here)
            elif source.split(".")[0] != PACKAGE:
                module.others[here] = (source, alias.name, here)
            elif self._path(f"{source}.{alias.name}").is_file():
                module.modules[here] = f"{source}.{alias.name}"
                self.module(f"{source}.{alias.name}")
            else:
                module.ours[here] = Key(source, alias.name)
                self.module(source)


def _define(module: Module, node: ast.stmt, names: tuple[str, ...]) -> None:
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    while module.lines[first - 2].startswith("#"):
        first -= 1
    statement = Statement(module.name, node, names, first, node.end_lineno or node.lineno)
    module.statements.append(statement)
    module.defined |= dict.fromkeys(names, statement)


def _describe(module: Module, node: ast.Expr) -> None:
    """A text below a constant belongs to it; one at the head of a module to none."""
    if module.statements:
        last = module.statements.pop()
        longer = Statement(last.module, last.node, last.names, last.first, node.end_lineno or node.lineno)
        module.statements.append(longer)
        module.defined |= dict.fromkeys(last.names, longer)


@dataclass(slots=True)
class Reached:
    """What an entry uses: definitions, those whose own name means something else where they are used, other imports."""

    keys: set[Key] = field(default_factory=set)
    hidden: set[Key] = field(default_factory=set)
    imports: set[tuple[str, str, str]] = field(default_factory=set)


def reach(sources: Sources, entry: Key) -> Reached:
    """Everything that can run when the entry is called."""
    found, waiting = Reached(), [entry]
    while waiting:
        key = waiting.pop()
        if key in found.keys:
            continue
        module = sources.module(key.module)
        if key.name in module.ours:
            waiting.append(module.ours[key.name])
            continue
        statement = module.defined[key.name]
        found.keys |= {Key(key.module, name) for name in statement.names}
        for use in uses(statement.node):
            waiting += _followed(module, use, found)
    return found


def _followed(module: Module, use: Use, found: Reached) -> Iterator[Key]:
    if use.name in module.others:
        found.imports.add(module.others[use.name])
        return
    target = target_of(module, use)
    if target is not None:
        if target.name != use.name and target.name in use.locals:
            found.hidden.add(target)
        yield target
    elif use.name not in _BUILTINS:
        raise Refused(f"{module.name}:{use.line}: {use.name} comes from nowhere")


def target_of(module: Module, use: Use) -> Key | None:
    """The definition of the package that a name stands for where it is used; None for any other name."""
    if use.name in module.modules:
        if use.attribute is None:
            raise Refused(f"{module.name}:{use.line}: the module {use.name} is used as a value")
        return Key(module.modules[use.name], use.attribute)
    if use.name in module.ours:
        return module.ours[use.name]
    return Key(module.name, use.name) if use.name in module.defined else None


def final_names(found: Reached) -> dict[Key, str]:
    """What each definition is called in the one file."""
    bearers = Counter(key.name for key in found.keys) + Counter(here for _, _, here in found.imports)
    names = {key: _longer(key) if bearers[key.name] > 1 or key in found.hidden else key.name for key in found.keys}
    taken = Counter(names.values()) + Counter(here for _, _, here in found.imports)
    for name, number in taken.items():
        if number > 1:
            raise Refused(f"two things are called {name}")
    return names


def _longer(key: Key) -> str:
    bare, module = key.name.lstrip("_"), key.module.rpartition(".")[2]
    return f"{key.name[: -len(bare)]}{module.upper() if bare.isupper() else module}_{bare}"


def written(module: Module, statement: Statement, names: dict[Key, str]) -> str:
    """A statement as it stands in its module, with the names it has in the one file."""
    lines = [line.encode("utf-8") for line in module.lines]
    edits: list[tuple[int, int, int, str]] = []
    for use in uses(statement.node):
        target = target_of(module, use) if use.name not in module.others else None
        if target is None:
            continue
        name, through = names[target], use.name in module.modules
        if through or name != use.name:
            if name in use.locals:
                raise Refused(f"{module.name}:{use.line}: {name} is a variable there")
            edits.append((use.line, use.start, use.attribute_end if through else use.end, name))
    if isinstance(statement.node, ast.FunctionDef | ast.ClassDef):
        name = names[Key(module.name, statement.node.name)]
        start = lines[statement.node.lineno - 1].index(statement.node.name.encode())
        edits.append((statement.node.lineno, start, start + len(statement.node.name.encode()), name))
    for line, start, end, name in sorted(edits, reverse=True):
        lines[line - 1] = lines[line - 1][:start] + name.encode() + lines[line - 1][end:]
    return b"\n".join(lines[statement.first - 1 : statement.last]).decode()
