import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie.errors import StoreBusy
from reverie.vault.linking.sync import Synced, watch
from tests.vault.linking.conftest import Both
from tests.vault.linking.test_linking import ONE, WORDS


def rounds(steps: Iterator[object]) -> bool:
    """Whether there is another step, which is done."""
    return next(steps, "over") != "over"


def test_it_tells_what_changed_and_nothing_else(both: Both) -> None:
    """Until there is no more waiting; a fault is told when it comes and when it goes."""
    path = both.put(ONE, WORDS)
    told: list[Synced] = []

    def life() -> Iterator[None]:
        yield
        path.write_text("no head")
        yield
        yield
        path.unlink()
        yield

    steps = life()
    watch(both.linked, lambda: rounds(steps), told.append, lambda why: None)
    assert [[one.what for one in done.changes] for done in told] == [["taken in"], [], ["forgotten"]]
    assert [len(done.faults) for done in told] == [0, 1, 0]


def test_what_cannot_be_done_now_is_told_once_and_tried_again(both: Both) -> None:
    """It does not end the watching."""
    both.put(ONE, WORDS)
    real, left, told = both.linked.sync, [], []
    answers = iter([StoreBusy("Somebody holds it.", "Wait."), StoreBusy("Somebody holds it.", "Wait."), None])

    class Busy:
        """A vault that somebody else holds for a while."""

        def sync(self) -> Synced:
            """Fail twice, then work."""
            error = next(answers)
            if error is not None:
                raise error
            return real()

    turns = iter([True, True, False])
    watch(Busy(), lambda: next(turns), told.append, left.append)  # type: ignore[arg-type] # all that is used of it
    assert left == ["Somebody holds it. Wait."]
    assert len(told) == 1


ROOT = Path(__file__).parents[3]


@pytest.mark.req("B11")
@pytest.mark.soak
def test_a_sync_killed_at_any_moment_loses_nothing(tmp_path: Path, share: Callable[[int], int]) -> None:
    """In each round both sides changed; after the next sync they agree, and every word is somewhere still."""
    rounds = share(120)
    done = subprocess.run(
        [sys.executable, "-m", "tests.vault.linking.killing", str(tmp_path), str(rounds), "7"],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60 + 20 * rounds,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.split()[1]) > rounds // 2


@pytest.mark.req("B2", "B11")
@pytest.mark.soak
def test_two_agents_a_person_and_the_engine_work_at_once(tmp_path: Path, share: Callable[[int], int]) -> None:
    """With a sync all the while: afterwards both sides agree, and nothing that was said is lost."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.vault.linking.crowd", str(tmp_path), str(share(80))],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
