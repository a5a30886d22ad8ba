"""Install into Agent Zero: two extension files at its hooks, and the configuration sections that they read.

Takes the folder of Agent Zero and gives the files for its layout, 0.9.8 or 1.x. None of Agent Zero's own files is
changed, and existing sections of its configuration stay as they are.
"""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reverie.errors import InvalidInput
from reverie.hosts import json_edit
from reverie.hosts.host import Host, HostEnvironment, HostFile, JsonMark, Piece, Where
from reverie.hosts.json_edit import JsonDialect, Keys, parse

NAME = "agent-zero"
PLUGIN = "reverie_memory"
EXTENSIONS = (
    ("message_loop_prompts_after", "_56_memory_enhancement.py", "enhancement"),
    ("monologue_end", "_57_memory_maintenance.py", "maintenance"),
)
CONFIG = ("usr", "memory", "classification_config.json")
PACKAGES = ("usr", "reverie", "packages")
"""Where the package must lie to survive a new container, which keeps only the folder ``usr``."""
_DATA = Path(__file__).with_name("data") / "agent_zero"
_OURS = "Put here by `reverie install agent-zero`"
_ENVIRONMENTS = ((".venv",), ("venv",), ("..", "opt", "venv-a0"))
"""Where Agent Zero's Python lies, relative to its folder: a virtual environment in it, or its container's."""
_TRY_S = 30.0


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that belongs to Reverie as a whole."""

    text: str

    @property
    def keys(self) -> Keys:
        """Empty: the piece is the whole file."""
        return ()

    def put(self, _text: str, /) -> str:
        """Return the text of Reverie's file, whatever it was before."""
        return self.text

    def take(self, _text: str, _made: Collection[Keys], /) -> str:
        """Return an empty text, because nothing of the file remains."""
        return ""

    def holders(self, _text: str, /) -> list[Keys]:
        """Return an empty list, because a whole file needs no containers."""
        return []

    def found(self, text: str) -> object:
        """Return the text of somebody else's file with the same name; None for one of Reverie's, also an older one."""
        return text if text.strip() and _OURS not in text and text != self.text else None

    def place(self, _text: str, value: object, /) -> str:
        """Return somebody else's text, to restore it."""
        return str(value)


@dataclass(frozen=True, slots=True)
class Section(JsonMark):
    """A section of the configuration: an existing one stays unchanged; one that was added is removed again."""

    def take(self, text: str, made: Collection[Keys]) -> str:
        """Return the text without the section, if the installation added it."""
        return json_edit.drop(text, JsonDialect.PLAIN, self.keys) if self.keys in made else text


def house_files(root: Path) -> tuple[HostFile, ...]:
    """Return the files to put into the Agent Zero at ``root``. Raises InvalidInput if there is none."""
    if _is_old(root):
        base = root / "usr" / "extensions"
        extensions = [_own(base / hook / name, data) for hook, name, data in EXTENSIONS]
        return *extensions, HostFile(root.joinpath(*CONFIG), _sections())
    if _is_new(root):
        return plugin_files(root / "usr")
    raise InvalidInput(
        f"{root} is no Agent Zero of 0.9.8 or later.",
        "Name the folder that holds its agent.py, for example: reverie install agent-zero /a0",
    )


def plugin_files(usr: Path) -> tuple[HostFile, ...]:
    """Return the files to put into the folder ``usr`` of an Agent Zero of 1.0 or later, where they are a plugin."""
    folder = usr / "plugins" / PLUGIN
    base = folder / "extensions" / "python"
    extensions = [_own(base / hook / name, data) for hook, name, data in EXTENSIONS]
    return _own(folder / "plugin.yaml", "plugin"), *extensions, HostFile(usr.joinpath(*CONFIG[1:]), _sections())


def _files(around: HostEnvironment, _where: Where) -> tuple[HostFile, ...]:
    return house_files(around.folder)


def _is_old(root: Path) -> bool:
    """Whether Agent Zero has the layout of 0.9.8."""
    helpers = ("extension", "memory", "subagents")  # before 0.9.8 there is no `subagents`, and `usr` is not read
    return _holds(root, "agent.py", *(f"python/helpers/{name}.py" for name in helpers))


def _is_new(root: Path) -> bool:
    """Whether Agent Zero has the layout of 1.0 and later, where memory is a plugin."""
    return _holds(root, "agent.py", "helpers/extension.py", "plugins/_memory/plugin.yaml")


def _holds(root: Path, *names: str) -> bool:
    return all((root / name).is_file() for name in names)


def _own(path: Path, data: str) -> HostFile:
    return HostFile(path, (WholeFile(data_text(f"{data}.txt")),), whole=True)


@cache
def _sections() -> tuple[Piece, ...]:
    text = data_text("sections.json")
    return tuple(Section((member.key,), member.node.value) for member in parse(text).members)


def data_text(name: str) -> str:
    """Return the text of one of the files that come with this installation."""
    return (_DATA / name).read_text(encoding="utf-8")


def _told(around: HostEnvironment) -> tuple[str, ...]:
    """Return the next steps for the owner, depending on whether Agent Zero's Python finds the package."""
    root = around.folder
    restart = (
        "restart Agent Zero; then a turn's log shows a line [MEM-ENHANCE], and every 25th monologue one [MEM-MAINT]",
        f"its settings: {root.joinpath(*CONFIG)}",
    )
    shadows = [
        f"{path} has the name of one of these files and comes first: ours does not run. Move it away to use ours"
        for path in _shadowing(root)
    ]
    pythons = [path for parts in _ENVIRONMENTS if (path := root.joinpath(*parts, "bin", "python")).is_file()]
    if any(_has_reverie(python, root) for python in pythons):
        return *shadows, *restart
    python = pythons[0] if pythons else "PYTHON"
    which = "" if pythons else ", with Agent Zero's own Python as PYTHON"
    kept = root.joinpath(*PACKAGES)
    target = f" --target {kept}" if _is_container(pythons) else ""
    what = "put the package where a new container finds it" if target else "put the package where Agent Zero runs"
    return *shadows, f"{what}{which}: {python} -m pip install{target} path/to/reverie", *restart


def _is_container(pythons: list[Path]) -> bool:
    """Whether Agent Zero's Python belongs to its container image, so that packages installed there are lost with it."""
    return bool(pythons) and pythons[0].parts[-3] == _ENVIRONMENTS[-1][-1]


def _shadowing(root: Path) -> list[Path]:
    """Return other people's files that are loaded instead of ours: the same name in a folder that comes first."""
    inner = "extensions" if _is_old(root) else "extensions/python"
    first = ["usr/agents/*", "agents/*", "usr/projects/*/.a0proj", *([] if _is_old(root) else ["usr"])]
    names = [f"{inner}/{hook}/{name}" for hook, name, _ in EXTENSIONS]
    return sorted(path for place in first for name in names for path in root.glob(f"{place}/{name}"))


def _has_reverie(python: Path, root: Path) -> bool:
    """Whether Agent Zero finds the package: in its Python, or in the folder that a new container keeps."""
    kept = str(root.joinpath(*PACKAGES))
    try:
        look = "import sys; sys.path.append(sys.argv[1]); import reverie.faces.agent_zero"
        call = [str(python), "-I", "-c", look, kept]
        return subprocess.run(call, capture_output=True, timeout=_TRY_S, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


HOST = Host(name=NAME, title="Agent Zero", files=_files, wheres=(Where.PROJECT,), after=(), placed=True, told=_told)
