from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reverie import Reverie, Role, Scope
from reverie.screen.fences import strip_fences
from reverie.types import Kind
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("llama_index", "llama-index", "llama_index.core.memory")

from llama_index.core.base.llms.types import ChatMessage, MessageRole  # noqa: E402 - only where it is installed
from llama_index.core.memory import Memory  # noqa: E402 - only where it is installed

pytestmark = pytest.mark.filterwarnings(THEIRS)

FACTS = [
    "My sister Zeynep lives in Izmir.",
    "The spare key hangs behind the boiler.",
    "The printer is out of toner again.",
]
PLACES = [
    "The cellar key hangs behind the boiler.",
    "Zeynep has the key of the garden shed.",
    "We lost the bicycle key at the harbour in May.",
    "A neighbour keeps our front door key for the holidays.",
]


@pytest.fixture
def block(engine: Reverie, scope: Scope) -> Any:
    """A block on each kind of engine."""
    return adapters.ReverieMemoryBlock(engine=engine, scope=scope, session="talk")


def user(text: str) -> Any:
    """A message of the person's."""
    return ChatMessage(role=MessageRole.USER, content=text)


def put(block: Any, *messages: Any, **more: Any) -> None:
    """Hand messages over as LlamaIndex does."""
    asyncio.run(block.aput(list(messages), **more))


def get(block: Any, *messages: Any) -> str:
    """What is injected for these messages."""
    return str(asyncio.run(block.aget(list(messages))))


def test_what_was_put_is_recalled_for_the_last_question(block: Any) -> None:
    """Fenced, and nothing for no question."""
    put(block, *map(user, FACTS))
    shown = get(block, user("What about the printer?"), ChatMessage(role="assistant", content="?"))
    assert "toner" in shown
    assert shown.startswith("[[reverie:begin ")
    assert strip_fences(shown).strip() == ""
    assert get(block) == ""
    assert get(block, ChatMessage(role="assistant", content="printer")) == ""
    assert get(block, user("  ")) == ""
    assert str(asyncio.run(block.aget())) == ""


def test_both_sides_are_kept_with_their_roles(block: Any, engine: Reverie, scope: Scope) -> None:
    """In the session LlamaIndex names, or the block's own; empty messages are none."""
    put(block, user("I drink tea."), ChatMessage(role="assistant", content="Noted."), user(""))
    put(
        block,
        ChatMessage(role="tool", content="3 cups"),
        ChatMessage(role="system", content="Be brief."),
        session_id="other",
    )
    assert [(m.text, m.role) for m in engine.admin.latest("talk", scope)] == [
        ("I drink tea.", Role.USER),
        ("Noted.", Role.ASSISTANT),
    ]
    assert [m.role for m in engine.admin.latest("other", scope)] == [Role.TOOL, Role.SYSTEM]


def test_what_was_injected_is_not_captured(block: Any, engine: Reverie, scope: Scope) -> None:
    """A message that carries a block of ours is kept without it."""
    put(block, user(FACTS[0]))
    shown = get(block, user("Where does my sister Zeynep live?"))
    assert shown
    put(block, user(f"{shown}\nThanks."))
    said = [m.text for m in engine.timeline(scope) if m.kind is Kind.EPISODE]
    assert [text.strip() for text in said] == [FACTS[0], "Thanks."]


def test_a_block_is_cut_to_what_fits(block: Any) -> None:
    """Whole memories go, the least first; the fence stays whole; where none fits there is no block."""
    put(block, *map(user, PLACES))
    shown = asyncio.run(block.aget([user("Which keys do we have, and where?")]))
    assert len(shown.texts) > 1
    shorter = asyncio.run(block.atruncate(shown, 10))
    assert 0 < len(shorter.texts) < len(shown.texts)
    assert shorter.texts == shown.texts[: len(shorter.texts)]
    assert strip_fences(shorter).strip() == ""
    assert asyncio.run(block.atruncate(shown, 10_000)) is None
    assert asyncio.run(block.atruncate("not ours", 1)) is None


def test_scopes_are_apart(block: Any, engine: Reverie) -> None:
    """Another person's block brings nothing of this one's."""
    put(block, *map(user, FACTS))
    other = adapters.ReverieMemoryBlock(engine=engine, scope=Scope("helper", "eve", "home"))
    assert get(other, user("What about the printer?")) == ""


def test_a_real_memory_puts_and_injects(block: Any) -> None:
    """What LlamaIndex's own memory flushes comes back in the messages it hands to a model."""
    memory = Memory.from_defaults(
        session_id="talk", token_limit=60, chat_history_token_ratio=0.5, token_flush_size=10, memory_blocks=[block]
    )

    async def live() -> str:
        for text in [*FACTS, "I will paint the fence on Sunday.", "What about the printer, is it out of toner?"]:
            await memory.aput(user(text))
        told = "\n".join(str(message.content) for message in await memory.aget())
        await memory.sql_store._async_engine.dispose()
        return told

    told = asyncio.run(live())
    assert "[[reverie:begin " in told
    assert "out of toner again" in told


@pytest.mark.parametrize(
    ("no", "yes", "cue"),
    [
        ("I never drink coffee.", "I drink coffee every morning.", "Do I drink coffee?"),
        ("Bryan ile hiç tanışmadım.", "Haziranda Bryan ile tanıştım.", "Bryan ile hiç tanıştım mı?"),
    ],
)
def test_both_sides_of_a_contradiction_say_so(block: Any, no: str, yes: str, cue: str) -> None:
    """Each with the other's number; a shorter block names nobody who is not in it."""
    put(block, user(no), user(yes))
    shown = asyncio.run(block.aget([user(cue)]))
    rows = [line for line in shown.splitlines() if no in line or yes in line]
    assert ["contradicts #" in row for row in rows] == [True, True]
    shorter = asyncio.run(block.atruncate(shown, 1))
    assert len(shorter.texts) == 1
    assert "#2" not in shorter
