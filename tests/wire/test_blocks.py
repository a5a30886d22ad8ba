"""The block that a prompt gets from its memory, for whichever face asks."""

from __future__ import annotations

import pytest

from reverie import Reverie, Scope
from reverie.formulas.text_statistics import estimated_tokens
from reverie.screen.fences import fence
from reverie.wire.blocks import CUE_CHARS, RecalledBlock, question_of, recalled_block

SCOPE = Scope("helper", "ada", "home")


@pytest.fixture
def engine() -> Reverie:
    """A memory with two messages about one thing."""
    memory = Reverie.open(":memory:", embedder=None)
    memory.remember("The spare key hangs behind the boiler.", SCOPE)
    memory.remember("The key of the shed is under the mat.", SCOPE)
    return memory


def test_a_block_holds_what_was_found_and_the_model_does_not_know(engine: Reverie) -> None:
    """The ids are those of the memories in the text; what is known is in neither."""
    question = question_of("Where is the key?", "monday")
    whole = recalled_block(engine, question, SCOPE, "nonce", 0, lambda memory: False)
    assert len(whole.ids) == 2
    assert whole.text.count("The ") == 2
    rest = recalled_block(engine, question, SCOPE, "nonce", 0, lambda memory: "boiler" in memory.text)
    assert [engine.memory(name, SCOPE).text for name in rest.ids] == ["The key of the shed is under the mat."]
    assert "boiler" not in rest.text
    assert recalled_block(engine, question, SCOPE, "nonce", 0, lambda memory: True) == RecalledBlock()
    less = recalled_block(engine, question, SCOPE, "nonce", estimated_tokens(whole.text) - 5, lambda memory: False)
    assert less.ids == whole.ids[:1]


def test_a_prompt_asks_without_the_blocks_that_it_quotes(engine: Reverie) -> None:
    """A quoted block alone asks nothing; a long prompt asks with its beginning and end."""
    quoted = fence(["The spare key hangs behind the boiler."], "other")
    assert question_of(f"{quoted}\nAnd the shed?", "monday").text.strip() == "And the shed?"
    blank = question_of(quoted, "monday")
    assert recalled_block(engine, blank, SCOPE, "nonce", 0, lambda memory: False) == RecalledBlock()
    assert not engine.admin.stats(SCOPE).accesses
    long = question_of("begin " + "x" * 3 * CUE_CHARS + " end", "monday").text
    assert (len(long) <= CUE_CHARS + 1, long[:6], long[-4:]) == (True, "begin ", " end")
