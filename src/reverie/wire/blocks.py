"""The block of memories that a host puts into its prompt: annotated, dated, fenced, and within a budget of tokens.

Shared by the faces that speak for a program rather than answer it: the hook of coding agents, the proxy, the adapters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reverie.engine.requests import Question
from reverie.formulas.text_statistics import estimated_tokens
from reverie.recall.annotations import Annotation, labels, notes
from reverie.screen.fences import fence, labelled, one_line, strip_fences
from reverie.screen.injection import addresses_model
from reverie.types import Kind, Memory, Role, Scope

if TYPE_CHECKING:
    from reverie.engine.core import Reverie

SPEAKERS = {Role.USER: "user", Role.ASSISTANT: "assistant"}
"""Under which names both sides of a conversation are kept."""
CUE_CHARS = 2000
"""Most characters of a prompt that recall is asked with (beginning and end), so that a pasted file causes no delay."""


def cue_of(prompt: str) -> str:
    """Return what recall is asked with: the prompt, or its beginning and end if it is long."""
    half = CUE_CHARS // 2
    return prompt if len(prompt) <= CUE_CHARS else f"{prompt[:half]} {prompt[-half:]}"


def within(found: Sequence[Annotation], beside: Sequence[Memory], nonce: str, budget: int) -> Iterable[Annotation]:
    """Yield as many as fit into the budget with the fence (0: no limit). Leaving others out makes no label longer.

    ``beside`` are the memories that recall withheld, which labels may name.
    """
    left = budget - estimated_tokens(fence([""], nonce))
    for one, label in zip(found, labels(found, beside), strict=True):
        left -= estimated_tokens(labelled(line(one), label)) + 1
        if budget and left < 0:
            if one.memory.kind is not Kind.INTENTION:
                return
            left += estimated_tokens(labelled(line(one), label)) + 1  # one long reminder does not silence the rest
            continue
        yield one


def line(one: Annotation) -> str:
    """Return a memory's line with its day and speaker."""
    return f"{one.memory.at:%Y-%m-%d} {one_line(one.memory.speaker)}: {one.text}"


def block(found: Sequence[Annotation], beside: Sequence[Memory], nonce: str) -> str:
    """Return the fenced block; empty for no memories. The same arguments give the same bytes."""
    texts = [line(one) for one in found]
    return fence(texts, nonce, addressed=[addresses_model(text) for text in texts], labels=labels(found, beside))


@dataclass(frozen=True, slots=True)
class RecalledBlock:
    """The block for a prompt, and the ids of the memories in it; both empty if there is nothing to say."""

    text: str = ""
    ids: tuple[str, ...] = ()


def question_of(prompt: str, session: str) -> Question:
    """Return the question that a prompt asks its memory, without the blocks that it quotes."""
    return Question(cue_of(strip_fences(prompt)), session=session, automatic=True)


def recalled_block(
    engine: Reverie,
    question: Question,
    scope: Scope,
    nonce: str,
    budget_tokens: int,
    is_known: Callable[[Memory], bool],
) -> RecalledBlock:
    """Recall for a question and return the block of what was found, with standing instructions first.

    ``budget_tokens``: most tokens of the block, 0 for no limit. ``is_known``: whether the model has a memory before it
    already, so that it is left out. A blank question recalls nothing.
    """
    if not question.text.strip():
        return RecalledBlock()
    answer = engine.recall(question, scope, budget_tokens=budget_tokens or None)
    new = [one for one in notes((*answer.standing, *answer.hits)) if not is_known(one.memory)]
    beside = [hit.memory for hit in answer.withheld]
    items = list(within(new, beside, nonce, budget_tokens))
    return RecalledBlock(block(items, beside, nonce), tuple(one.memory.id for one in items))
