import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidExport
from reverie.exchange import reader as module
from reverie.exchange.reader import values

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=6), st.integers(1, 9), st.sampled_from([None, 1]))
def test_the_elements_are_those_of_the_standard_parser(elements: Any, chunk: int, indent: int | None) -> None:
    """Whatever the chunk, even when numbers, strings and escapes are cut by its border."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", chunk)
        assert list(values(io.StringIO(json.dumps(elements, indent=indent)))) == elements


class Counting(io.StringIO):
    """Counts what was read of it."""

    taken = 0

    def read(self, size: int | None = -1, /) -> str:
        text = super().read(size)
        self.taken += len(text)
        return text


def test_elements_come_before_the_end_was_read() -> None:
    """A large export is not held whole: the first element needs the first chunk alone."""
    stream = Counting("[" + ",".join('{"text":"%s"}' % ("x" * 1000) for _ in range(5000)) + "]")
    first = next(values(stream))
    assert first == {"text": "x" * 1000}
    assert stream.taken == module.CHUNK


def test_an_element_longer_than_many_chunks_is_whole() -> None:
    """Reading grows with what is unread, so that a long conversation is not parsed anew for each chunk."""
    text = "x" * (5 * module.CHUNK)
    assert list(values(io.StringIO(json.dumps([text, 1])))) == [text, 1]


@pytest.mark.parametrize("text", ["", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1] 2", "nul"])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    """A missing end and a word too many are both faults of the whole."""
    with pytest.raises(InvalidExport):
        list(values(io.StringIO(text)))


@pytest.mark.parametrize(
    ("text", "told"), [("[" * 100_000, "nested too deeply"), ("[" + "9" * 5000, "too many digits")]
)
def test_what_the_parser_gives_up_is_told_in_words(text: str, told: str) -> None:
    """No name of an exception, and nobody is told to download a whole file again."""
    with pytest.raises(InvalidExport, match=f"^odd.json is not read: line 1: .*{told}") as caught:
        list(values(io.StringIO(text), "odd.json"))
    assert "cut short" not in caught.value.mend
