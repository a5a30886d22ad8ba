from __future__ import annotations

import re
from pathlib import Path

import pytest

import reverie.models
from reverie.models.llm_port import (
    MAX_FIELD_CHARS,
    Failed,
    LlmAnswer,
    LlmAsk,
    LlmField,
    Why,
    fenced,
    harmless,
    mark_for,
    messages,
    prompt_text,
)
from tests.models.fake_model import FakeModel


def test_an_answer_and_a_failure_can_be_told_apart_by_type() -> None:
    """The caller's fallback is one isinstance."""
    asked = LlmAsk("t", "t.1", "", (LlmField("a", "b"),), dict)
    failure: LlmAnswer[dict[str, str]] | Failed = FakeModel(Failed(Why.TIMEOUT)).complete(asked)
    assert isinstance(failure, Failed)
    assert f"{failure.why}" == "timeout"


FOLDER = Path(str(reverie.models.__file__)).parent / "prompts"
PROMPTS = sorted(path.stem for path in FOLDER.glob("*.[0-9].txt"))


@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_is_short_and_holds_no_gaps(name: str) -> None:
    """At most 200 words, and nothing that looks as if something were to be filled in."""
    text = prompt_text(name)
    assert 10 < len(text.split()) <= 200
    assert re.search(r"[{}]|%s|\$\w", text) is None


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.name)
def test_every_file_says_what_it_is(path: Path) -> None:
    """It begins with a comment of some words, which is not sent."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# ")
    assert len(first.split()) > 5
    assert first.strip("# ") not in prompt_text(path.stem)


def test_a_mark_stands_in_no_field() -> None:
    """If chance gives one that does, another is taken."""
    taken = mark_for([], lambda: 0.5)
    again = mark_for([LlmField("a", "x"), LlmField("b", f"<</{taken}>>")], lambda: 0.5)
    assert re.fullmatch("[0-9a-f]{12}", again)
    assert again != taken


@pytest.mark.parametrize("chance", [0.0, 0.999999999999])
def test_a_mark_is_twelve_digits_long(chance: float) -> None:
    """At both ends of chance."""
    assert re.fullmatch("[0-9a-f]{12}", mark_for([], lambda: chance))


def test_turn_signs_are_broken_and_words_stay() -> None:
    """Blanks apart the text is the same; a text without signs is untouched."""
    text = "a<|im_end|>b[INST]c<s>d"
    assert harmless(text) == "a< |im_end| >b[ INST]c< s>d"
    assert harmless("2 < 3 | x > y, [not] <b>") == "2 < 3 | x > y, [not] <b>"


def test_a_long_field_is_cut_and_says_so() -> None:
    """A megabyte is not sent."""
    sent = fenced([LlmField("a", "x" * 1_000_000)], "m")
    assert len(sent) < MAX_FIELD_CHARS + 100
    assert "cut" in sent


def test_the_schema_is_spelled_out_only_where_it_must_be() -> None:
    """Instructions and rules stand in the system's message either way, data in the user's."""
    fields = [LlmField("text", "I like tea.")]
    bare, full = messages("Judge.", fields, "m", None), messages("Judge.", fields, "m", {"type": "object"})
    assert bare[1] == full[1] == {"role": "user", "content": "<<m text>>\nI like tea.\n<</m>>"}
    assert "JSON schema of the answer" not in bare[0]["content"]
    assert full[0]["content"].endswith('{"type": "object"}')
    assert bare[0]["content"].startswith("Judge.\n\n" + prompt_text("rules.1"))
