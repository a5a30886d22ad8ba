"""What a model said is found again by the very texts it was said of."""

from __future__ import annotations

from reverie.encode.gate import NO_ADVICE, Advice
from reverie.ports import Bond
from reverie.types import RelationKind


def test_advice_holds_for_its_texts_alone() -> None:
    """Where the store has moved on meanwhile there is none."""
    bonds = (Bond(0, RelationKind.CAUSES, True, 0.9),)
    advice = Advice({("old", "new"): "both"}, {("new", ("old",)): bonds})
    assert (advice.merged("old", "new"), advice.related("new", ["old"])) == ("both", bonds)
    assert (advice.merged("older", "new"), advice.related("new", ["old", "other"])) == (None, None)
    assert (NO_ADVICE.merged("old", "new"), NO_ADVICE.related("new", ["old"])) == (None, None)
