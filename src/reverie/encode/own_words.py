"""What of a message says something of its speaker: its statements without questions, suppositions, stories, quotations.

In: a text. Out: its statements, in order, each a sentence by itself. The frames are data/statement.*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from reverie.language import patterns
from reverie.language.letters import compose
from reverie.language.sentences import is_question, sentences


class Own(NamedTuple):
    """A fact, the statement it was said in (itself, where that was not cut), and the fact that is its cause or ""."""

    text: str
    said: str
    because: str = ""


class Read(NamedTuple):
    """A message as it is understood, and its facts that are neither asked, supposed, invented, quoted nor handed in."""

    text: str
    facts: tuple[Own, ...]


Reader: TypeAlias = Callable[[str, Sequence[str]], Read]
"""From a message, and what was said before it in its session (the latest last), to what it states."""


def own_words(text: str, _before: Sequence[str] = ()) -> Read:
    """A message as it stands: a fact is a sentence."""
    return Read(text, tuple(Own(said, said) for said in own_sentences(text) if said))


def own_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that state something of its speaker's own; "" for each that does not."""
    for sentence in sentences(compose(text)):
        is_own = not (is_question(sentence) or patterns.found("statement/not-own", sentence))
        yield sentence if is_own else ""
        if not is_own and sentence.endswith(":"):  # what follows is what is to be translated
            return
