"""How long moving takes: ``python -m tools.moving_times [MESSAGES]`` prints a row a step, in seconds of the processor.

In: how many messages, 10,000 by default. Out: times of export and import, without a model; texts are made by chance.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reverie import Message, Reverie, Scope

SCOPE = Scope("helper", "ada", "home")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = 20_000


def messages(count: int) -> Iterator[Message]:
    """Messages of 5 to 40 words, 50 a session."""
    chance = random.Random(1)
    for number in range(count):
        text = " ".join(f"word{chance.randrange(WORDS)}" for _ in range(chance.randint(5, 40)))
        at = BEGIN + timedelta(minutes=number)
        yield Message(text, speaker="user", session=f"s{number // 50}", at=at, message_id=f"m{number}")


def timed(name: str, step: Callable[[], object]) -> None:
    """Run a step and print how long it took."""
    wall, worked = time.perf_counter(), time.process_time()
    step()
    print(
        f"{name:34} {time.process_time() - worked:6.2f} s of the processor, {time.perf_counter() - wall:6.2f} s in all"
    )


def main() -> None:
    """Export and import a store of so many messages."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "all.jsonl"
        with (
            Reverie.open(folder / "from.db", embedder=None) as old,
            Reverie.open(folder / "to.db", embedder=None) as new,
        ):
            timed("remember_many", lambda: old.transfer.remember_many(messages(count), SCOPE))
            with file.open("wb") as out:
                timed("lossless export", lambda: old.transfer.export_journal(out))
            print(f"{'':34} {file.stat().st_size / 1e6:6.2f} MB")
            timed("dry run of the import", lambda: new.transfer.import_journal(file, dry_run=True))
            timed("import", lambda: new.transfer.import_journal(file))
            timed("import again", lambda: new.transfer.import_journal(file))
            timed("Markdown", lambda: old.transfer.export_markdown(folder / "notes", SCOPE))


if __name__ == "__main__":
    main()
