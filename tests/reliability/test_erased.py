"""What is left of erased words: in no file of a store, its log or an export made after, whatever was erased and how.

Made-up lives in English and Turkish are lived on every store, and erased by id, by session, by person and whole; then
each distinct word that no kept text holds is looked for in every file, folded and stemmed, as UTF-8 and UTF-16.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.encode.note import Note
from reverie.engine import logs
from reverie.language.analyzer import index_terms
from reverie.language.letters import plain
from reverie.ops import erasing
from reverie.ops.log import OpsLog, OpsLogSettings
from reverie.stores.sqlite.connection import Connection
from reverie.types import Kind
from tests.engine.conftest import NOW

SHORTEST = 6
"""Letters of a word that is looked for: a shorter one stands by chance where an id ends and the next value begins."""
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
        shape = (self.chance.choice(part) for part in (_FIRST, _MIDDLE, _LAST))
        self.given.append("".join(shape) + "".join("abcdefghij"[int(digit)] for digit in str(self.count)))
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

    def _tend(self, scope: Scope) -> None:
        """Whatever somebody can do to a memory, with reasons and tags that hold words of their own."""
        engine, formed = self.engine, [one for one in self.engine.timeline(scope) if one.kind is not Kind.EPISODE]
        note = f"A note about {self.word()}."
        (kept,) = engine.note([Note(note)], scope, why=f"for {self.word()}")
        self.said[scope, kept.id] = [note]
        if not formed:
            return
        one, other = self.chance.choice(formed), self.chance.choice(formed)
        engine.amend(one.id, scope, tags=[self.word()], why=f"tagged {self.word()}")
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


def forms(texts: list[str]) -> set[str]:
    """Every word of texts as somebody may have kept it: as written, folded, without marks, stemmed in each language."""
    joined = " ".join(texts)
    words = {word.strip(".,:;!?'\"()") for text in texts for word in text.replace("'", " ").split()}
    stems = {term for language in ("en", "tr") for term in index_terms(joined, language) if "|" not in term}
    return {
        form
        for word in words | stems
        for form in (word, word.casefold(), word.lower(), plain(word))
        if len(form) >= SHORTEST
    }


def left(gone: list[str], kept: bytes, *folders: Path) -> list[tuple[str, str]]:
    """The forms of erased words that some file holds, where nothing that is kept does; and the files."""
    found: list[tuple[str, str]] = []
    wanted = {
        form: [form.lower().encode(code, "surrogatepass") for code in ("utf-8", "utf-16-le")]
        for form in forms(gone)
        if form.lower().encode() not in kept
    }
    assert wanted, "the case is that some words are gone"
    for path, content in held(*folders).items():
        found += [(form, path.name) for form, codes in wanted.items() if any(code in content for code in codes)]
    return found


def everything(engine: Reverie) -> list[str]:
    """Every text the engine holds or tells of: memories with their tags, and the journal; and their terms."""
    told = [str(one) for scope in engine.scopes() for one in engine.timeline(scope)]
    told += [str(event) for scope in engine.scopes() for event in engine._store.events(scope)]
    terms = [term for language in ("en", "tr") for term in index_terms(" ".join(told), language)]
    return [*told, plain(" ".join(told)), *terms]


def bare(tmp_path: Path) -> bytes:
    """What a store and its log hold of themselves, without anybody's words."""
    (tmp_path / "bare").mkdir()
    with opened(str(tmp_path / "bare" / "reverie.db"), tmp_path / "bare") as engine:
        name = engine.observe("x", HOME, deliberate=True).id
        engine.dream(HOME)
        engine.erase(name, HOME, why="asked")
        with (tmp_path / "bare" / "after.jsonl").open("wb") as out:
            engine.export_journal(out)
    return b" ".join(held(tmp_path / "bare").values())


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
    own = bare(tmp_path)
    with opened(where, state) as engine:
        life = Life(engine, random.Random(7))
        life.live(share(60))
        for step in (_by_id, _by_session, _by_person, _whole):
            step(life)
            after = " ".join(everything(engine))
            assert engine.verify() == []
            with (store / "after.jsonl").open("wb") as out:
                engine.export_journal(out)
            assert left(life.given, own + after.lower().encode("utf-8", "surrogatepass"), store, state) == []
        assert engine.replay(":memory:") == engine.digest()
    assert left(life.given, own, store, state) == []


def _by_id(life: Life) -> None:
    for scope, name in life.chance.sample(sorted(life.said, key=str), max(1, len(life.said) // 6)):
        if name in [one.id for one in life.engine.timeline(scope)]:
            life.engine.erase(name, scope, why="asked")


def _by_session(life: Life) -> None:
    scope, session = life.sessions[0]
    if names := [one.id for one in life.engine.timeline(scope, session=session)]:
        life.engine.erase(names, scope, why="the session is to go")


def _by_person(life: Life) -> None:
    for scope, found in life.engine.held_of("Elif", [HOME, WORK]).items():
        life.engine.erase([one.id for one in found], scope, why="Elif asked")
    assert life.engine.held_of("Elif", [HOME, WORK]) == {}


def _whole(life: Life) -> None:
    for scope in life.engine.scopes():
        if names := [one.id for one in life.engine.timeline(scope)]:
            life.engine.erase(names, scope, why="all of it")


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
            engine.erase(name, scope, why="asked")
    wanted = max(1, len(shots) // share(1000))
    ended = 0
    for shot in shots[::wanted]:
        shutil.rmtree(root)
        shutil.copytree(shot, root)
        with Reverie.open(where, embedder=None, background=False) as engine:
            assert engine.verify() == []
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
