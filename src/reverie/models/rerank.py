"""Rerank with any ``/rerank`` endpoint: Cohere's and Jina's, vLLM's and llama.cpp's, or text-embeddings-inference's.

A cue and its texts are sent in one request. Failures of the endpoint become ModelUnavailable; the key is sent in one
header, to one host, and appears in no message.

Two request forms are in use. Most endpoints take ``{model, query, documents, top_n}`` and answer ``{results: [{index,
relevance_score}]}``; text-embeddings-inference takes ``{query, texts}`` and answers ``[{index, score}]``. An endpoint
that refuses the first form is asked in the second; the form that it answered is used from then on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from reverie.errors import ModelUnavailable
from reverie.models.llm_call import Reply, Wire
from reverie.models.llm_port import Failed
from reverie.models.openai import Endpoint
from reverie.models.port_values import filled_scores
from reverie.types import FloatArray

FORM = "rerank:MODEL@http://127.0.0.1:8080/v1"
_PATH = "/rerank"
_OTHER = "Check that it speaks a /rerank, and that the model is one for reranking."
_NOT_UNDERSTOOD = (400, 422)
"""Statuses by which an endpoint refuses a form that it does not know."""
_REASONS = {
    401: ("refused the key", "Set a valid key."),
    403: ("refused the key", "Set a key that may use this model."),
    404: ("does not know the model or the path", "Check the model's name, and that the URL ends where /rerank begins."),
    429: ("is over its limit", "Wait, or raise the limit."),
}
_Form: TypeAlias = Callable[[str, str, Sequence[str]], dict[str, Any]]


def _documents(model: str, cue: str, texts: Sequence[str]) -> dict[str, Any]:
    """Make a request in the first form (Cohere, Jina, vLLM, llama.cpp), with only fields that all of them accept."""
    named = {"model": model} if model else {}
    return {**named, "query": cue, "documents": list(texts), "top_n": len(texts)}


def _texts(_: str, cue: str, texts: Sequence[str]) -> dict[str, Any]:
    """Make a request for text-embeddings-inference: long texts are cut, and scores are not squeezed into [0, 1]."""
    return {"query": cue, "texts": list(texts), "truncate": True, "raw_scores": True}


class EndpointReranker:
    """Reranks texts by the model ``model`` behind an endpoint, or its only one if empty; requests are not repeated.

    ``endpoint.timeout_s`` bounds the whole answer; ``stopwatch`` returns increasing seconds.
    """

    def __init__(self, model: str, endpoint: Endpoint, stopwatch: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._endpoint = endpoint
        self._stopwatch = stopwatch
        self._wire = Wire(endpoint, stopwatch, _PATH)
        self._form: _Form = _documents
        self._is_known = False

    @property
    def name(self) -> str:
        """Name of the model, and its host."""
        return f"{self._model}@{self._host}" if self._model else self._host

    @property
    def _host(self) -> str:
        return urlsplit(self._endpoint.url).hostname or ""

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        """Score each text for a cue, (n,) in the endpoint's scale; a blank text is not sent and gets the lowest score.

        Raises:
            ModelUnavailable: the endpoint cannot be reached, refuses, is late, or gives another kind of answer.
        """
        return filled_scores(f"The rerank endpoint at {self._host}", cue, texts, self._asked)

    def _asked(self, cue: str, texts: list[str]) -> list[float]:
        until = self._stopwatch() + self._endpoint.timeout_s
        form, reply = self._form, self._posted(self._form(self._model, cue, texts), until - self._stopwatch())
        if reply.status in _NOT_UNDERSTOOD and not self._is_known:
            other = self._posted(_texts(self._model, cue, texts), until - self._stopwatch())
            form, reply = (_texts, other) if other.status == 200 else (form, reply)
        if reply.status != 200:
            raise self._refused(reply.status)
        try:
            scores = scores_in(reply.body, len(texts))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise self._unavailable("answered with something other than one score for each text", _OTHER) from error
        self._form, self._is_known = form, True
        return scores

    def _posted(self, body: dict[str, Any], left_s: float) -> Reply:
        if left_s <= 0:
            raise self._unavailable(f"did not answer within {self._endpoint.timeout_s:.3g} s")
        reply = self._wire.post(body, left_s)
        if isinstance(reply, Failed):
            raise ModelUnavailable(f"The rerank endpoint: {reply.note}", "Check that it runs and is reachable.")
        return reply

    def _refused(self, status: int) -> ModelUnavailable:
        what, mend = _REASONS.get(status, (f"answered with status {status}", "See the endpoint's own log."))
        return self._unavailable(what, mend)

    def _unavailable(self, what: str, mend: str = "") -> ModelUnavailable:
        whole = f"The rerank endpoint at {self._host} {what}."
        return ModelUnavailable(whole, mend or "Check that it runs and is reachable.")


def model_and_url(argument: str) -> tuple[str, str]:
    """Split ``MODEL@URL`` into model and URL; a URL alone has no model.

    Everything after the last @ is the URL.
    """
    model, _, url = argument.rpartition("@")
    return model.strip(), url.strip()


def scores_in(answer: bytes, count: int) -> list[float]:
    """Read the scores of an answer, in the order of the texts, from either form.

    Raises:
        ValueError, KeyError, TypeError, OverflowError, RecursionError: it has not one number for each text.
    """
    said = json.loads(answer)
    rows = said["results"] if isinstance(said, dict) else said
    found: dict[int, float] = {}
    for row in rows:
        index = row["index"]
        score = row["relevance_score"] if "relevance_score" in row else row["score"]
        if type(index) is not int or type(score) not in (int, float) or index in found:
            raise ValueError("a score is none, or nobody can tell whose it is")
        found[index] = float(score)
    if found.keys() != set(range(count)):
        raise ValueError("there is not one score for each text")
    return [found[index] for index in range(count)]
