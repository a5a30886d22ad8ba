from pathlib import Path

import pytest

from reverie.faces.cli.vault import CLASSES
from reverie.vault import vault as writing
from tests.faces.cli.conftest import Run

NAME = "hawk/obs-2026-02-15-001"


@pytest.fixture
def vault(run: Run) -> Run:
    """``run`` in a vault with one observation of hawk's."""
    assert run("vault", "init", "hawk", "owl").code == 0
    words = "CPL went from $12 to $15."
    done = run("vault", "new", words, "--tag", "cpl", "--agent", "hawk", "--today", "2026-02-15")
    assert done.out == f"written: {NAME}\n"
    return run


def test_the_classes_are_the_vaults() -> None:
    """Spelled out twice, so that help loads nothing."""
    assert list(CLASSES) == list(writing.CLASSES)


@pytest.mark.req("B8")
def test_search_finds_what_was_written(vault: Run) -> None:
    """With the parts of its score; of one agent, or of all."""
    found = vault("vault", "search", "CPL trend", "--agent", "hawk", "--today", "2026-02-15", "--json").shape
    assert [hit["name"] for hit in found["hits"]] == [NAME]
    assert found["hits"][0]["freshness"] == 1.0
    assert "nothing found" in vault("vault", "search", "CPL", "--agent", "owl", "--today", "2026-02-15").out
    shown = vault("vault", "search", "CPL", "--agent", "owl", "--all", "--limit", "1", "--today", "2026-02-15").out
    assert NAME in shown


def test_an_observation_may_come_by_the_pipe(vault: Run) -> None:
    """And refer to another one; what that is worth is counted by maintenance, once a day."""
    given = ("vault", "new", "--agent", "owl", "--builds-on", NAME, "--for", "permanent", "--today", "2026-02-15")
    assert vault(*given, input="Insurance leads convert twice as well on Tuesdays.\n").code == 0
    told = vault("vault", "maintain", "--today", "2026-02-15").out
    assert f"referred to: {NAME} (by owl/obs-2026-02-15-001)" in told
    assert "changes made: 0" in vault("vault", "maintain", "--today", "2026-02-15").out


@pytest.mark.req("B3", "B7")
def test_what_people_tell_is_done(vault: Run) -> None:
    """Each command moves importance, and says what it did."""
    day = ("--today", "2026-02-15")
    assert "good outcome" in vault("vault", "outcome", NAME, "--why", "raised the bid", *day).out
    assert "verified" in vault("vault", "verify", NAME, *day).out
    vault("vault", "new", "CPL is back at $12.", "--agent", "owl", *day)
    assert "contradicted" in vault("vault", "contradict", NAME, "--by", "owl/obs-2026-02-15-001", *day).out
    assert "importance: 0.65\n" in Path(f"agents/hawk/memory/vault/{NAME[5:]}.md").read_text()
    assert "promoted" in vault("vault", "promote", NAME, *day).out
    assert vault("vault", "promote", NAME, "--dry-run", *day).code == 2
    assert "flagged" in vault("vault", "flag", NAME, "wrong", *day).out
    assert Path(f"agents/hawk/memory/archive/{NAME[5:]}.md").exists()
    assert vault("vault", "verify", NAME, *day).code == 3


@pytest.mark.req("B6")
def test_a_dry_run_only_tells(vault: Run) -> None:
    """Each step has one, decay counts references first; what is broken is named, and makes the exit code 7."""
    path = Path(f"agents/hawk/memory/vault/{NAME[5:]}.md")
    assert "importance 0.2, 59 days old" in vault("vault", "decay", "--dry-run", "--today", "2026-04-15").out
    assert "0.5 → 0.2" in vault("vault", "refs", "--dry-run", "--today", "2026-04-15").out
    assert "changes to make: 0" in vault("vault", "promote", "--dry-run", "--today", "2026-02-15").out
    assert "importance: 0.5\n" in path.read_text()
    path.with_name("broken.md").write_text("no head")
    done = vault("vault", "decay", "--dry-run", "--today", "2026-02-15")
    assert done.code == 7
    assert "broken.md, line 1" in done.err
    assert "broken.md" in vault("vault", "search", "x").err
    assert vault("vault", "decay", "--json", "--today", "2026-02-15").shape["faults"][0]["line"] == 1


@pytest.mark.req("B10")
def test_a_session_is_flushed(vault: Run) -> None:
    """From a file or the pipe; tried first, then written, and the second time nothing."""
    lines = ['{"text": "We paused RevPie.", "speaker": "Ada"}', '{"text": "Let me look.", "speaker": "Ada"}']
    Path("talk.jsonl").write_text("\n".join(lines) + "\n")
    given = ("vault", "flush", "talk.jsonl", "--agent", "hawk", "--today", "2026-02-15")
    assert vault(*given, "--dry-run", "--json").shape["kept"] == [{"text": "We paused RevPie.", "kind": "decision"}]
    assert "decision: We paused RevPie." in vault(*given).out
    assert "observations written: 0" in vault(*given).out
    piped = vault("vault", "flush", "--agent", "owl", "--today", "2026-02-15", input="CPL fell to $9. Status ok.")
    assert "observations written: 1" in piped.out


def test_outside_a_vault_it_says_what_to_do(run: Run, folder: Path) -> None:
    """And where no agent is named, and for a folder that is no vault."""
    assert "vault init" in run("vault", "search", "x").err
    assert run("vault", "search", "x", "--vault", str(folder)).code == 2
    assert run("vault", "init", "--vault", "there", "--json").shape["made"]
    assert "--agent" in run("vault", "new", "x", "--vault", "there").err


def test_what_leads_nowhere_is_written_and_named(vault: Run) -> None:
    """The observation is kept, the link is named with file and line, and the exit code says that a part is missing."""
    given = ("vault", "new", "Leads cost more.", "--agent", "owl", "--today", "2026-02-15")
    done = vault(*given, "--builds-on", "obs-2026-02-14-009")
    assert (done.code, done.out) == (7, "written: owl/obs-2026-02-15-001\n")
    assert "obs-2026-02-15-001.md, line 9: obs-2026-02-14-009 is no observation of this vault" in done.err
    shape = vault(*given, "--builds-on", "wren/x", "--builds-on", NAME, "--json").shape
    assert [fault["line"] for fault in shape["loose"]] == [9]
    told = vault("vault", "maintain", "--today", "2026-02-15")
    assert told.code == 0
    assert "no reference: " in told.err
    assert len(vault("vault", "refs", "--today", "2026-02-15", "--json").shape["loose"]) == 2


def test_what_counts_once_says_so(vault: Run) -> None:
    """Told a second time it is no change."""
    for words in (("outcome", NAME, "--why", "bid"), ("verify", NAME), ("flag", NAME, "important")):
        assert "changes made: 1" in vault("vault", *words, "--today", "2026-02-15").out
        again = vault("vault", *words, "--today", "2026-02-15")
        assert "changes made: 0" in again.out
        assert "counted once" in again.err


def test_an_agent_reads_its_vault(vault: Run) -> None:
    """Before a session: whole, the most important first; an agent without a folder is told so, and what is shared."""
    vault("vault", "new", "Insurance leads convert twice as well on Tuesdays.", "--agent", "owl")
    assert "CPL went from $12 to $15." in vault("vault", "read", "--agent", "hawk", "--today", "2026-02-15").out
    assert len(vault("vault", "read", "--all", "--json", "--today", "2026-02-15").shape["hits"]) == 2
    for words in (("read",), ("search", "cpl")):
        lost = vault("vault", *words, "--agent", "nobody", "--today", "2026-02-15")
        assert lost.code == 0
        assert "no agent is called nobody here" in lost.err


def test_init_lays_in_how_agents_use_it(run: Run) -> None:
    """Where coding agents look; what stands there already is left, and a line for it is proposed."""
    Path("AGENTS.md").write_text("# Ours\n")
    made = run("vault", "init", "hawk")
    assert made.code == 0
    assert "Read agents/AGENTS.md" in made.err
    conventions = Path("agents/AGENTS.md").read_text(encoding="utf-8")
    assert "reverie vault read --agent" in conventions
    assert Path("AGENTS.md").read_text() == "# Ours\n"
    Path("AGENTS.md").unlink()
    assert "made: AGENTS.md" in run("vault", "init").out
    assert "agents/AGENTS.md" in Path("AGENTS.md").read_text()


def test_flush_reads_the_standard_input_by_name_too(vault: Run) -> None:
    """As `search -` does."""
    told = "CPL went from $15 to $18.\n"
    for words in ((), ("-",)):
        done = vault("vault", "flush", *words, "--agent", "hawk", "--dry-run", input=told)
        assert "observations to write: 1" in done.out
