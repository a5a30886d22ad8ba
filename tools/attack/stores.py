"""Scenarios of damaged and forged stores: what is missing or was changed is said."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from tools.attack.home import Home, require

WRITER = """
import sys
from reverie import Reverie, Scope
scope = Scope("assistant", "ada", "tail")
engine = Reverie.open(sys.argv[1], embedder=None, create=True, background=False)
for n in range(int(sys.argv[2])):
    engine.remember(f"Acknowledged message {n} about the boiler.", scope)
    print(n, flush=True)
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
"""
UNTRUSTED = 18
SCOPE = ("--agent", "assistant", "--user", "ada", "--project", "tail")


def lost_tail(home: Home) -> str:
    """A killed process leaves its journal in the -wal; the -wal is cut, or taken away, and the file touched."""
    store = home.store.parent / "tail.db"
    told = []
    for cut, touched in ((0.0, False), (0.5, False), (0.0, True), (0.5, True)):
        for path in store.parent.glob("tail.db*"):
            path.unlink()
        subprocess.run(
            [sys.executable, "-c", WRITER, str(store), "40"], env=home.environment(), capture_output=True, check=False
        )
        wal = Path(f"{store}-wal")
        require(wal.exists(), "there was no -wal to take away")
        data = wal.read_bytes()
        if cut:
            wal.write_bytes(data[: int(len(data) * cut)])
        else:
            wal.unlink()
        if touched:
            os.utime(store)
        for command in ("doctor", "store verify"):
            said = home.run(*command.split(), "--store", str(store), *SCOPE)
            require(
                said.code != 0 or "missing" in said.said.lower() or "lost" in said.said.lower(),
                f"`{command}` says nothing",
            )
            told.append(command)
    return f"doctor and verify say so ({len(told)} of {len(told)})"


def foreign_log(home: Home) -> str:
    """A stranger lays the -wal of a store of their own beside a closed one of the user's."""
    store, theirs = home.store.parent / "logged.db", home.path / "theirs.db"
    home.run("init", "--store", str(store), *SCOPE, cwd=home.folder("logged"))
    for n in range(3):
        home.run("remember", f"Entry {n} of the log book.", "--store", str(store), *SCOPE, check=True)
    _killed(home, theirs)
    shutil.copy(f"{theirs}-wal", f"{store}-wal")
    before = store.read_bytes()
    for command in ("doctor", "store verify", "timeline"):
        said = home.run(*command.split(), "--store", str(store), *SCOPE)
        require(said.code != 0 and f"{store}-wal" in said.said, f"`{command}` says nothing of the log")
        require("Acknowledged" not in said.said, "the stranger's words were told")
    require(store.read_bytes() == before, "the stranger's log was merged into the store")
    Path(f"{store}-wal").unlink()
    require(
        "Entry 2" in home.run("timeline", "--store", str(store), *SCOPE, check=True).out, "the user's words are gone"
    )
    return "refused by name, nothing merged, and all there once it is taken away"


def swapped(home: Home) -> str:
    """A stranger's store is written into the very file that the user agreed to."""
    clone, theirs = home.folder("swapped"), home.path / "theirs.db"
    home.run("init", *SCOPE, cwd=clone, check=True)
    home.run("remember", "The spare key hangs behind the boiler.", cwd=clone, check=True)
    store = clone / "reverie.db"
    _killed(home, theirs)
    with sqlite3.connect(theirs) as held:
        held.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    held.close()
    with store.open("r+b") as file:
        file.truncate()
        file.write(theirs.read_bytes())
    said = home.run("recall", "Which messages are there?", cwd=clone)
    require(said.code == UNTRUSTED, f"it was opened ({said.code})")
    hooked = home.hook("UserPromptSubmit", clone, prompt="Which acknowledged messages are there of the boiler?")
    require("Acknowledged message" not in hooked, "the stranger's words reached the agent")
    home.run("config", "trust", "--yes", cwd=clone, check=True)
    home.run("stats", cwd=clone, check=True)
    return "asked for again, by command and hook; with consent it opens"


def _killed(home: Home, store: Path) -> None:
    """A store as a killed process leaves it, with its log."""
    for path in store.parent.glob(f"{store.name}*"):
        path.unlink()
    command = [sys.executable, "-c", WRITER, str(store), "5"]
    subprocess.run(command, env=home.environment(), capture_output=True, check=False)
    require(Path(f"{store}-wal").exists(), "there was no -wal")


def rolled_back(home: Home) -> str:
    """A store is put back to an older state, cut, and written anew; the anchor finds each."""
    store, older = home.store.parent / "anchored.db", home.path / "older.db"
    scope = ("--store", str(store), "--agent", "assistant", "--user", "ada", "--project", "tail")
    home.run("init", *scope, cwd=home.folder("anchored"))
    for n in range(3):
        home.run("remember", f"Entry {n} of the log book.", *scope, check=True)
        if n == 0:
            shutil.copy(store, older)
    anchor = home.path / "anchor.json"
    home.run("audit", "anchor", str(anchor), *scope, check=True)
    require(home.run("store", "verify", "--anchor", str(anchor), *scope).code == 0, "an honest store does not pass")
    home.run("remember", "Entry 3 of the log book.", *scope, check=True)
    require(
        home.run("store", "verify", "--anchor", str(anchor), *scope).code == 0,
        "a store that grew does not pass",
    )
    for path in store.parent.glob("anchored.db-*"):
        path.unlink()
    shutil.copy(older, store)
    rolled = home.run("store", "verify", "--anchor", str(anchor), *scope)
    require(rolled.code != 0, "a roll-back was not found")
    for n in range(3):  # one and these three are as many as the anchor saw, and one more
        home.run("remember", f"Forged entry {n} of the log book.", *scope, check=True)
    forged = home.run("store", "verify", "--anchor", str(anchor), *scope)
    require(forged.code != 0, "a rewritten journal was not found")
    return "roll-back and rewriting found, honest growth passes"


def null_keys(home: Home) -> str:
    """A NULL where a key belongs, in each column of each table: a finding or a clear error, never a traceback."""
    origin, tried = home.store, 0
    home.run("hook", "stop")
    with sqlite3.connect(origin) as held:
        held.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        tables = [
            name
            for (name,) in held.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            )
        ]
        columns = [
            (t, row[1])
            for t in tables
            for row in held.execute(f'PRAGMA table_info("{t}")')
            if not t.startswith("sqlite_")
        ]
    held.close()
    copy = home.store.parent / "nulls.db"
    for table, column in columns[:: max(1, len(columns) // 12)]:
        shutil.copy(origin, copy)
        with sqlite3.connect(copy) as db:
            try:
                db.execute(f'UPDATE "{table}" SET "{column}" = NULL')
            except sqlite3.Error:
                continue
        db.close()
        home.run("store", "verify", "--store", str(copy), *SCOPE)
        home.run("doctor", "--store", str(copy), *SCOPE)
        tried += 1
    require(tried > 0, "no column could be set to NULL")
    return f"{tried} columns: a finding or a clear error each"
