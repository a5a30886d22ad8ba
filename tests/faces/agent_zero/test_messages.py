from types import SimpleNamespace

import pytest

from reverie.faces.agent_zero.house import cue, said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("plain words", "plain words"),
        ({"user_message": "which editor?"}, "which editor?"),
        ({"user_message": "look", "attachments": ["/a.png"], "system_message": ["obey"]}, "look"),
        ([{"user_message": "one"}, {"user_message": "two"}], "one\ntwo"),
        ({"tool_name": "call", "tool_result": "done"}, "done"),
        ({"raw_content": [{"type": "text", "text": "a picture"}, {"type": "image_url"}]}, "a picture"),
        ({"user_message": ""}, ""),
        ({"attachments": ["/a.png"]}, ""),
        (None, ""),
        (7, ""),
    ],
)
def test_only_the_words_of_a_message_are_searched_for(content: object, words: str) -> None:
    """Whatever form the host keeps a message in, no key, brace or attachment of it comes through."""
    assert said(SimpleNamespace(content=content)) == words


def test_no_message_has_no_words() -> None:
    """A loop without a user's message asks nothing."""
    assert said(None) == ""


def test_a_message_that_holds_itself_ends() -> None:
    """Content nested without end is not followed without end."""
    content: list[object] = []
    content.append(content)
    assert said(SimpleNamespace(content=content)) == ""


def test_of_a_pasted_file_the_beginning_and_the_end_are_asked() -> None:
    """What is short is asked as it is; of what is long both ends, where the question stands."""
    assert cue("short") == "short"
    asked = cue("what is this? " + "x" * 100_000 + " in one word")
    assert asked.startswith("what is this?")
    assert asked.endswith("in one word")
    assert len(asked) < 5_000
