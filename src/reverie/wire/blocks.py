"""The block of memories that a host puts into its prompt: annotated, dated, fenced, and within a budget of tokens.

Shared by the faces that speak for a program rather than answer it: the hook of coding agents, and the proxy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reverie.formulas.text_statistics import estimated_tokens
from reverie.recall.annotations import Annotation, labels
from reverie.screen.fences import fence, labelled, one_line
from reverie.screen.injection import addresses_model
from reverie.types import Kind, Memory, Role

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
