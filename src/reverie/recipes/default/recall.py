"""Recall settings of ``reverie``, chosen by measurement (decisions 0007 and 0014)."""

from __future__ import annotations

from reverie.recall.co_retrieval import CoRetrieved
from reverie.recall.confidence import AnswerConfidence
from reverie.recall.contradictions import Contradictions
from reverie.recall.deduplication import Deduplication, NearDuplicates, QueryDuplicates
from reverie.recall.gates import AnswerGate, PreGate
from reverie.recall.pipeline import CountUse, ReadPath
from reverie.recall.rerank import Rerank
from reverie.recall.settings import CondenseSettings, RecallSettings
from reverie.recall.signals import Signals
from reverie.recall.standing_instructions import StandingInstructions
from reverie.recall.supersession import ImplicitUpdates, Supersession
from reverie.recall.tool_calls import ToolCallSettings

SIGNALS = RecallSettings(
    k1=1.5,
    b=0.75,
    neighbour=0.4,
    second_neighbour=0.15,
    neighbour_full_words=60.0,
    meaning_neighbour=0.4,
    window_radius=3,
    length_least=32.0,
    length_most=64.0,
    length_halvings=4.0,
    length_doublings=8.0,
    pool=100,
    postings=20_000,
    window_postings=2_000,
    embedded_share=0.95,
    second_share=0.8,
    second_least=20,
)
TOOLS = ToolCallSettings(likely=0.3, most=5, lift=1.0)
"""For questions about past actions: add the best records of tool calls (decision 0059)."""

UPDATES = ImplicitUpdates(order=0.15, mark=0.5)
"""Mark memories that a later message probably replaced or denied (decision 0052)."""

OPPOSED = Contradictions(looked=30, denied=0.2, affirmed=0.3, near=0.2, most=2)
"""Put both sides of a contradiction on the first page (decision 0023)."""

STANDING = StandingInstructions(share=0.25, places=0.2, general=2)
"""Give standing instructions of general scope the last places of the first page (decision 0023); of small pages only
their share."""

ECHOES = QueryDuplicates(times=2, share=0.5)
"""Withhold earlier questions from automatic recalls, since a question answers nothing (decisions 0027, 0111)."""

REPEATS = NearDuplicates(times=3, share=0.5)

PRE_GATE = PreGate(always=False, idle=0.3)
"""Skip automatic recalls for cues that need no memory: by hand-made labels, 91 of 100 skipped cues need none, and half
of those that need none are skipped (decision 0060)."""

ANSWER_GATE = AnswerGate(full=0.6, least=0.5)
"""Withhold uncertain answers from automatic recalls: 8 of 100 cues that need a memory get none, and half of the prompts
that need none get one (decision 0053)."""

CONDENSE = CondenseSettings(least_tokens=16)
"""Digests of hits that do not fit; not part of the default: a recipe of your own can set ``condense`` to it (0075)."""

RECALL = ReadPath(
    stages=(
        PRE_GATE,
        Signals(SIGNALS, TOOLS),
        ECHOES,
        AnswerConfidence(),
        ANSWER_GATE,
        CoRetrieved(),  # memories close to the first candidates (decision 0057)
        Rerank(),  # a reranking model, if there is one (decision 0058)
        OPPOSED,
        Supersession(times=2),
        UPDATES,
        REPEATS,
        STANDING,
        Deduplication(),
    ),
    limit=10,
    automatic_limit=40,  # the host's token budget cuts it (decision 0053)
    looked=40,  # later candidates reach no page (decision 0057)
    same=0.6,  # share of its words from which a formed memory covers an episode
    counts=CountUse.UNREAD,
)
"""No hot tier: over long use it cost more than half of the evidence per token (decision 0024). Standing instructions
are chosen by the cue. Nothing is strengthened: no answer improved with it (decision 0037)."""
