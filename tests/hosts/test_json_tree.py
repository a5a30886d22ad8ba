import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.hosts.json_edit import DEEPEST, Broken, JsonDialect, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 2, "\t"]), st.sampled_from(list(JsonDialect)))
def test_it_reads_what_the_standard_library_writes(
    value: object, indent: int | str | None, dialect: JsonDialect
) -> None:
    """Every dialect reads plain JSON, and every part says where it stands."""
    text = json.dumps(value, indent=indent)
    tree = parse(text, dialect)
    assert tree.value == value
    assert text[tree.start : tree.end] == text
    for member in tree.members:
        assert json.loads(text[member.node.start : member.node.end]) == member.node.value


def test_comments_and_commas_at_the_end() -> None:
    """What editors write is read where the host reads it, and refused where the host would."""
    text = '\ufeff{ // mine\n "a": [1, 2,], /* yes\n */ "b": {},\n}'
    assert parse(text, JsonDialect.COMMENTS).value == {"a": [1, 2], "b": {}}
    with pytest.raises(Broken, match="line 1: a comment"):
        parse(text, JsonDialect.PLAIN)


def test_json5() -> None:
    """Names without quotes, single quotes, other numbers and lines that go on."""
    text = "{ a: 'it\\'s', $b: 0xFF, c_1: +.5, d: -Infinity, 'e': \"x\\\ny\", f: 'A\\u0042\\x43\\t', }"
    said = {"a": "it's", "$b": 255, "c_1": 0.5, "d": float("-inf"), "e": "xy", "f": "ABC\t"}
    assert parse(text, JsonDialect.FIVE).value == said


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('{"a": 1\n "b": 2}', 2, "',' or '}'"),
        ('{\n\n"a" 1}', 3, "':'"),
        ("{a: 1}", 1, "neither a value nor a name"),
        ("{1: 1}", 1, "a name in quotes"),
        ('{"a": 01}', 1, "neither"),
        ('{"a": tru}', 1, "neither"),
        ('{"a": "x', 1, "neither"),
        ('{"a": "\t"}', 1, "neither"),
        ('{"a":', 1, "ends"),
        ('{"a": [1,]}', 1, "comma"),
        ("{}\n{}", 2, "behind the end"),
        ("[" * (DEEPEST + 1), 1, "levels"),
    ],
)
def test_what_is_broken_is_named_with_its_line(text: str, line: int, reason: str) -> None:
    """A broken text is refused with the line and what is wrong there."""
    with pytest.raises(Broken) as caught:
        parse(text)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_of_two_members_with_one_name_the_last_counts() -> None:
    """As every reader of JSON has it."""
    found = parse('{"a": 1, "a": 2}').member("a")
    assert found is not None
    assert found.node.value == 2
