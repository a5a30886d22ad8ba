"""The read path as a whole, on a fake corpus."""

from __future__ import annotations

from reverie.answers import Recollection
from reverie.recall.pipeline import recall
from reverie.recipes.named import recipe
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, request, world


def ask(corpus: FakeCorpus, text: str, vector: tuple[float, ...] | None = None, top_k: int = 3) -> Recollection:
    """Recall with the default recipe and no token limit."""
    around = Surroundings({} if vector is None else {text: vector})
    return recall(request(text, top_k=top_k), world(corpus, around), recipe("reverie").recall)[0]


def stages(answer: Recollection) -> dict[str, str]:
    """What each stage noted."""
    return {step.stage: step.note for step in answer.trace}


def test_every_stage_leaves_a_note() -> None:
    """A skipped stage says so; none is silent."""
    notes = stages(ask(FakeCorpus([Line("red kite")]), "kite"))
    assert list(notes) == ["understand", "hot tier", "pre-gate", "search", "outdated", "collapse", "pack"]
    assert "meaning skipped: no model" in notes["search"]
    assert all(notes.values())


def test_meaning_waits_until_memories_are_embedded() -> None:
    """While most have no vector, text alone decides, and the trace says why."""
    corpus = FakeCorpus([Line("red kite"), Line("blue boat", vector=(1.0, 0.0))])
    answer = ask(corpus, "kite", (1.0, 0.0))
    assert "only 1 of 2" in stages(answer)["search"]
    assert answer.hits[0].memory.text == "red kite"


def test_meaning_finds_what_shares_no_word() -> None:
    """The nearest vector comes although no term matches."""
    corpus = FakeCorpus([Line("red kite", vector=(0.0, 1.0)), Line("blue boat", vector=(1.0, 0.0))])
    answer = ask(corpus, "ship", (1.0, 0.0))
    assert answer.hits[0].memory.text == "blue boat"
    assert answer.hits[0].cosine == 1.0


def test_the_raw_cosine_is_kept_apart() -> None:
    """Scaling never overwrites the similarity itself: a weak best is still weak."""
    corpus = FakeCorpus([Line("red kite", vector=(0.6, 0.8)), Line("blue boat", vector=(0.0, 1.0))])
    first = ask(corpus, "ship", (1.0, 0.0)).hits[0]
    assert first.cosine is not None
    assert abs(first.cosine - 0.6) < 1e-6
    assert next(signal.value for signal in first.signals if signal.name == "meaning") == 1.0


def test_a_repeat_gives_way() -> None:
    """The same words twice fill one place, not two."""
    corpus = FakeCorpus([Line("kite"), Line("kite"), Line("kite two")])
    answer = ask(corpus, "kite", top_k=2)
    assert [hit.memory.text for hit in answer.hits] == ["kite", "kite two"]
    assert [hit.withheld for hit in answer.withheld] == ["repeats number 1"]


def test_nothing_kept_means_nothing_recalled() -> None:
    """An empty scope answers, with nothing."""
    assert ask(FakeCorpus([]), "kite").hits == ()


def test_the_same_request_gives_the_same_answer() -> None:
    """No chance in the read path."""
    corpus = FakeCorpus([Line(f"kite {n % 3}", vector=(n / 9, 1 - n / 9)) for n in range(9)])
    one, two = ask(corpus, "kite 1", (0.5, 0.5)), ask(corpus, "kite 1", (0.5, 0.5))
    assert one.hits == two.hits
