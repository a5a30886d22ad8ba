"""Changing JSON where it lies: in, a text and one change; out, the text with that change and every other byte kept.

Put takes the indentation, the line ends and the commas as it finds them around; take leaves comments where they stand.
A path names members of objects; the last key of all may lead anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from reverie.hosts.json_tree import Broken, Dialect, Member, Node, parse

Keys: TypeAlias = tuple[str, ...]

_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_REST = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\n]*)?(?=\r?\n)")
_SPACES = "  "


def is_blank(text: str) -> bool:
    """Whether a file says nothing at all: then it may be filled."""
    return not text.strip("\ufeff \t\r\n")


def members(text: str, dialect: Dialect) -> tuple[Member, ...]:
    """What the whole object or list holds."""
    return () if is_blank(text) else parse(text, dialect).members


def find(text: str, dialect: Dialect, keys: Keys) -> Node | None:
    """The value at a path; None where there is none. Raises Broken."""
    node: Node | None = parse(text, dialect)
    for key in keys:
        member = node.member(key) if node else None
        node = member.node if member else None
    return node


def put(text: str, dialect: Dialect, keys: Keys, value: object) -> str:
    """The text that says ``value`` at a path; where both are objects, only the members that differ are touched.

    Raises:
        Broken: the text cannot be read, or something that is no object stands on the way.
    """
    if is_blank(text):
        return _rendered(_nested(keys, value), "", _SPACES, "\n") + "\n"
    node = parse(text, dialect)
    for depth, key in enumerate(keys):
        _expect(text, node, dict, keys[:depth])
        member = node.member(key)
        if member is None:
            return add(text, node, _nested(keys[depth + 1 :], value), key)
        node = member.node
    return _replaced(text, dialect, keys, node, value)


def add(text: str, node: Node, value: object, key: str | None = None) -> str:
    """The text with one part more at the end of the object (or, without a key, of the array) ``node``."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if not node.members:
        return _filled(text, node, value, key, (unit, newline))
    last = node.members[-1]
    indent = _own_indent(text, last.start)
    after = last.node.end if last.comma is None else last.comma + 1
    rest = _REST.match(text, after)
    if indent is None or rest is None:
        part = _named(key, json.dumps(value, ensure_ascii=False))
        return text[:after] + (" " if last.comma is not None else ", ") + part + text[after:]
    part = newline + indent + _named(key, _rendered(value, indent, unit, newline))
    part += "," if last.comma is not None else ""
    comma = "," if last.comma is None else ""
    return text[: last.node.end] + comma + text[last.node.end : rest.end()] + part + text[rest.end() :]


def take(text: str, node: Node, gone: Member) -> str:
    """The text without one part of the object or array ``node``."""
    index = node.members.index(gone)
    end = gone.node.end if gone.comma is None else gone.comma + 1
    start = gone.start
    lead = re.search(r"\r?\n[ \t]*$", text[:start])
    rest = _REST.match(text, end)
    if lead is not None and rest is not None:
        start = lead.start()
    elif gone.comma is not None:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    else:
        start = len(text[:start].rstrip(" \t"))
    before = node.members[index - 1].comma if index else None
    if gone.comma is None and before is not None:
        return text[:before] + text[before + 1 : start] + text[end:]
    if len(node.members) == 1 and not text[node.start + 1 : start].strip() and not text[end : node.end - 1].strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    return text[:start] + text[end:]


def drop(text: str, dialect: Dialect, keys: Keys) -> str:
    """The text without the member at a path; as it was where there is none."""
    node = parse(text, dialect)
    for key in keys[:-1]:
        member = node.member(key)
        if member is None:
            return text
        node = member.node
    gone = node.member(keys[-1])
    return text if gone is None else take(text, node, gone)


def quoted(text: str) -> str:
    """A string as JSON writes it."""
    return json.dumps(text, ensure_ascii=False)


def _replaced(text: str, dialect: Dialect, keys: Keys, node: Node, value: object) -> str:
    if isinstance(value, Mapping) and isinstance(node.value, Mapping):
        for key, inner in value.items():
            text = put(text, dialect, (*keys, key), inner)
        return text
    if node.value == value and type(node.value) is type(value):
        return text
    indent = _line_indent(text, node.start)
    newline = "\r\n" if "\r\n" in text else "\n"
    several = "\n" in text[node.start : node.end]
    new = _rendered(value, indent, _unit(text), newline) if several else json.dumps(value, ensure_ascii=False)
    return text[: node.start] + new + text[node.end :]


def _expect(text: str, node: Node, kind: type, keys: Sequence[str]) -> None:
    if not isinstance(node.value, kind):
        where = ".".join(keys) if keys else "the whole"
        raise Broken(text, node.start, f"{where} should be {'an object' if kind is dict else 'a list'}")


def listed(text: str, node: Node, keys: Sequence[str]) -> Node:
    """The node, if it is a list. Raises Broken."""
    _expect(text, node, list, keys)
    return node


def _filled(text: str, node: Node, value: object, key: str | None, style: tuple[str, str]) -> str:
    """The first part of an empty object or array; comments inside stay before it."""
    unit, newline = style
    indent = _line_indent(text, node.start)
    inner = indent + unit
    part = newline + inner + _named(key, _rendered(value, inner, unit, newline)) + newline + indent
    kept = text[node.start + 1 : node.end - 1].rstrip()
    return text[: node.start + 1] + kept + part + text[node.end - 1 :]


def _nested(keys: Keys, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _named(key: str | None, value: str) -> str:
    return value if key is None else f"{json.dumps(key, ensure_ascii=False)}: {value}"


def _rendered(value: object, indent: str, unit: str, newline: str) -> str:
    """A value over several lines; lists of plain words stay on one."""
    if isinstance(value, Mapping) and value:
        inner = [f"{indent}{unit}{_named(key, _rendered(v, indent + unit, unit, newline))}" for key, v in value.items()]
        return "{" + newline + f",{newline}".join(inner) + newline + indent + "}"
    if isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        inner = [f"{indent}{unit}{_rendered(item, indent + unit, unit, newline)}" for item in value]
        return "[" + newline + f",{newline}".join(inner) + newline + indent + "]"
    return json.dumps(value, ensure_ascii=False)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else _SPACES


def _own_indent(text: str, at: int) -> str | None:
    """The blanks before what begins its line; None where something else stands before it on the line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip(" \t") and text.rfind("\n", 0, at) >= 0 else None


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
