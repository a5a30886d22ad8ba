from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from reverie.faces.agent_zero.records import record, written
from reverie.faces.agent_zero.settings import NONE, HostSettings, Profile, settings
from reverie.faces.agent_zero.turns import Chosen, IndexHits, TurnQuery, begin, choose, path
from tests.faces.agent_zero.conftest import NOW

ALL_ON = settings(dict.fromkeys(("query_expansion", "temporal_decay", "related_memories", "deduplication"), True))
ASKED = TurnQuery("which editor does the user prefer", "", NOW)


def found(name: str, cosine: float, age_hours: float = 0.0, place: int = 0, **lineage: Any) -> IndexHits:
    """A document of this age that lies so near."""
    lineage = {"created_at": written(NOW - timedelta(hours=age_hours)), **lineage}
    classification = lineage.pop("classification", {})
    metadata = {"lineage": lineage, "classification": classification}
    return IndexHits(record(name, f"text of {name}", metadata, NOW), place, cosine)


def chosen(
    founds: Sequence[IndexHits], how: HostSettings = ALL_ON, profile: Profile = NONE, threshold: float | None = None
) -> Chosen:
    """What comes of these."""
    return choose(begin(ASKED, how, profile, path(how, profile, threshold)), founds)


def names(of: Chosen) -> list[str]:
    """Their ids, best first."""
    return [one.memory.id for one in of.records]


@pytest.mark.req("A1", "A2", "A16.1", "A16.3", "A16.4")
def test_the_variants_of_a_question() -> None:
    """The words, their keywords, and these under the domain; two where none is known."""
    asked = replace(ASKED, domain="coding")
    search = begin(asked, ALL_ON, NONE, path(ALL_ON, NONE, None))
    assert search.quest.queries == (ASKED.text, "editor user prefer", "coding: editor user prefer")
    assert len(begin(ASKED, ALL_ON, NONE, path(ALL_ON, NONE, None)).quest.queries) == 2
    off = settings({})
    assert begin(asked, off, NONE, path(off, NONE, None)).quest.queries == (ASKED.text,)


@pytest.mark.req("A3", "A16.6", "A16.10")
def test_age_moves_a_similarity_as_the_formula_says() -> None:
    """A half-life old: (1 − .15)·similarity + .15·½; so of two alike the younger comes first."""
    assert names(chosen([found("old", 0.6, 720.0), found("young", 0.6, place=1)])) == ["young", "old"]
    off = settings({"query_expansion": True})
    assert names(chosen([found("old", 0.6, 720.0), found("young", 0.6, place=1)], off)) == ["old", "young"]
    # (1 + .6)/2 = .8 → .85·.8 + .15·.5 = .755; (1 + .5)/2 = .75 → .85·.75 + .15·1 = .7875: the young one overtakes
    assert names(chosen([found("old", 0.6, 168.0), found("young", 0.5)])) == ["young", "old"]
    # at .54 it would be .77 → .6545 + .15 = .8045 against .755; at .42 .71 → .6035 + .15 = .7535: it stays behind
    assert names(chosen([found("old", 0.6, 168.0), found("young", 0.42)])) == ["old", "young"]


@pytest.mark.req("A4", "A16.7", "A16.8", "A16.9")
@pytest.mark.parametrize(
    "classification", [{"utility": "load_bearing"}, {"source": "user_asserted"}, {"validity": "confirmed"}]
)
def test_what_is_exempt_does_not_age(classification: dict[str, str]) -> None:
    """However old, it ranks as if it were new."""
    pair = [found("exempt", 0.6, 9000.0, classification=classification), found("young", 0.59)]
    assert names(chosen(pair)) == ["exempt", "young"]


@pytest.mark.req("A3", "A16.13")
def test_age_counts_from_the_last_access_else_from_creation() -> None:
    """What was used yesterday is young, whenever it was made."""
    used = found("used", 0.6, 9000.0, last_accessed=written(NOW))
    assert names(chosen([found("never", 0.6, 720.0), used])) == ["used", "never"]


@pytest.mark.req("A5", "A16.20", "A16.21")
def test_a_link_lifts_what_stands_below_the_cut_once() -> None:
    """By .08, whoever and however many link to it; a link beyond the most that count lifts nothing."""
    top = [found(f"t{n}", 0.9, place=n, related_memory_ids=["linked"]) for n in range(5)]
    low = [found("plain", 0.8, place=8), found("linked", 0.78, place=9)]
    # similarities .95, .90 and .89, all new: .9575, .915 and .9065, which becomes .9865 below the cut of five
    assert names(chosen([*top, *low])) == ["linked", "t0", "t1", "t2", "t3"]
    # within the cut it needs no lift
    assert names(chosen([*top, *low], profile=Profile(max_injected=7)))[5:] == ["plain", "linked"]
    crowded = found("t0", 0.9, related_memory_ids=[*(f"x{n}" for n in range(10)), "linked"])
    assert names(chosen([crowded, *low], profile=Profile(max_injected=1))) == ["t0"]
    alone = found("t0", 0.9, related_memory_ids=[*(f"x{n}" for n in range(9)), "linked"])
    assert names(chosen([alone, *low], profile=Profile(max_injected=1))) == ["linked"]


@pytest.mark.req("A6")
def test_how_many_and_how_alike_the_profile_says() -> None:
    """Five without one; never more than the configuration's limit; the threshold is on the host's scale."""
    many = [found(f"m{n}", 0.9 - n / 10, place=n) for n in range(9)]
    assert len(chosen(many).records) == 5
    assert len(chosen(many, profile=Profile(max_injected=8)).records) == 8
    capped = replace(ALL_ON, most_injected=3)
    assert len(chosen(many, capped, Profile(max_injected=8)).records) == 3
    # .7 is a cosine of .4: m0 … m5 have .9 … .4
    assert len(chosen(many, profile=Profile(max_injected=9, similarity_threshold=0.7)).records) == 6
    assert len(chosen(many, profile=Profile(max_injected=9), threshold=0.9).records) == 2
    assert len(chosen(many, profile=Profile(max_injected=9, similarity_threshold=0.7), threshold=0.9).records) == 6


@pytest.mark.req("A6")
def test_a_disabled_domain_gets_nothing_and_an_unhelpful_one_no_variant() -> None:
    """Memory is off where the profile says so; where only the domain misleads, the question is asked without it."""
    profile = Profile(disabled=frozenset({"bugfix"}), unscoped=frozenset({"coding", "bugfix"}))
    stages = path(ALL_ON, profile, None)
    assert begin(replace(ASKED, domain="bugfix"), ALL_ON, profile, stages).ended
    search = begin(replace(ASKED, domain="coding"), ALL_ON, profile, stages)
    assert (search.ended, len(search.quest.queries)) == ("", 2)
    assert len(begin(replace(ASKED, domain="other"), ALL_ON, profile, stages).quest.queries) == 3


@pytest.mark.req("A13")
def test_a_stage_that_fails_is_left_out() -> None:
    """The others go on, and its name is told; nothing of what was asked is."""

    class Broken:
        name = "temporal decay"

        def __call__(self, quest: object) -> Any:
            raise KeyError("secret words")

    stages = path(ALL_ON, NONE, None)
    search = begin(ASKED, ALL_ON, NONE, stages)
    search = replace(search, after=(Broken(), *search.after[1:]))
    of = choose(search, [found("a", 0.5), found("b", 0.9)])
    assert names(of) == ["b", "a"]
    assert of.faults == ("temporal decay skipped: KeyError",)


def test_ties_keep_the_order_of_writing() -> None:
    """The same question and store give the same block."""
    alike: Mapping[str, int] = {"second": 2, "first": 1}
    assert names(chosen([found(name, 0.5, place=place) for name, place in alike.items()])) == ["first", "second"]
