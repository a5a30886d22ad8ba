"""Install into Agent Zero's container, from outside: everything below the folder that it mounts as ``/a0/usr``.

A container is thrown away and made anew; only that folder stays. It gets the extension files, their configuration, the
package as a wheel, a script that unpacks the wheel with the image's own Python, and a Compose file that runs the script
before each start.
"""

from __future__ import annotations

import base64
import hashlib
import io
import shlex
import zipfile
from collections.abc import Iterator
from functools import cache, partial
from importlib import metadata
from pathlib import Path

import reverie
from reverie import durable
from reverie.answers import Fault
from reverie.errors import InvalidInput, NotFound
from reverie.hosts.agent_zero import WholeFile, data_text, plugin_files
from reverie.hosts.host import Host, HostAct, HostEnvironment, HostFile, Where

NAME = "agent-zero-docker"
FOLDER = "reverie"
"""Where the wheel, the script and the Compose file lie, relative to the mounted folder."""
_INSTALLED_ONLY = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_WHEELS = "reverie-*.whl"


@cache
def wheel() -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel of the running installation; the same installation gives the same bytes.

    Raises NotFound if Reverie was not installed with its metadata.
    """
    held = dict(_members())
    info = next(name.partition("/")[0] for name in held if name.endswith(".dist-info/METADATA"))
    lines = [f"{name},sha256={_hash(content)},{len(content)}" for name, content in held.items()]
    record = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in {**held, f"{info}/RECORD": record}.items():
            file.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return f"{info.removesuffix('.dist-info')}-py3-none-any.whl", out.getvalue()


def _members() -> Iterator[tuple[str, bytes]]:
    """Yield the package's files and those of its metadata, by their path in the wheel."""
    package = Path(reverie.__file__).parent
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(package.parent).as_posix(), path.read_bytes()
    try:
        listed = metadata.distribution("reverie").files or []
    except metadata.PackageNotFoundError:
        listed = []
    found = [one for one in listed if one.parts[0].endswith(".dist-info") and one.name not in _INSTALLED_ONLY]
    if not found:
        raise NotFound("This Reverie was not installed as a package.", "Install it with pip, uv or pipx; then again.")
    for one in sorted(found, key=str):
        yield one.as_posix(), one.read_binary()


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _files(around: HostEnvironment, _where: Where) -> tuple[HostFile, ...]:
    """Return the files for a mounted folder. Raises InvalidInput if it is Agent Zero's own folder."""
    usr = around.folder
    if (usr / "agent.py").exists():
        raise InvalidInput(
            f"{usr} is Agent Zero's own folder.",
            f"Name the one that its container mounts as /a0/usr, for example: reverie install {NAME} {usr / 'usr'}",
        )
    own = [
        HostFile(usr / FOLDER / name, (WholeFile(data_text(data)),), whole=True)
        for name, data in (("setup.sh", "setup.txt"), ("compose.yaml", "compose.txt"))
    ]
    return *plugin_files(usr), *own


def _acts(around: HostEnvironment, undo: bool) -> tuple[HostAct, ...]:
    """Return the writing of the wheel, or its removal."""
    folder = around.folder / FOLDER
    there = sorted(folder.glob(_WHEELS))
    if undo:
        return (HostAct(f"rm {shlex.join(map(str, there))}", partial(_remove, there)),) if there else ()
    name, content = wheel()
    if [path.name for path in there] == [name] and there[0].read_bytes() == content:
        return ()
    shown = f"write {shlex.quote(str(folder / name))}  (the package, {len(content) / 1e6:.1f} MB)"
    return (HostAct(shown, partial(_write, folder / name, content, there)),)


def _write(path: Path, content: bytes, earlier: list[Path]) -> str:
    _remove([one for one in earlier if one != path])
    path.parent.mkdir(parents=True, exist_ok=True)
    durable.replace(path, content)
    return ""


def _remove(paths: list[Path]) -> str:
    for path in paths:
        path.unlink(missing_ok=True)
    return ""


def _told(around: HostEnvironment) -> tuple[str, ...]:
    compose = shlex.quote(str(around.folder / FOLDER / "compose.yaml"))
    return (
        f"start it, also after an update of the image: docker compose --file {compose} up --detach",
        f"or, in a container of your own that mounts {around.folder} as /a0/usr: "
        "docker exec NAME sh /a0/usr/reverie/setup.sh && docker restart NAME",
        "a turn's log then shows a line [MEM-ENHANCE], and every 25th monologue one [MEM-MAINT]",
    )


def _examine(around: HostEnvironment, command: str) -> tuple[Fault, ...]:
    """Return a fault if the wheel is missing or of another version than this installation."""
    wanted = f"reverie-{reverie.__version__}-"
    names = [path.name for path in sorted((around.folder / FOLDER).glob(_WHEELS))]
    if names and all(name.startswith(wanted) for name in names):
        return ()
    what = f"Agent Zero's container gets {', '.join(names) or 'no package'}; this is Reverie {reverie.__version__}."
    return (Fault("host-version", what, command),)


HOST = Host(
    name=NAME,
    title="Agent Zero in Docker",
    files=_files,
    wheres=(Where.PROJECT,),
    after=(),
    placed=True,
    told=_told,
    acts=_acts,
    examine=_examine,
)
