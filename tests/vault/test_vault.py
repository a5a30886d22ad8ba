import math
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from reverie.errors import Conflict, InvalidInput, NotFound
from reverie.vault.vault import ObservationDraft, Vault
from tests.vault.conftest import DAY
from tests.vault.notes import everything, put


def importance(path: Path) -> str:
    """The importance as the file has it."""
    return next(line for line in path.read_text().splitlines() if line.startswith("importance:"))[12:]


@pytest.mark.req("B3")
def test_each_event_moves_importance_by_the_table(vault: Vault) -> None:
    """Good outcome +.2, verified +.15, contradicted −.2, each once; a flag sets it."""
    path = put(vault, "hawk/obs-2026-02-15-001")
    put(vault, "owl/newer")
    steps: list[tuple[Callable[[], object], str]] = [
        (lambda: vault.outcome("obs-2026-02-15-001", "paused RevPie", DAY), "0.7"),
        (lambda: vault.outcome("obs-2026-02-15-001", "paused RevPie", DAY), "0.7"),
        (lambda: vault.verify("hawk/obs-2026-02-15-001", DAY), "0.85"),
        (lambda: vault.verify("hawk/obs-2026-02-15-001", DAY), "0.85"),
        (lambda: vault.contradict("obs-2026-02-15-001", "newer", DAY), "0.65"),
        (lambda: vault.contradict("obs-2026-02-15-001", "owl/newer", DAY), "0.65"),
        (lambda: vault.outcome("obs-2026-02-15-001", "raised the bid", DAY), "0.85"),
        (lambda: vault.outcome("obs-2026-02-15-001", "raised the cap", DAY), "1.0"),
        (lambda: vault.flag("obs-2026-02-15-001", DAY, important=True), "0.95"),
    ]
    for happen, expected in steps:
        happen()
        assert importance(path).strip() == expected
    assert "verified: true" in path.read_text()
    vault.flag("obs-2026-02-15-001", DAY, important=False)
    archived = vault.places.archive("hawk") / path.name
    assert not path.exists()
    assert importance(archived).strip() == "0.0"


@pytest.mark.req("B2")
def test_a_person_may_set_what_they_like(vault: Vault) -> None:
    """Importance and verification by hand hold, a reference counts on top, and neglect counts from that day."""
    path = put(vault, "hawk/a", max_age="180d")
    vault.maintain(DAY)
    path.write_text(path.read_text().replace("importance: 0.5", "importance: 0.70  # Ada"))
    later = DAY + timedelta(days=20)
    vault.maintain(later)
    assert "importance: 0.70  # Ada\n" in path.read_text()
    vault.maintain(later + timedelta(days=14))
    assert "importance: 0.6  # Ada\n" in path.read_text()
    path.write_text(path.read_text().replace("verified: false", "verified: true"))
    vault.maintain(later + timedelta(days=14))
    assert "importance: 0.75  # Ada\n" in path.read_text()


def test_a_contradiction_comes_from_something_newer(vault: Vault) -> None:
    """Neither from the thing itself nor from what is older."""
    put(vault, "hawk/a")
    put(vault, "hawk/old", created="2026-01-01")
    for by in ("a", "old"):
        with pytest.raises(InvalidInput):
            vault.contradict("a", by, DAY)


def test_names_are_looked_up_and_never_paths(vault: Vault) -> None:
    """An unknown name, one that two agents gave, and one that leads elsewhere."""
    put(vault, "hawk/a")
    put(vault, "owl/a")
    with pytest.raises(Conflict, match="hawk/a, owl/a"):
        vault.verify("a", DAY)
    for name in ("b", "../a", "hawk/../hawk/a", "/etc/passwd"):
        with pytest.raises(NotFound):
            vault.verify(name, DAY)


@pytest.mark.req("B7")
def test_a_person_promotes_by_hand(vault: Vault) -> None:
    """Whatever its importance; the original says so."""
    path = put(vault, "owl/obs-2026-02-15-001", source="owl")
    vault.promote("obs-2026-02-15-001", DAY)
    copy = vault.places.shared / "owl-obs-2026-02-15-001.md"
    assert copy.read_bytes() == path.read_bytes()
    assert "promoted: true" in path.read_text()


@pytest.mark.req("B9")
def test_ten_thousand_files_are_searched_and_maintained_while_one_waits(
    vault: Vault, share: Callable[[int], int]
) -> None:
    """At full size: a search within 1.5 s, maintenance within 10 s, and the second run of a day changes no byte."""
    import time

    count = share(10_000)
    for number in range(count):
        put(
            vault,
            f"{('hawk', 'owl')[number % 2]}/obs-2026-02-{1 + number % 15:02}-{number:05}",
            tags=f"[campaign, topic{number % 97}]",
            created=f"2026-02-{1 + number % 15:02}",
            backlinks=f"[obs-2026-02-{1 + (number - 2) % 15:02}-{number - 2:05}]",
        )
    start = time.perf_counter()
    found = vault.search("topic13 campaign", DAY)
    searched = time.perf_counter()
    vault.maintain(DAY)
    maintained = time.perf_counter()
    assert found.searched == count
    assert len(found.hits) == 5
    slack = 3.0  # the machine of the tests does other work too; the figures at rest are in docs/vault.md
    assert searched - start <= 1.5 * slack
    assert maintained - searched <= 10.0 * slack
    before = everything(vault)
    vault.maintain(DAY)
    assert everything(vault) == before


@pytest.mark.req("B2")
def test_two_agents_and_a_person_write_at_once(vault: Vault) -> None:
    """Every observation is there afterwards, each under its own name, and no edit of the person is lost."""
    mine = put(vault, "hawk/mine", max_age="permanent")

    def agent(name: str) -> None:
        for number in range(10):
            vault.new(name, ObservationDraft(f"{name} saw {number}", backlinks=("hawk/mine",)), DAY)
            vault.maintain(DAY)

    threads = [threading.Thread(target=agent, args=(name,)) for name in ("hawk", "owl")]
    for thread in threads:
        thread.start()
    lines = []
    while any(thread.is_alive() for thread in threads):
        line = f"line {len(lines)} of a person\n"
        lines.append(line)
        before = mine.read_bytes()
        beside = mine.with_name("edit.tmp")
        beside.write_bytes(before + line.encode())
        if mine.read_bytes() == before:
            beside.replace(mine)
        else:
            lines.pop()
    for thread in threads:
        thread.join()
    vault.maintain(DAY)
    body = mine.read_text()
    assert "refs: 20\n" in body
    assert len(list(vault.places.vault("owl").glob("obs-*.md"))) == 10
    assert len(list(vault.places.vault("hawk").glob("obs-*.md"))) == 10
    # who saves between our looking and our saving has the last word, of the importance too: it is at least what it was
    assert 0.5 <= float(body.partition("importance: ")[2].split()[0]) <= 1.0


def test_nothing_is_written_over_by_init(vault: Vault) -> None:
    """A second time makes nothing; a new agent gets its folders."""
    path = put(vault, "hawk/a")
    assert vault.init(("hawk", "owl")) == []
    assert len(vault.init(("fox",))) == 2
    assert path.exists()


def test_permanent_is_kept(vault: Vault) -> None:
    """What was declared permanent has no age; importance alone may archive it."""
    path = vault.new("hawk", ObservationDraft("Never call on Sundays.", max_age_days=math.inf), DAY)
    assert "max_age: permanent" in path.read_text()
    vault.maintain(DAY + timedelta(days=4000))
    assert "importance: 0.2" in path.read_text()


WRITTEN = """---
tags: [campaign, "a: b"]
importance: 0.5
created: 2026-02-15
max_age: 14d
source: hawk
refs: 0
ref_by: []
backlinks: [owl/obs-2026-02-14-003]
verified: false
---
CPL went from $12 to $15.
"""


@pytest.mark.req("B2", "B3")
def test_an_observation_is_written_as_documented(vault: Vault) -> None:
    """Exactly the documented fields, importance .5, the day's next number over vault and archive."""
    draft = ObservationDraft(" CPL went from $12 to $15.\n\n", ("campaign", "a: b"), 14.0, ("owl/obs-2026-02-14-003",))
    path = vault.new("hawk", draft, DAY)
    assert path.name == "obs-2026-02-15-001.md"
    assert path.read_text() == WRITTEN
    put(vault, "hawk/obs-2026-02-15-007", "broken")
    (vault.places.archive("hawk") / "obs-2026-02-15-009.md").write_text("old")
    assert vault.new("hawk", draft, DAY).name == "obs-2026-02-15-010.md"
    assert vault.new("owl", draft, DAY).name == "obs-2026-02-15-001.md"
    assert vault.new("hawk", draft, DAY + timedelta(days=1)).name == "obs-2026-02-16-001.md"


@pytest.mark.parametrize(
    "draft",
    [
        ObservationDraft(" \n"),
        ObservationDraft("a\x00b"),
        ObservationDraft("a", ("x\ny",)),
        ObservationDraft("\ud800"),
        ObservationDraft("a", (), 30.0, ("\x1b",)),
    ],
)
def test_what_no_file_should_hold_is_refused(vault: Vault, draft: ObservationDraft) -> None:
    """No words, control characters, half characters, tags over several lines."""
    with pytest.raises(InvalidInput):
        vault.new("hawk", draft, DAY)
    assert list(vault.places.vault("hawk").iterdir()) == []


@pytest.mark.req("B3", "B4")
def test_backlinks_raise_refs_ref_by_and_importance(vault: Vault) -> None:
    """The same agent's by .1, another one's by .15; qualified or not, each counts once."""
    path = put(vault, "hawk/obs-1")
    put(vault, "hawk/obs-2", backlinks="[obs-1, obs-1, hawk/obs-1]")
    put(vault, "owl/obs-3", backlinks="[hawk/obs-1]")
    vault.maintain(DAY)
    said = path.read_text()
    assert "refs: 2\nref_by: [hawk/obs-2, owl/obs-3]\n" in said
    assert "importance: 0.75\n" in said
    vault.places.records.unlink()
    vault.maintain(DAY)
    assert path.read_text() == said


@pytest.mark.req("B4")
def test_names_that_two_agents_gave_are_told_apart(vault: Vault) -> None:
    """A bare name is the agent's own first; nobody refers to itself; what means nothing counts nowhere."""
    mine, others = put(vault, "hawk/obs-1", backlinks="[obs-1, absent]"), put(vault, "owl/obs-1")
    put(vault, "owl/obs-2", backlinks="[obs-1]")
    vault.maintain(DAY)
    assert "refs: 0\n" in mine.read_text()
    assert "ref_by: [owl/obs-2]\n" in others.read_text()


@pytest.mark.req("B3")
def test_neglect_is_taken_from_what_was_earned_and_never_compounds(vault: Vault) -> None:
    """Run every day for two months: .1 at 14 days, .3 at most, and a reference gives it back."""
    path = put(vault, "hawk/obs-1", max_age="permanent")
    seen = {}
    for day in range(60):
        vault.maintain(DAY + timedelta(days=day))
        seen[day] = path.read_text().partition("importance: ")[2].partition("\n")[0]
    assert [seen[day] for day in (13, 14, 27, 28, 41, 42, 59)] == ["0.5", "0.4", "0.4", "0.3", "0.3", "0.2", "0.2"]
    put(vault, "hawk/obs-2", created="2026-04-16", backlinks="[obs-1]")
    vault.maintain(DAY + timedelta(days=60))
    assert "importance: 0.6\n" in path.read_text()


def test_a_ref_that_is_gone_stays_counted(vault: Vault) -> None:
    """A deleted or broken referrer takes nothing back, and counts no second time when it returns."""
    path = put(vault, "hawk/obs-1")
    other = put(vault, "owl/obs-2026-02-15-002", backlinks="[hawk/obs-1]")
    vault.maintain(DAY)
    kept, said = other.read_text(), path.read_text()
    other.unlink()
    vault.maintain(DAY)
    assert path.read_text() == said
    other.write_text(kept)
    vault.maintain(DAY)
    assert path.read_text() == said
