"""Edit TOML in place: add, replace or remove one table and keep every other byte.

A new table is put at the end, where it cannot become part of another. Old and new text are both parsed to check that
they differ in this table only; otherwise nothing is changed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from reverie.hosts.json_edit import Broken, Keys

_HEADER = re.compile(r"^[ \t]*\[{1,2}(?P<name>[^\n]+?)\]{1,2}[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_STRING = re.compile(r'''"""(?:\\.|[^\\])*?"""|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*''', re.DOTALL)
_LINE = re.compile(r"line (\d+)")
_BARE = re.compile(r"^[A-Za-z0-9_-]+$")


def load(text: str) -> dict[str, Any]:
    """Parse a text. Raises Broken."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        lines = text.splitlines(keepends=True)
        at = sum(map(len, lines[: int(found[1]) - 1])) if found else len(text)
        raise Broken(text, at, str(error).split(" (at ")[0]) from None


def find(text: str, keys: Keys) -> object:
    """Return the value at a path; None if there is none."""
    value: object = load(text)
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def put(text: str, keys: Keys, table: Mapping[str, object]) -> str:
    """Return the text with ``table`` at a path; other keys inside it are kept.

    Raises:
        Broken: the text cannot be read, or the table's parent is written inline and cannot be extended.
    """
    there = find(text, keys)
    if isinstance(there, Mapping):
        return _renewed(text, keys, there, table)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = _lines(keys, table)
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    new = text + gap + newline.join(lines) + newline
    return _proved(text, new, keys, table)


def take(text: str, keys: Keys) -> str:
    """Return the text without the table at a path and the tables below it; comments after it stay."""
    if find(text, keys) is None:
        return text
    new = text
    while (span := _span(new, keys)) is not None:
        new = new[: span[0]] + new[span[1] :]
    return _proved(text, new, keys, None)


def _renewed(text: str, keys: Keys, there: Mapping[str, object], table: Mapping[str, object]) -> str:
    """Return the text with the changed lines of an existing table rewritten."""
    new = text
    for key, value in table.items():
        span = _span(new, keys)
        if there.get(key) == value or span is None:
            continue
        head = _HEADER.search(new, span[0])
        after = head.end() if head else span[0]
        line = re.compile(rf"^[ \t]*{re.escape(_key(key))}[ \t]*=[^\r\n]*", re.MULTILINE).search(new, after, span[1])
        if line is None:
            new = f"{new[:after]}\n{_key(key)} = {said(value)}{new[after:]}"
        else:
            new = f"{new[: line.start()]}{_key(key)} = {said(value)}{new[line.end() :]}"
    return text if new == text else _proved(text, new, keys, {**there, **table})


def _proved(old: str, new: str, keys: Keys, table: Mapping[str, object] | None) -> str:
    """Return the new text if it differs from the old one only in this table. Raises Broken otherwise."""
    try:
        said = load(new)
    except Broken:
        said = {}
    if _without(said, keys) != _without(load(old), keys) or find(new, keys) != table:
        at = max(old.find(keys[0]), 0)
        raise Broken(old, at, f"{keys[0]} is written in a form that cannot be added to; write it as [{'.'.join(keys)}]")
    return new


def _without(said: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """Return a copy of the parsed text without a path and without the parents that it leaves empty."""
    rest = deepcopy(said)
    holders: list[dict[str, Any]] = [rest]
    for key in keys[:-1]:
        inner = holders[-1].get(key)
        if not isinstance(inner, dict):
            return rest
        holders.append(inner)
    for holder, key in zip(reversed(holders), reversed(keys), strict=True):
        if (key == keys[-1] and holder is holders[-1]) or holder.get(key) == {}:
            holder.pop(key, None)
    return rest


def _span(text: str, keys: Keys) -> tuple[int, int] | None:
    """Return where the first table at or below a path begins and ends, including the empty line before it."""
    headers = [found for found in _HEADER.finditer(_STRING.sub(_hidden, text)) if _path(found["name"])]
    for found, follows in zip(headers, [*headers, None][1:], strict=True):
        if _path(found["name"])[: len(keys)] == keys:
            end = _last_said(text, found.end(), follows.start() if follows else len(text))
            start = found.start()
            blank = re.search(r"(?:(?<=\n)|^)[ \t]*\r?\n$", text[:start])
            return (blank.start() if blank and start else start), end
    return None


def _hidden(found: re.Match[str]) -> str:
    """Replace a multi-line string by dots on one line; return anything else unchanged."""
    return "." * len(found[0]) if found[0].startswith(('"""', "'''")) else found[0]


def _last_said(text: str, start: int, stop: int) -> int:
    """Return the end of a table's last line with content; comments after it belong to the next table."""
    end = text.find("\n", start, stop) + 1 or stop
    at = end
    while at < stop:
        after = text.find("\n", at, stop) + 1 or stop
        line = text[at:after].strip()
        if line and not line.startswith("#"):
            end = after
        at = after
    return end


def _path(name: str) -> Keys:
    """Return the keys of a header; empty if the line is not a header but part of a multi-line text."""
    try:
        said: object = tomllib.loads(f"[{name}]")
    except tomllib.TOMLDecodeError:
        return ()
    keys: list[str] = []
    while isinstance(said, dict) and said:
        key, said = next(iter(said.items()))
        keys.append(key)
    return tuple(keys)


def _lines(keys: Keys, table: Mapping[str, object]) -> list[str]:
    """Return the lines of a table and of the tables in it."""
    name = ".".join(key if _BARE.match(key) else json.dumps(key) for key in keys)
    lines = [f"[{name}]"]
    lines += [f"{_key(key)} = {said(value)}" for key, value in table.items() if not isinstance(value, Mapping)]
    for key, value in table.items():
        if isinstance(value, Mapping):
            lines += ["", *_lines((*keys, key), value)]
    return lines


def _key(key: str) -> str:
    return key if _BARE.match(key) else said(key)


def said(value: object) -> str:
    """Return a plain value as TOML: like JSON, with DEL escaped too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
