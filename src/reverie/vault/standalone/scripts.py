"""The vault's scripts, each one file for the standard library alone: in, the package's source; out, the scripts."""

from __future__ import annotations

import ast
from pathlib import Path

from reverie.vault.standalone.bundle import Key, Reached, Sources, final_names, reach, written

_SOURCE = Path(__file__).resolve().parents[3]
"""The folder that holds the package."""
ENTRY = "reverie.faces.cli.vault_scripts"
SCRIPTS = {
    "memory-search.py": (
        "memory_search",
        ('"CPL trend" --agent hawk --limit 5', '"buyer acceptance" --all --limit 10'),
    ),
    "memory-decay.py": ("memory_decay", ("--dry-run", "")),
    "memory-promote.py": ("memory_promote", ("",)),
}
"""File → the function it runs, and how it is called."""
_HEAD = '''#!/usr/bin/env python3
"""{what}

{usage}

It needs Python 3.9 or newer, and nothing else. It is a part of Reverie (Apache-2.0), made out of its source by
`reverie vault init --scripts`: a change belongs there.
"""
# {ignored}
# fmt: off

from __future__ import annotations

import sys

if sys.version_info < (3, 9):
    sys.exit("This script needs Python 3.9 or newer; this one is %d.%d." % sys.version_info[:2])
{imports}
{older}'''
_TAIL = """

if __name__ == "__main__":
    gc.disable()  # what a process as short as this leaves behind goes with it
    sys.exit({entry}())
"""
_OLDER = {
    "StrEnum": """
if sys.version_info >= (3, 11):
    from enum import StrEnum
else:
    from enum import Enum

    class StrEnum(str, Enum):
        __str__ = str.__str__
""",
    "dataclass": """
if sys.version_info >= (3, 10):
    from dataclasses import dataclass
else:
    import builtins
    import dataclasses

    def dataclass(**options):
        return dataclasses.dataclass(**{name: value for name, value in options.items() if name != "slots"})

    def zip(*iterables, strict):
        return builtins.zip(*iterables)
""",
}
"""What Python 3.9 and 3.10 lack: in place of the import of this name."""
_IGNORED = {"E501", "UP031", "UP036"}
_IGNORED_OLDER = {"StrEnum": {"D101", "UP042"}, "dataclass": {"A001", "ARG001", "B905", "D103"}}
"""What the linter says of lines that a longer name made longer, of what older Pythons lack, and of asking for them."""


def build(script: str, source: Path = _SOURCE) -> str:
    """Return the text of a script. Raises Refused where the source is not of the kind that can be made one file."""
    function, calls = SCRIPTS[script]
    sources = Sources(source)
    found = reach(sources, Key(ENTRY, function))
    names = final_names(found)
    entry = sources.module(ENTRY).defined[function].node
    what = ast.get_docstring(entry) if isinstance(entry, ast.FunctionDef) else None
    lacking = [name for name in _OLDER if any(here == name for _, _, here in found.imports)]
    head = _HEAD.format(
        what=(what or script).splitlines()[0],
        ignored=f"ruff: noqa: {', '.join(sorted(_IGNORED.union(*(_IGNORED_OLDER[name] for name in lacking))))}",
        usage="\n".join(f"    python3 scripts/{script} {call}".rstrip() for call in calls),
        imports="\n".join(_imports(found)),
        older="".join(_OLDER[name] for name in lacking),
    )
    parts = [_section(sources, name, names) for name in sources.order]
    return head + "".join(part for part in parts if part) + _TAIL.format(entry=function)


def _imports(found: Reached) -> list[str]:
    """The imports of the standard library, as the linter sorts them."""
    wanted = {*found.imports, ("gc", "", "gc")} - {("sys", "", "sys")}  # which the head has imported
    plain = [f"import {module}" for module, name, _ in sorted(wanted) if not name]
    by_module: dict[str, list[str]] = {}
    for module, name, here in sorted(wanted):
        if name and here not in _OLDER:
            by_module.setdefault(module, []).append(name if name == here else f"{name} as {here}")
    return plain + [
        f"from {module} import {', '.join(sorted(names, key=_kind))}" for module, names in by_module.items()
    ]


def _kind(name: str) -> tuple[bool, bool, str]:
    """Constants come first, then classes, then functions."""
    return not name.isupper(), not name[0].isupper(), name


def _section(sources: Sources, name: str, names: dict[Key, str]) -> str:
    """What is needed of one module."""
    module = sources.module(name)
    wanted = [one for one in module.statements if any(Key(name, defined) in names for defined in one.names)]
    if not wanted:
        return ""
    text = f"\n\n# --- {name}"
    last = None
    for one in wanted:
        together = last is not None and last.is_value and one.is_value
        text += ("\n" if last and one.first == last.last + 1 else "\n\n") if together else "\n\n\n" if last else "\n\n"
        text += written(module, one, names)
        last = one
    return text + "\n"
