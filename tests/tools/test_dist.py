"""What `make dist` refuses, and that the page about weights and the package's names keep to what it checks."""

from __future__ import annotations

import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.house.code import ROOT, project_files, shown
from tools import dist
from tools.dist import Fault, Trial, check_weights, table, unwanted

BINARY = {".png", ".db", ".gz", ".ico", ".npz"}
# Written in two halves, so that this file does not say what it forbids.
ASKS_AN_INDEX = re.compile(
    r"(?:pip3?|uv pip|pipx|uv tool)\s+(?:install|run|inject)\s+(?:-\S+\s+)*[\"']?" + "rever" + r"ie\b(?![\w./-])"
    r"|uv" + r"x\s+(?:--from\s+)?[\"']?rever" + r"ie\b(?![\w./-])|uv add\s+[\"']?rever" + r"ie\b"
)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("pip install " + "reverie", True),
        ("pip install -U '" + "reverie[serve]'", True),
        ("uv" + "x reverie demo", True),
        ("pipx install " + "reverie", True),
        ("pip install 'path/to/reverie[serve]'", False),
        ("uvx --from dist/reverie-0.1.0-py3-none-any.whl reverie demo", False),
        ("pip install " + "reverie-0.1.0-py3-none-any.whl", False),
        ("pip install .", False),
    ],
)
def test_what_asks_an_index_is_told_from_what_does_not(text: str, asks: bool) -> None:
    """A bare name is looked up in an index, where it may be somebody else's; a path is not."""
    assert bool(ASKS_AN_INDEX.search(text)) is asks


def test_no_text_tells_anyone_to_install_reverie_from_an_index() -> None:
    """The name is nobody's yet: who typed it would get whatever somebody puts there (decision 0094)."""
    found = []
    for path in project_files():
        if path.suffix not in BINARY:
            lines = path.read_text(encoding="utf-8").splitlines()
            found += [
                f"{shown(path)}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if ASKS_AN_INDEX.search(line)
            ]
    assert found == []


def made(folder: Path, files: dict[str, str]) -> zipfile.ZipFile:
    with zipfile.ZipFile(folder / "some.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return zipfile.ZipFile(folder / "some.whl")


@pytest.mark.parametrize(
    "name",
    [
        "tests/test_a.py",
        "reverie/tests/a.py",
        "reverie/test_a.py",
        "reverie/__pycache__/a.cpython-311.pyc",
        "benchmarks/a.py",
        "reverie/static/index.js.map",
        "reverie/second.py",
    ],
)
def test_a_wheel_with_what_nobody_needs_is_refused(tmp_path: Path, name: str) -> None:
    """Tests, bytecode, other folders, maps, and a file that is there twice; two empty files are no doubles."""
    files = {
        "reverie/a.py": "first",
        "reverie/b/__init__.py": "",
        "reverie/c/__init__.py": "",
        "reverie-1.dist-info/R": "",
    }
    assert unwanted(made(tmp_path, files)) == []
    assert unwanted(made(tmp_path, {**files, name: "first" if "second" in name else "other"})) == [name]


def trial(**weights: float) -> Trial:
    return Trial("python", Path("nowhere"), {name: ("1", weight) for name, weight in weights.items()})


def test_the_table_has_the_heaviest_first_and_says_why() -> None:
    """One row a package, one column a Python, and what they weigh together."""
    lines = table({"3.11": trial(click=0.5, numpy=50.04), "3.12": trial(click=0.5)}).splitlines()
    assert lines[2].startswith("| numpy | 50.0 |  | vectors")
    assert lines[3] == "| click | 0.5 | 0.5 | the command line |"
    assert lines[4] == "| **together** | **50.5** | **0.5** | |"


def test_a_package_that_nobody_explains_is_a_fault() -> None:
    """A dependency does not slip in without a reason."""
    with pytest.raises(Fault, match="why leftpad is installed"):
        table({"3.11": trial(leftpad=1.0)})


def test_weights_that_grew_are_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit always; else until the page says so."""
    page = tmp_path / "weight.md"
    page.write_text("<!-- weight:begin -->\n<!-- weight:end -->\n", encoding="utf-8")
    monkeypatch.setattr(dist, "PAGE", page)
    check_weights({"3.11": trial(numpy=50.0)}, write=True)
    check_weights({"3.11": trial(numpy=50.2)}, write=False)
    with pytest.raises(Fault, match=r"numpy weighs 52\.0 MB on 3\.11, the page says 50\.0"):
        check_weights({"3.11": trial(numpy=52.0)}, write=False)
    with pytest.raises(Fault, match="weighs 150"):
        check_weights({"3.11": trial(numpy=150.0)}, write=True)


def test_the_page_explains_each_dependency() -> None:
    """A dependency of the core in ``pyproject.toml`` is a row of the page."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    page = dist.PAGE.read_text(encoding="utf-8")
    for requirement in asked:
        name = re.match(r"[\w-]+", requirement)
        assert name is not None
        assert f"\n| {name[0]} |" in page
