from __future__ import annotations

import json

import pytest

from reverie.errors import InvalidScope, NotFound, ReverieError
from reverie.faces.http.problems import Fault, Problem, forbidden, of_error, of_faults, of_status
from reverie.wire.errors import CODES


@pytest.mark.parametrize("kind", CODES, ids=lambda kind: kind.__name__)
def test_every_error_has_its_status_and_its_type(kind: type[ReverieError]) -> None:
    """The table of errors is all there is: each class becomes a problem of its own kind, with its mend."""
    problem = of_error(kind("It happened.", "Mend it."))
    assert problem.status == CODES[kind].status
    assert (problem.detail, problem.mend) == ("It happened.", "Mend it.")
    assert problem.kind.replace("-", "") == kind.__name__.lower()


def test_a_problem_is_written_for_programs_and_people() -> None:
    """All of RFC 9457's members, what to do, and the request's id."""
    answer = of_error(NotFound("There is no \ud800.", "Look.")).answer("abc")
    assert json.loads(answer.body) == {
        "type": "urn:reverie:not-found",
        "title": "Not found",
        "status": 404,
        "detail": "There is no \ud800.",
        "mend": "Look.",
        "request_id": "abc",
    }
    assert answer.media_type == "application/problem+json"


def test_values_that_do_not_fit_are_each_named() -> None:
    """Every fault is in the list, the first ones in the sentence."""
    faults = [Fault(f"body.{number}", "must be text") for number in range(5)]
    shape = json.loads(of_faults(faults).answer("abc").body)
    assert len(shape["errors"]) == 5
    assert shape["detail"].count("must be text") == 3


def test_what_http_has_a_status_for_bears_its_name() -> None:
    """The kinds of HTTP's own errors follow from their phrases."""
    assert of_status(405).kind == "method-not-allowed"
    assert of_status(400, "Half a body.").detail == "Half a body."


def test_a_refusal_carries_its_problem() -> None:
    """What a token does not allow is 403, with what would."""
    assert forbidden("No.", "Ask.").problem == Problem(403, "forbidden", "No.", "Ask.")
    assert of_error(InvalidScope("x")).status == 422
