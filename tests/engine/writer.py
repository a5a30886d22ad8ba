"""A process of its own that writes and recalls, for the tests that need two of them. Prints each acknowledged id."""

from __future__ import annotations

import sys

from reverie import HashEmbedder, Message, Reverie, Scope

SCOPE = Scope("a", "u", "p")


def main(path: str, name: str, count: str) -> None:
    """Remember ``count`` messages in the name of ``name``, recalling one after each."""
    with Reverie.open(path, embedder=HashEmbedder()) as engine:
        for n in range(int(count)):
            message = Message(f"{name} note {n} about kites", session=name, message_id=f"{name}-{n}")
            sys.stdout.write(f"{engine.remember(message, SCOPE).id}\n")
            sys.stdout.flush()
            engine.recall(f"note {n}", SCOPE)


if __name__ == "__main__":
    main(*sys.argv[1:])
