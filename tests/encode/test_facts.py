from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from reverie.encode.facts import Aids, FactCandidate, observe, think, told, worded
from reverie.encode.settings import EncodeSettings
from reverie.ports import Bond, Said, Stated, Told
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Message, Role
from tests.spoken import english, turkish

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
"""A Monday."""
V9 = recipe("v9").encode
OWN = recipe("reverie").encode


def thoughts(
    text: str, encode: EncodeSettings = V9, aids: Aids | None = None, role: Role = Role.USER, speaker: str = "ada"
) -> list[FactCandidate]:
    """What a recipe makes of a message."""
    sight = observe(text, encode.observe, deliberate=True)
    return list(think(Message(text, speaker=speaker, role=role), AT, sight, encode.form, aids or Aids())[0])


def texts(text: str, encode: EncodeSettings = V9, aids: Aids | None = None, role: Role = Role.USER) -> list[str]:
    """The words of these thoughts."""
    return [thought.text for thought in thoughts(text, encode, aids, role)]


@pytest.mark.req("D11", "D12")
@pytest.mark.parametrize(
    ("text", "role", "formed"),
    [
        *english(
            ("I prefer tea.", Role.USER, "User prefers tea."),
            ("I found three errors.", Role.TOOL, "Tool found three errors."),
            ("I moved to Lisbon.", Role.PERSON, "Bora moved to Lisbon."),
        ),
        *turkish(
            ("Çayı severim.", Role.USER, "Kullanıcı çayı sever."),
            ("Et yemiyorum.", Role.USER, "Kullanıcı et yemiyor."),
            ("İzmir'e taşındım.", Role.PERSON, "Bora İzmir'e taşındı."),
        ),
    ],
)
def test_document_d_tells_of_the_speaker(text: str, role: Role, formed: str) -> None:
    """First person becomes third: who reads it later did not hear who spoke."""
    assert [one.text for one in thoughts(text, role=role, speaker="Bora")] == [formed]


@pytest.mark.parametrize("text", [*english("I prefer green tea."), *turkish("Yeşil çayı severim.")])
def test_the_default_keeps_the_speakers_own_words(text: str) -> None:
    """The speaker stands beside the memory."""
    assert texts(text, OWN) == [text]


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "formed"),
    [
        *english(
            (
                "Maya moved to Lisbon and Bora stayed in Ankara.",
                ["Maya moved to Lisbon.", "Bora stayed in Ankara."],
            ),
            ("Maya paints. Bora sings in Lisbon!", ["Maya paints.", "Bora sings in Lisbon!"]),
        ),
        *turkish(
            ("Ayşe İzmir'e taşındı ve Bora Ankara'da kaldı.", ["Ayşe İzmir'e taşındı.", "Bora Ankara'da kaldı."]),
            ("Ayşe resim yapar. Bora İzmir'de söyler!", ["Ayşe resim yapar.", "Bora İzmir'de söyler!"]),
        ),
    ],
)
def test_a_message_is_split_into_facts(text: str, formed: list[str]) -> None:
    """Each a sentence by itself."""
    assert [one.part for one in thoughts(text)] == formed


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "formed"),
    [
        *english(("Maya moved to Lisbon yesterday.", "(2026-05-03)")),
        *turkish(("Ayşe dün İzmir'e taşındı.", "(2026-05-03)")),
    ],
)
def test_times_are_measured_from_when_it_was_said(text: str, formed: str) -> None:
    """Yesterday has a date."""
    assert formed in texts(text)[0]


@pytest.mark.req("D12", "D17")
@pytest.mark.parametrize(
    ("text", "until"),
    [
        *english(
            ("I'm going to visit Maya.", AT + timedelta(days=7)),
            ("I will visit Maya tomorrow.", datetime(2026, 5, 6, tzinfo=UTC)),
        ),
        *turkish(
            ("Maya'yı ziyaret edeceğim.", AT + timedelta(days=7)),
            ("Yarın Maya'yı ziyaret edeceğim.", datetime(2026, 5, 6, tzinfo=UTC)),
        ),
    ],
)
def test_a_plan_holds_until_its_date_or_for_a_week(text: str, until: datetime) -> None:
    """Foresight: seven days where it names no date."""
    (found,) = thoughts(text)
    assert (found.valid_until, found.time_bounded) == (until, True)


@pytest.mark.parametrize("text", [*english("Maya lives in Lisbon."), *turkish("Ayşe İzmir'de yaşıyor.")])
def test_what_is_no_plan_holds_for_good(text: str) -> None:
    """Persistent until something takes it back."""
    (found,) = thoughts(text)
    assert (found.valid_until, found.time_bounded) == (None, False)


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "context", "formed"),
    [
        *english(
            ("She moved to Oslo.", ("Maya",), "Maya Demir moved to Oslo."),
            ("Maya Demir paints. She moved to Oslo.", (), "Maya Demir moved to Oslo."),
            ("She moved to Oslo.", ("Maya", "Zeynep"), "She moved to Oslo."),
        ),
        *turkish(
            ("Onu pazarda gördüm.", ("Maya",), "Maya Demir'i pazarda gördüm."),
            ("Maya Demir resim yapar. Onu pazarda gördüm.", (), "Maya Demir'i pazarda gördüm."),
            ("Onu pazarda gördüm.", ("Maya", "Zeynep"), "Onu pazarda gördüm."),
        ),
    ],
)
def test_pronouns_stand_for_the_one_it_can_be(text: str, context: Sequence[str], formed: str) -> None:
    """Of what the session spoke of, and of what the message names itself; of two, none."""
    aids = Aids(tuple(f"I met {name} Demir." for name in context))
    assert thoughts(text, aids=aids)[-1].part == formed


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *english(
            ("I prefer green tea.", Kind.PREFERENCE),
            ("We decided to take the train.", Kind.DECISION),
            ("Always answer in Turkish.", Kind.INSTRUCTION),
            ("Maya stood by the harbour wall.", Kind.FACT),
        ),
        *turkish(
            ("Yeşil çayı severim.", Kind.PREFERENCE),
            ("Trene binmeye karar verdik.", Kind.DECISION),
            ("Her zaman tab kullan.", Kind.INSTRUCTION),
            ("Ayşe limanın duvarında durdu.", Kind.FACT),
        ),
    ],
)
def test_each_fact_has_a_category(text: str, kind: Kind) -> None:
    """What shows none is a fact."""
    assert thoughts(text)[0].kind is kind


@pytest.mark.parametrize(
    "text",
    [*english("I prefer green tea.", "Always use tabs."), *turkish("Yeşil çayı severim.", "Her zaman tab kullan.")],
)
def test_only_people_prefer_and_order(text: str) -> None:
    """In an answer it is advice or an example."""
    assert all(one.kind is Kind.FACT for one in thoughts(text, role=Role.ASSISTANT))


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    ("fact", "named"),
    [
        *english(
            (
                "Maya painted number {} red.",
                "We run React, Docker, PostgreSQL, Redis, Kubernetes, Python, Rust, Django, Flask and Nginx.",
            )
        ),
        *turkish(
            (
                "Ayşe {} numarayı kırmızıya boyadı.",
                "React, Docker, PostgreSQL, Redis, Kubernetes, Python, Rust, Django, Flask ve Nginx kullanıyoruz.",
            )
        ),
    ],
)
def test_at_most_eight_facts_and_eight_entities(fact: str, named: str) -> None:
    """However long a message is."""
    many = " ".join(fact.format(n) for n in range(10))
    assert len(thoughts(many)) == 8
    (found,) = thoughts(named)
    assert len(found.entities) == 8
    assert found.entities[0] == "entity://tech/react"


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    ("word", "leads"),
    [*english(("a", ("Maya", "Mayas"))), *turkish(("ı", ("Maya", "Mayas")), ("o", ("Ayşe", "Aylin")))],
)
def test_no_fact_is_longer_than_five_hundred_characters(word: str, leads: tuple[str, str]) -> None:
    """Cut behind a word, with an ellipsis: 499 is the longest that words of one letter leave."""
    longest = {len(thoughts(f"{lead} {word}" + f" {word}" * 400)[0].text) for lead in leads}
    assert max(longest) == 499


@pytest.mark.req("D20", "D22")
@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        *english(("My kite is torn.", 0.25), ("Maya stood by the wall.", 0.5)),
        *turkish(("Benim uçurtmam yırtık.", 0.25), ("Duvarın dibinde durdu.", 0.5)),
    ],
)
def test_confidence_comes_from_the_observer(text: str, confidence: float) -> None:
    """Bug B3 of the document; what no class vouches for is as likely as not."""
    assert thoughts(text)[0].confidence == confidence


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Where does Maya live?",
            "They love the animals.",
            "Luna and Oliver!",
            "I love to.",
            "Maya stood by the wall.",
        ),
        *turkish(
            "Ayşe nerede yaşıyor?",
            "Bunu çok seviyorum.",
            "Ayşe ve Mehmet!",
            "Çok severim.",
            "Duvarın dibinde durdu.",
        ),
    ],
)
def test_the_default_forms_only_what_has_a_class_and_stands_alone(text: str) -> None:
    """Precision over recall: the words themselves are kept anyhow. And yet what somebody asked for is formed."""
    assert texts(text, OWN) == []
    assert texts(text, OWN, Aids(deliberate=True)) != []


@pytest.mark.parametrize(
    ("text", "role", "formed"),
    [
        *english(
            ("I worked with Google and Anthropic.", Role.USER, True),
            ("I worked with Google and Anthropic.", Role.ASSISTANT, False),
            ("Google and Anthropic were there.", Role.USER, False),
            ("I will call Maya tomorrow.", Role.USER, True),
            ("I will call Maya tomorrow.", Role.ASSISTANT, False),
        ),
        *turkish(
            ("Google ve Anthropic ile çalıştım.", Role.USER, True),
            ("Google ve Anthropic ile çalıştım.", Role.ASSISTANT, False),
            ("Google ve Anthropic oradaydı.", Role.USER, False),
            ("Yarın Maya'yı arayacağım.", Role.USER, True),
            ("Yarın Maya'yı arayacağım.", Role.ASSISTANT, False),
        ),
    ],
)
def test_the_default_forms_names_and_plans_only_of_whose_they_are(text: str, role: Role, formed: bool) -> None:
    """What an answer knows of the world is no memory, nor is what somebody pastes."""
    sight = observe(text, OWN.observe, deliberate=False)
    found, _ = think(Message(text, role=role), AT, sight, OWN.form, Aids())
    assert bool(found) is formed


@pytest.mark.parametrize(
    "text", [*english("I prefer green tea.", "I'm vegan."), *turkish("Yeşil çayı severim.", "Ben veganım.")]
)
def test_the_default_forms_what_people_say_of_themselves(text: str) -> None:
    """Short, and whole."""
    assert texts(text, OWN) == [text]


@pytest.mark.req("A14a")
@pytest.mark.parametrize("name", ["exocortex", "openclaw", "ocean"])
@pytest.mark.parametrize(
    "text",
    [
        *english("I will go home. Will you?", "  I\nprefer tea "),
        *turkish("Yarın eve gideceğim. Ya sen?", "  Çayı\nseverim "),
    ],
)
def test_the_other_recipes_form_the_message_as_it_was_said(name: str, text: str) -> None:
    """One memory, not a character changed, and it does not run out."""
    (found,) = thoughts(text, recipe(name).encode)
    assert (found.text, found.valid_until, found.confidence) == (text, None, 1.0)


class Teller:
    """A mind that answers with these facts."""

    def __init__(self, *facts: str) -> None:
        self.facts = facts
        self.asked: list[str] = []

    def form(self, said: Said) -> Told:
        """The facts, or no answer where it has none."""
        self.asked.append(f"{said.at:%Y-%m-%d} {said.text}")
        return Told(tuple(Stated(fact) for fact in self.facts), failed="" if self.facts else "timeout")

    def merge(self, old: str, new: str) -> str | None:
        """Nothing."""
        return None

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Nothing."""
        return None

    def route(self, cue: str) -> str | None:
        """Nothing."""
        return None

    def theme(self, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None

    def pattern(self, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("said", "asked", "told", "formed"),
    [
        *english(
            (
                "She moved to Oslo, and I prefer tea",
                "Maya moved to Oslo, and I prefer tea",
                ("Maya moved to Oslo.", "I prefer tea."),
                ["Maya moved to Oslo.", "User prefers tea."],
            )
        ),
        *turkish(
            (
                "Onu pazarda gördüm, ben çayı severim",
                "Maya'yı pazarda gördüm, ben çayı severim",
                ("Maya pazardaydı.", "Çayı severim."),
                ["Maya pazardaydı.", "Kullanıcı çayı sever."],
            )
        ),
    ],
)
def test_a_models_facts_come_first(said: str, asked: str, told: Sequence[str], formed: list[str]) -> None:
    """It is asked with pronouns resolved; what it says goes through the same rules for times, names and kind."""
    mind = Teller(*told)
    assert texts(said, aids=Aids(("I met Maya.",), mind)) == formed
    assert mind.asked == [f"2026-05-04 {asked}"]


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("said", "formed"),
    [*english(("I prefer tea.", "User prefers tea.")), *turkish(("Çayı severim.", "Kullanıcı çayı sever."))],
)
def test_without_an_answer_the_rules_decide(said: str, formed: str) -> None:
    """Heuristics always."""
    assert texts(said, aids=Aids(mind=Teller())) == [formed]


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        *english(("Maya paints. Bora sings.", "Maya paints. Bora sings. Who else?")),
        *turkish(("Maya resim yapar. Bora söyler.", "Maya resim yapar. Bora söyler. Başka kim?")),
    ],
)
def test_the_decision_says_how_many_of_how_many(seen: str, said: str) -> None:
    """And by whom."""
    sight = observe(seen, V9.observe, deliberate=True)
    _, decision = think(Message(said), AT, sight, V9.form, Aids())
    assert (decision.verdict, decision.why) == ("2 facts", "of 2 statements, by rules")


@pytest.mark.parametrize(
    "text", [*english("Call me Sel from now on, please.", "I'm Turkish."), *turkish("Bana Sel de.", "Astımım var.")]
)
def test_how_to_be_called_and_what_one_is_are_formed(text: str) -> None:
    """A name alone is enough there."""
    assert texts(text, OWN) == [text]


SAID = Said("Hello.", datetime(2026, 5, 4, 9, tzinfo=UTC))


class Answers:
    """A mind with one answer."""

    def __init__(self, answer: Told) -> None:
        self.answer = answer
        self.asked: list[Said] = []

    def form(self, said: Said) -> Told:
        """The answer."""
        self.asked.append(said)
        return self.answer

    def merge(self, old: str, new: str) -> str | None:
        """Nothing."""
        return None

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Nothing."""
        return None


def formed(said: str, mind: Answers) -> FactCandidate:
    """The one thought of a message of Ada's."""
    sight = observe(said, OWN.observe, deliberate=True)
    aids = Aids(mind=mind, deliberate=True, before=("Bora: hello",))
    (found,), _ = think(Message(said, speaker="ada", role=Role.USER), SAID.at, sight, OWN.form, aids)
    return found


def test_what_was_refused_is_told() -> None:
    """Each reason once, the commonest first."""
    facts, note = told(Answers(Told((), ("a", "b", "b", "c", "d"))), SAID)
    assert facts == ()
    assert note == "5 of 5 facts refused: b; a; c"


def test_a_model_that_fails_is_told() -> None:
    """It is not as if there were none; one whose answer stands needs no word."""
    assert told(Answers(Told(failed="limited")), SAID) == ((), "the model did not answer (limited)")
    assert told(Answers(Told((Stated("x"),))), SAID) == ((Stated("x"),), "")


@pytest.mark.req("D12")
@pytest.mark.parametrize("said", [*english("I prefer tea."), *turkish("Çayı severim.")])
def test_a_model_without_use_takes_nothing_away(said: str) -> None:
    """One that fails, and one of whose answer nothing stands: the rules' facts are formed, and the decision says so."""
    down = Answers(Told(failed="timeout"))
    refused = Answers(Told((), ("names 'Oslo' that the message does not",)))
    ends = ["the model did not answer (timeout)", "1 of 1 facts refused: names 'Oslo' that the message does not"]
    for mind, end in zip((down, refused), ends, strict=True):
        sight = observe(said, OWN.observe, deliberate=True)
        (found,), decision = think(Message(said, role=Role.USER), SAID.at, sight, OWN.form, Aids(mind=mind))
        assert found.text == said
        assert decision.why == f"of 1 statements, by rules: {end}"


@pytest.mark.req("D12")
@pytest.mark.parametrize("said", [*english("Maya paints in Oslo."), *turkish("Maya Oslo'da resim yapar.")])
def test_a_models_kind_end_and_names_come_first(said: str) -> None:
    """What it says of a fact is taken; an order or a correction the rules alone can find."""
    until = datetime(2026, 5, 9, tzinfo=UTC)
    stated = Stated(said, Kind.PREFERENCE, until, ("PostgreSQL",))
    found = formed(said, Answers(Told((stated,))))
    assert (found.kind, found.valid_until, found.time_bounded) == (Kind.PREFERENCE, until, True)
    assert "entity://tech/postgresql" in found.entities
    found = formed(said, Answers(Told((replace(stated, kind=Kind.CORRECTION),))))
    assert found.kind is not Kind.CORRECTION


@pytest.mark.parametrize("said", [*english("She likes it."), *turkish("Onu sever.")])
def test_a_model_is_told_who_speaks_and_what_was_said_before(said: str) -> None:
    """As the aids have it."""
    mind = Answers(Told())
    formed(said, mind)
    assert (mind.asked[0].speaker, mind.asked[0].before) == ("ada", ("Bora: hello",))


V9_FORM, OWN_FORM = recipe("v9").encode.form, recipe("reverie").encode.form
assert V9_FORM is not None
assert OWN_FORM is not None


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("said", "role", "told"),
    [
        *english(
            ("I moved to Oslo.", Role.PERSON, "Ada moved to Oslo."), ("I like tea.", Role.USER, "User likes tea.")
        ),
        *turkish(
            ("Oslo'ya taşındım.", Role.PERSON, "Ada Oslo'ya taşındı."),
            ("Çayı severim.", Role.USER, "Kullanıcı çayı sever."),
        ),
    ],
)
def test_first_person_becomes_third_where_the_recipe_has_it_so(said: str, role: Role, told: str) -> None:
    """By name, or by what somebody is in the talk; in the speaker's own words elsewhere."""
    assert V9_FORM is not None
    assert OWN_FORM is not None
    assert worded(said, role, "Ada", AT, V9_FORM) == told
    assert worded(said, role, "Ada", AT, OWN_FORM) == said
    assert len(worded(said, role, "Ada", AT, replace(V9_FORM, limit_chars=5))) <= 5


@pytest.mark.req("D12")
@pytest.mark.parametrize("said", [*english("I met Tom yesterday."), *turkish("Dün Tarık'la buluştum.")])
def test_a_day_that_is_spoken_of_is_dated(said: str) -> None:
    """Against the moment it was said."""
    assert OWN_FORM is not None
    assert "2026-05-03" in worded(said, Role.USER, "Ada", AT, OWN_FORM)
