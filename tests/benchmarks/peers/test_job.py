"""What passes to a peer's process and back."""

from __future__ import annotations

from benchmarks.peers.job import Answer, Found, Job, Said, answer_from, job_from, to_line

SAID = Said("t1", "s1", "Mira", "user", "2024-05-01T12:00:00+00:00", "iki satır\nbir vekil: \ud83d")
JOB = Job("mem0", "folder", "http://there/v1", "hash", 256, 200, (SAID,), ("Neden?",))


def test_a_job_arrives_as_it_was_sent() -> None:
    """On one line, whatever the texts hold; a lone surrogate too."""
    line = to_line(JOB)
    assert "\n" not in line
    assert line.isascii()
    assert job_from(line) == JOB


def test_an_answer_arrives_as_it_was_sent() -> None:
    """Rankings in order, with the releases."""
    answer = Answer(((Found(("t1", "t2"), "both"),), ()), {"mem0ai": "2.2.1"})
    assert answer_from(to_line(answer)) == answer
