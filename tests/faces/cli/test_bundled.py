from reverie.exchange import read
from reverie.faces.cli.demo import ASKED_AT, conversation, questions
from reverie.types import Message, Role


def messages() -> list[Message]:
    """The bundled conversation."""
    with conversation() as path:
        return list(read(path))


def test_the_conversation_is_what_the_demo_promises() -> None:
    """Some two hundred turns over six weeks, two people and an assistant, in order, none said twice."""
    said = messages()
    times = [message.at for message in said if message.at]
    assert 180 <= len(said) <= 240
    assert len(times) == len(said)
    assert times == sorted(times)
    assert 38 <= (times[-1] - times[0]).days <= 44
    assert times[-1] < ASKED_AT
    assert {message.speaker for message in said} == {"Defne", "Tom", "assistant"}
    assert {message.role for message in said} == {Role.USER, Role.ASSISTANT}
    assert len({message.message_id for message in said}) == len({message.text for message in said}) == len(said)


def test_some_of_it_is_turkish() -> None:
    """Between a tenth and a fifth."""
    turkish = [message for message in messages() if set("ğışİŞĞ") & set(message.text)]
    assert 0.1 <= len(turkish) / len(messages()) <= 0.2


def test_every_question_names_turns_that_are_there() -> None:
    """A dozen or so, some in Turkish, each with a reason to be asked."""
    said = {message.message_id: message.text for message in messages()}
    asked = questions()
    assert 12 <= len(asked) <= 14
    for question in asked:
        assert question.expected
        assert set(question.expected) <= set(said)
        assert question.shows
    assert sum(bool(set("ğışİ") & set(said[question.expected[0]])) for question in asked) >= 2
