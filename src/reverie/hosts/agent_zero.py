"""Agent Zero: two extension files at its hooks, and the sections of its configuration that they read (A14).

In: the folder Agent Zero lies in. Out: the files for its layout, 0.9.8 or 1.x, and what is put into each. Nothing of
Agent Zero's own is changed, and what its configuration says already stays as it stands.
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
"""Where the package may lie so that a new container has it: the folder ``usr`` alone outlives one."""
_DATA = Path(__file__).with_name("data") / "agent_zero"
_OURS = "Put here by `reverie install agent-zero`"
_ENVIRONMENTS = ((".venv",), ("venv",), ("..", "opt", "venv-a0"))
"""Where Agent Zero's Python lies, seen from its folder: an environment in it, or its container's."""
_TRY_S = 30.0


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is ours from the first line to the last."""

    text: str

    @property
    def keys(self) -> Keys:
        """It stands everywhere in its file."""
        return ()

    def put(self, _text: str, /) -> str:
        """The file."""
        return self.text

    def take(self, _text: str, _made: Collection[Keys], /) -> str:
        """Nothing of it."""
        return ""

    def holders(self, _text: str, /) -> list[Keys]:
        """None."""
        return []

    def found(self, text: str) -> object:
        """Somebody else's file of the same name; an older one of ours is none."""
        return text if text.strip() and _OURS not in text and text != self.text else None

    def place(self, _text: str, value: object, /) -> str:
        """Somebody else's file again."""
        return str(value)


@dataclass(frozen=True, slots=True)
class Section(JsonMark):
    """A section of the configuration: one that is there stays as it stands, one that we added is taken out again."""

    def take(self, text: str, made: Collection[Keys]) -> str:
        """The text without it, where it was made for us."""
        return json_edit.drop(text, JsonDialect.PLAIN, self.keys) if self.keys in made else text


def house_files(root: Path) -> tuple[HostFile, ...]:
    """What is put into the Agent Zero at ``root``. Raises InvalidInput where there is none."""
    if _is_old(root):
        base, plugin = root / "usr" / "extensions", list[HostFile]()
    elif _is_new(root):
        folder = root / "usr" / "plugins" / PLUGIN
        base, plugin = folder / "extensions" / "python", [_own(folder / "plugin.yaml", "plugin")]
    else:
        raise InvalidInput(
            f"{root} is no Agent Zero of 0.9.8 or later.",
            "Name the folder that holds its agent.py, for example: reverie install agent-zero /a0",
        )
    extensions = [_own(base / hook / name, data) for hook, name, data in EXTENSIONS]
    return *plugin, *extensions, HostFile(root.joinpath(*CONFIG), _sections())


def _files(around: HostEnvironment, _where: Where) -> tuple[HostFile, ...]:
    return house_files(around.folder)


def _is_old(root: Path) -> bool:
    """Whether it is of the layout that 0.9.8 has."""
    helpers = ("extension", "memory", "subagents")  # before 0.9.8 there is no `subagents`, and `usr` is not looked at
    return _holds(root, "agent.py", *(f"python/helpers/{name}.py" for name in helpers))


def _is_new(root: Path) -> bool:
    """Whether it is of the layout that came with 1.0: memory is a plugin there."""
    return _holds(root, "agent.py", "helpers/extension.py", "plugins/_memory/plugin.yaml")


def _holds(root: Path, *names: str) -> bool:
    return all((root / name).is_file() for name in names)


def _own(path: Path, data: str) -> HostFile:
    return HostFile(path, (WholeFile(_text(f"{data}.txt")),), whole=True)


@cache
def _sections() -> tuple[Piece, ...]:
    text = _text("sections.json")
    return tuple(Section((member.key,), member.node.value) for member in parse(text).members)


def _text(name: str) -> str:
    return (_DATA / name).read_text(encoding="utf-8")


def _told(around: HostEnvironment) -> tuple[str, ...]:
    """What its owner does next, by what this Agent Zero's Python has."""
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
    """Whether Agent Zero's Python is its image's: what is installed there is gone with the container."""
    return bool(pythons) and pythons[0].parts[-3] == _ENVIRONMENTS[-1][-1]


def _shadowing(root: Path) -> list[Path]:
    """The files of somebody else's that are loaded in place of ours: of the same name, in a folder that comes first."""
    inner = "extensions" if _is_old(root) else "extensions/python"
    first = ["usr/agents/*", "agents/*", "usr/projects/*/.a0proj", *([] if _is_old(root) else ["usr"])]
    names = [f"{inner}/{hook}/{name}" for hook, name, _ in EXTENSIONS]
    return sorted(path for place in first for name in names for path in root.glob(f"{place}/{name}"))


def _has_reverie(python: Path, root: Path) -> bool:
    """Whether Agent Zero finds the package: in its Python, or among what a new container keeps."""
    kept = str(root.joinpath(*PACKAGES))
    try:
        look = "import sys; sys.path.append(sys.argv[1]); import reverie.faces.agent_zero"
        call = [str(python), "-I", "-c", look, kept]
        return subprocess.run(call, capture_output=True, timeout=_TRY_S, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


HOST = Host(name=NAME, title="Agent Zero", files=_files, wheres=(Where.PROJECT,), after=(), placed=True, told=_told)
