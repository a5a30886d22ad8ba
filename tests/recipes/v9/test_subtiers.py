"""Sub-tiers: whose experience, or what kind of knowledge."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.recall import SubTier, SubTierBoost, sub_tier
from reverie.types import Kind, Standing, Tier
from tests.recall.fake_corpus import FakeCorpus, Line, by_id, holding, request

SEMANTIC = Standing(tier=Tier.SEMANTIC)


def of(line: Line) -> SubTier:
    """The sub-tier of one line."""
    return sub_tier(FakeCorpus([line]).fetch([0])[0])


@pytest.mark.req("D37")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Line("I moved"), SubTier.PERSONAL),
        (Line("Taşındım"), SubTier.PERSONAL),
        (Line("the user moved", "assistant", standing=Standing(data_source="user_message")), SubTier.PERSONAL),
        (Line("the tests pass", "assistant"), SubTier.OBSERVED),
        (Line("testler geçiyor", "assistant"), SubTier.OBSERVED),
        (Line("told by another", standing=Standing(data_source="federation")), SubTier.VICARIOUS),
        (Line("başkasından duyuldu", standing=Standing(data_source="federation")), SubTier.VICARIOUS),
        (Line("both", "assistant", standing=Standing(data_source="federation, user_message")), SubTier.VICARIOUS),
        (
            Line("ikisi", "assistant", standing=Standing(data_source="assistant_message, user_message")),
            SubTier.PERSONAL,
        ),
    ],
)
def test_an_episodic_memory_by_its_source(line: Line, expected: SubTier) -> None:
    """Its user's own, observed, or another agent's."""
    assert of(line) is expected


@pytest.mark.req("D37")
@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Ada drinks tea", Kind.PATTERN, SubTier.SCHEMATIC),
        ("Ada always drinks tea", Kind.FACT, SubTier.SCHEMATIC),
        ("Ada her zaman çay içer", Kind.FACT, SubTier.SCHEMATIC),
        ("Ada steeps tea", Kind.SKILL, SubTier.PROCEDURAL),
        ("how to steep tea", Kind.FACT, SubTier.PROCEDURAL),
        ("çay nasıl yapılır", Kind.FACT, SubTier.PROCEDURAL),
        ("yedekler nasıl alınır", Kind.FACT, SubTier.PROCEDURAL),
        ("sunucunun nasıl yeniden başlatılacağı", Kind.FACT, SubTier.PROCEDURAL),
        ("iznin nasıl istendiği", Kind.FACT, SubTier.PROCEDURAL),
        ("Ada bugün nasıl diye sordum", Kind.FACT, SubTier.FACTUAL),
        ("Ada lives in Izmir", Kind.FACT, SubTier.FACTUAL),
        ("Ada İzmir'de yaşıyor", Kind.FACT, SubTier.FACTUAL),
    ],
)
def test_a_semantic_memory_by_its_content(text: str, kind: Kind, expected: SubTier) -> None:
    """A rule, a procedure, or a plain fact."""
    assert of(Line(text, kind=kind, standing=SEMANTIC)) is expected


@pytest.mark.req("D37")
def test_a_sub_tier_multiplies() -> None:
    """The user's own by 1.1, what was overheard by .8."""
    factors = ((SubTier.PERSONAL, 1.1), (SubTier.OBSERVED, 0.8))
    corpus = FakeCorpus([Line("a"), Line("b", speaker="assistant")])
    after = by_id(SubTierBoost(factors)(holding(request("x"), corpus, [0.5, 0.5])))
    assert [after[name].score for name in sorted(after)] == pytest.approx([0.55, 0.4])
