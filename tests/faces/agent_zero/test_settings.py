import json
from pathlib import Path
from typing import Any

import pytest

from reverie.faces.agent_zero.settings import load, settings
from reverie.hosts import agent_zero
from reverie.recipes.published.exocortex import DECAY, DREAM, EXPANDING, RELATED

DOCUMENTED = json.loads((Path(agent_zero.__file__).parent / "data" / "agent_zero" / "sections.json").read_text("utf-8"))


def test_the_sections_that_are_installed_are_the_recipe() -> None:
    """The document's values and the recipe's are the same numbers."""
    found = settings(DOCUMENTED)
    how = found.enhancement
    assert (how.expanding, how.each, how.decay, how.related) == (EXPANDING, 8, DECAY, RELATED)
    assert (found.deduplication, found.links, found.company) == (DREAM.deduplication, DREAM.links, DREAM.company)
    assert found.dormancy is not None
    assert found.dormancy.threshold_cycles == 50
    assert (found.interval_loops, found.rebuild_loops, found.most_related, found.max_entries) == (25, 25, 10, 500)
    assert found.complaints == ()


@pytest.mark.req("A13")
@pytest.mark.parametrize("off", [None, False, {"enabled": False}])
def test_a_section_that_is_missing_or_off_is_skipped(off: Any) -> None:
    """The document's four; the components to which it gives no section go on."""
    found = settings({} if off is None else dict.fromkeys(DOCUMENTED, off))
    how = found.enhancement
    assert (how.expanding, how.decay, how.related, found.deduplication, found.links) == (None,) * 5
    assert found.tracking
    assert found.company is not None
    assert found.max_entries == 500
    assert found.complaints == ()


@pytest.mark.req("A13")
def test_every_component_can_be_switched_off() -> None:
    """Also tracking, the log with its clusters, and dormancy."""
    found = settings({name: {"enabled": False} for name in ("access_tracking", "co_retrieval", "dormancy")})
    assert (found.tracking, found.max_entries, found.company, found.dormancy) == (False, None, None, None)


def test_every_key_is_honoured() -> None:
    """What the document names can be set, and what the configuration had before it."""
    found = settings(
        {
            "query_expansion": {"retrieval_k_per_variant": 3, "use_domain_scoping": False, "max_keywords": 4}
            | {"use_keyword_extraction": False},
            "temporal_decay": {"decay_weight": 0.5, "half_life_hours": 24, "min_recency_score": 0.2}
            | {"exempt_utilities": ["archived"], "exempt_sources": [], "exempt_validities": ["inferred"]},
            "related_memories": {"tag_overlap_threshold": 2, "related_boost": 0.2, "max_related_per_memory": 4}
            | {"rebuild_interval_cycles": 50},
            "deduplication": {"similarity_threshold": 0.95, "auto_deprecate_agent_inferred": False}
            | {"max_pairs_per_cycle": 2, "log_all_candidates": False},
            "co_retrieval": {"max_entries": 9, "cluster_threshold": 2},
            "maintenance_interval_loops": 5,
            "archival_threshold_cycles": 7,
            "max_injected_memories": 8,
            "engine": "reverie",
            "reverie": {"store": "/x", "recipe": "v9", "embedder": "none", "agent": "a", "user": "u"},
            "load_bearing_keywords": ["must"],
        }
    )
    how = found.enhancement
    assert how.expanding is not None
    assert (how.each, how.expanding.max_keywords, how.expanding.by_domain, how.expanding.by_keywords) == (
        3,
        4,
        False,
        False,
    )
    assert how.decay is not None
    assert (how.decay.weight, how.decay.half_life_hours, how.decay.floor) == (0.5, 24, 0.2)
    assert how.decay.exempt == {"archived", "inferred"}
    assert how.related is not None
    assert how.related.boost == 0.2
    assert found.links is not None
    assert (found.links.least_shared, found.links.limit, found.most_related, found.rebuild_loops) == (2, 4, 4, 50)
    assert found.deduplication is not None
    assert (found.deduplication.above, found.deduplication.limit) == (0.95, 2)
    assert (found.deduplication.auto_deprecate_inferred, found.names_all) == (False, False)
    assert found.company is not None
    assert found.dormancy is not None
    assert (found.max_entries, found.company.above, found.dormancy.threshold_cycles) == (9, 2, 7)
    assert (found.interval_loops, found.most_injected, found.engine) == (5, 8, "reverie")
    assert (found.whole.store, found.whole.recipe, found.whole.agent, found.whole.user) == ("/x", "v9", "a", "u")
    assert found.complaints == ()


@pytest.mark.req("A13")
@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"temporal_decay": {"decay_weight": "lots"}}, "temporal_decay.decay_weight cannot be used"),
        ({"temporal_decay": {"half_life_hours": 0}}, "temporal_decay.half_life_hours cannot be used"),
        ({"temporal_decay": {"exempt_sources": "all"}}, "temporal_decay.exempt_sources cannot be used"),
        ({"query_expansion": {"max_keywords": 2.5}}, "query_expansion.max_keywords cannot be used"),
        ({"query_expansion": {"use_domain_scoping": "yes"}}, "query_expansion.use_domain_scoping cannot be used"),
        ({"deduplication": [1]}, "deduplication cannot be used"),
        ({"deduplication": {"enabled": "yes"}}, "deduplication.enabled cannot be used"),
        ({"maintenance_interval_loops": 0}, "maintenance_interval_loops cannot be used"),
        ({"max_injected_memories": True}, "max_injected_memories cannot be used"),
        ({"engine": "turbo"}, "engine is not known"),
        ({"reverie": {"store": 5}}, "reverie.store cannot be used"),
    ],
)
def test_what_cannot_be_used_is_replaced_and_complained_of(said: dict[str, Any], complaint: str) -> None:
    """One complaint names the place; the document's value holds, and a section of another kind is skipped."""
    found = settings(said)
    assert found.complaints == (complaint,)
    assert found.deduplication is None
    assert found.interval_loops == 25
    decay = found.enhancement.decay
    assert decay is None or decay == DECAY


@pytest.mark.parametrize("text", ["{", "[]", '"x"', "\ufffe", "[" * 100_000])
def test_a_file_that_is_no_object_skips_the_documented_sections(tmp_path: Path, text: str) -> None:
    """A slip of the pen does not switch deduplication on that somebody had switched off."""
    path = tmp_path / "classification_config.json"
    path.write_text(text, encoding="utf-8")
    found = load(path)
    assert found.deduplication is None
    assert len(found.complaints) == 1


def test_the_file_is_read_when_it_changes(tmp_path: Path) -> None:
    """A missing file is no fault; a changed one holds from the next turn; an unchanged one is not read again."""
    path = tmp_path / "classification_config.json"
    assert load(path).complaints == ()
    path.write_text('{"maintenance_interval_loops": 7}', encoding="utf-8")
    assert load(path).interval_loops == 7
    assert load(path) is load(path)
    path.write_text('{"maintenance_interval_loops": 11}', encoding="utf-8")
    assert load(path).interval_loops == 11
