"""Secrets that show by their shape: known beginnings, PEM blocks, passwords in addresses, long chance strings.

In: a text. Out: spans, unordered, possibly overlapping. The work grows with the length of the text and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from reverie.language.expressions import expression
from reverie.screen import lists
from reverie.screen.secrecy import is_example, is_placeholder, is_random
from reverie.screen.values import Span

_RUN = expression(r"[A-Za-z0-9_\-./+=~$:]{16,}")
"""Where a token can be at all; ordinary words never come to sixteen such signs."""
_RUN_MIN = 16
_SEGMENT = expression(r"[A-Za-z0-9]+")
_PIECE = expression(r"[A-Za-z0-9_-]{24,}")
_BASE64_KEY = expression(
    r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{38,}={1,2}(?![A-Za-z0-9+/=])|(?<![\w+/=])[\w+/]{40}(?![\w+/=])"
)
_LOOK_BACK = 300
_PUBLIC_KEY = expression(r"AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|GnNrLX|InNrLX)")
"""How the public keys of ssh begin: the length of a name, and "ssh-", "ecdsa" or "sk-"."""
_PART_MAX = 100
_PART_BEFORE = expression(r"(?<![\w-])([A-Za-z0-9_-]{6,90})\.\Z")
_PART_AFTER = expression(r"\.([A-Za-z0-9_-]{6,90})(?![\w-])")
_PEM_BEGIN = expression(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = expression(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_REST = expression(r"[A-Za-z0-9+/=\s\\:,-]*")
_PUTTY = expression(r"Private-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n?){1,200})")
_IN_ADDRESS = expression(r"://[^\s:/@?#'\"]{0,64}:([^\s@/'\"]{3,128})@")


def tokens(text: str) -> Iterator[Span]:
    """Every stretch that is a secret by its looks."""
    yield from _pem(text)
    yield from _addresses(text)
    if max(map(len, text.split()), default=0) < _RUN_MIN:
        return
    for run in _RUN.finditer(text):
        yield from _known(text, run.start(), run.end())
        yield from _marked(run.group(), run.start())
        yield from _chance(text, run)


@cache
def _beginnings() -> Mapping[str, tuple[tuple[str, re.Pattern[str], str], ...]]:
    """The known tokens by their first two signs: beginning, what follows it, kind."""
    found: dict[str, list[tuple[str, re.Pattern[str], str]]] = {}
    for line in lists.entries("tokens"):
        kind, form = line.split(": ", 1)
        beginning, rest = form.split(" ", 1)
        found.setdefault(beginning[:2], []).append((beginning, re.compile(rest, re.ASCII), kind))
    return {two: tuple(forms) for two, forms in found.items()}


def _known(text: str, start: int, end: int) -> Iterator[Span]:
    """Tokens with a known beginning, wherever a word begins in the run."""
    beginnings = _beginnings()
    for segment in _SEGMENT.finditer(text, start, end):
        at = segment.start()
        for beginning, rest, kind in beginnings.get(text[at : at + 2], ()):
            if text.startswith(beginning, at) and (match := rest.match(text, at + len(beginning))):
                if not is_placeholder(text[at : match.end()]):
                    yield Span(kind, at, match.end())
                break


@cache
def _shapes() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    parts = (line.split(" ", 2) for line in lists.entries("shapes"))
    return tuple((kind.rstrip(":"), mark, re.compile(form, re.ASCII)) for kind, mark, form in parts)


def _marked(run: str, start: int) -> Iterator[Span]:
    for kind, mark, form in _shapes():
        if mark in run:
            for match in form.finditer(run):
                yield Span(kind, start + match.start(), start + match.end())


def _chance(text: str, run: re.Match[str]) -> Iterator[Span]:
    """Strings of no known kind that only chance makes; not in addresses, where ids of documents and films stand."""
    if len(run.group()) < 24 or _is_no_place(text, run):
        return
    done = 0
    for piece in _PIECE.finditer(text, run.start(), run.end()):
        if piece.start() < done:
            continue  # a neighbour of the one before: from there on the row would be walked again
        if is_random(piece.group().strip("-_")) and not is_placeholder(piece.group()):
            start, done = _with_neighbours(text, piece)
            yield Span("unknown-token", start, done)
    for key in _BASE64_KEY.finditer(text, run.start(), run.end()):
        if is_random(key.group()) and not is_placeholder(key.group()):
            yield Span("unknown-token", key.start(), key.end())


def _with_neighbours(text: str, piece: re.Match[str]) -> tuple[int, int]:
    """The piece with the parts that dots join to it, as long as these look like parts of a token too."""
    start, end = piece.span()
    while (before := _PART_BEFORE.search(text, max(0, start - _PART_MAX), start)) and any(map(str.isdigit, before[1])):
        start = before.start(1)
    while (after := _PART_AFTER.match(text, end)) and any(map(str.isdigit, after[1])):
        end = after.end(1)
    return start, end


def _is_no_place(text: str, run: re.Match[str]) -> bool:
    """Whether the run is part of an address, of data written out, of a checksum, or a key that is made to be shown."""
    if _PUBLIC_KEY.match(run.group()):
        return True
    before = text[max(0, run.start() - _LOOK_BACK) : run.start()]
    chunk = "" if not before or before[-1].isspace() else before.split()[-1]
    whole = chunk + run.group()[:_LOOK_BACK]
    return any(mark in whole for mark in ("://", "www.", "base64,", "sha256-", "sha384-", "sha512-"))


def _pem(text: str) -> Iterator[Span]:
    """Private keys between their lines; without the last line, as far as the key's signs go."""
    if "PRIVATE KEY" in text:
        done, is_ended = 0, True
        for begin in _PEM_BEGIN.finditer(text):
            if begin.start() >= done:
                last = _PEM_END.search(text, begin.end()) if is_ended else None
                is_ended = last is not None  # where none follows, none follows the next beginning either
                end = last or _PEM_REST.match(text, begin.end())
                done = end.end() if end else begin.end()
                yield Span("private-key", begin.start(), done)
    if "Private-Lines:" in text:
        yield from (Span("private-key", *match.span(1)) for match in _PUTTY.finditer(text))


def _addresses(text: str) -> Iterator[Span]:
    """The password in ``scheme://name:password@host``; not where a variable or an example stands for it."""
    if "://" not in text:
        return
    for match in _IN_ADDRESS.finditer(text):
        value = match[1]
        if value[0] not in "$<{%[" and not is_placeholder(value) and not is_example(value):
            yield Span("password", *match.span(1))
