"""Which project a folder belongs to: one repository is one project, wherever its folders lie.

In: a folder, and the user's state folder. Out: the project's name in a scope, and what to ask the user.

The worktrees of a repository are one project, since git says so on both sides. A folder that has moved, or a clone on
another machine, claims to be a project by its remote's address or its first commit. Anybody can copy both, so such a
folder has a memory of its own until the user joins it to the project.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from reverie.config.sections import MARKS
from reverie.durable import OWNER_ONLY, open_own, state_folder, unwritable
from reverie.errors import InvalidInput, InvalidSetting, NotFound, ReverieError
from reverie.locking import locked

AUTO = "auto"
_NAME_MAX, _DIGITS, _MANY = 150, 8, 16
_READ_MAX = 1 << 16
"""Bytes of a git file that are read; the log of a long life is read to its first line."""
_FIRST = re.compile(r"0{40,64} (?P<commit>[0-9a-f]{40,64}) .*\tcommit \(initial\)")
_SECTION = re.compile(r'^\s*\[\s*remote\s+"origin"\s*\]\s*$(?P<lines>(?:\n(?!\s*\[).*)*)', re.MULTILINE)
_URL = re.compile(r'^\s*url\s*=\s*"?(?P<url>[^"\n#;]+?)"?\s*$', re.MULTILINE)
_SCP = re.compile(r"^(?:[^@/:]+@)?(?P<host>[^/:]+):(?!//)(?P<path>.+)$")
_WEB = re.compile(r"^[a-z+]+://(?:[^@/]*@)?(?P<host>[^/:]+)(?::\d+)?/(?P<path>.+)$", re.IGNORECASE)


class Repository(NamedTuple):
    """The folder that a repository's project is named after, and its claims: ``remote:…``, ``root:…``."""

    folder: Path
    claims: tuple[str, ...] = ()


def project_root(folder: Path) -> Path:
    """Return the nearest folder, at or above this one, with a repository or its own settings; else this one."""
    folder = folder.resolve()
    return next((f for f in (folder, *folder.parents) if any((f / mark).exists() for mark in MARKS)), folder)


def repository(folder: Path) -> Repository:
    """The repository a folder lies in; without one, the nearest folder with ``reverie.toml``, or else this folder.

    No program is run, and git's files are read as text: a folder may be anybody's.
    """
    root = project_root(folder)
    git = root / ".git"
    common = _shared(git) if git.is_file() else git
    if common is None or not common.is_dir():
        return Repository(root)
    return Repository(common.parent if common.name == ".git" else common, _claims(common))


def _shared(git: Path) -> Path | None:
    """The git folder that a worktree shares with its repository; None where the repository does not name it back."""
    own = _said(git, "gitdir:", git.parent)
    if own is None:
        return None
    common, back = _said(own / "commondir", "", own), _said(own / "gitdir", "", own)
    return common if common is not None and back == git else None


def _said(file: Path, before: str, base: Path) -> Path | None:
    """The path that a one-line file of git's holds."""
    text = _text(file).strip()
    if not text.startswith(before) or "\n" in text or "\0" in text:
        return None
    return (base / text.removeprefix(before).strip()).resolve()


def _claims(git: Path) -> tuple[str, ...]:
    section = _SECTION.search(_text(git / "config"))
    url = _URL.search(section["lines"]) if section else None
    first = _FIRST.match(_text(git / "logs" / "HEAD").partition("\n")[0])
    found = (f"remote:{address(url['url'])}" if url else "", f"root:{first['commit']}" if first else "")
    return tuple(filter(None, found))


def address(url: str) -> str:
    """A remote's host and path, the same for each way of writing its address: no user, port, scheme or ``.git``."""
    match = _WEB.match(url.strip()) or _SCP.match(url.strip())
    if match is None:
        return url.strip()
    path = match["path"].strip("/").removesuffix(".git")
    return f"{match['host'].lower()}/{path}"


def _text(file: Path) -> str:
    with suppress(OSError), file.open("rb") as stream:
        return stream.read(_READ_MAX).decode("utf-8", "replace")
    return ""


def auto_project(folder: Path, environment: Mapping[str, str]) -> str:
    """The name of the project that a folder belongs to: the one the user joined it to, or else one of its own."""
    return Projects(environment).of(repository(folder)).project


def own_name(folder: Path) -> str:
    """A project's name after its folder, with eight digits of its path's hash: two folders called app differ."""
    return f"{_name(folder)}-{_digits(folder)[:_DIGITS]}"


def narrowed(project: str, folder: Path) -> str:
    """A project's name as a folder may claim it that nobody trusts: its own alone, whatever it says, "auto" included.

    The digits are sixteen, so that no folder's path is found which has those of another.
    """
    name = _name(folder) if project == AUTO else project[:_NAME_MAX]
    return f"{name}-{_digits(folder)[:_MANY]}"


def _name(folder: Path) -> str:
    return folder.name.encode("utf-8", "replace").decode("utf-8")[:_NAME_MAX] or "root"


def _digits(folder: Path) -> str:
    return sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()


# What the user decided: folders joined to projects, in a file of events, the last of a folder counting.


@dataclass(frozen=True, slots=True)
class ProjectEvent:
    """What happened to a folder: it was ``seen`` with its claims, ``joined`` to a project, or ``parted`` from it."""

    what: str
    folder: str
    project: str
    claims: tuple[str, ...]
    at: str


@dataclass(frozen=True, slots=True)
class Belonging:
    """The project of a folder.

    Attributes:
        project: its name in the scope.
        folder: the folder of the repository.
        claims: what the repository says of itself.
        joined: whether the user joined it to a project.
        others: the other folders of the same project.
        alike: projects of other folders with a claim of this one, which the user may join it to.
    """

    project: str
    folder: Path
    claims: tuple[str, ...]
    joined: bool
    others: tuple[str, ...]
    alike: tuple[str, ...]

    def question(self) -> str:
        """What to ask the user about the projects it may be joined to; nothing where there is none."""
        if not self.alike:
            return ""
        joins = " or ".join(f"`reverie project join {name}`" for name in self.alike)
        return (
            f"{self.folder} has the remote or the first commit of a project you know. It has a memory of its own, "
            f"unless you run {joins}. A copy of anybody's may say the same, so join only what is yours."
        )


class Projects:
    """The folders this user has worked in and the projects they belong to; one file of events in the state folder."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        state = state_folder(os.environ if environment is None else environment)
        self._file = None if state is None else state / "projects.jsonl"

    def events(self) -> list[ProjectEvent]:
        """Return all recorded decisions about folders, oldest first. Lines that cannot be read are skipped."""
        found = []
        for line in self._lines():
            with suppress(ValueError, TypeError, KeyError):
                said = json.loads(line)
                what, folder, project, at = (str(said[name]) for name in ("what", "folder", "project", "at"))
                found.append(ProjectEvent(what, folder, project, tuple(map(str, said["claims"])), at))
        return found

    def of(self, found: Repository) -> Belonging:
        """The project of a repository, and the projects it claims to be."""
        return _belonging(found, _latest(self.events()))

    def meet(self, folder: Path, now: datetime | None = None) -> tuple[str, str]:
        """The project of a folder that is worked in; and, the first time, a question if it claims another's project.

        What cannot be written down is asked again the next time.
        """
        found, known = repository(folder), _latest(self.events())
        belonging, before = _belonging(found, known), known.get(str(found.folder))
        if self._file is None or not found.claims or (before is not None and before.claims == found.claims):
            return belonging.project, ""
        with suppress(ReverieError):
            self._write("seen", found, belonging.project, now)
        return belonging.project, "" if belonging.joined else belonging.question()

    def join(self, folder: Path, project: str, now: datetime | None = None) -> Belonging:
        """Let a folder belong to a project: one that another folder has, or a name of the user's choice.

        Raises:
            InvalidInput: the name is empty or too long.
            InvalidSetting: there is no state folder.
            StoreError: it cannot be written.
        """
        if not project.strip() or len(project) > _NAME_MAX or project == AUTO:
            raise InvalidInput(f"{project!r} is no name of a project.", f"Give 1 to {_NAME_MAX} characters.")
        found = repository(folder)
        self._write("joined", found, project, now)
        return self.of(found)

    def part(self, folder: Path, now: datetime | None = None) -> Belonging:
        """Give a folder a project of its own again. Raises NotFound, InvalidSetting, StoreError."""
        found = repository(folder)
        if not self.of(found).joined:
            raise NotFound(f"{found.folder} is joined to no project.", "`reverie project` shows what it belongs to.")
        self._write("parted", found, own_name(found.folder), now)
        return self.of(found)

    def undo(self, folder: Path, now: datetime | None = None) -> Belonging:
        """Take the last joining or parting of a folder back. Raises NotFound, InvalidSetting, StoreError."""
        found = repository(folder)
        past = [one for one in self.events() if one.folder == str(found.folder) and one.what != "seen"]
        if not past:
            raise NotFound(f"{found.folder} was never joined.", "`reverie project join NAME` joins it.")
        before = past[-2] if len(past) > 1 and past[-2].what == "joined" else None
        what, project = ("joined", before.project) if before else ("parted", own_name(found.folder))
        self._write(what, found, project, now)
        return self.of(found)

    def _write(self, what: str, found: Repository, project: str, now: datetime | None) -> None:
        if self._file is None:
            raise InvalidSetting("HOME is not set, so there is no place for your projects.", "Set HOME.")
        at = (datetime.now(UTC) if now is None else now).isoformat()
        event = ProjectEvent(what, str(found.folder), project, found.claims, at)
        line = json.dumps(asdict(event)).encode("ascii") + b"\n"  # ASCII, whatever the path holds
        try:
            with (
                locked(self._file.with_name("projects.lock"), mode=OWNER_ONLY),
                os.fdopen(open_own(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND), "ab") as file,
            ):
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise unwritable(error, self._file) from None

    def _lines(self) -> list[bytes]:
        if self._file is None:
            return []
        with suppress(OSError), os.fdopen(open_own(self._file, os.O_RDONLY), "rb") as file:
            return file.read().splitlines()
        return []


def _latest(events: list[ProjectEvent]) -> dict[str, ProjectEvent]:
    """The event that counts for each folder: the last decision, or else the first sight, with the newest claims."""
    found: dict[str, ProjectEvent] = {}
    for event in events:
        before = found.get(event.folder)
        kept = before is not None and event.what == "seen"
        found[event.folder] = replace(before, claims=event.claims) if kept and before else event
    return found


def _belonging(found: Repository, known: Mapping[str, ProjectEvent]) -> Belonging:
    own = known.get(str(found.folder))
    joined = None if own is None or own.what != "joined" else own.project
    project = joined or own_name(found.folder)
    others = {folder: one for folder, one in known.items() if folder != str(found.folder)}
    return Belonging(
        project,
        found.folder,
        found.claims,
        joined is not None,
        tuple(sorted(folder for folder, one in others.items() if one.project == project)),
        tuple(sorted({one.project for one in others.values() if set(one.claims) & set(found.claims)} - {project})),
    )
