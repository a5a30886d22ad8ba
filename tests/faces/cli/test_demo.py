import json
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.faces.cli import demo
from reverie.types import RelationKind, State
from tests.faces.cli.conftest import Run


def test_the_demo_asks_and_finds_and_says_what_next(run: Run, folder: Path) -> None:
    """Each question with its best memories and their reasons, a count, what to try; nothing is left behind."""
    done = run("demo", "--no-model")
    assert done.code == 0
    assert "When does Tom start at Cartwright & Moon?" in done.out
    assert "because text" in done.out
    assert "answers were recalled" in done.out
    assert "Try next:" in done.out
    assert "scope assistant/defne-and-tom/demo" in done.out
    assert list(folder.iterdir()) == []


def test_where_reverie_is_on_no_path_the_demo_says_how_to_come_by_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says to try next can be typed as it stands."""
    (tmp_path / "bin").mkdir()
    for name in ("activate", "reverie"):
        (tmp_path / "bin" / name).touch(mode=0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    told = f"  . {tmp_path / 'bin' / 'activate'} "
    monkeypatch.setenv("PATH", str(tmp_path))
    assert told in run("demo", "--no-model").out
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert told not in run("demo", "--no-model").out


def test_the_demo_says_the_same_each_time(run: Run) -> None:
    """Fixed clock, seeded ids: the same bytes."""
    assert run("demo", "--no-model").out == run("demo", "--no-model").out


def test_text_alone_finds_most_answers(run: Run) -> None:
    """A floor for the bundled questions without any model."""
    shape = run("demo", "--no-model", "--json").shape
    assert shape["messages"] >= 180
    assert shape["found"] == sum(asked["found_at"] is not None for asked in shape["asked"])
    assert shape["found"] >= 10


def test_the_default_model_finds_what_text_alone_does_not(run: Run) -> None:
    """What a stranger sees first: at most one question without its answer."""
    shape = run("demo", "--json").shape
    assert shape["found"] >= len(shape["asked"]) - 1


def test_a_kept_demo_is_a_memory_to_go_on_with(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Later commands find its store and scope; a second demo does not write over it."""
    assert run("demo", "--no-model", "--keep", "trial").code == 0
    assert run("demo", "--no-model", "--keep", "trial").code == 4
    monkeypatch.chdir(folder / "trial")
    assert "9023" in run("recall", "code for the bike shed").out
    assert run("stats", "--json").shape["scopes"][0]["memories"] >= 180


def test_a_kept_demo_has_something_of_everything(run: Run, folder: Path) -> None:
    """Every view of the dashboard shows an example: formed, replaced, linked, dreamt, held back, to do, recalled."""
    assert run("demo", "--keep", "trial").code == 0
    scope = Scope("assistant", "defne-and-tom", "demo")
    with Reverie.open(folder / "trial" / "reverie.db", background=False) as memory:
        admin = memory.admin
        assert {one.standing.state for one in admin.formed(scope)} >= {State.ACTIVE, State.SUPERSEDED}
        assert {one.kind for one in admin.relations(scope)} >= {RelationKind.SUPERSEDES, RelationKind.CAUSES}
        assert sum(one.changed for one in admin.dreams(scope)) > 0
        assert len(admin.intentions(scope)) >= 2
        assert admin.quarantined(scope)
        assert admin.stats(scope).accesses > 0


def test_own_data_is_asked_own_questions(run: Run, folder: Path) -> None:
    """With --ask, for a script."""
    (folder / "chat.jsonl").write_text('{"text":"The spare key hangs behind the boiler."}\n', encoding="utf-8")
    done = run("demo", "--no-model", "--data", "chat.jsonl", "--ask", "spare key", "--ask", "boiler")
    assert done.code == 0
    assert done.out.count("The spare key hangs behind the boiler.") == 2
    shape = run("demo", "--no-model", "--data", "chat.jsonl", "--ask", "spare key", "--json").shape
    assert shape["messages"] == 1
    assert shape["asked"][0]["recollection"]["hits"]


def test_own_data_is_asked_at_a_terminal(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until an empty line; without a terminal it says how to ask."""
    (folder / "chat.jsonl").write_text(json.dumps({"text": "Our cat is called Pasha."}) + "\n", encoding="utf-8")
    assert "--ask" in run("demo", "--no-model", "--data", "chat.jsonl").err
    monkeypatch.setattr(demo, "is_terminal", lambda _: True)
    done = run("demo", "--no-model", "--data", "chat.jsonl", input="what is our cat called?\n\n")
    assert done.out.count("Our cat is called Pasha.") == 1


def test_data_that_is_no_conversation_is_refused(run: Run, folder: Path) -> None:
    """Like import does."""
    (folder / "notes.dat").write_text("Dear diary\n", encoding="utf-8")
    assert run("demo", "--no-model", "--data", "notes.dat").code == 5


def test_what_to_try_next_is_of_ones_own_data(run: Run, folder: Path) -> None:
    """The same again is again one's own file, and the question that is proposed is one that was asked."""
    (folder / "my chat.jsonl").write_text('{"text":"The spare key costs $5."}\n', encoding="utf-8")
    done = run("demo", "--no-model", "--data", "my chat.jsonl", "--ask", "What costs $5?").out
    assert "reverie demo --data 'my chat.jsonl' --keep trial" in done
    assert "cd trial && reverie explain 'What costs $5?'" in done
    assert "Cartwright" not in done
    assert 'reverie explain "…"' in run("demo", "--no-model", "--data", "my chat.jsonl").out


def test_broken_parts_of_own_data_are_named(run: Run, folder: Path) -> None:
    """One broken file in a folder does not end the demo."""
    (folder / "chats").mkdir()
    (folder / "chats" / "a.jsonl").write_text('{"text":"The spare key hangs behind the boiler."}\n', encoding="utf-8")
    (folder / "chats" / "conversations.json").write_text('[{"text":"cu', encoding="utf-8")
    done = run("demo", "--no-model", "--data", "chats", "--ask", "spare key")
    assert done.code == 0
    assert "1 messages, 1 items left out" in done.out
    assert "conversations.json: file that cannot be read to its end" in done.err
