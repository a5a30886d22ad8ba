from datetime import UTC, datetime
from typing import Any

from reverie.exchange.claude import fits_beside, messages, notes
from reverie.exchange.fields import EXPORT, MessageIds, Skipped
from reverie.types import Message, Role


def turn(uuid: str, sender: str, text: str, **fields: object) -> dict[str, Any]:
    """A message of the export."""
    return {"uuid": uuid, "sender": sender, "text": text, "created_at": "2026-03-02T09:00:00.5Z", **fields}


def convert(*turns: object, **fields: object) -> tuple[list[Message], list[Skipped]]:
    """What a conversation of these messages gives: messages that somebody said, and what was left out."""
    found: list[Skipped] = []
    record = {"uuid": "c-1", "name": "Boiler", "chat_messages": list(turns), **fields}
    got = messages(record, "conversation 1", MessageIds(), found.append)
    return [one for one in got if one.speaker != EXPORT], found


def test_both_sides_arrive_with_their_ids_and_times() -> None:
    """The conversation's uuid is the session: a name can change between two exports, the uuid does not."""
    got, found = convert(turn("t1", "human", "Is the boiler on?"), turn("t2", "assistant", "Yes."))
    assert [(m.message_id, m.speaker, m.role, m.text, m.session) for m in got] == [
        ("t1", "user", Role.USER, "Is the boiler on?", "c-1"),
        ("t2", "assistant", Role.ASSISTANT, "Yes.", "c-1"),
    ]
    assert got[0].at == datetime(2026, 3, 2, 9, 0, 0, 500000, tzinfo=UTC)
    assert found == []


def test_blocks_of_text_are_said_and_the_rest_is_counted() -> None:
    """Thinking and tools' traffic are no part of what was said; the flat text would hold placeholders for them."""
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "First."},
        {"type": "tool_use", "name": "search"},
        {"type": "tool_result", "content": []},
        {"type": "text", "text": "Then."},
    ]
    got, found = convert(turn("t1", "assistant", "First. [block not supported] Then.", content=blocks))
    assert [m.text for m in got] == ["First.\n\nThen."]
    assert [s.reason for s in found] == ["thinking", "traffic with a tool", "traffic with a tool"]


def test_a_long_paste_is_part_of_what_was_said_and_a_file_is_not() -> None:
    """A paste becomes an attachment without a name; somebody's document keeps its own."""
    attached = [
        {"file_name": "", "extracted_content": "the pasted words"},
        {"file_name": "report.pdf", "extracted_content": "a whole book"},
    ]
    got, found = convert(turn("t1", "human", "Read this:", attachments=attached, files=[{"file_name": "cat.png"}]))
    assert [m.text for m in got] == ["Read this:\n\nthe pasted words"]
    assert [s.reason for s in found] == ["attached file", "attached file"]


def test_a_text_that_is_null_does_not_cost_what_is_attached() -> None:
    """A paste without a word beside it is what was said; without either there are no words."""
    paste = {"file_name": "", "extracted_content": "The whole letter."}
    nothing: Any = None
    got, found = convert(turn("t1", "human", nothing, attachments=[paste]), turn("t2", "human", nothing))
    assert [message.text for message in got] == ["The whole letter."]
    assert [(one.reason, one.broken) for one in found] == [("message without words", False)]


def test_a_message_without_words_is_counted() -> None:
    """An upload without a question, an answer that was stopped at once."""
    got, found = convert(turn("t1", "human", " "), turn("t2", "assistant", "Yes."))
    assert [m.message_id for m in got] == ["t2"]
    assert [(s.where, s.broken) for s in found] == [("conversation 1, message 1", False)]


def test_a_broken_message_does_not_take_the_others_along() -> None:
    """Three ways to be broken, one sound message."""
    got, found = convert(
        "what", turn("t1", "robot", "a"), turn("t2", "human", "b", created_at="?"), turn("t3", "human", "c")
    )
    assert [m.message_id for m in got] == ["t3"]
    assert [(s.where, s.broken) for s in found] == [(f"conversation 1, message {n}", True) for n in (1, 2, 3)]


def test_a_message_without_an_id_gets_the_same_one_again() -> None:
    """So that a second import finds it."""
    bare = {"sender": "human", "text": "hello"}
    assert convert(bare)[0] == convert(bare)[0]
    assert convert(bare)[0][0].message_id


def test_a_conversation_without_uuid_goes_by_its_name() -> None:
    """Somewhere it must belong."""
    assert convert(turn("t1", "human", "a"), uuid=None)[0][0].session == "Boiler"


def test_a_message_without_a_time_was_said_when_the_one_before_it_was() -> None:
    """The first when the conversation began; where that is told nowhere, nobody knows."""
    began, later = datetime(2024, 3, 1, 8, tzinfo=UTC), datetime(2024, 3, 2, 9, tzinfo=UTC)
    turns = [
        turn("t1", "human", "a", created_at=None),
        turn("t2", "assistant", "b", created_at=later.isoformat()),
        turn("t3", "human", "c", created_at=""),
    ]
    got, found = convert(*turns, created_at=began.isoformat())
    assert [m.at for m in got] == [began, later, later]
    assert found == []
    got, found = convert(*turns, created_at="?")
    assert [m.at for m in got] == [None, later, later]
    assert found == []


def test_a_derived_id_does_not_hang_on_a_time_that_was_taken_over() -> None:
    """Whatever stands before it: a message without id and time is known again."""
    bare = turn("", "human", "c", created_at=None)
    (alone,), _ = convert(bare)
    (_, after), _ = convert(turn("t1", "human", "a"), bare)
    assert after.message_id == alone.message_id
    assert after.at is not None


def beside(record: dict[str, Any], read: Any = messages) -> list[tuple[str, str]]:
    """The session and text of what nobody said."""
    got = read(record, "record 1", MessageIds(), lambda skipped: None)
    return [(one.session, one.text) for one in got if one.speaker == EXPORT]


def test_title_project_and_names_of_files_come_along() -> None:
    """Each as a message that nobody said, with the same id in the next export; only where something was said."""
    files = [{"file_name": "report.pdf", "extracted_content": "a whole book"}]
    said = turn("t1", "human", "Read this:", attachments=files, files=[{"file_name": "cat.png"}])
    record = {"uuid": "c-1", "name": "Boiler", "project": {"name": "House"}, "chat_messages": [said]}
    assert beside(record) == [
        ("c-1", "Conversation: Boiler (project: House)"),
        ("c-1", "Attached: report.pdf, cat.png"),
    ]
    ids = [[one.message_id for one in messages(record, "x", MessageIds(), lambda skipped: None)] for _ in range(2)]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 3
    assert beside({**record, "chat_messages": []}) == []


def test_projects_and_claudes_own_memories_come_along() -> None:
    """By paragraph, a heading with its first, and what a project is for."""
    own = {
        "conversations_memory": "**Work**\n\nAda lives in Izmir.\n\nShe likes tea.\n\n## Plans",
        "project_memories": {"p": "The boiler hums."},
    }
    assert fits_beside(own)
    told = ["**Work**\nAda lives in Izmir.", "She likes tea.", "The boiler hums."]
    assert [text for _, text in beside(own, notes)] == told
    project = {"uuid": "p", "name": "House", "description": "", "prompt_template": "Be short.", "docs": []}
    assert fits_beside(project)
    assert beside({**project, "docs": [{"filename": "plan.md", "content": "…"}]}, notes) == [
        ("project p", "Project: House"),
        ("project p", "Instructions of the project: Be short."),
        ("project p", "Attached: plan.md"),
    ]
