"""One table, LanceDB's library for Node at one end and Reverie at the other: each reads what the other wrote.

Runs where ``REVERIE_LANCEDB_JS`` names a folder with the library installed (``make hosts-openclaw-table``).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from reverie import Reverie
from reverie.engine.runtime import FixedClock, RandomIds
from tests.stores.lance.making import HOME, WHY_NOT, TextModel, formed, name, row, vector_of
from tests.stores.making import MODEL, START

pytest.importorskip("lancedb", reason=WHY_NOT)
LIBRARY = os.environ.get("REVERIE_LANCEDB_JS", "")
pytestmark = [
    pytest.mark.req("C8"),
    pytest.mark.skipif(not LIBRARY, reason="REVERIE_LANCEDB_JS names no folder: `make hosts-openclaw-table` sets it"),
]
SCRIPT = Path(__file__).with_name("table.mjs")


class Node:
    """A process of Node's that holds the table open, as the plugin does."""

    def __init__(self) -> None:
        node = shutil.which("node")
        assert node is not None, "the round trip needs Node"
        self._process = subprocess.Popen([node, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what: str, **given: object) -> Any:
        """The answer, whatever it is; a RuntimeError where the library refused."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": what, **given}), file=self._process.stdin, flush=True)
        told = json.loads(self._process.stdout.readline())
        if "error" in told:
            raise RuntimeError(told["error"])
        return told["answer"]

    def texts(self) -> list[str]:
        """What it reads, sorted."""
        return sorted(one["text"] for one in self.ask("rows"))

    def store(self, *rows: Mapping[str, object]) -> None:
        """Append rows, one by one."""
        self.ask("store", rows=list(rows))

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


@pytest.fixture
def node() -> Iterator[Node]:
    """The plugin's end."""
    node = Node()
    yield node
    node.close()


def made(node: Node, folder: Path, rows: Sequence[Mapping[str, object]], *, agents: bool = True) -> None:
    """A table of the library's own, with rows."""
    told = node.ask("make", folder=str(folder), dims=MODEL.dims, agents=agents)
    assert [field for field, _, _ in told] == list(row(1))[: 7 if agents else 6]
    node.store(*rows)


def opened(folder: Path) -> Reverie:
    """Reverie's end."""
    clock, ids = FixedClock(START), RandomIds(1)
    return Reverie.open(f"lance:{folder}", home=HOME, embedder=TextModel(), background=False, clock=clock, ids=ids)


def plain(number: int, text: str, *, agents: bool = True) -> dict[str, object]:
    """A row as the plugin writes it."""
    whole = row(number, text)
    return whole if agents else {key: value for key, value in whole.items() if key != "agentId"}


@pytest.mark.parametrize("agents", [True, False], ids=["now", "older"])
def test_what_node_made_is_recalled_changed_and_read_back(node: Node, tmp_path: Path, agents: bool) -> None:
    """Both forms of the table: recalled, changed and added to here, read back, appended and deleted there, followed."""
    folder = tmp_path / "lancedb"
    made(
        node,
        folder,
        [plain(n, text, agents=agents) for n, text in enumerate(("I like tea", "Rain at noon"))],
        agents=agents,
    )
    with opened(folder) as memory:
        assert memory.recall("What do I like?", HOME).hits[0].memory.id == name(0)
        fact = formed(memory, "I prefer dark mode in every editor.")
        memory.admin.amend(name(1), HOME, importance=0.9)
        assert node.ask("open", folder=str(folder)) == 3
        found = {one["id"]: one for one in node.ask("rows")}
        assert found[name(1)]["importance"] == 0.9
        assert found[name(1)]["vector"] == pytest.approx(vector_of("Rain at noon").tolist())
        asked = {"vector": vector_of(fact.text).tolist(), "limit": 1}
        (best,) = node.ask("search", **asked, agent=HOME.agent if agents else "")
        assert best["text"] == fact.text
        assert best["score"] > 0.99
        node.store(plain(5, "The plugin does not know the new columns", agents=agents))
        assert memory.memory(name(5), HOME).text == "The plugin does not know the new columns"
        assert memory.admin.missing() == 0
        node.ask("forget", id=name(0))
        assert memory.memory(name(0), HOME).valid_until == START
        memory.forget(name(5), HOME)
        assert node.ask("open", folder=str(folder)) == 2
        assert memory.admin.verify() == memory.admin.doctor() == []


def test_a_table_held_open_sees_us_after_its_own_next_write(node: Node, tmp_path: Path) -> None:
    """The library looks at one version until it writes or opens anew: nothing is lost by it on either side."""
    folder = tmp_path / "lancedb"
    made(node, folder, [plain(1, "I like tea")])
    with opened(folder) as memory:
        fact = formed(memory, "I prefer dark mode in every editor.")
        assert node.texts() == ["I like tea"]
        node.store(plain(2, "Rain at noon"))
        assert node.texts() == sorted([fact.text, "I like tea", "Rain at noon"])


def test_an_erasure_is_felt_by_a_table_held_open(node: Node, tmp_path: Path) -> None:
    """No version keeps the words: who looks at an old one is refused, and sees the rest when it opens anew."""
    folder = tmp_path / "lancedb"
    made(node, folder, [plain(1, "zanzibar is the word"), plain(2, "Rain at noon")])
    with opened(folder) as memory:
        memory.admin.erase(name(1), HOME, why="asked to")
        with pytest.raises(RuntimeError):
            node.ask("rows")
        assert node.ask("open", folder=str(folder)) == 1
        assert node.texts() == ["Rain at noon"]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path for path in files if b"zanzibar" in path.read_bytes()]


def test_both_write_at_once_and_nothing_is_lost(node: Node, tmp_path: Path) -> None:
    """Node appends while Reverie adds, changes and lets go: every row is there once, every memory on both sides."""
    folder = tmp_path / "lancedb"
    made(node, folder, [plain(n, f"row {n}") for n in range(4)])
    with opened(folder) as memory:
        plugin = Thread(target=lambda: node.store(*(plain(100 + n, f"the plugin's row {n}") for n in range(20))))
        plugin.start()
        for number in range(10):
            formed(memory, f"I prefer number {number} of the {number * 7}th kind of tea.")
            memory.admin.amend(name(1), HOME, importance=0.5 + number / 100)
        memory.forget(name(2), HOME)
        plugin.join()
        memory.recall("tea", HOME)
        assert node.ask("open", folder=str(folder)) == 3 + 20 + 10
        held = [one.text for one in memory.timeline(HOME) if one.kind.value != "episode" and one.valid_until is None]
        assert sorted(held) == node.texts()
        assert memory.admin.verify() == memory.admin.doctor() == []


def test_any_text_goes_both_ways(node: Node, tmp_path: Path) -> None:
    """Turkish, emoji, NUL and a megabyte, from there to here and back."""
    folder = tmp_path / "lancedb"
    texts = ["İstanbul'da ığdır çayı 😀", "a\x00b", "\u202eright to left", "x" * 1_000_000]
    made(node, folder, [plain(n, text) for n, text in enumerate(texts)])
    with opened(folder) as memory:
        assert [memory.memory(name(n), HOME).text for n in range(4)] == texts
        for number, text in enumerate(texts):
            memory.correct(name(number), f"{text}, said again", HOME)
    node.ask("open", folder=str(folder))
    assert node.texts() == sorted(f"{text}, said again" for text in texts)
