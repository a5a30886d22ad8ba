"""Links between memories that share enough tags, both ways, a few for each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence


def links(
    tags: Sequence[Collection[str]], existing: Sequence[Collection[int]], least_shared: int, limit: int
) -> list[list[int]]:
    """For each memory the memories it is linked to, by index: what was linked stays, the pairs sharing most come first.

    A pair is added only where both have room, so that links always hold both ways.

    Args:
        tags: of each memory.
        existing: links of each memory, both ways.
        least_shared: tags a pair shares at least, ≥ 1.
        limit: links a memory has at most.

    Source: exocortex-memory
    """
    linked = [list(targets) for targets in existing]
    for (one, other), _ in sorted(_shared(tags, least_shared).items(), key=lambda item: (-item[1], item[0])):
        if other not in linked[one] and len(linked[one]) < limit and len(linked[other]) < limit:
            linked[one].append(other)
            linked[other].append(one)
    return linked


def _shared(tags: Sequence[Collection[str]], least: int) -> dict[tuple[int, int], int]:
    bearers: dict[str, list[int]] = defaultdict(list)
    counts: Counter[tuple[int, int]] = Counter()
    for index, own in enumerate(tags):
        for tag in sorted(set(own)):
            counts.update((earlier, index) for earlier in bearers[tag])
            bearers[tag].append(index)
    return {pair: count for pair, count in counts.items() if count >= least}
