"""Whatever is missing, broken or closed: the agent's loop goes on, and its log says so in one line (A13)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.agent_zero.houses import House, Turn

TOLD = "The user prefers the helix editor"
CONFIG = "classification_config.json"
LOG = "co_retrieval_log.json"
GARBAGE = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'"text"',
    b"\xff\xfe\x00\x01",
    b'{"entries": 3}',
    b'{"query_expansion": 7}',
]


def went_on(turn: Turn) -> None:
    """The hook ended, the extensions after ours ran, and ours said at most one thing."""
    assert turn.error == ""
    assert "current_datetime" in turn.extras
    assert len(turn.ours) <= 1


def whole_turn(house: House, message: str = TOLD) -> Turn:
    """A turn and the end of its monologue, neither of which may break."""
    turn = house.turn(message)
    went_on(turn)
    end = house.end()
    assert end.error == ""
    return turn


def furnished(house: House) -> str:
    house.configure(maintenance_interval_loops=1)
    house.start()
    return house.add(TOLD)


@pytest.mark.req("A13")
def test_without_a_configuration_it_goes_on(house: House) -> None:
    """Every documented component is skipped; the memories are found as they are."""
    (house.memory / CONFIG).unlink()
    house.start()
    one = house.add(TOLD)
    turn = whole_turn(house)
    assert house.injected(turn) == [one]
    assert len([text for text in turn.embedded if not text.startswith("user: {")]) == 1


@pytest.mark.req("A13")
@pytest.mark.parametrize("garbage", GARBAGE)
def test_a_broken_configuration_is_passed_over(house: House, garbage: bytes) -> None:
    """It is left as it is, for its owner to mend."""
    (house.memory / CONFIG).write_bytes(garbage)
    house.start()
    one = house.add(TOLD)
    assert house.injected(whole_turn(house)) == [one]
    assert (house.memory / CONFIG).read_bytes() == garbage


WRONG = [
    {"query_expansion": {"retrieval_k_per_variant": "many", "max_keywords": -4}},
    {"query_expansion": {"retrieval_k_per_variant": 10**30}},
    {"temporal_decay": {"half_life_hours": 0, "decay_weight": "heavy", "exempt_utilities": "load_bearing"}},
    {"temporal_decay": {"half_life_hours": -1, "min_recency_score": None}},
    {"related_memories": {"related_boost": [], "max_related_per_memory": -1, "tag_overlap_threshold": None}},
    {"deduplication": {"similarity_threshold": "0.9", "max_pairs_per_cycle": None}},
    {"deduplication": []},
    {"maintenance_interval_loops": 0},
    {"maintenance_interval_loops": "often", "archival_threshold_cycles": None},
    {"max_injected_memories": "all"},
    {"engine": 5},
]


@pytest.mark.req("A13")
@pytest.mark.parametrize("wrong", WRONG, ids=json.dumps)
def test_values_of_the_wrong_kind_are_passed_over(house: House, wrong: dict[str, object]) -> None:
    """What they name works by its default, the rest as it is set."""
    held = json.loads((house.memory / CONFIG).read_text(encoding="utf-8"))
    (house.memory / CONFIG).write_text(json.dumps(held | wrong), encoding="utf-8")
    house.start()
    one = house.add(TOLD)
    assert house.injected(whole_turn(house)) == [one]


@pytest.mark.req("A13", "A6")
@pytest.mark.parametrize("garbage", [*GARBAGE, b'{"memory": 5}', b'{"memory": {"max_injected": "x"}}'])
def test_a_broken_profile_is_passed_over(house: House, garbage: bytes) -> None:
    """What it would have set is as without a profile."""
    folder = house.root / "usr" / "model_profiles"
    folder.mkdir(parents=True)
    (folder / "default.json").write_bytes(garbage)
    house.start()
    one = house.add(TOLD)
    assert house.injected(whole_turn(house)) == [one]


@pytest.mark.req("A13", "A8")
@pytest.mark.parametrize("garbage", [*GARBAGE, b'{"max_entries": 500, "entries": [{"timestamp": "2026'])
def test_a_broken_log_of_retrievals_is_passed_over(house: House, garbage: bytes) -> None:
    """Memories are found as ever, and it is never worse than unreadable: nothing is lost by us."""
    (house.memory / LOG).write_bytes(garbage)
    one = furnished(house)
    assert house.injected(whole_turn(house)) == [one]


@pytest.mark.req("A13")
@pytest.mark.parametrize("garbage", GARBAGE)
def test_a_broken_sidecar_of_our_own_is_passed_over(house: House, garbage: bytes) -> None:
    """Counting begins with what the documents say."""
    one = furnished(house)
    whole_turn(house)
    house.stop()
    (house.memory / "default" / "reverie.json").write_bytes(garbage)
    house.start()
    assert house.injected(whole_turn(house)) == [one]
    assert house.lineage(one)["access_count"] >= 1


@pytest.mark.req("A13")
@pytest.mark.parametrize("name", [LOG, f"{LOG}.lock", f"{LOG}.new", CONFIG, "default/reverie.json"])
def test_a_folder_where_a_file_should_be_is_passed_over(house: House, name: str) -> None:
    """Whatever cannot be opened for whatever reason."""
    path = house.memory / name
    path.unlink(missing_ok=True)
    (path / "inside").mkdir(parents=True)
    house.start()
    one = house.add(TOLD)
    assert house.injected(whole_turn(house)) == [one]


@pytest.mark.req("A13")
def test_a_folder_that_cannot_be_written_is_passed_over(house: House) -> None:
    """Memories are found and told; what could not be kept is one line."""
    one = furnished(house)
    house.close_memory()
    for _ in range(2):
        assert house.injected(whole_turn(house)) == [one]


BREAKS = [["get_all_docs"], ["embed"], ["save_local"], ["get_all_docs", "embed", "save_local"]]


@pytest.mark.req("A13")
@pytest.mark.parametrize("broken", BREAKS, ids="+".join)
def test_a_store_that_fails_does_not_stop_the_loop(house: House, broken: list[str]) -> None:
    """Neither in the turn nor at the monologue's end; and when it works again, so do we."""
    house.set(memory_recall_enabled=False)  # its own task would raise, and does so without us
    one = furnished(house)
    house.ask("fail", broken)
    for _ in range(2):
        whole_turn(house)
    house.ask("fail", [])
    assert house.injected(whole_turn(house)) == [one]


@pytest.mark.req("A13")
def test_the_stocks_memories_stay_where_ours_cannot_be_had(house: House) -> None:
    """A store that cannot be listed leaves the prompt as Agent Zero made it."""
    house.set(memory_recall_similarity_threshold=0.5)
    furnished(house)
    house.ask("fail", ["get_all_docs"])
    turn = house.turn(TOLD)
    went_on(turn)
    assert TOLD in turn.extras["memories"]


@pytest.mark.req("A13")
def test_a_fault_of_our_own_is_one_line(house: House) -> None:
    """The known way to be wrong is to be wrong inside: the loop does not notice, the log does."""
    furnished(house)
    house.ask("sabotage", "reverie.faces.agent_zero.hooks.now")
    turn = house.turn(TOLD)
    went_on(turn)
    assert len(turn.ours) == 1
    assert "warning" in turn.ours[0]
    assert TOLD not in turn.ours[0]
    before = len(house.ask("log"))
    assert house.end().error == ""
    assert len([line for line in house.ask("log")[before:] if "[MEM-MAINT]" in line]) <= 1


@pytest.mark.req("A13")
def test_without_reverie_in_its_python_it_goes_on(house: House) -> None:
    """The two files stay behind when the package goes: one line an agent, and nothing else."""
    house.start()
    house.ask("hide", "reverie")
    house.add(TOLD)
    lines = [line for _ in range(3) for line in whole_turn(house).ours]
    assert len(lines) <= 1


@pytest.mark.req("A13", "A7")
def test_a_memory_that_goes_in_the_middle_of_a_turn_is_no_fault(house: House) -> None:
    """Somebody deletes it while the stock recall is waited for: the others are told and counted."""
    house.profile(max_injected=3, similarity_threshold=0.0)
    house.extend(
        "message_loop_prompts_after",
        "_51_forgets.py",
        "import asyncio\n"
        "async def forget():\n"
        "    await asyncio.sleep(0.01)\n"
        "    memory = await Memory.get(self.agent)\n"
        "    gone = [key for key, one in memory.db.get_all_docs().items() if 'goes' in one.page_content]\n"
        "    await memory.delete_documents_by_ids(gone)\n"
        "self.agent.forgetting = asyncio.create_task(forget())",
    )
    house.start()
    house.ask("slow", {"user: ": 0.3})
    one = house.add(TOLD)
    house.add(f"{TOLD}, and this goes")
    turn = whole_turn(house)
    assert not any("skipped" in line for line in turn.ours)
    assert house.lineage(one)["access_count"] == 1


@pytest.mark.req("A14")
@pytest.mark.parametrize("store", ["", "made/on/purpose/beside.db"])
def test_the_whole_engine_beside_it_leaves_the_loop_alone(house: House, store: str) -> None:
    """With ``engine: reverie``: a block from the engine's own store, nothing of Agent Zero's lost."""
    where = str(house.root / store) if store else ""
    house.configure(engine="reverie", reverie={"store": where, "embedder": "none"}, maintenance_interval_loops=1)
    house.start()
    one = house.add(TOLD)
    for _ in range(3):
        whole_turn(house)
    turn = whole_turn(house, "Which editor does the user prefer?")
    assert "helix" in turn.extras["memories"]
    assert house.docs()[one]["text"] == TOLD
    house.restart()
    assert "helix" in whole_turn(house, "Which editor does the user prefer?").extras["memories"]


@pytest.mark.req("A13")
def test_an_engine_that_cannot_be_opened_leaves_the_loop_alone(house: House) -> None:
    """Its store is a folder, or no store: one line a turn."""
    (house.root / "usr" / "not-a-store.db").write_bytes(b"not a store at all" * 400)
    house.configure(engine="reverie", reverie={"store": str(house.root / "usr" / "not-a-store.db"), "embedder": "none"})
    furnished(house)
    for _ in range(2):
        whole_turn(house)


MESSAGES: dict[str, object] = {
    "none": None,
    "empty": {"user_message": ""},
    "blank": {"user_message": "  \n\t "},
    "attachments alone": {"attachments": ["x.png"]},
    "a string": TOLD,
    "a list": [{"user_message": TOLD}, {"user_message": "and another"}],
    "nested": [[{"user_message": TOLD}], "text"],
    "raw": {"raw_content": [{"type": "image_url"}], "preview": "image"},
    "a number": 7,
    "strange letters": {"user_message": "x\x00y \ud800 \U0001f600 مرحبا"},
    "long": {"user_message": "word " * 40_000},
}


@pytest.mark.req("A13")
@pytest.mark.parametrize("form", MESSAGES)
def test_any_form_of_message_will_do(house: House, form: str) -> None:
    """None, empty, merged, huge, or nothing that one can read."""
    house.set(memory_recall_enabled=False)  # the stock recall is not what is asked here
    furnished(house)
    went_on(house.turn(content=MESSAGES[form]))
    assert house.end().error == ""


SPOILT: dict[str, dict[str, object]] = {
    "lineage is text": {"lineage": "old"},
    "lineage is a list": {"lineage": []},
    "a count in words": {"lineage": {"access_count": "three", "last_accessed": "yesterday"}},
    "a negative count": {"lineage": {"access_count": -3, "created_at": "9999-99-99"}},
    "a count without end": {"lineage": {"access_count": float("inf")}},
    "a future": {"lineage": {"last_accessed": "2999-01-01T00:00:00+00:00", "access_count": 1}},
    "classification is a list": {"classification": ["load_bearing"]},
    "classification of numbers": {"classification": {"validity": 3, "utility": None, "source": {}}},
    "links to itself and nowhere": {"lineage": {"related_memory_ids": ["nowhere", 7, None]}},
    "links is a number": {"lineage": {"related_memory_ids": 7}},
    "no timestamp": {"timestamp": None, "area": None},
    "another id": {"id": 12},
}


@pytest.mark.req("A13", "A15")
@pytest.mark.parametrize("form", SPOILT)
def test_any_metadata_will_do(house: House, form: str) -> None:
    """What others wrote into a document neither stops the loop nor hides the document."""
    one = furnished(house)
    house.amend(one, **SPOILT[form])
    assert house.injected(whole_turn(house)) == [one]
    assert house.injected(whole_turn(house)) == [one]


@pytest.mark.req("A13")
@pytest.mark.parametrize("component", ["query_expansion", "temporal_decay", "related_memories", "deduplication"])
@pytest.mark.parametrize("how", ["false", "missing", "disabled"])
def test_each_component_can_be_left_out(house: House, component: str, how: str) -> None:
    """A missing or false section, or one that is not enabled: the others work."""
    path = house.memory / CONFIG
    held = json.loads(path.read_text(encoding="utf-8"))
    change: dict[str, Callable[[], object]] = {
        "false": lambda: held.update({component: False}),
        "missing": lambda: held.pop(component),
        "disabled": lambda: held[component].update(enabled=False),
    }
    change[how]()
    path.write_text(json.dumps(held), encoding="utf-8")
    one = furnished(house)
    turn = whole_turn(house)
    assert house.injected(turn) == [one]
    assert not any("warning" in line for line in turn.ours)


@pytest.mark.req("A13", "A14")
def test_memory_that_its_owner_switched_off_stays_off(house: House) -> None:
    """From 1.0 on memory is a plugin that can be switched off: then nothing is injected, counted or maintained."""
    if house.kind.is_old:
        pytest.skip("before 1.0 memory is no plugin")
    house.configure(maintenance_interval_loops=1)
    house.start()
    one = house.add("The user prefers the helix editor")
    house.stop()
    folder = house.root / "usr" / "plugins" / "_memory"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".toggle-0").touch()
    house.start()
    turn = house.turn("The user prefers the helix editor")
    assert (turn.ours, turn.error, house.end().ours) == ([], "", [])
    assert "reverie:begin" not in turn.extras.get("memories", "")
    house.stop()
    (folder / ".toggle-0").unlink()
    house.start()
    assert house.injected(house.turn("The user prefers the helix editor")) == [one]
