"""Calls in bytes: whole or refused."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.faces.hook.client import frame
from reverie.faces.hook.frames import BadFrame, parse, receive, spooled

HEAD = [b"version=1 here", b"stamp=17-4", b"cwd=/a=b\xff", b"host=codex", b"began=12", b"env=HOME=/h", b"env=X=a=b"]


def test_a_call_comes_back_as_it_was_sent() -> None:
    """Every part, with odd characters in it; ``began``, which older clients sent, is passed over."""
    call = parse(receive(io.BytesIO(frame(HEAD, b"\x00body\xff")).read))
    assert (call.version, call.stamp, call.cwd, call.host) == ("1 here", "17-4", "/a=b\udcff", "codex")
    assert (call.environment, call.body) == ({"HOME": "/h", "X": "a=b"}, b"\x00body\xff")


@given(st.binary(max_size=300))
def test_other_bytes_are_refused(data: bytes) -> None:
    """Nothing that is no call passes, and nothing else is raised."""
    with pytest.raises(BadFrame):
        parse(receive(io.BytesIO(data).read))


@given(st.integers(min_value=0, max_value=len(frame(HEAD, b"body")) - 1))
def test_a_call_cut_short_is_refused(size: int) -> None:
    """Half a call is none."""
    with pytest.raises(BadFrame):
        receive(io.BytesIO(frame(HEAD, b"body")[:size]).read)


@pytest.mark.parametrize("stamp", [b"", b"../x", b"a", b"1/2", b"9" * 70])
def test_a_stamp_names_a_file_and_nothing_else(stamp: bytes) -> None:
    """No stamp leads out of the spool."""
    with pytest.raises(BadFrame):
        parse(frame([b"stamp=" + stamp], b""))


def test_a_call_too_large_is_refused_before_it_is_read() -> None:
    """Lengths are believed up to a limit."""
    with pytest.raises(BadFrame, match="large"):
        parse(frame([b"stamp=1-1"], b"")[:15] + b"\xff" * 8)


def test_keys_are_taken_out_of_what_is_laid_down() -> None:
    """Variables that hold keys and tokens go, the others and the body stay."""
    whole = frame([*HEAD, b"env=REVERIE_API_KEY=k", b"env=REVERIE_MCP_TOKEN=t"], b"body KEY=1")
    assert parse(spooled(whole)) == parse(frame(HEAD, b"body KEY=1"))
