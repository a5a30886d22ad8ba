import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from reverie.faces.agent_zero import enhance, maintain
from tests.faces.agent_zero.conftest import NOW, LoopData, Place


@pytest.mark.req("A13", "A14")
@pytest.mark.parametrize("hook", [enhance, maintain])
def test_a_fault_is_one_line_and_no_exception(place: Place, monkeypatch: pytest.MonkeyPatch, hook: Any) -> None:
    """Whatever breaks: the loop goes on, the log has one line with the prefix, and no word of the user's in it."""
    secret = "{secret} %s words {0}"

    def broken() -> Any:
        raise KeyError(secret)

    monkeypatch.setattr(place.store, "get_all_docs", broken)
    place.run(hook(place.agent, LoopData(secret)))
    prefix = "[MEM-ENHANCE]" if hook is enhance else "[MEM-MAINT]"
    assert place.agent.lines == [("warning", f"{prefix} skipped: KeyError")]


@pytest.mark.req("A13")
@pytest.mark.parametrize("hook", [enhance, maintain])
def test_nothing_at_all_is_no_exception_either(hook: Any) -> None:
    """No agent of any use, no data of the loop."""
    asyncio.run(hook(SimpleNamespace(), None))
    asyncio.run(hook(None, None))


def test_the_time_may_be_handed_in(place: Place) -> None:
    """The same moment gives the same counts; without one the machine's clock is asked."""
    doc = place.add("m", "helix", [1.0])
    place.run(enhance(place.agent, place.ask("editor", [1.0]), NOW))
    assert doc.metadata["lineage"]["last_accessed"] == NOW.isoformat()
    place.run(enhance(place.agent, place.ask("editor", [1.0])))
    assert doc.metadata["lineage"]["last_accessed"] > NOW.isoformat()


def test_a_killed_agent_is_killed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancellation is the host's own business and goes through."""

    async def never(texts: list[str]) -> Any:
        await asyncio.sleep(60)

    place.add("m", "helix", [1.0])
    monkeypatch.setattr(place.model, "aembed_documents", never)

    async def turn() -> None:
        task = asyncio.get_running_loop().create_task(enhance(place.agent, place.ask("editor", [1.0])))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(turn())
