"""A peer's process: reads one job, builds the store, asks every question, writes one answer.

Everything a peer prints goes to stderr, so that stdout holds the answer alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.metadata import version

from benchmarks.peers.job import Answer, Job, Peer, job_from, to_line

PACKAGES = {
    "mem0": ("mem0ai", "qdrant-client"),
    "mempalace": ("mempalace", "chromadb"),
    "langgraph": ("langgraph", "langgraph-checkpoint"),
}
"""A peer's package, and the one that keeps its vectors."""


def _mem0(job: Job) -> Peer:
    from benchmarks.peers.mem0 import Mem0

    return Mem0(job)


def _mempalace(job: Job) -> Peer:
    from benchmarks.peers.mempalace import MemPalace

    return MemPalace(job)


def _langgraph(job: Job) -> Peer:
    from benchmarks.peers.langgraph import LangGraph

    return LangGraph(job)


# Each peer is imported only in a process of its own.
MAKERS: dict[str, Callable[[Job], Peer]] = {"mem0": _mem0, "mempalace": _mempalace, "langgraph": _langgraph}


def answer(job: Job, peer: Peer) -> Answer:
    """Tell a peer what was said, then ask it. A text of white space alone is not told: no peer takes it."""
    peer.tell([said for said in job.said if said.text.strip()])
    rankings = tuple(tuple(peer.ask(question, job.depth)) for question in job.questions)
    return Answer(rankings, {package: version(package) for package in PACKAGES.get(job.peer, ())})


def main() -> None:
    """Do the job on stdin."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    job = job_from(sys.stdin.readline())
    out.write(to_line(answer(job, MAKERS[job.peer](job))) + "\n")
    out.close()
