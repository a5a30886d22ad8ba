"""What of a message says something of its speaker: its facts without questions, suppositions, stories and quotations.

In: a text. Out: its facts, in order, each a sentence by itself. The frames are data/not-own.*.
"""

from __future__ import annotations

from reverie.language import patterns
from reverie.language.letters import compose
from reverie.language.sentences import is_question, sentences
from reverie.language.splitting import atomic


def own_facts(text: str) -> tuple[str, ...]:
    """The facts of a text that are neither asked, supposed, invented, quoted nor handed in to be worked on."""
    facts: list[str] = []
    for sentence in sentences(compose(text)):
        if not patterns.found("not-own", sentence):
            facts += [fact for fact in atomic(sentence) if not is_question(fact)]
        elif sentence.endswith(":"):  # what follows is what is to be translated
            break
    return tuple(facts)
