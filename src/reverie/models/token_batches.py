"""Group token sequences so that one pass of a network costs about the same.

In: sequences. Out: groups, with the positions of their members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def token_batches(
    texts: Iterable[Sequence[int]], budget_tokens: int
) -> Iterator[tuple[list[int], list[Sequence[int]]]]:
    """Groups of at most ``budget_tokens`` (one sequence alone may have more), in order; empty sequences are left out.

    Each group is the positions of its sequences in ``texts``, and the sequences.
    """
    numbers: list[int] = []
    group: list[Sequence[int]] = []
    room = budget_tokens
    for number, tokens in enumerate(texts):
        if group and len(tokens) > room:
            yield numbers, group
            numbers, group, room = [], [], budget_tokens
        if tokens:
            numbers.append(number)
            group.append(tokens)
            room -= len(tokens)
    if group:
        yield numbers, group
