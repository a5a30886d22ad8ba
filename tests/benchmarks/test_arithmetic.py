"""``python -m benchmarks.arithmetic``: two arithmetics of one model timed in turns, and their vectors compared."""

from __future__ import annotations

from benchmarks import arithmetic
from reverie.models.hashing import HashEmbedder


def test_half_of_what_is_drawn_is_in_either_language_and_the_same_each_time() -> None:
    """Hundreds of texts of the train part alone, in an order that follows from the seed."""
    messages, cues = arithmetic.drawn(3)
    assert (len(messages), len(cues)) == (arithmetic.MESSAGES, arithmetic.CUES)
    assert (messages, cues) == arithmetic.drawn(3)
    assert messages != arithmetic.drawn(4)[0]


def test_a_model_beside_itself_gives_the_same_vectors_and_order() -> None:
    """Cosines of 1, the ten nearest the same, and a line for each kind of text that is timed."""
    model, (messages, cues) = HashEmbedder(64), arithmetic.drawn(0)
    told = list(arithmetic.compared(model, model, messages, cues))
    assert "400 messages: least 1.000000, mean 1.000000" in told[0]
    assert told[-1] == "of the 10 nearest 100.0% are the same; the first in 100% of 100 cues"
    assert len(list(arithmetic.timed(model, model, messages, 1))) == 3
