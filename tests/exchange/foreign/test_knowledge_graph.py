"""The reference MCP memory server's graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reverie.types import RelationKind
from tests.exchange.foreign.made import as_json, brought

DEFNE = {"name": "Defne", "entityType": "person", "observations": ["Speaks Turkish", "Allergic to walnuts"]}
CAFE = {"name": "Harbour Café", "entityType": "place", "observations": ["Opens at seven"]}
WORKS = {"from": "Defne", "to": "Harbour Café", "relationType": "works_at"}


def lines(path: Path, *records: object) -> Path:
    """A file as the server writes it."""
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("shape", ["lines", "whole"])
def test_observations_and_relations_become_memories_and_an_edge(shape: str, tmp_path: Path) -> None:
    """In the server's file, and in what read_graph answers; relations may even come first."""
    if shape == "lines":
        entities = [{"type": "entity", **one} for one in (DEFNE, CAFE)]
        path = lines(tmp_path / "memory.json", {"type": "relation", **WORKS}, *entities)
    else:
        path = as_json(tmp_path / "graph.json", {"entities": [DEFNE, CAFE], "relations": [WORKS]})
    messages, links, _, skipped = brought(path)
    assert sorted(one.text for one in messages) == [
        "Defne (person): Allergic to walnuts",
        "Defne (person): Speaks Turkish",
        "Defne works_at Harbour Café",
        "Harbour Café (place): Opens at seven",
    ]
    ids = {one.text: one.message_id for one in messages}
    assert [(one.source, one.target, one.kind, one.name) for one in links] == [
        (
            ids["Defne (person): Speaks Turkish"],
            ids["Harbour Café (place): Opens at seven"],
            RelationKind.RELATED_TO,
            "works_at",
        )
    ]
    assert {one.session for one in messages} == {"memory-server/Defne", "memory-server/Harbour Café"}
    assert skipped == []


def test_a_name_of_which_nothing_is_known_is_still_kept(tmp_path: Path) -> None:
    """Its kind is all that is said of it."""
    messages, *_ = brought(lines(tmp_path / "m", {"type": "entity", **CAFE, "observations": []}))
    assert [one.text for one in messages] == ["Harbour Café (place)"]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({"type": "entity", "name": "", "observations": []}, "name is missing"),
        ({"type": "entity", "name": ["x"], "observations": []}, "name is a list"),
        ({"type": "entity", "name": "x", "observations": "text"}, "observations is text"),
        ({"type": "entity", "name": "x", "observations": ["fine", 7]}, "a number"),
        ({"type": "relation", "from": "Defne", "relationType": "knows"}, "to is missing"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_is_kept(broken: dict[str, object], why: str, tmp_path: Path) -> None:
    """With its line number."""
    path = lines(tmp_path / "m", {"type": "entity", **DEFNE}, broken, {"type": "entity", **CAFE})
    messages, _, _, skipped = brought(path)
    assert {"Defne (person): Speaks Turkish", "Harbour Café (place): Opens at seven"} <= {one.text for one in messages}
    assert [one.where[:6] for one in skipped if one.broken] == ["line 2"]
    assert why in skipped[0].detail


def test_a_line_that_is_cut_off_costs_itself_alone(tmp_path: Path) -> None:
    """As after a crash of the server."""
    path = lines(tmp_path / "m", {"type": "entity", **DEFNE})
    path.write_text(path.read_text(encoding="utf-8") + '\n{"type":"entity","na', encoding="utf-8")
    messages, _, _, skipped = brought(path)
    assert len(messages) == 2
    assert [one.reason for one in skipped] == ["line that is not JSON"]


def test_a_relation_to_a_name_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Its sentence is kept; the edge has no end."""
    messages, links, _, skipped = brought(
        lines(tmp_path / "m", {"type": "entity", **DEFNE}, {"type": "relation", **WORKS})
    )
    assert "Defne works_at Harbour Café" in {one.text for one in messages}
    assert links == []
    assert [one.detail for one in skipped] == ["Defne → Harbour Café"]
