"""How much the default has to set: each number must be worth its place, and be said once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

from reverie.recipes import default
from reverie.recipes.recipe import recipe

MOST = 120
ROOMS = ("recall", "encode", "dream", "working")


def leaves(value: object, path: str) -> Iterator[str]:
    """The settings below a value by their paths; a stage's name is none, nor is what the recipe does not have."""
    if value is None:
        return
    if is_dataclass(value):
        for field in fields(value):
            if field.name != "name":
                yield from leaves(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, tuple) and any(is_dataclass(part) or isinstance(part, tuple) for part in value):
        for place, part in enumerate(value):
            yield from leaves(part, f"{path}[{type(part).__name__ if is_dataclass(part) else place}]")
    else:
        yield path


def test_the_default_has_at_most_so_many_settings() -> None:
    """Counted by hand on a small piece first."""
    assert list(leaves(recipe("reverie").encode.relate, "relate"))[-2:] == ["relate.most", "relate.keep"]
    found = [path for room in ROOMS for path in leaves(getattr(recipe("reverie"), room), room)]
    assert len(found) <= MOST, "a new number needs one less elsewhere (decision 0066):\n" + "\n".join(found)


def test_the_default_is_written_out() -> None:
    """It takes nothing from a published recipe: what a document says may change without it."""
    for file in sorted(Path(default.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in names if name.startswith("reverie.recipes.published")], file.name
