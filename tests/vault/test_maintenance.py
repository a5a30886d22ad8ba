import random
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from reverie.vault import maintenance
from reverie.vault.contents import Records, VaultRecord, gather
from reverie.vault.laws import Laws
from reverie.vault.maintenance import MaintenanceStep, item, sweep
from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.notes import everything, put, seen, text

FIRST = date(2026, 3, 1)

WRITTEN: dict[int, list[tuple[str, dict[str, str]]]] = {
    0: [
        ("hawk/obs-2026-03-01-001", {"max_age": "90d"}),
        ("hawk/obs-2026-03-01-002", {}),
        ("owl/obs-2026-03-01-001", {"max_age": "14d"}),
        ("owl/obs-2026-03-01-002", {}),
        ("fox/obs-2026-03-01-001", {}),
        ("fox/obs-2026-03-01-002", {"max_age": "14d"}),
        ("fox/obs-2026-03-01-003", {"max_age": "14d"}),
    ],
    1: [("owl/obs-2026-03-02-001", {"max_age": "180d"})],
    3: [("owl/obs-2026-03-04-001", {"backlinks": "[hawk/obs-2026-03-01-001]", "max_age": "180d"})],
    5: [("fox/obs-2026-03-06-001", {"backlinks": "[hawk/obs-2026-03-01-001]", "max_age": "180d"})],
    7: [("hawk/obs-2026-03-08-001", {"backlinks": "[obs-2026-03-01-001]", "max_age": "180d"})],
}
"""Day → what the three agents write on it."""

TOLD: dict[int, list[Callable[[Vault, date], object]]] = {
    1: [lambda vault, day: vault.contradict("hawk/obs-2026-03-01-002", "owl/obs-2026-03-02-001", day)],
    2: [lambda vault, day: vault.verify("fox/obs-2026-03-01-001", day)],
    4: [lambda vault, day: vault.outcome("fox/obs-2026-03-01-002", "raised the bid", day)],
    6: [lambda vault, day: vault.outcome("fox/obs-2026-03-01-002", "kept the bid", day)],
    9: [lambda vault, day: vault.flag("fox/obs-2026-03-01-003", day, important=True)],
    10: [lambda vault, day: vault.flag("owl/obs-2026-03-01-002", day, important=False)],
}
"""Day → what is told of the observations before the day's maintenance."""

BY_HAND: dict[str, list[tuple[int, str]]] = {
    # .5; another agent's on days 3 and 5, +.15 each; its own on day 7, +.1; 14 days idle on day 21, −.1.
    "hawk/obs-2026-03-01-001": [(0, "0.5"), (3, "0.65"), (5, "0.8"), (7, "0.9"), (21, "0.8")],
    # contradicted on day 1, −.2; −.1 on day 14, which leaves .2, not below it; −.2 on day 28: .1, archived.
    "hawk/obs-2026-03-01-002": [(0, "0.5"), (1, "0.3"), (14, "0.2"), (28, "archived")],
    # untouched: −.1 on day 14, past its 14 days from day 15 on (shown to a person), −.2 on day 28: .3, archived.
    "owl/obs-2026-03-01-001": [(0, "0.5"), (14, "0.4"), (28, "archived")],
    "owl/obs-2026-03-01-002": [(0, "0.5"), (10, "archived")],
    # verified on day 2, +.15; −.1 on day 14, −.2 on day 28.
    "fox/obs-2026-03-01-001": [(0, "0.5"), (2, "0.65"), (14, "0.55"), (28, "0.45")],
    # two good outcomes; −.1 on day 14, −.2 on day 28: .7, past its 14 days, extended.
    "fox/obs-2026-03-01-002": [(0, "0.5"), (4, "0.7"), (6, "0.9"), (14, "0.8"), (28, "0.7")],
    # flagged on day 9, from which neglect counts: −.1 on day 23.
    "fox/obs-2026-03-01-003": [(0, "0.5"), (9, "0.95"), (23, "0.85")],
}
"""Observation → importance from a day on, as worked out from the document."""

AGES = {
    # .7 on day 28: 14 → 21 → 32, the first that is not past.
    "fox/obs-2026-03-01-002": [(0, "14d"), (28, "32d")],
    # .95 keeps it for 3 × 14 days; .85 from day 23 on for 2 × 14: past on day 29, extended to 21 (× 2).
    "fox/obs-2026-03-01-003": [(0, "14d"), (29, "21d")],
    "hawk/obs-2026-03-01-001": [(0, "90d")],
}
PROMOTED = {
    "hawk-obs-2026-03-01-001.md": 5,
    "fox-obs-2026-03-01-001.md": 2,
    "fox-obs-2026-03-01-002.md": 6,
    "fox-obs-2026-03-01-003.md": 9,
}
"""Shared copy → the day it appears."""


def on(steps: list[tuple[int, str]], day: int) -> str:
    """What holds on a day."""
    return [value for start, value in steps if start <= day][-1]


def value(vault: Vault, name: str, key: str) -> str:
    """A field as the file has it, or where the file went."""
    agent, _, bare = name.partition("/")
    if (vault.places.archive(agent) / f"{bare}.md").exists():
        return "archived"
    lines = (vault.places.vault(agent) / f"{bare}.md").read_text().splitlines()
    return next(line.partition(": ")[2] for line in lines if line.startswith(f"{key}:"))


@pytest.mark.req("B3", "B4", "B5", "B6", "B7")
def test_thirty_days_of_three_agents_go_as_worked_out_by_hand(vault: Vault) -> None:
    """Importance, ages, promotion and archive of every day; the second maintenance of a day changes no byte."""
    for number in range(31):
        day = FIRST + timedelta(days=number)
        for name, fields in WRITTEN.get(number, []):
            put(vault, name, created=day.isoformat(), source=name.partition("/")[0], **fields)
        for tell in TOLD.get(number, []):
            tell(vault, day)
        vault.maintain(day)
        before = everything(vault)
        vault.maintain(day)
        assert everything(vault) == before, number
        found = {name: value(vault, name, "importance") for name in BY_HAND}
        assert found == {name: on(steps, number) for name, steps in BY_HAND.items()}, number
        ages = {name: value(vault, name, "max_age") for name in AGES}
        assert ages == {name: on(steps, number) for name, steps in AGES.items()}, number
        shared = {path.name for path in vault.places.shared.iterdir()}
        assert shared == {name for name, first in PROMOTED.items() if first <= number}, number


@pytest.mark.req("B6")
def test_a_dry_run_changes_nothing_and_tells_the_same(vault: Vault) -> None:
    """What it tells is what is done afterwards."""
    put(vault, "hawk/obs-1", created="2026-01-01")
    put(vault, "hawk/obs-2", importance="0.9", backlinks="[obs-1]")
    before = everything(vault)
    told = vault.maintain(DAY, dry_run=True)
    assert everything(vault) == before
    assert vault.maintain(DAY).changes == told.changes
    assert {change.what for change in told.changes} >= {"referred to", "promoted"}


@pytest.mark.req("B2")
def test_what_is_sound_and_needs_nothing_is_not_touched(vault: Vault) -> None:
    """Odd spellings, remarks, CRLF, a byte order mark, foreign fields: same bytes, same time stamp; the broken too."""
    odd = put(
        vault,
        "hawk/odd",
        "\ufeff---\r\n# mine\r\nimportance: 0.50  # as ever\r\ntags:\r\n  - 'a'\r\nmax_age: permanent\r\n"
        'created: 2026-02-15\r\nsource: "hawk"\r\nmood: {x: [1,\r\n  2]}\r\n---  \r\nText  \r\nno end of line',
    )
    broken = put(vault, "hawk/broken", "---\nimportance: 2\n")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (odd, broken)}
    report = vault.maintain(DAY)
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (odd, broken)} == before
    assert [fault.path for fault in report.faults] == [broken]
    put(vault, "owl/obs-1", backlinks="[odd]")
    vault.maintain(DAY)
    changed = (
        before[odd][0].replace(b"0.50", b"0.65").replace(b"---  \r\n", b"ref_by: [owl/obs-1]\r\nrefs: 1\r\n---  \r\n")
    )
    assert odd.read_bytes() == changed


@pytest.mark.req("B2")
def test_a_file_changed_meanwhile_is_read_again(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's edit between reading and writing is kept, and the event counts once on top."""
    path = put(vault, "hawk/obs-1")
    written = maintenance.carry_out
    edits = iter(["A remark.\n", "Another.\n"])

    def meanwhile(asked: list[maintenance.Edit]) -> list[bool]:
        remark = next(edits, None) if asked else None
        if remark is not None:
            path.write_text(path.read_text() + remark)
        return written(asked)

    monkeypatch.setattr(maintenance, "carry_out", meanwhile)
    vault.outcome("obs-1", "it paid", DAY)
    said = path.read_text()
    assert said.endswith("A remark.\nAnother.\n")
    assert "importance: 0.7\n" in said


@pytest.mark.req("B2")
def test_of_odd_files_none_is_lost_and_none_rewritten_without_cause(vault: Vault, share: Callable[[int], int]) -> None:
    """Sound files with parts cut, put in or doubled: read or named; only refs, importance or promotion may change."""
    chance = random.Random(15)
    files: dict[Path, bytes] = {}
    for number in range(share(5000)):
        content = text(max_age="permanent", mood="{x: [1]} # mine").replace("\n", chance.choice(["\n", "\r\n"]))
        for _ in range(chance.randint(0, 2)):
            place = chance.randint(0, len(content))
            put_in = "".join(
                chance.choices(["\n", ":", "- ", "[", "'", "#", " ", "0", "\x00", "é"], k=chance.randint(0, 2))
            )
            content = content[:place] + put_in + content[place + chance.choice([0, 0, 1, 4]) :]
        path = put(vault, f"hawk/odd-{number}", content)
        files[path] = content.encode()
    report = vault.maintain(DAY)
    assert report.observations + len(report.faults) == len(files)
    assert min(report.observations, len(report.faults)) > len(files) // 10
    named = {fault.path for fault in report.faults}
    rewritten = 0
    for path, before in files.items():
        archived = vault.places.archive("hawk") / path.name
        after = (path if path.exists() else archived).read_bytes()
        rewritten += after != before
        assert after == before or path not in named
        lost = set(before.splitlines()) - set(after.splitlines())
        assert all(line.startswith((b"refs", b"importance", b"promoted")) for line in lost), (before, after)
    assert rewritten < len(files) // 10
    kept = everything(vault)
    vault.maintain(DAY)
    assert everything(vault) == kept


def test_an_archive_that_has_the_name_is_not_written_over(vault: Vault) -> None:
    """The observation stays, and it is told why."""
    path = put(vault, "hawk/obs-1", importance="0.1")
    taken = vault.places.archive("hawk") / path.name
    taken.write_text("another")
    report = vault.maintain(DAY)
    assert (path.exists(), taken.read_text()) == (True, "another")
    assert "not archived" in report.faults[-1].reason


def test_one_step_may_be_done_alone(vault: Vault) -> None:
    """Decay moves nothing up, promotion counts no references."""
    path: Path = put(vault, "hawk/obs-1", importance="0.9")
    put(vault, "hawk/obs-2", backlinks="[obs-1]")
    vault.maintain(DAY, (MaintenanceStep.DECAY,))
    assert "refs: 0" in path.read_text()
    assert list(vault.places.shared.iterdir()) == []
    vault.maintain(DAY, (MaintenanceStep.PROMOTE,))
    assert "refs: 0" in path.read_text()
    assert len(list(vault.places.shared.iterdir())) == 1


@pytest.mark.req("B2")
def test_deleting_what_is_known_beside_the_files_loses_nothing(vault: Vault) -> None:
    """The numbers in the files stand; nothing counts twice."""
    path = put(vault, "hawk/obs-1", max_age="180d")
    put(vault, "owl/obs-2", backlinks="[hawk/obs-1]")
    vault.verify("obs-1", DAY)
    vault.maintain(DAY)
    vault.places.records.unlink()
    vault.maintain(DAY + timedelta(days=3))
    assert "importance: 0.8\n" in path.read_text()


@pytest.mark.req("B5", "B6")
@pytest.mark.parametrize(
    ("importance", "age", "what", "max_age"),
    [
        ("0.19", 1, "archived", "30d"),
        ("0.2", 30, None, "30d"),
        ("0.39", 31, "archived", "30d"),
        ("0.4", 31, "for review", "30d"),
        ("0.69", 31, "for review", "30d"),
        ("0.7", 31, "extended", "45d"),
        ("0.7", 60, "extended", "68d"),
        ("0.8", 60, None, "30d"),
        ("0.8", 61, "extended", "45d"),
        ("0.9", 90, None, "30d"),
        ("0.9", 91, "extended", "45d"),
    ],
)
def test_the_sweep_goes_by_age_and_importance(
    laws: Laws, importance: str, age: int, what: str | None, max_age: str
) -> None:
    """As the document's table says; extended as often as it takes, so that a second look finds nothing."""
    one = item(seen(text(importance=importance)), {}, laws, DAY)
    [(then, told)] = sweep([one], laws, DAY + timedelta(days=age))
    assert [change.what for change in told] == ([what] if what else [])
    assert then.archived is (what == "archived")
    assert f"max_age: {max_age}\n" in then.now.front.text
    assert bool(then.record.review) is (what == "for review")
    if what == "extended":
        assert list(sweep([then], laws, DAY + timedelta(days=age))) == [(then, ())]


@pytest.mark.req("B7")
@pytest.mark.parametrize(
    ("importance", "verified", "shared"),
    [("0.8", "false", True), ("0.79", "false", False), ("0.6", "true", True), ("0.59", "true", False)],
)
def test_what_earned_it_is_shared(vault: Vault, importance: str, verified: str, shared: bool) -> None:
    """From .8; what is verified from .6."""
    path = put(vault, "hawk/obs-1", importance=importance, verified=verified)
    vault.maintain(DAY)
    assert (vault.places.shared / "hawk-obs-1.md").exists() is shared
    assert ("promoted: true" in path.read_text()) is shared


def test_a_copy_follows_its_original(vault: Vault) -> None:
    """What was promoted once is brought up to date; without the records too, where only our own fields differ."""
    path = put(vault, "hawk/obs-1", importance="0.9")
    vault.maintain(DAY)
    path.write_text(path.read_text().replace("$15", "$16"))
    vault.maintain(DAY)
    copy = vault.places.shared / "hawk-obs-1.md"
    assert copy.read_bytes() == path.read_bytes()
    vault.places.records.unlink()
    path.write_text(path.read_text().replace("importance: 0.9", "importance: 1.0"))
    vault.maintain(DAY)
    assert copy.read_bytes() == path.read_bytes()


def test_a_copy_that_somebody_edited_is_left_and_told(vault: Vault) -> None:
    """Nobody's words are written over."""
    path = put(vault, "hawk/obs-1", importance="0.9")
    vault.maintain(DAY)
    copy = vault.places.shared / "hawk-obs-1.md"
    copy.write_text(copy.read_text() + "A remark.\n")
    path.write_text(path.read_text() + "More.\n")
    report = vault.maintain(DAY)
    assert copy.read_text().endswith("A remark.\n")
    assert [fault.path for fault in report.faults] == [copy]


def test_the_source_becomes_no_path_and_copies_do_not_collide(vault: Vault) -> None:
    """A source that could lead elsewhere gives way to the agent's name; of two that would have one copy one is told."""
    put(vault, "hawk/obs-1", importance="0.9", source="../../evil")
    put(vault, "owl/obs-1", importance="0.9", source="hawk")
    report = vault.maintain(DAY)
    assert [path.name for path in vault.places.shared.iterdir()] == ["hawk-obs-1.md"]
    assert "copy of hawk/obs-1" in report.faults[0].reason


def test_what_nobody_touched_counts_from_its_first_day(laws: Laws) -> None:
    """What somebody did touch is taken as it stands, from today."""
    assert item(seen(text()), {}, laws, DAY).record.since == ""
    for fields in ({"importance": "0.8"}, {"refs": "1"}, {"verified": "true"}):
        assert item(seen(text(**fields)), {}, laws, DAY).record.since == DAY.isoformat()


def test_a_number_of_a_persons_holds(laws: Laws) -> None:
    """It is what was earned from now on."""
    known = {"hawk/obs-2026-02-15-001": VaultRecord(0.8, 0.7)}
    assert item(seen(text(importance="0.7")), known, laws, DAY).record.earned == 0.8
    assert item(seen(text(importance="0.3")), known, laws, DAY).record.earned == 0.3


def test_the_same_number_is_not_written_again(laws: Laws) -> None:
    """However the author spelled it."""
    one = item(seen(text(importance="0.50")), {}, laws, DAY)
    assert one.with_importance(0.5, 0.5).now is one.now
    assert "importance: 0.6\n" in one.with_importance(0.6, 0.6).now.front.text


@pytest.mark.req("B2")
def test_a_broken_file_is_told_and_the_others_are_read(vault: Vault) -> None:
    """With its path, line and reason; it stays as it is."""
    put(vault, "hawk/good")
    bad = put(vault, "hawk/bad", "no head at all\n")
    bad.with_name("worse.md").write_bytes(b"---\n\xff\n---\n")
    held = gather(vault.places)
    assert [one.name.id for one in held.active] == ["good"]
    assert [(fault.path.name, fault.line) for fault in held.faults] == [("bad.md", 1), ("worse.md", 2)]
    assert "bad.md, line 1: no front matter" in held.faults[0].text()
    assert bad.read_text() == "no head at all\n"


@pytest.mark.req("B1")
def test_one_agents_memory_is_its_own_and_what_is_shared(vault: Vault) -> None:
    """Another agent's vault is not looked at."""
    put(vault, "hawk/a")
    put(vault, "owl/b")
    assert [one.name.agent for one in gather(vault.places, ["owl"]).active] == ["owl"]


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    """Zeros too; the same records are not written again."""
    path = tmp_path / "own" / "vault.json"
    known = {
        "owl/b": VaultRecord(0.0, 0.0, since="2026-02-15", credited=("a/1", "b/2"), outcomes=("a \n b",)),
        "hawk/ç": VaultRecord(0.95, 0.85, verified=True, contradicted_by=("x",), review="2026-02-16", copy="ab"),
    }
    Records(path).save(known)
    raw, at = path.read_bytes(), path.stat().st_mtime_ns
    again = Records(path)
    assert (again.known, again.fault) == (known, "")
    again.save(known)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (raw, at)


@pytest.mark.parametrize(
    "raw", ["", "[]", "{}", '{"format": 2, "observations": {}}', '{"format": 1, "observations": {"a": {"earned": 1}}}']
)
def test_a_broken_file_is_told_and_made_anew(tmp_path: Path, raw: str) -> None:
    """It may be deleted, so it may be broken."""
    path = tmp_path / "vault.json"
    path.write_text(raw)
    records = Records(path)
    assert records.known == {}
    assert "made anew" in records.fault
    records.save({})
    assert Records(path).fault == ""
