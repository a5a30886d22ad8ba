"""Of whom a statement speaks, apart from its speaker: pronouns, and relations with what tells them apart.

In: the words of a statement. Out: the people: "he", "old sister".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import takewhile

from reverie.language import lists
from reverie.language.contradiction_values import Token
from reverie.language.contradiction_words import grammar
from reverie.language.letters import plain

_DESCRIBED_MAX = 4
"""So many words before a relation may tell which one it is."""
_AT_PLACE_TR = re.compile(r"['’][dt][ae]n?\Z")


def people(tokens: Sequence[Token], language: str) -> frozenset[str]:
    """Of whom the words speak, apart from the speaker: pronouns, and relations with what tells them apart."""
    known = _relations()
    return frozenset(
        " ".join((*_which(tokens, place), known[token.plain]))
        for place, token in enumerate(tokens)
        if token.plain in known and not (language == "tr" and token.plain == "son")  # son tarih is the deadline
    )


def _which(tokens: Sequence[Token], place: int) -> list[str]:
    """What tells which one a relation is: my *older* sister, the cousin *in Oslo*, *üst kattaki* komşum."""
    if tokens[place].plain in grammar("people pronouns"):
        return []
    before = takewhile(_is_describing, reversed(tokens[max(0, place - _DESCRIBED_MAX) : place]))
    found = [token.term or token.plain for token in before]
    behind = [token.plain for token in tokens[place + 1 : place + 2]]
    if not grammar("behind people").isdisjoint(behind):
        found += [token.term or token.plain for token in tokens[place + 1 : place + 4] if token.term][:1] or behind
    return sorted(found)


def _is_describing(token: Token) -> bool:
    """Whether a word before a relation may tell which: none is an article, nor a place where something is."""
    return bool(token.term or token.plain in grammar("fresh")) and not _AT_PLACE_TR.search(plain(token.raw))


@cache
def _relations() -> Mapping[str, str]:
    table = lists.table("contradiction-relations")
    return {form: who for who, forms in table.items() for form in forms}
