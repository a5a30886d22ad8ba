from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from reverie.errors import StoreError
from reverie.vault.maintenance import MaintenanceStep, Report
from reverie.vault.scaffold import CONVENTIONS, NAMES, Laid, lay, lay_conventions, lay_ground
from reverie.vault.standalone import scripts
from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.notes import everything, put


@pytest.mark.req("B9")
@pytest.mark.usefixtures("scripts")
def test_scripts_are_laid_into_a_vault_and_kept_up_to_date(vault: Vault) -> None:
    """Ready to run; the second time nothing is written; an older one of ours goes, somebody else's stays."""
    root = vault.places.root
    paths = tuple(root / "scripts" / name for name in NAMES)
    assert lay(root).written == paths
    assert all(path.stat().st_mode & 0o111 for path in paths)
    first = paths[0].read_bytes()
    assert lay(root) == Laid((), ())
    paths[0].write_bytes(first.replace(b"import re\n", b"import re  # older\n"))
    paths[1].write_text("print('mine')\n")
    laid = lay(root)
    assert laid.written == (paths[0],)
    assert laid.left == (paths[1],)
    assert paths[0].read_bytes() == first
    assert paths[1].read_text() == "print('mine')\n"


@pytest.mark.req("B9")
def test_an_installation_without_its_source_says_why_there_are_no_scripts(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are made of the source, and no vault has half of them."""
    monkeypatch.setattr(scripts.build, "__defaults__", (tmp_path / "nowhere",))
    with pytest.raises(StoreError, match=r"memory-search\.py is made out of Reverie's source") as caught:
        lay(vault.places.root)
    assert "Install Reverie as files" in caught.value.mend
    assert not (vault.places.root / "scripts").exists()


def test_conventions_lie_where_agents_look(vault: Vault) -> None:
    """Ours are kept up to date; a file of somebody else's stays, and is told of until it names ours."""
    root = vault.places.root
    inner, outer = root / "agents" / CONVENTIONS, root / CONVENTIONS
    assert lay_conventions(root) == Laid((inner, outer), ())
    assert lay_conventions(root) == Laid((), ())
    text = inner.read_text(encoding="utf-8")
    inner.write_text(text.replace("Facts, not stories.", ""), encoding="utf-8")
    outer.write_text("# Ours\n")
    assert lay_conventions(root) == Laid((inner,), (outer,))
    assert inner.read_text(encoding="utf-8") == text
    inner.write_text("# Somebody's\n")
    outer.write_text("Read agents/AGENTS.md.\n")
    assert lay_conventions(root) == Laid((), (inner,))
    assert outer.read_text() == "Read agents/AGENTS.md.\n"
    assert inner.read_text() == "# Somebody's\n"


@pytest.mark.req("B3")
def test_counting_begins_with_an_empty_vault(vault: Vault) -> None:
    """And not where observations lie already: what they earned before stands."""
    lay_ground(vault.places)
    assert vault.places.records.exists()
    vault.places.records.unlink()
    put(vault, "hawk/a", importance="0.9")
    lay_ground(vault.places)
    assert not vault.places.records.exists()


EARNED = "importance is earned, not declared"


@pytest.fixture
def counting(vault: Vault) -> Vault:
    """A vault that `init` laid the ground of: counting has begun."""
    lay_ground(vault.places)
    return vault


def importance(vault: Vault, name: str) -> float:
    """What an observation's file says, wherever it lies."""
    bare = name.rpartition("/")[2]
    [path] = vault.places.agents_folder.rglob(f"{bare}.md")
    line = next(line for line in path.read_text().splitlines() if line.startswith("importance:"))
    return float(line.split(":")[1])


def told(report: Report) -> list[tuple[str, str]]:
    """What changed, and of which observation."""
    return [(change.name, change.what) for change in report.changes]


@pytest.mark.req("B3")
@pytest.mark.parametrize(
    ("declared", "fields", "referrers", "becomes"),
    [
        ("0.9", {}, (), 0.5),
        ("1.0", {"refs": "9", "ref_by": "[owl/gone]"}, (), 0.5),
        ("0.51", {}, (), 0.5),
        ("0.5", {}, (), 0.5),
        ("0.3", {}, (), 0.3),
        ("0.9", {"verified": "true"}, (), 0.65),
        ("0.9", {}, ("hawk/b",), 0.6),
        ("0.9", {}, ("hawk/b", "owl/c"), 0.75),
        ("0.55", {}, ("hawk/b", "owl/c"), 0.8),
    ],
)
def test_a_new_file_has_what_it_can_be_seen_to_have_earned(
    counting: Vault, declared: str, fields: dict[str, str], referrers: tuple[str, ...], becomes: float
) -> None:
    """Half, and what refers to it or verified it by then; a lower number stands, and a second run changes nothing."""
    put(counting, "hawk/a", importance=declared, **fields)
    for name in referrers:
        put(counting, name, backlinks="[hawk/a]")
    report = counting.maintain(DAY)
    assert importance(counting, "hawk/a") == becomes
    assert (("hawk/a", EARNED) in told(report)) is (float(declared) > becomes)
    assert bool(list(counting.places.shared.glob("*.md"))) is (becomes >= 0.8 or "verified" in fields)
    then = everything(counting)
    assert counting.maintain(DAY).changes == ()
    assert everything(counting) == then


@pytest.mark.req("B3", "B7")
def test_promotion_alone_shares_no_declared_importance(counting: Vault) -> None:
    """Whichever step looks at the file first."""
    put(counting, "hawk/a", importance="0.95")
    counting.maintain(DAY, (MaintenanceStep.PROMOTE,))
    assert importance(counting, "hawk/a") == 0.5
    assert not list(counting.places.shared.glob("*.md"))


@pytest.mark.req("B2", "B3")
def test_what_a_person_writes_later_holds(counting: Vault) -> None:
    """Once a file is known, a number in it is a person's word; so is a flag, before or after."""
    path = put(counting, "hawk/a", importance="0.9")
    put(counting, "hawk/b", importance="0.9")
    counting.flag("hawk/b", DAY, important=True)
    assert importance(counting, "hawk/b") == 0.95
    path.write_text(path.read_text().replace("importance: 0.5", "importance: 0.9"))
    counting.maintain(DAY)
    assert importance(counting, "hawk/a") == 0.9


@pytest.mark.req("B2", "B3")
@pytest.mark.parametrize("older", [False, True])
def test_a_renamed_file_keeps_what_it_earned(counting: Vault, older: bool) -> None:
    """Known again by its words; where an older version wrote the count, by its name in another agent's folder."""
    path = put(counting, "hawk/a")
    counting.flag("hawk/a", DAY, important=True)
    if older:
        shape = json.loads(counting.places.records.read_text())
        del shape["observations"]["hawk/a"]["body"]
        counting.places.records.write_text(json.dumps(shape))
        path.rename(counting.places.vault("owl") / "a.md")
    else:
        path.rename(path.with_name("cpl trend.md"))
    report = counting.maintain(DAY)
    assert ("owl/a" if older else "hawk/cpl trend", EARNED) not in told(report)
    assert importance(counting, "owl/a" if older else "hawk/cpl trend") == 0.95


@pytest.mark.req("B3")
def test_without_its_count_a_vault_stands_as_it_is(vault: Vault) -> None:
    """What was there before the first maintenance was earned somewhere else; the count begins then."""
    put(vault, "hawk/a", importance="0.7")
    vault.maintain(DAY)
    put(vault, "hawk/b", importance="0.7", created="2026-02-16")
    vault.maintain(DAY + timedelta(days=1))
    assert (importance(vault, "hawk/a"), importance(vault, "hawk/b")) == (0.7, 0.5)


@pytest.mark.req("B4")
@pytest.mark.parametrize(
    ("link", "line", "why"),
    [
        ("[obs-9]", 9, "is no observation of this vault"),
        ("[owl/b, wren/gone]", 9, "wren/gone is no observation of this vault"),
        ("\n  - b\n  - owl/b\n  - missing", 12, "missing is no observation of this vault"),
        ("[b]", 9, "b may be owl/b, wren/b; write its agent too"),
        ("['a b', \"[[b|seen]]\"]", 9, "write its agent too"),
    ],
)
def test_a_link_that_leads_nowhere_is_named(vault: Vault, link: str, line: int, why: str) -> None:
    """With file and line, at every run, also where only one of several may be meant; what leads somewhere counts."""
    vault.init(("wren",))
    path = put(vault, "hawk/a", backlinks=link)
    put(vault, "owl/b")
    put(vault, "wren/b")
    for _ in range(2):
        faults = vault.maintain(DAY).loose
        assert (faults[-1].path, faults[-1].line) == (path, line)
        assert why in faults[-1].reason
    assert vault.loose(path) == faults
    assert vault.search("cpl", DAY).faults == ()
    assert importance(vault, "hawk/a") == 0.5


@pytest.mark.req("B12")
def test_what_was_told_before_is_no_change(vault: Vault) -> None:
    """Outcome, verification and contradiction count once, and say so."""
    put(vault, "hawk/a")
    put(vault, "hawk/b")
    for tell in (
        lambda: vault.outcome("a", "raised the bid", DAY),
        lambda: vault.verify("a", DAY),
        lambda: vault.contradict("a", "b", DAY),
        lambda: vault.flag("a", DAY, important=True),
    ):
        assert len(tell().changes) == 1
        assert tell().changes == ()


@pytest.mark.req("B8")
def test_what_to_read_first(vault: Vault) -> None:
    """An agent's own and the shared, the most important and freshest first, each whole; an unknown agent is told of."""
    put(vault, "hawk/low", importance="0.4")
    put(vault, "hawk/high", importance="0.7")
    put(vault, "hawk/gone", importance="0.9", created="2025-01-01")
    put(vault, "owl/other", importance="0.9")
    found = vault.begin(DAY, agent="hawk")
    assert [hit.observation.name.id for hit in found.hits] == ["high", "low"]
    assert found.hits[0].snippet == "CPL went from $12 to $15."
    assert [hit.observation.name.id for hit in vault.begin(DAY, limit=1).hits] == ["other"]
    [fault] = vault.begin(DAY, agent="nobody").faults
    assert "no agent is called nobody" in fault.reason
    assert vault.search("cpl", DAY, agent="nobody").faults == (fault,)
