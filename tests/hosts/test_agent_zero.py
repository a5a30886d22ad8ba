import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import InvalidInput
from reverie.hosts import agent_zero
from reverie.hosts.agent_zero import EXTENSIONS, HOST, PACKAGES, house_files
from reverie.hosts.files import NoteBook
from reverie.hosts.host import HostEnvironment, Where
from reverie.hosts.known import PLACED, host
from reverie.hosts.plan import installing, undoing

LAYOUTS = {
    "old": ("agent.py", *(f"python/helpers/{name}.py" for name in ("extension", "memory", "subagents"))),
    "new": ("agent.py", "helpers/extension.py", "plugins/_memory/plugin.yaml"),
}
TEMPLATES = Path(agent_zero.__file__).with_name("data") / "agent_zero"
CONFIG = '{\n    "load_bearing_keywords": ["must"],\n    "temporal_decay": {"enabled": false}\n}\n'


@pytest.fixture(params=LAYOUTS)
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An Agent Zero of each layout, as far as the installer looks at it."""
    return laid_out(tmp_path / "a0", request.param)


def laid_out(root: Path, layout: str) -> Path:
    """The files by which a layout is told."""
    for name in LAYOUTS[layout]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", encoding="utf-8")
    return root


@pytest.fixture
def book(tmp_path: Path) -> NoteBook:
    """Empty notes."""
    return NoteBook(tmp_path / "state" / "notes.json")


def everything(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below one."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def config(root: Path) -> Path:
    """The host's configuration."""
    return root / "usr" / "memory" / "classification_config.json"


def write_config(root: Path, text: str) -> None:
    """The configuration as its owner has it."""
    config(root).parent.mkdir(parents=True, exist_ok=True)
    config(root).write_bytes(text.encode())


def said(root: Path) -> Any:
    """What the configuration says."""
    return json.loads(config(root).read_text(encoding="utf-8"))


def told(root: Path) -> str:
    """What its owner is told to do next."""
    return "\n".join(HOST.told(HostEnvironment({}, root, "", ("reverie",))))


@pytest.mark.parametrize(
    ("layout", "place"),
    [
        ("new", "usr/extensions/python"),
        ("new", "usr/agents/mine/extensions/python"),
        ("new", "usr/projects/shop/.a0proj/extensions/python"),
        ("old", "agents/agent0/extensions"),
        ("old", "usr/agents/mine/extensions"),
    ],
)
def test_a_file_that_comes_before_ours_is_named(tmp_path: Path, layout: str, place: str) -> None:
    """Of two files of a name Agent Zero runs the first, and says nothing of the other."""
    root = laid_out(tmp_path / "a0", layout)
    assert "comes first" not in told(root)
    for hook, name, _ in EXTENSIONS:
        file = root / place / hook / name
        file.parent.mkdir(parents=True)
        file.write_text("# theirs\n", encoding="utf-8")
        assert f"{file} has the name of one of these files and comes first" in told(root)


def test_before_098_there_is_nothing_that_runs_ours(tmp_path: Path) -> None:
    """0.9.7 looks at no extensions of the user's: it is refused, not set up for nothing."""
    root = laid_out(tmp_path / "a0", "old")
    (root / "python" / "helpers" / "subagents.py").unlink()
    with pytest.raises(InvalidInput, match=r"0\.9\.8 or later"):
        house_files(root)


@pytest.mark.req("A14")
@pytest.mark.parametrize("data", ["enhancement", "maintenance"])
def test_the_package_may_lie_where_a_new_container_finds_it(tmp_path: Path, data: str) -> None:
    """Below `usr`, the one folder a container keeps; one line at load says that the extension is there."""
    root = tmp_path / "a0"
    made = {"enhancement": "enhance", "maintenance": "maintain"}
    face = root.joinpath(*PACKAGES) / "reverie" / "faces" / "agent_zero"
    face.mkdir(parents=True)
    (face / "__init__.py").write_text(f"async def {made[data]}(agent, loop_data):\n    print('called', agent.name)\n")
    file = root / "usr" / "extensions" / "hook" / "_5_file.py"
    file.parent.mkdir(parents=True)
    file.write_text((TEMPLATES / f"{data}.txt").read_text(encoding="utf-8"), encoding="utf-8")
    (root / "helpers").mkdir()
    (root / "helpers" / "extension.py").write_text(
        "class Extension:\n    def __init__(self, agent):\n        self.agent = agent\n"
    )
    run = (
        "import asyncio, runpy, sys, types; sys.path.insert(0, sys.argv[1])\n"
        "held = runpy.run_path(sys.argv[2]); agent = types.SimpleNamespace(name='zero')\n"
        "kind = next(v for k, v in held.items() if k.startswith('Memory'))\n"
        "asyncio.run(kind(agent).execute(loop_data=1))"
    )
    command = [sys.executable, "-S", "-c", run, str(root), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={})
    assert done.stdout.splitlines() == [
        f"{'[MEM-ENHANCE]' if data == 'enhancement' else '[MEM-MAINT]'} loaded: memory {data} by Reverie",
        "called zero",
    ]


def test_a_container_is_told_where_its_package_stays(tmp_path: Path) -> None:
    """Where Agent Zero's Python lies beside its folder, as in its image, what is installed into it is lost."""
    root = laid_out(tmp_path / "a0", "new")
    python = tmp_path / "opt" / "venv-a0" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    assert f"-m pip install --target {root / 'usr' / 'reverie' / 'packages'} " in told(root)
    python.write_text("#!/bin/sh\nexit 0\n")
    assert "pip install" not in told(root)


@pytest.mark.req("A14")
def test_each_layout_has_its_places(tmp_path: Path) -> None:
    """In 0.9.8 the extensions lie among the user's; from 1.0 on they are a plugin."""
    old = house_files(laid_out(tmp_path / "old", "old"))
    assert [str(file.path.relative_to(tmp_path / "old")) for file in old] == [
        "usr/extensions/message_loop_prompts_after/_56_memory_enhancement.py",
        "usr/extensions/monologue_end/_57_memory_maintenance.py",
        "usr/memory/classification_config.json",
    ]
    new = house_files(laid_out(tmp_path / "new", "new"))
    assert [str(file.path.relative_to(tmp_path / "new" / "usr")) for file in new] == [
        "plugins/reverie_memory/plugin.yaml",
        "plugins/reverie_memory/extensions/python/message_loop_prompts_after/_56_memory_enhancement.py",
        "plugins/reverie_memory/extensions/python/monologue_end/_57_memory_maintenance.py",
        "memory/classification_config.json",
    ]


@pytest.mark.req("A14")
def test_a_folder_that_is_no_agent_zero_is_refused(tmp_path: Path) -> None:
    """The message says what to name instead; an older release is told from the present ones."""
    with pytest.raises(InvalidInput, match=r"no Agent Zero of 0\.9\.8 or later.*agent\.py"):
        house_files(tmp_path)
    (tmp_path / "agent.py").write_text("", encoding="utf-8")
    with pytest.raises(InvalidInput):
        house_files(tmp_path)


@pytest.mark.req("A14")
@pytest.mark.parametrize("there", [None, "", "{}", CONFIG, CONFIG.replace("\n", "\r\n"), '{"engine": "reverie"}'])
def test_undone_every_byte_and_folder_is_as_it_was(root: Path, book: NoteBook, there: str | None) -> None:
    """Whatever the configuration said; the second run changes nothing; what Python compiled of ours goes too."""
    if there is not None:
        write_config(root, there)
    before = everything(root)
    installing(house_files(root), book).do()
    assert installing(house_files(root), book).is_done
    for file in house_files(root):
        if file.path.suffix == ".py":
            compiled = file.path.parent / "__pycache__" / f"{file.path.stem}.cpython-312.pyc"
            compiled.parent.mkdir()
            compiled.write_bytes(b"")
    undoing(house_files(root), book).do()
    assert everything(root) == before


@pytest.mark.req("A14")
def test_sections_are_added_and_none_is_touched(root: Path, book: NoteBook) -> None:
    """What the owner has said of a section holds, down to its bytes; the missing ones come in the document's words."""
    write_config(root, CONFIG)
    installing(house_files(root), book).do()
    assert config(root).read_text(encoding="utf-8").startswith(CONFIG.rstrip("}\n"))
    assert said(root)["temporal_decay"] == {"enabled": False}
    assert said(root)["deduplication"]["similarity_threshold"] == 0.9
    assert list(said(root)) == [
        "load_bearing_keywords",
        "temporal_decay",
        "query_expansion",
        "related_memories",
        "deduplication",
    ]


def test_undone_after_its_owner_edited_it_the_edits_stay(root: Path, book: NoteBook) -> None:
    """Our sections go, whatever is in them by now; his key stays."""
    write_config(root, CONFIG)
    installing(house_files(root), book).do()
    edited = said(root) | {"enable_purge": True}
    edited["deduplication"]["max_pairs_per_cycle"] = 3
    write_config(root, json.dumps(edited, indent=2))
    undoing(house_files(root), book).do()
    assert list(said(root)) == ["load_bearing_keywords", "temporal_decay", "enable_purge"]


def test_sections_of_a_house_made_anew_are_its_owners(root: Path, book: NoteBook) -> None:
    """Deleted without an undo and set up again at the same place: notes of the old house say nothing of the new."""
    installing(house_files(root), book).do()
    for file in house_files(root):
        file.path.unlink()
    write_config(root, json.dumps({"deduplication": {"similarity_threshold": 0.8}}))
    path = next(file.path for file in house_files(root) if file.path.suffix == ".py")
    path.write_text("# theirs\n", encoding="utf-8")
    before = everything(root)
    undoing(house_files(root), book).do()
    assert everything(root) == before


def test_somebody_elses_file_of_the_same_name_comes_back(root: Path, book: NoteBook) -> None:
    """It is shown as replaced, and undoing restores it; one of ours that is older is brought up to date."""
    path = next(file.path for file in house_files(root) if file.path.suffix == ".py")
    path.parent.mkdir(parents=True)
    path.write_text("# theirs\n", encoding="utf-8")
    plan = installing(house_files(root), book)
    assert "-# theirs" in [line for step in plan.steps for line in step.diff()]
    plan.do()
    path.write_text(path.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    installing(house_files(root), book).do()
    assert "# edited" not in path.read_text(encoding="utf-8")
    undoing(house_files(root), book).do()
    assert path.read_text(encoding="utf-8") == "# theirs\n"


def test_without_notes_our_files_are_known_by_what_stands_in_them(root: Path, book: NoteBook) -> None:
    """Sections may be anybody's then, and stay."""
    installing(house_files(root), book).do()
    book.path.unlink()
    undoing(house_files(root), book).do()
    assert [file.path.exists() for file in house_files(root)].count(True) == 1
    assert "deduplication" in said(root)


def test_a_configuration_that_cannot_be_read_is_left_alone(root: Path, book: NoteBook) -> None:
    """Nothing at all is installed then, and the line is named."""
    write_config(root, '{\n  "a": 1,\n}')
    before = everything(root)
    with pytest.raises(InvalidInput, match="line 3"):
        installing(house_files(root), book).do()
    assert everything(root) == before


@pytest.mark.req("A14")
@pytest.mark.parametrize("number", range(len(EXTENSIONS)))
def test_the_extensions_are_thin_and_cannot_break_anything(root: Path, number: int) -> None:
    """One class each, nothing of ours imported before it is called, and one line where the package is missing."""
    files = [file for file in house_files(root) if file.path.suffix == ".py"]
    text = files[number].pieces[0].put("")
    tree = ast.parse(text)
    assert [node.name for node in tree.body if isinstance(node, ast.ClassDef)] == [
        ("MemoryEnhancement", "MemoryMaintenance")[number]
    ]
    assert "reverie" not in {name for node in tree.body for name in _imported(node)}
    assert len(text.splitlines()) < 50


def _imported(node: ast.stmt) -> set[str]:
    """The packages that a statement of a module imports."""
    found = {one.module or "" for one in ast.walk(node) if isinstance(one, ast.ImportFrom)}
    return {name.split(".")[0] for name in found} if not isinstance(node, ast.ClassDef) else set()


def test_its_owner_is_told_what_is_missing(root: Path, around: HostEnvironment) -> None:
    """An environment in its folder is asked whether it has the package; without one the command is named."""
    here = HostEnvironment(around.environment, root, "", around.program)
    assert HOST.told(here)[0].startswith("put the package where Agent Zero runs, with Agent Zero's own Python")
    python = root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    assert f"{python} -m pip install path/to/reverie" in HOST.told(here)[0]
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    assert HOST.told(here)[0].startswith("restart Agent Zero")


def test_it_is_a_host_in_a_folder(root: Path, around: HostEnvironment) -> None:
    """Its files are those of the folder where one stands."""
    assert host(PLACED[0]) is HOST
    here = HostEnvironment(around.environment, root, "", around.program)
    assert HOST.placed
    assert HOST.files(here, Where.PROJECT) == house_files(root)
