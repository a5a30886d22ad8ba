import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.hosts import json_edit
from reverie.hosts.json_edit import Broken, JsonDialect, parse

KEYS = ("servers", "reverie")
VALUE = {"command": "r", "args": ["mcp"]}
SETTINGS = st.dictionaries(
    st.sampled_from(["a", "b", "servers"]),
    st.dictionaries(st.sampled_from(["x", "y"]), st.integers() | st.lists(st.integers()), max_size=2),
    max_size=3,
)


@given(SETTINGS, st.sampled_from([None, 2, 4, "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_put_says_one_thing_more_and_drop_takes_it_out(said: dict[str, object], indent: int | None, end: str) -> None:
    """After put everything else says what it said; after drop the text is what it was, but for what held the piece."""
    text = json.dumps(said, indent=indent).replace("\n", end)
    new = json_edit.put(text, JsonDialect.PLAIN, KEYS, VALUE)
    servers = said.get("servers", {})
    assert isinstance(servers, dict)
    assert json.loads(new) == said | {"servers": servers | {"reverie": VALUE}}
    assert json_edit.put(new, JsonDialect.PLAIN, KEYS, VALUE) == new
    assert new.count("\n") == 0 or new.count("\r\n") == (new.count("\n") if end == "\r\n" and "\r\n" in text else 0)
    old = json_edit.drop(new, JsonDialect.PLAIN, KEYS)
    assert json.loads(old) == said | {"servers": servers}
    if servers:
        assert old == text


COMMENTED = """{
    // what I like
    "theme": "dark", // not light
    "servers": {
        "other": {"command": "o"}, // keep
        /* and this */
    }, // the end
    "last": true
}
"""


def test_comments_indentation_and_order_stay() -> None:
    """A new part takes the indentation around it; every line that was there is there, in its order."""
    new = json_edit.put(COMMENTED, JsonDialect.COMMENTS, KEYS, VALUE)
    lines = new.splitlines()
    assert [line for line in lines if line in COMMENTED.splitlines()] == COMMENTED.splitlines()
    assert '        "reverie": {' in lines
    assert '            "args": ["mcp"]' in lines
    assert json_edit.drop(new, JsonDialect.COMMENTS, KEYS) == COMMENTED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "servers": {\n    "reverie": 1\n  }\n}\n'),
        ("{}", '{\n  "servers": {\n    "reverie": 1\n  }\n}'),
        ('{"servers": {"a": 2}}', '{"servers": {"a": 2, "reverie": 1}}'),
        ('{"servers": {"reverie": 2}}', '{"servers": {"reverie": 1}}'),
        ('{"servers": {\n  // none yet\n}}', '{"servers": {\n  // none yet\n  "reverie": 1\n}}'),
        ('{\n\t"a": 1 // note\n}', '{\n\t"a": 1, // note\n\t"servers": {\n\t\t"reverie": 1\n\t}\n}'),
        ('{\n "a": 1,\n}', '{\n "a": 1,\n "servers": {\n  "reverie": 1\n },\n}'),
    ],
)
def test_forms_met_in_the_wild(before: str, after: str) -> None:
    """Empty files, one-liners, trailing notes and trailing commas are each met in their own way."""
    assert json_edit.put(before, JsonDialect.COMMENTS, KEYS, 1) == after


def test_members_of_others_inside_an_entry_stay() -> None:
    """Where the entry is there already, only what differs is written."""
    text = '{"servers": {"reverie": {"env": {"A": "b"}, "command": "old", "args": ["mcp"]}}}'
    new = json_edit.put(text, JsonDialect.PLAIN, KEYS, VALUE)
    assert new == text.replace('"old"', '"r"')


@pytest.mark.parametrize("text", ["[]", '{"servers": []}', '{"servers": null}', '{\n"servers": "x"}'])
def test_what_is_no_object_is_not_written_over(text: str) -> None:
    """Something else in the place of an object is refused, not replaced."""
    with pytest.raises(Broken, match="should be an object"):
        json_edit.put(text, JsonDialect.PLAIN, KEYS, VALUE)


@pytest.mark.parametrize("text", ["[1, 2, 3]", "[\n  1,\n  2, // two\n  3\n]", "[1,\n 2, 3]", "[\n1,2,\n3,\n]"])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_any_part_can_be_taken_out_of_a_list(text: str, index: int) -> None:
    """What is left can be read and says what it said; a comment stays."""
    node = parse(text, JsonDialect.COMMENTS)
    new = json_edit.take(text, node, node.members[index])
    assert parse(new, JsonDialect.COMMENTS).value == [n for n in (1, 2, 3) if n != index + 1]
    assert new.count("// two") == text.count("// two")


def test_what_is_not_there_is_not_missed() -> None:
    """Dropping a member that is not there changes nothing."""
    assert json_edit.drop('{"a": 1}', JsonDialect.PLAIN, KEYS) == '{"a": 1}'
    assert json_edit.find('{"a": 1}', JsonDialect.PLAIN, KEYS) is None
