"""What is asked: a haystack's own questions, and its answerable ones again of stores without their evidence.

In: a haystack. Out: batches, each one store's items and the questions asked of it, with what is known of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.values import Haystack, Question


class Kind(StrEnum):
    """Whether a question can be answered of the store it is asked of, and if not, why."""

    ANSWERABLE = "answerable"
    REMOVED = "evidence removed"
    ADVERSARIAL = "adversarial"
    ABSTENTION = "abstention"


@dataclass(frozen=True, slots=True)
class Batch:
    """A store to build, and what is asked of it: the haystack's questions, each with its kind."""

    haystack: Haystack
    kinds: tuple[Kind, ...]


def batches(haystack: Haystack) -> Iterator[Batch]:
    """The whole haystack first, then one without the evidence sessions of each group of questions that share them.

    An answerable question without evidence is left out: nobody knows where its answer stands. So is one whose evidence
    lies in every session: nothing would be left to ask.
    """
    asked = [question for question in haystack.questions if question.labelled or not question.answerable]
    if asked:
        yield Batch(haystack.asking(asked), tuple(map(kind_of, asked)))
    session = {item.id: item.session for item in haystack.items}
    groups: dict[frozenset[str], list[Question]] = {}
    for question in asked:
        if question.answerable:
            holding = question.sessions or [session[gold] for gold in question.gold]
            groups.setdefault(frozenset(holding), []).append(question)
    for gone, questions in groups.items():
        bare = haystack.asking(questions, without=gone)
        if bare.items:
            yield Batch(bare, (Kind.REMOVED,) * len(questions))


def kind_of(question: Question) -> Kind:
    """The kind of a question asked of the whole haystack."""
    if question.answerable:
        return Kind.ANSWERABLE
    return Kind.ADVERSARIAL if question.category == Kind.ADVERSARIAL else Kind.ABSTENTION
