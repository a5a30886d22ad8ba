"""AMA-Bench's form: episodes made up by rule, the set's own, and what is measured on both."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks import ama
from benchmarks.ama import CUTS, TYPES, answered, evidence, is_right, made_episode, own_episodes
from benchmarks.cli import main
from reverie.errors import InvalidExport
from tests.benchmarks import toy

EPISODES = [made_episode(f"{seed}", language, 120) for seed in range(15) for language in ("en", "tr")]


def own(**changed: Any) -> dict[str, Any]:
    """An episode of the set's own form; its turns stand in no order."""
    turns = [
        {"turn_idx": 1, "action": "open the drawer", "observation": "A silver spoon lies in it."},
        {"turn_idx": 0, "action": "look", "observation": "You see a drawer."},
    ]
    pairs = [
        {
            "question": "What lay in the drawer at Step 1?",
            "answer": "a silver spoon",
            "question_uuid": "u",
            "type": "A",
        },
        {"question": "Why did step 7 fail?", "answer": "It was locked.", "question_uuid": "v", "type": "B"},
        {"question": "Who?", "answer": "Nobody.", "question_uuid": "w", "type": "E"},
    ]
    return {"episode_id": 3, "task": "Find it.", "trajectory": turns, "qa_pairs": pairs} | changed


@pytest.mark.req("D55")
def test_an_episode_has_twelve_questions_of_four_types() -> None:
    """Each answer follows from all turns, and from its evidence alone."""
    for episode in EPISODES:
        turns = dict(enumerate(episode.turns))
        assert Counter(one.type for one in episode.probes) == dict.fromkeys(TYPES, 3)
        for probe in episode.probes:
            assert is_right(probe.answer, answered(probe, turns, episode.language))
            held = {step: turns[step] for step in probe.steps}
            assert is_right(probe.answer, answered(probe, held, episode.language))
            assert evidence(probe, held) == probe.steps


@pytest.mark.req("D55")
def test_without_its_evidence_a_question_is_not_answered_right() -> None:
    """Of a step, a cause and a count none is right by the other turns; a place may be where it was before."""
    for episode in EPISODES:
        for probe in episode.probes:
            rest = {step: turn for step, turn in enumerate(episode.turns) if step not in probe.steps}
            if probe.type != "C" and probe.steps:
                assert not is_right(probe.answer, answered(probe, rest, episode.language))


@pytest.mark.req("D55")
def test_each_gate_opens_by_the_lever_pulled_before_it() -> None:
    """Shut, pulled, open, in this order, a lever a gate; and a place is never entered from itself."""
    for episode in EPISODES:
        pulls = [turn for turn in episode.turns if turn.verb in ama.PULLING]
        assert [turn.verb for turn in pulls] == [*ama.PULLING] * 3
        assert len({turn.thing for turn in pulls if turn.verb == "pull"}) == 3
        places = [turn.place for turn in episode.turns]
        went = [number for number, turn in enumerate(episode.turns) if turn.verb == "go" and number]
        assert all(places[number] != places[number - 1] for number in went)


@pytest.mark.req("D55")
def test_the_same_name_gives_the_same_episode() -> None:
    """Turns and questions follow from the name, and differ from those of another; a short one is made long enough."""
    assert made_episode("x", "en", 90) == made_episode("x", "en", 90) != made_episode("y", "en", 90)
    assert len(made_episode("x", "tr", 1).turns) == ama.LEAST_TURNS


@pytest.mark.req("D55")
def test_the_sets_own_episodes_are_read(tmp_path: Path) -> None:
    """Turns in order of their number, steps that a question names as evidence; what is unknown is counted."""
    notes: Counter[str] = Counter()
    (episode,) = own_episodes(toy.write_lines(tmp_path / "o.jsonl", [own()]), notes)
    assert [turn.action for turn in episode.turns] == ["look", "open the drawer"]
    assert [(probe.type, probe.steps) for probe in episode.probes] == [("A", (1,)), ("B", ())]
    assert sorted(notes.values()) == [1, 1]


@pytest.mark.req("D55")
@pytest.mark.parametrize(
    "broken",
    [{"trajectory": [{"action": "a"}]}, {"trajectory": None}, {"qa_pairs": [1]}, {"qa_pairs": [{"type": "A"}]}],
)
def test_what_is_not_of_the_form_is_refused(tmp_path: Path, broken: dict[str, Any]) -> None:
    """The message names the form."""
    path = toy.write_lines(tmp_path / "o.jsonl", [own(**broken)])
    with pytest.raises(InvalidExport, match="AMA-Bench's form"):
        list(own_episodes(path, Counter()))


def ask(folder: Path, *more: str) -> tuple[int, dict[str, Any]]:
    """Two short episodes by BM25."""
    out = folder / "out.json"
    given = ["ama", "--out", str(out), "--episodes", "2", "--turns", "60", "--systems", "bm25", *more]
    code = main(given)
    return code, json.loads(out.read_text()) if out.exists() else {}


@pytest.mark.req("D55")
def test_where_the_set_is_absent_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was made up is measured; the rest is skipped on screen and in the result file."""
    monkeypatch.setenv("REVERIE_BENCH_DATA", str(tmp_path))
    code, content = ask(tmp_path)
    assert code == 0
    assert "SKIPPED" in capsys.readouterr().err
    assert len(content["skipped"]) == 1
    assert {row["set"] for row in content["rows"]} == {"ama-made"}
    assert {row["category"] for row in content["rows"]} == {"all", *TYPES.values()}
    assert {row["metric"] for row in content["rows"]} == {"fraction", "all", "right"}
    assert {row["at"] for row in content["rows"]} == set(CUTS)
    assert all(0.0 <= row["low"] <= row["value"] <= row["high"] <= 1.0 for row in content["rows"])


@pytest.mark.req("D55")
def test_where_the_set_is_there_it_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found among the public sets' files, or named: the step that a question names, and the answer's words."""
    toy.write_all(tmp_path)
    path = toy.write_lines(tmp_path / "z.jsonl", [own(), own(episode_id=4)])
    monkeypatch.setenv("REVERIE_BENCH_DATA", str(tmp_path))
    _, content = ask(tmp_path)
    assert content["skipped"] == []
    words = [
        row for row in content["rows"] if (row["set"], row["metric"], row["category"]) == ("ama", "words", "recall")
    ]
    assert words[0]["value"] == 1.0
    assert ask(tmp_path, "--data", str(path), "--limit", "1")[1]["counts"]["questions of no known type (left out)"] == 1
    assert ask(tmp_path, "--data", str(tmp_path / "nothing.jsonl"))[0] == 1
