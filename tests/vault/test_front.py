import random
from collections.abc import Callable

import pytest

from reverie.vault.front import Front, Malformed, quoted, read

HEAD = (
    "---\ntags: [a, b]\nimportance: 0.5 # as everything\nrefs:\nref_by: []\n"
    "links:\n  - one\n  - two\nmood: {x: 1}\n---\nBody\n"
)


def test_values_are_read_in_each_form() -> None:
    """Lists in brackets or an item a line, scalars bare or in quotes, comments left out, nothing where nothing is."""
    front = read(HEAD + "more: --- no head\n")
    assert front.items("tags") == ("a", "b")
    assert front.items("links") == ("one", "two")
    assert front.scalar("importance") == "0.5"
    assert front.scalar("refs") is None
    assert front.items("ref_by") == ()
    assert front.scalar("absent") is None
    assert front.text[front.body :] == "Body\nmore: --- no head\n"


@pytest.mark.parametrize(
    ("value", "items"),
    [
        ("[a, 'b c', \"d\\n\"]", ("a", "b c", "d\n")),
        ("[\n  a,\n  b,\n]", ("a", "b")),
        ('["[[obs-1]]", x]', ("[[obs-1]]", "x")),
        ("[[obs-1]]", ("obs-1",)),
        ("lonely", ("lonely",)),
        ("\n- a\n- 'it''s'\n", ("a", "it's")),
        ("~", ()),
        ("# none yet", ()),
    ],
)
def test_lists_as_people_write_them(value: str, items: tuple[str, ...]) -> None:
    """Each spelling gives its items."""
    assert read(f"---\nx: {value}\ny: 1\n---\n").items("x") == items


@pytest.mark.req("B2")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("refs: 0", "refs: 7"),
        ("refs: 0   # counted", "refs: 7   # counted"),
        ("refs: '0'", "refs: 7"),
        ("refs:", "refs: 7"),
        ("refs:   # none", "refs:   7 # none"),
        ("refs: null", "refs: 7"),
        ('"refs" :  0\t', '"refs" :  7\t'),
    ],
)
def test_a_value_is_put_in_its_place(before: str, after: str) -> None:
    """Everything round it stays: quotes of the key, blanks, comments, a byte order mark, the ends of lines."""
    for end in ("\n", "\r\n"):
        made = f"\ufeff--- \nb: [1,  2]\n{before}\n# a remark\n\nz: !!odd 'x'\n---\t\nText \n\n".replace("\n", end)
        assert read(made).with_scalar("refs", "7").text == made.replace(before, after)


@pytest.mark.req("B2", "B4")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x: []", "x: [n/1, n/2]"),
        ("x: [ ]  # who", "x: [n/1, n/2]  # who"),
        ("x: [a]", "x: [a, n/1, n/2]"),
        ("x: [ a, 'b' ]", "x: [ a, 'b', n/1, n/2 ]"),
        ("x: [a,]", "x: [a, n/1, n/2]"),
        ("x: a", "x: [a, n/1, n/2]"),
        ("x:", "x: [n/1, n/2]"),
        ("x:\n  - a # first\n  # a remark", "x:\n  - a # first\n  - n/1\n  - n/2\n  # a remark"),
    ],
)
def test_items_are_added_in_the_form_the_list_has(before: str, after: str) -> None:
    """Nothing that stood there is written anew, whatever the ends of lines."""
    for end in ("\n", "\r\n"):
        made = f"---\na: 1\n{before}\nb: 2\n---\nText".replace("\n", end)
        then = read(made).with_items("x", ["n/1", "n/2"])
        assert then.text == made.replace(before.replace("\n", end), after.replace("\n", end))
        assert then.items("x")[-2:] == ("n/1", "n/2")


def test_a_missing_field_comes_last_in_the_head() -> None:
    """With the file's own end of line."""
    assert read("---\r\na: 1\r\n---\r\nx").with_scalar("b", "2").text == "---\r\na: 1\r\nb: 2\r\n---\r\nx"
    assert read("---\na: 1\n---").with_items("b", ["c d", "true"]).text == '---\na: 1\nb: [c d, "true"]\n---'
    assert read("---\na: 1\n---\n").with_items("b", []).text == "---\na: 1\n---\n"


@pytest.mark.req("B2")
@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("just words", 1, "first line"),
        ("", 1, "first line"),
        ("---\na: 1\n", 1, "no end"),
        ("---\na: 1\na: 2\n---\n", 3, "twice"),
        ("---\na: 1\nwhat is this\n---\n", 3, "neither a field"),
        ("---\n  - a\n---\n", 2, "neither a field"),
    ],
)
def test_a_head_that_is_none_is_told_with_line_and_reason(text: str, line: int, reason: str) -> None:
    """So that a person finds it."""
    with pytest.raises(Malformed, match=reason) as caught:
        read(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "value", ["[a", "'a", '"\\q"', "[a] b", "'a' b", "{a: 1}", "&x 1", "|\n  a", "\n  a", "[a\n # no\n, b]", "- a"]
)
def test_a_value_of_ours_that_is_no_simple_one_is_refused(value: str) -> None:
    """Rather than guessed at; in fields that are not ours it may stand."""
    with pytest.raises(Malformed):
        read(f"---\na: 1\nx: {value}\nb: 2\n---\n").items("x")


def test_a_scalar_is_no_list() -> None:
    """A list where one value is asked for is refused."""
    with pytest.raises(Malformed, match="is a list"):
        read("---\nx: [a]\n---\n").scalar("x")


@pytest.mark.parametrize(
    "item", ["a", "a b", "true", "1", "", "x: y", "# c", 'quo"te', "çay", "[[link]]", "- a", "a,b"]
)
def test_what_is_written_is_what_is_read(item: str) -> None:
    """Whatever a tag says, it comes back as it was."""
    assert read(f"---\nx: [{quoted(item)}]\n---\n").items("x") == (item,)


PARTS = [
    "---",
    "\n",
    "\r\n",
    "\r",
    ": ",
    "- ",
    "[",
    "]",
    "'",
    '"',
    "#",
    "tags",
    "importance",
    "x",
    "0.5",
    " ",
    "\t",
    ",",
]
PARTS += ["\ufeff", "\x00", "\u2028", "\\", "{", "}", "obs-2026-02-15-001", "...", "İ", "é", "🦉", "|", "&a", "~"]


def fuzzed(chance: random.Random) -> str:
    """A file that is a head, nearly one, or none: a sound one with parts cut, put in or doubled, or plain chance."""
    if chance.random() < 0.2:
        return "".join(chance.choices(PARTS, k=chance.randint(0, 60)))
    text = HEAD.replace("\n", chance.choice(["\n", "\n", "\r\n"]))
    for _ in range(chance.randint(0, 5)):
        place = chance.randint(0, len(text))
        rest = text[place + chance.choice([0, 0, 1, 5]) :]
        text = text[:place] + "".join(chance.choices(PARTS, k=chance.randint(0, 3))) + rest
    return text


def changes(front: Front) -> list[Front]:
    """The head with each of its known fields changed, where they can be."""
    made = []
    for key in ("importance", "refs", "new"):
        made.append(front.with_scalar(key, "0.25"))
    for key in ("tags", "links", "ref_by"):
        made.append(front.with_items(key, ["owl/obs-1"]))
    return made


def refused(text: str) -> int | None:
    """The line for which a file is refused; None where it is read and changed."""
    try:
        changes(read(text))
    except Malformed as error:
        return error.line
    return None


@pytest.mark.req("B2")
def test_whatever_stands_there_it_is_read_or_refused_and_nothing_else_moves(share: Callable[[int], int]) -> None:
    """Of 5,000 odd files each is read or refused; a change leaves every line but the changed one as it was."""
    chance = random.Random(20260215)
    read_count = 0
    for _ in range(share(5000)):
        text = fuzzed(chance)
        line = refused(text)
        if line is not None:
            assert 1 <= line <= text.count("\n") + 1
            continue
        front = read(text)
        made = changes(front)
        read_count += 1
        assert front.text == text
        for then in made:
            assert then.text[then.body :] == text[front.body :]
            kept = [line for line in then.text.split("\n") if line in set(text.split("\n"))]
            assert len(kept) >= text.count("\n"), (text, then.text)
            assert all(map(then.has, (*front.simple, *front.fields)))
    assert read_count > share(5000) // 10


@pytest.mark.req("B2")
def test_a_simple_head_is_read_like_any_other() -> None:
    """It is read in one go; with a remark in it, which makes it go line by line, it says and becomes the same."""
    chance = random.Random(3)
    values = [
        "0.5",
        "null",
        "Null",
        "[]",
        "[a, b]",
        "[ a,, b/c ]",
        "[-]",
        "2026-02-15",
        "30d",
        "permanent",
        "true",
        "x.y",
    ]
    keys = ["tags", "importance", "refs", "ref_by", "a_b", "b"]
    for _ in range(300):
        lines = [f"{key}: {chance.choice(values)}\n" for key in chance.sample(keys, chance.randint(1, 6))]
        head, body = "".join(lines), "tags: [z]\nBody\n"
        simple, other = read(f"---\n{head}---\n{body}"), read(f"---\n# a remark\n{head}---\n{body}")
        assert simple.simple
        assert not other.simple
        assert simple.text[simple.body :] == other.text[other.body :] == body
        for key in keys:
            assert simple.has(key) is other.has(key)
            assert simple.items(key) == other.items(key)
            assert said(simple, key) == said(other, key)
            assert simple.with_items(key, ["n"]).text == other.with_items(key, ["n"]).text.replace("# a remark\n", "")
            if said(simple, key) is not Ellipsis:
                assert simple.with_scalar(key, "7").text == other.with_scalar(key, "7").text.replace("# a remark\n", "")
            assert simple.line(key) == (other.line(key) - 1 if simple.has(key) else 1)
    with pytest.raises(Malformed):
        read("---\nx: 1\nx: 2\n---\n")


def said(front: Front, key: str) -> object:
    """The value of a field; the ellipsis where it is a list."""
    try:
        return front.scalar(key)
    except Malformed:
        return ...
