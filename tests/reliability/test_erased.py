"""What is left of erased words: in no file of a store, of the user's state folder or an export made after.

Made-up lives in English and Turkish are lived on every store, and erased by id, by session, by person and whole; then
each distinct word that no kept text holds is looked for in every file, folded and stemmed. A long one as bytes, UTF-8
and UTF-16; a short one, which stands somewhere by chance, as a whole word of what the file says: cells of the database,
columns of a table, values of JSON.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.encode.notes import Note
from reverie.engine import logs
from reverie.faces.hook import client
from reverie.faces.hook.frames import Spool
from reverie.language.text.analyzer import index_terms
from reverie.language.text.letters import plain
from reverie.ops import log as erasing
from reverie.ops.log import OpsLog, OpsLogSettings
from reverie.stores.lance.table import Table
from reverie.stores.sqlite.connection import Connection
from reverie.types import Kind
from tests.engine.conftest import NOW

SHORTEST = 4
"""Letters of a word that is looked for."""
LONG = 6
"""Letters of one that is looked for as bytes: a shorter one stands by chance between an id and the next value."""
HOME, WORK = Scope("helper", "ada", "home"), Scope("helper", "ada", "work")
TEMPLATES = [
    ("I live in {0}.", "I moved, I live in {1} now."),
    ("{0}'te yaşıyorum.", "Taşındım, artık {1}'te yaşıyorum."),
    ("My sister {0} works at {1}.", "My sister {0} no longer works at {1}."),
    ("Kardeşim {0} artık {1} firmasında çalışıyor.", "Kardeşim {0} kahveyi {1} ile içer."),
    ("Always answer with {0} first.", "From now on never mention {1}."),
    ("Her zaman önce {0} ile başla.", "Bundan sonra {1} deme."),
    ("I prefer {0} tea because of {1}.", "Actually I prefer {1} tea."),
    ("Yarın {0} ile {1}'da buluşacağım.", "Randevu {1} yüzünden iptal."),
]
_FIRST, _MIDDLE, _LAST = (
    ("Kvor", "Dran", "Zeph", "Brül", "Ğuşt", "Mırv"),
    ("bl", "ndr", "şk", "qu", "zt"),
    ("insk", "olsk", "ux", "ıvar"),
)


@dataclass
class Life:
    """A life as it is lived: each memory handed in with all that was said of it."""

    engine: Reverie
    chance: random.Random
    said: dict[tuple[Scope, str], list[str]] = field(default_factory=dict)
    sessions: list[tuple[Scope, str]] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    count: int = 0

    def word(self) -> str:
        """A word nobody has used."""
        self.count += 1
        digits = "".join("abcdefghij"[int(digit)] for digit in str(self.count))
        if self.count % 3 == 0:
            self.given.append(f"{self.chance.choice('KZXQ')}{digits:y>3}")
        else:
            self.given.append("".join(self.chance.choice(part) for part in (_FIRST, _MIDDLE, _LAST)) + digits)
        return self.given[-1]

    def live(self, rounds: int) -> None:
        """Say, supersede, correct, tag, relate, recall, dream: so many sessions of it."""
        for number in range(rounds):
            scope, session = self.chance.choice((HOME, WORK)), f"s{number}"
            self.sessions.append((scope, session))
            for pair in self.chance.sample(TEMPLATES, 3):
                words = self.word(), self.word()
                for text in pair:
                    self._say(text.format(*words), scope, session)
            self._tend(scope)
            self.engine.recall(self.chance.choice([texts[0] for texts in self.said.values()]), scope)
            if number % 3 == 2:
                self.engine.dream(scope)
        for scope in (HOME, WORK):
            self.engine.dream(scope)

    def _say(self, text: str, scope: Scope, session: str) -> None:
        speaker = self.chance.choice(("user", "Elif", "Deniz"))
        made = self.engine.observe(Message(text, speaker=speaker, session=session), scope, deliberate=True)
        self.said[scope, made.id] = [text]
        self.given.append(text)
        self._wait(text)

    def _wait(self, text: str) -> None:
        """Lay the call of a hook that told it into the spool, as a process leaves it that was killed just then."""
        if self.chance.random() < 0.2:
            frame = client.frame([b"version=1", b"cwd=/"], json.dumps({"prompt": f"{text}\n"}).encode())
            Spool(Path(client.state_folder(), client.SPOOL)).put(str(len(self.given)), frame)

    def _tend(self, scope: Scope) -> None:
        """Whatever somebody can do to a memory, with reasons and tags that hold words of their own."""
        engine, formed = self.engine, [one for one in self.engine.timeline(scope) if one.kind is not Kind.EPISODE]
        note = f"A note about {self.word()}."
        (kept,) = engine.admin.note([Note(note)], scope, why=f"for {self.word()}")
        self.said[scope, kept.id] = [note]
        if not formed:
            return
        one, other = self.chance.choice(formed), self.chance.choice(formed)
        quoted = self.chance.choice(list(self.said.values()))[0]
        engine.feedback(one.id, scope, "used", why=f"as was said: {quoted}")
        engine.admin.amend(one.id, scope, tags=[self.word()], why=f"tagged {self.word()}")
        engine.undo(scope, event=engine.admin.history(one.id, scope)[-1].seq)
        engine.admin.amend(other.id, scope, tags=[self.word()], why=f"tagged {self.word()}, as was said: {quoted}")
        engine.feedback(one.id, scope, "used", why=f"of use for {self.word()}")
        if one.id != other.id:
            engine.relate(one.id, other.id, scope, "causes")
        if not one.standing.superseded_by:
            text = f"A correction: {self.word()}."
            new = engine.correct(one.id, text, scope, why=f"was wrong about {self.word()}")
            self.said[scope, new.id] = [text]


def opened(where: str, state: Path) -> Reverie:
    """An engine with a log of whole texts in the state folder."""
    folder = logs.log_folder(where)
    path = (folder or state / "ram") / logs.LOG_FILE
    logs.sign(where, path)
    log = OpsLog(path, FixedClock(NOW), settings=OpsLogSettings(head_chars=None))
    return Reverie.open(
        where,
        embedder=HashEmbedder(64),
        clock=FixedClock(NOW + timedelta(days=1)),
        ids=RandomIds(seed=3),
        background=False,
        log=log,
        home=HOME,
    )


def files(*folders: Path) -> Iterator[Path]:
    """Every file, hidden ones too."""
    for folder in folders:
        yield from (path for path in sorted(folder.rglob("*")) if path.is_file())


def held(*folders: Path) -> dict[Path, bytes]:
    """What every file holds, in lower case."""
    return {path: path.read_bytes().lower() for path in files(*folders)}


def told(path: Path) -> set[str]:
    """Every word that a file says, plain: of a database each cell but vectors, of anything else what can be read."""
    if not path.read_bytes().startswith(b"SQLite format 3"):
        text = path.read_bytes().decode("utf-8", "replace")
        with suppress(ValueError):
            text = " ".join(str(json.loads(line)) for line in text.splitlines())
        return words(text)
    found: set[str] = set()
    with closing(sqlite3.connect(path)) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in (name for name in names if name not in ("vector", "sqlite_sequence")):
            for row in file.execute(f'SELECT * FROM "{name}"'):
                for cell in row:
                    text = cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)
                    found |= words(text)
    return found


def columns(where: str) -> set[str]:
    """Every word of every column of OpenClaw's table, as LanceDB decodes them; none where the store is none of it."""
    if not where.startswith("lance:"):
        return set()
    table = Table.open(Path(where.removeprefix("lance:")))
    assert table is not None
    kept = sorted(table.columns - {"vector"})
    return words(" ".join(str(value) for row in table.read(kept) for value in row.values()))


def pieces(where: str) -> None:
    """Look that the table's folder has one version, and that no piece of it holds rows that were deleted."""
    folder = Path(where.removeprefix("lance:")) / "memories.lance"
    if where.startswith("lance:"):
        assert len(list((folder / "_versions").glob("*.manifest"))) == 1
        assert list(files(folder / "_deletions")) == []


def words(text: str) -> set[str]:
    """The words of a text, as written and plain."""
    found = set(re.findall(r"[^\W_]+", text))
    return found | {plain(word) for word in found} | {word.lower() for word in found}


def forms(texts: list[str]) -> set[str]:
    """Every word of texts as somebody may have kept it: as written, folded, without marks, stemmed in each language."""
    joined = " ".join(texts)
    own = {word.strip(".,:;!?'\"()") for text in texts for word in text.replace("'", " ").split()}
    stems = {term for language in ("en", "tr") for term in index_terms(joined, language) if "|" not in term}
    return {
        form
        for word in own | stems
        for form in (word, word.casefold(), word.lower(), plain(word))
        if len(form) >= SHORTEST
    }


def _encoded(gone: list[str], kept: str) -> dict[str, list[bytes]]:
    """The long forms of erased words that stand in nothing that is kept, as files may hold them."""
    stays = kept.lower().encode("utf-8", "surrogatepass")
    return {
        form: [form.lower().encode(code, "surrogatepass") for code in ("utf-8", "utf-16-le")]
        for form in forms(gone)
        if len(form) >= LONG and form.lower().encode() not in stays
    }


def left(gone: list[str], kept: str, where: str, *folders: Path) -> list[tuple[str, str]]:
    """The forms of erased words that some file holds, where nothing that is kept does; and the files."""
    found: list[tuple[str, str]] = []
    wanted, staying = _encoded(gone, kept), words(kept)
    short = {form for form in forms(gone) if not {form, form.lower(), plain(form)} & staying}
    assert wanted, "the case is that some words are gone"
    assert any(len(form) < LONG for form in short), "the case is that some short words are gone"
    for path, content in held(*folders).items():
        found += [(form, path.name) for form, codes in wanted.items() if any(code in content for code in codes)]
        found += [(form, path.name) for form in short & told(path)]
    return found + [(form, "a column") for form in short & columns(where)]


def everything(engine: Reverie) -> list[str]:
    """Every text the engine holds or tells of: memories with their tags, and the journal; and their terms."""
    told = [str(one) for scope in engine.admin.scopes() for one in engine.timeline(scope)]
    told += [str(event) for scope in engine.admin.scopes() for event in engine._context.store.events(scope)]
    terms = [term for language in ("en", "tr") for term in index_terms(" ".join(told), language)]
    return [*told, plain(" ".join(told)), *terms]


def bare(tmp_path: Path) -> str:
    """What a store and its log hold of themselves, without anybody's words."""
    (tmp_path / "bare").mkdir()
    with opened(str(tmp_path / "bare" / "reverie.db"), tmp_path / "bare") as engine:
        name = engine.observe("x", HOME, deliberate=True).id
        engine.dream(HOME)
        engine.admin.erase(name, HOME, why="asked")
        with (tmp_path / "bare" / "after.jsonl").open("wb") as out:
            engine.transfer.export_journal(out)
    return b" ".join(held(tmp_path / "bare").values()).decode("utf-8", "ignore")


@pytest.fixture(params=["sqlite", "ram", "lance"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store of each kind, all of its files below ``store``."""
    folder = tmp_path / "store"
    folder.mkdir()
    if request.param == "lance":
        pytest.importorskip("lancedb", reason="the extra lancedb is not installed")
        return f"lance:{folder}"
    return ":memory:" if request.param == "ram" else str(folder / "reverie.db")


def test_no_word_outlives_an_erasure(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: Callable[[int], int]
) -> None:
    """By id, by session, by person, then whole: each time no file holds a word that only what went held."""
    state, store = tmp_path / "state", tmp_path / "store"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    own = f"{bare(tmp_path)} {HOME} {WORK} "
    with opened(where, state) as engine:
        life = Life(engine, random.Random(7))
        life.live(share(60))
        for step in (_by_id, _by_session, _by_person, _whole):
            step(life)
            after = " ".join(everything(engine))
            assert engine.admin.verify() == []
            with (store / "after.jsonl").open("wb") as out:
                engine.transfer.export_journal(out)
            assert left(life.given, own + after, where, store, state) == []
            pieces(where)
        assert engine.admin.replay(":memory:") == engine.admin.digest()
    assert left(life.given, own, where, store, state) == []
    assert list(Path(client.state_folder(), client.SPOOL).iterdir()) == []


def _by_id(life: Life) -> None:
    for scope, name in life.chance.sample(sorted(life.said, key=str), max(1, len(life.said) // 6)):
        if name in [one.id for one in life.engine.timeline(scope)]:
            life.engine.admin.erase(name, scope, why="asked")


def _by_session(life: Life) -> None:
    scope, session = life.sessions[0]
    if names := [one.id for one in life.engine.timeline(scope, session=session)]:
        life.engine.admin.erase(names, scope, why="the session is to go")


def _by_person(life: Life) -> None:
    for scope, found in life.engine.admin.held_of("Elif", [HOME, WORK]).items():
        life.engine.admin.erase([one.id for one in found], scope, why="Elif asked")
    assert life.engine.admin.held_of("Elif", [HOME, WORK]) == {}


def _whole(life: Life) -> None:
    for scope in life.engine.admin.scopes():
        if names := [one.id for one in life.engine.timeline(scope)]:
            life.engine.admin.erase(names, scope, why="all of it")


def test_an_erasure_killed_anywhere_is_not_begun_or_ends_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: Callable[[int], int]
) -> None:
    """What lies on the disk before each statement is what a kill there leaves: it is put back and opened."""
    state, root = tmp_path / "live" / "state", tmp_path / "live"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    root.mkdir()
    where = str(root / "reverie.db")
    shots: list[Path] = []
    with opened(where, state) as engine:
        life = Life(engine, random.Random(5))
        life.live(2)
        scope, name = next(iter(life.said))
        word = max(life.said[scope, name][0].split(), key=len).strip("'.,").encode().lower()
        with pytest.MonkeyPatch.context() as patch:
            _shoot(patch, root, tmp_path, shots)
            for text in everything(engine):
                assert text is not None
            engine.admin.erase(name, scope, why="asked")
    wanted = max(1, len(shots) // share(1000))
    ended = 0
    for shot in shots[::wanted]:
        shutil.rmtree(root)
        shutil.copytree(shot, root)
        with Reverie.open(where, embedder=None, background=False) as engine:
            assert engine.admin.verify() == []
            is_there = name in [one.id for one in engine.timeline(scope)]
        found = [path.name for path, content in held(root).items() if word in content]
        assert is_there or found == [], f"half erased after {shot.name}"
        ended += not is_there
    assert 0 < ended < len(shots), "the case is that some kills come before the end and some after"


def _shoot(patch: pytest.MonkeyPatch, root: Path, beside: Path, shots: list[Path]) -> None:
    """Copy all files before each statement, commit and rewriting of a log."""

    def shooting(what: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            shots.append(Path(shutil.copytree(root, beside / f"shot{len(shots):04}")))
            return what(*args, **named)

        return call

    for name in ("run", "run_many", "commit"):
        patch.setattr(Connection, name, shooting(getattr(Connection, name)))
    patch.setattr(erasing, "erase_texts", shooting(erasing.erase_texts))
