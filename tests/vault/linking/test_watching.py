from collections.abc import Iterator

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
