"""The vault's stand-alone scripts, ``memory-search.py`` and the others: parse arguments, print lines or JSON."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path

from reverie.errors import InvalidInput, ReverieError
from reverie.faces.cli import vault_output as shown
from reverie.faces.cli.exits import DONE, INTERRUPTED, PARTLY, PIPE_CLOSED, exit_code
from reverie.faces.cli.screen import PlainScreen
from reverie.vault.files import Places
from reverie.vault.laws import ocean_laws
from reverie.vault.maintenance import MaintenanceStep, Setting, Task, run
from reverie.vault.search import VaultQuery, find


def memory_search() -> int:
    """Search by words, ranked by similarity times importance times freshness. No access is counted."""
    parser = _parser(memory_search)
    parser.add_argument("query", help="the words to look for")
    parser.add_argument("--agent", metavar="NAME", help="this agent's observations and the shared ones")
    parser.add_argument("--all", action="store_true", help="everything, even with --agent")
    parser.add_argument("--limit", type=_limit, default=5, metavar="N", help="at most so many (default: 5)")
    given = parser.parse_args()

    def work(screen: PlainScreen) -> int:
        wish = VaultQuery(given.query, None if given.all else given.agent, given.limit)
        shown.found(screen, find(_places(given.vault), ocean_laws(), wish, given.today))
        return DONE

    return _told(work, PlainScreen(given.json))


def memory_decay() -> int:
    """Count references, then archive what is past its age or of no importance, and extend what matters."""
    return _maintained(memory_decay, (MaintenanceStep.REFS, MaintenanceStep.DECAY))


def memory_promote() -> int:
    """Share observations that earned it with all agents, and update older copies."""
    return _maintained(memory_promote, (MaintenanceStep.PROMOTE,))


def _maintained(script: Callable[[], int], steps: tuple[MaintenanceStep, ...]) -> int:
    parser = _parser(script)
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    given = parser.parse_args()

    def work(screen: PlainScreen) -> int:
        setting = Setting(_places(given.vault), ocean_laws(), given.today)
        done = run(setting, Task(steps), dry_run=given.dry_run)
        shown.report(screen, done, dry_run=given.dry_run)
        return PARTLY if done.faults else DONE

    return _told(work, PlainScreen(given.json))


def _parser(script: Callable[[], int]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=script.__doc__)
    parser.add_argument("--vault", metavar="FOLDER", help="the vault; else the one this script or folder is in")
    parser.add_argument("--today", type=_day, default=_now(), metavar="DAY", help="go by this day instead of today")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    return parser


def _now() -> date:
    return datetime.now().astimezone().date()


def _day(said: str) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{said!r} is no day; write 2026-03-02") from None


def _limit(said: str) -> int:
    number = int(said) if said.isascii() and said.isdigit() else 0
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError(f"{said!r} is not from 1 to 1000")
    return number


def _places(said: str | None) -> Places:
    """Return the vault at a path, or around the script or working folder. Raises InvalidInput, NotFound."""
    if said is None:
        own = Places(Path(__file__).resolve().parent.parent)
        return own if own.is_vault() else Places.above(Path.cwd())
    places = Places(Path(said).resolve())
    if not places.is_vault():
        raise InvalidInput(f"{places.root} is no vault.", "It needs the folders `agents` and `shared/observations`.")
    return places


def _told(work: Callable[[PlainScreen], int], screen: PlainScreen) -> int:
    """Run the work; turn known errors into a message and an exit code, as the command does."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # a script's streams are text files
    try:
        code = work(screen)
        sys.stdout.flush()
    except ReverieError as error:
        screen.note(f"error: {error.message}")
        screen.note(f"  mend: {error.mend}")
        return exit_code(error)
    except BrokenPipeError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code
