import ast
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from reverie.vault.scaffold import NAMES
from tests.faces.cli.conftest import Outcome, Run


@pytest.fixture(scope="module", autouse=True)
def _made(scripts: Path) -> None:
    """Where the scripts are, for the functions below that run one."""
    global FOLDER
    FOLDER = scripts


FOLDER = Path()
DAY = date(2026, 2, 15)
WORDS = ["lead", "cost", "rises", "CTR", "12%", "weekly", "'bid'", "[link]", "€41", "ağustos", "ışık", "İzmir", "naïve"]


def script(name: str, *arguments: str) -> Outcome:
    """How a script ends in a Python that has nothing but its own library."""
    command = [sys.executable, "-S", "-E", "-I", str(FOLDER / f"memory-{name}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env={"PYTHONUTF8": "1"}, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


def fill(root: Path, chance: random.Random) -> None:
    """A vault of three agents as people and agents leave one: most files in order, some odd, some broken."""
    (root / "shared" / "observations").mkdir(parents=True)
    names: list[str] = []
    for number in range(chance.randint(12, 30)):
        agent = chance.choice(("hawk", "owl", "wren"))
        folder = root / "agents" / agent / "memory" / chance.choice(("vault", "vault", "vault", "archive"))
        folder.mkdir(parents=True, exist_ok=True)
        created = DAY - timedelta(days=chance.randint(-2, 120))
        links = chance.sample(names, min(len(names), chance.randint(0, 3)))
        name = f"obs-{created}-{chance.randint(1, 3):03}" if number % 5 else f"note {number}"
        names += [name, f"{agent}/{name}"]
        lines = [
            f"tags: {chance.choice(['[cpl, buyer]', '[]', 'lonely', '[ışık]'])}",
            f"importance: {chance.choice(['0.5', '0.5', '0.05', '0.15', '0.3', '0.65', '0.85', '.95', '1', '2'])}",
            f"created: {created}",
            f"max_age: {chance.choice(['14d', '30d', '90d', 'permanent'])}",
            f"source: {agent}",
            f"refs: {chance.choice(['0', '', '1', 'many'])}",
            f"ref_by: {chance.choice(['[]', '[]', '[hawk/gone]'])}",
            f"backlinks: [{', '.join(links)}]",
            f"verified: {chance.choice(['false', 'false', 'true'])}",
        ]
        if chance.random() < 0.3:
            lines.insert(
                chance.randint(0, 9), chance.choice(["# a remark", "mine: {x: 1}", "promoted: true", "broken"])
            )
        text = "\n".join(["---", *lines, "---", " ".join(chance.choices(WORDS, k=chance.randint(1, 60))), ""])
        raw = text.replace("\n", "\r\n") if chance.random() < 0.1 else text
        (folder / f"{name}.md").write_bytes(raw.encode() if chance.random() < 0.95 else b"\xff" + raw.encode())


def everything(root: Path) -> dict[str, bytes]:
    """Every file below a folder and what it says."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.req("B9")
@pytest.mark.parametrize("name", NAMES)
def test_a_script_imports_the_standard_library_alone(name: str) -> None:
    """And no syntax is newer than Python 3.8, which has to read a script to be told that 3.9 is needed."""
    tree = ast.parse((FOLDER / name).read_text(encoding="utf-8"), feature_version=(3, 8))
    head = "\n".join((FOLDER / name).read_text(encoding="utf-8").splitlines()[:25])
    assert head.index("version_info < (3, 9)") < head.index("import argparse")
    wanted = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    wanted |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module.split(".")[0] for module in wanted} <= {*sys.stdlib_module_names, "__future__"}


@pytest.mark.req("B3", "B4", "B6", "B7", "B8", "B9")
def test_scripts_and_commands_say_and_do_the_same(run: Run, folder: Path, share: Callable[[int], int]) -> None:
    """On vaults of every kind: the same lines, the same exit code, and afterwards the same bytes everywhere."""
    for seed in range(share(20)):
        chance = random.Random(seed)
        shutil.rmtree(folder / "one", ignore_errors=True)
        shutil.rmtree(folder / "two", ignore_errors=True)
        fill(folder / "one", chance)
        shutil.copytree(folder / "one", folder / "two")
        for asked in (("lead cost", "--all"), ("izmir AĞUSTOS naive", "--agent", "owl", "--limit", "2", "--json")):
            alone, ours = both(run, folder, "search", *asked)
            assert alone == ours
        start = everything(folder / "one")
        for name, *options in (("decay", "--dry-run"), ("decay",), ("decay", "--json"), ("promote",), ("promote",)):
            alone, ours = both(run, folder, name, *options)
            assert alone == ours, (seed, name)
            assert everything(folder / "one") == everything(folder / "two"), (seed, name)
        assert everything(folder / "one") != start


def both(run: Run, folder: Path, name: str, *options: str) -> tuple[Outcome, Outcome]:
    """How the script ends on the one vault and the command on the other, told as if they were the same."""
    given = (*options, "--today", str(DAY), "--vault")
    alone = script(name, *given, str(folder / "one"))
    ours = run("vault", name, *given, str(folder / "two"))
    two, one = str(folder / "two"), str(folder / "one")
    return alone, Outcome(ours.code, ours.out.replace(two, one), ours.err.replace(two, one))


@pytest.mark.req("B8")
def test_a_script_finds_the_vault_it_lies_in(folder: Path, run: Run) -> None:
    """Wherever it is called from; one that lies in none looks upwards from the current folder."""
    fill(folder / "mine", random.Random(1))
    run("vault", "init", "--vault", "mine", "--scripts")
    own = folder / "mine" / "scripts" / "memory-search.py"
    alone = [sys.executable, "-I", str(own), "lead", "--today", str(DAY), "--json"]
    found = subprocess.run(alone, capture_output=True, encoding="utf-8", cwd=folder.parent, check=True).stdout
    assert found == script("search", "lead", "--today", str(DAY), "--json", "--vault", str(folder / "mine")).out
    elsewhere = [sys.executable, "-I", str(FOLDER / own.name), "lead", "--today", str(DAY), "--json"]
    deep = folder / "mine" / "shared" / "observations"
    assert subprocess.run(elsewhere, capture_output=True, encoding="utf-8", cwd=deep, check=True).stdout == found


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("search", "x", "--vault", "nowhere"), 2, "is no vault"),
        (("search", "x", "--limit", "0"), 2, "from 1 to 1000"),
        (("search", "x", "--today", "soon"), 2, "is no day"),
        (("search", "x", "--agent", "../owl", "--vault", "."), 2, "cannot be the name of an agent"),
        (("decay", "--today", "soon"), 2, "is no day"),
    ],
)
def test_what_cannot_be_done_is_told(folder: Path, run: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    """With the command's exit codes, and never by a traceback."""
    run("vault", "init")
    done = script(*arguments)
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_reader_that_stops_early_is_no_fault(folder: Path, run: Run) -> None:
    """Piped into a program that takes the first line, a script ends quietly."""
    fill(folder / "mine", random.Random(2))
    command = [sys.executable, "-I", str(FOLDER / "memory-search.py"), "lead", "--vault", "mine", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode in (0, 141)
