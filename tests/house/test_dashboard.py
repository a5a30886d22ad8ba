"""The dashboard's built files are those its source makes, and name no address outside; shown without Node."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from reverie.wire import errors
from tests.house.code import ROOT, SOURCE

DASHBOARD = ROOT / "dashboard"
STATIC = SOURCE / "faces" / "http" / "static"
SOURCES = ("index.html", "package.json", "package-lock.json", "scripts", "src", "tsconfig.json", "vite.config.ts")
ADDRESS = re.compile(r"(?:https?:|wss?:)?//[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s\"'`)]*", re.IGNORECASE)
NAMESPACES = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML")
"""Names of markup languages: nothing is fetched from there."""


def files(folder: Path) -> list[Path]:
    """The files below a path, or the file it is."""
    return [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.is_file())


def digest(data: bytes) -> str:
    """SHA-256 as hex."""
    return hashlib.sha256(data).hexdigest()


def source_hash() -> str:
    """One hash over the names and contents of the source, as dashboard/scripts/seal.mjs makes it."""
    found = {path.relative_to(DASHBOARD).as_posix(): path for name in SOURCES for path in files(DASHBOARD / name)}
    lines = [f"{name} {digest(found[name].read_bytes())}\n" for name in sorted(found)]
    return digest("".join(lines).encode())


def test_the_built_files_are_those_of_the_source() -> None:
    """Whoever changes dashboard/ builds it: `npm ci && npm run build` there."""
    manifest = json.loads((STATIC / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["source"] == source_hash(), "dashboard/ was changed and not built"
    built = {path.relative_to(STATIC).as_posix(): digest(path.read_bytes()) for path in files(STATIC)}
    built.pop("manifest.json")
    assert manifest["files"] == built


def test_the_page_asks_nobody_else() -> None:
    """No built file but the licences holds an address outside; the page has no script or style in its text."""
    for path in files(STATIC):
        if path.name != "licences.txt":
            found = [one for one in ADDRESS.findall(path.read_text(encoding="utf-8")) if one not in NAMESPACES]
            assert found == [], path.name
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", page)
    named = set(re.findall(r'(?:src|href)="/app/([^"]+)"', page))
    assert named <= {path.relative_to(STATIC).as_posix() for path in files(STATIC)}


def test_what_is_bundled_is_free_to_use() -> None:
    """Each package that ends up in the page is named with its licence, a permissive one, and pinned exactly."""
    wanted = json.loads((DASHBOARD / "package.json").read_text(encoding="utf-8"))
    told = (STATIC / "licences.txt").read_text(encoding="utf-8")
    named = dict(re.findall(r"^(\S+) \S+ \(([^)]+)\)$", told, re.MULTILINE))
    assert set(wanted["dependencies"]) <= set(named)
    assert set(named.values()) <= {"MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"}
    versions = [*wanted["dependencies"].values(), *wanted["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)


def test_the_lock_file_names_no_address() -> None:
    """The packages of the lock file are known by their checksums, wherever they come from."""
    lock = json.loads((DASHBOARD / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages
    assert all("resolved" not in entry for entry in packages.values())
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())


def test_each_error_that_a_page_can_meet_is_said_in_turkish() -> None:
    """By its kind: those of the engine's errors, and those that the HTTP interface makes itself."""
    table = (DASHBOARD / "src" / "errors-tr.ts").read_text(encoding="utf-8")
    said = set(re.findall(r'^  "([a-z-]+)": \[', table, re.MULTILINE))
    http = [path for path in (SOURCE / "faces" / "http").rglob("*.py") if path.name != "proxy.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in http)
    own = set(re.findall(r'Problem\(\s*[\w.]+,\s*"([a-z-]+)"', code))
    assert {"forbidden", "too-many-requests", "answer-lost"} <= own
    statuses = {"method-not-allowed", "not-found", "internal-server-error", "service-unavailable"}
    assert {errors.name(kind) for kind in errors.CODES} | own | statuses | {"unreachable"} <= said
