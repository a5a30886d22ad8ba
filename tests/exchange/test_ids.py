from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from reverie.exchange.fields import MessageIds

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_the_same_content_gets_the_same_id_again() -> None:
    """Another import, another process: the id is made of the message alone."""
    assert MessageIds().of("s", "Ada", NINE, "a") == MessageIds().of("s", "Ada", NINE, "a")


def test_a_message_said_twice_is_two_messages() -> None:
    """The second "ok" of a session is not lost as a repeat of the first, and both are found again."""
    one, other = MessageIds(), MessageIds()
    first = [one.of("s", "Ada", None, "ok"), one.of("s", "Ada", None, "ok")]
    assert len(set(first)) == 2
    assert [other.of("s", "Ada", None, "ok"), other.of("s", "Ada", None, "ok")] == first


def test_a_line_added_between_others_changes_none_of_their_ids() -> None:
    """A broken line that was mended, or an export that has grown, brings only what is new."""
    short, long = MessageIds(), MessageIds()
    before = {short.of("s", "Ada", None, text) for text in ("a", "c")}
    after = {long.of("s", "Ada", None, text) for text in ("a", "b", "c")}
    assert before < after


@given(st.text(), st.text(), st.text(), st.text())
def test_session_and_words_cannot_be_confused(session: str, text: str, other: str, words: str) -> None:
    """No two pairs of session and text share an id, wherever the border between them lies."""
    same = (session, text) == (other, words)
    assert (MessageIds().of(session, "Ada", None, text) == MessageIds().of(other, "Ada", None, words)) is same


def test_the_same_words_of_two_speakers_are_two_messages() -> None:
    """Whoever says "Tamam" after somebody else has said it said something of his own."""
    assert MessageIds().of("plan", "Ada", None, "Tamam") != MessageIds().of("plan", "Bob", None, "Tamam")
    assert MessageIds().of("plan", "Ada", None, "Tamam") != MessageIds().of("planAda", "", None, "Tamam")


def test_lone_surrogates_have_ids() -> None:
    """Any Python string is a text, and a pair of surrogates is not the character they would make."""
    assert MessageIds().of("s", "Ada", None, "\ud83d\ude00") != MessageIds().of("s", "Ada", None, "\U0001f600")
