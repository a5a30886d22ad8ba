"""A session as a whole: its title, what comes back after a compaction, and what is not handed over twice."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import Message, Reverie, Role, Scope
from reverie.faces.hook.answers import HookServing, Recalling
from reverie.faces.hook.capture import CapturePlace, capture
from reverie.faces.hook.decided import decided
from reverie.faces.hook.frames import HookCall
from reverie.faces.hook.hosts import HookHost, SessionMoment, is_compaction
from reverie.faces.hook.transcripts import ENDS, host_title
from reverie.formulas.text_statistics import estimated_tokens
from tests.faces.hook.conftest import Home, at

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
DATA = Path(__file__).with_name("data")
TITLED = DATA / "claude-code-2.1.330-title.jsonl"
"""A session of the real program that was begun with a name."""
BUDGET = 300


# Titles.


def titles(place: CapturePlace) -> list[str]:
    """The titles of the session, in the order of time."""
    return [one.text for one in place.engine.timeline(place.scope, session="s1") if one.role is Role.SYSTEM]


def transcript(path: Path, *entries: object) -> str:
    """A file of JSON lines."""
    path.write_text("\n".join(json.dumps(entry) for entry in entries), encoding="utf-8")
    return str(path)


def test_a_session_has_the_title_that_its_host_gave_it(place: CapturePlace) -> None:
    """Before everything that was said in it, once, as imported chats have theirs."""
    capture(at(SessionMoment.PROMPT, prompt="Which colour has tea?"), place, NOW)
    for _ in range(2):
        capture(at(SessionMoment.ANSWER, answer="Green.", transcript=str(TITLED)), place, NOW)
    first, *rest = [one for one in place.engine.timeline(place.scope, session="s1") if str(one.kind) == "episode"]
    assert (first.text, first.speaker, first.role) == ("Conversation: The colour of tea", "export", Role.SYSTEM)
    assert [one.text for one in rest] == ["Which colour has tea?", "Green."]


def test_a_new_title_comes_before_the_old_one_and_a_forgotten_one_not_again(
    place: CapturePlace, tmp_path: Path
) -> None:
    """And secrets in a title are masked."""
    path = tmp_path / "t.jsonl"
    capture(at(SessionMoment.PROMPT, prompt="Which colour has tea?"), place, NOW)
    for title in ("Tea", "Tea", "Tea, password: hunter2hunter2"):
        entry = {"type": "ai-title", "aiTitle": title, "sessionId": "s1"}
        capture(at(SessionMoment.ANSWER, answer="Green.", transcript=transcript(path, entry)), place, NOW)
    newest, oldest = titles(place)
    assert oldest == "Conversation: Tea"
    assert newest.startswith("Conversation: Tea, password: ")
    assert "hunter2" not in newest
    for one in place.engine.timeline(place.scope, session="s1"):
        if one.role is Role.SYSTEM:
            place.engine.forget(one.id, place.scope)
    assert capture(at(SessionMoment.ANSWER, answer="Green.", transcript=str(path)), place, NOW) == 0


@pytest.mark.parametrize(
    ("entries", "title"),
    [
        (({"type": "ai-title", "aiTitle": "By the model"}, {"type": "custom-title", "customTitle": "Mine"}), "Mine"),
        (({"type": "custom-title", "customTitle": "Mine"}, {"type": "ai-title", "aiTitle": "By the model"}), "Mine"),
        (({"type": "ai-title", "aiTitle": "First"}, {"type": "ai-title", "aiTitle": "Then"}), "Then"),
        (({"type": "summary", "summary": "All of it", "leafUuid": "x"},), "All of it"),
        (({"type": "custom-title", "customTitle": ["x"]}, {"type": "user", "aiTitle": "Not one"}, [1], "x"), ""),
    ],
)
def test_claude_codes_titles(entries: tuple[object, ...], title: str, tmp_path: Path) -> None:
    """The person's own before the model's; of each the latest."""
    path = tmp_path / "t.jsonl"
    transcript(path, *entries)
    assert host_title(HookHost.CLAUDE_CODE, "s1", path) == title


def test_a_title_is_found_at_either_end_of_a_long_transcript(tmp_path: Path) -> None:
    """Without reading what lies between."""
    title = json.dumps({"type": "ai-title", "aiTitle": "Tea"}).encode()
    filling = b'{"type": "user"}\n' * (2 * ENDS // 17 + 10_000)
    for number, content in enumerate((title + b"\n" + filling, filling + title)):
        (tmp_path / f"{number}.jsonl").write_bytes(content)
        assert host_title(HookHost.CLAUDE_CODE, "s1", tmp_path / f"{number}.jsonl") == "Tea"


def test_geminis_summary_and_codexs_thread_name_are_titles(tmp_path: Path) -> None:
    """Codex writes the names of all threads into one file beside their transcripts."""
    path = tmp_path / "g.jsonl"
    transcript(path, {"sessionId": "s1", "kind": "main"}, {"$set": {"summary": "Tea"}}, {"$set": {"lastUpdated": "x"}})
    assert host_title(HookHost.GEMINI, "s1", path) == "Tea"
    rollout = tmp_path / "codex" / "sessions" / "2026" / "11" / "29" / "rollout-x.jsonl"
    assert host_title(HookHost.CODEX, "s1", rollout) == ""
    names = [("s1", "Old"), ("s2", "Another"), ("s1", "Tea")]
    (tmp_path / "codex").mkdir()
    transcript(tmp_path / "codex" / "session_index.jsonl", *({"id": of, "thread_name": name} for of, name in names))
    assert host_title(HookHost.CODEX, "s1", rollout) == "Tea"
    assert host_title(HookHost.CODEX, "s1", tmp_path / "rollout-x.jsonl") == ""


def test_what_was_injected_names_the_session(home: Home, call_of: Callable[..., HookCall]) -> None:
    """By its host's title, else by the beginning of what was said first; a title is not handed over itself."""
    home.remember("My sister Zeynep lives in Izmir.")
    serving = HookServing(lambda _: None)
    prompt = "Where does my sister Zeynep live, and since when?\nPlease be brief."
    config = home.path / ".config" / "reverie" / "config.toml"
    config.write_text(config.read_text().replace('[ops]\nlog = "none"\n', ""))
    for event, fields in (
        ("UserPromptSubmit", {"prompt": prompt}),
        ("Stop", {"last_assistant_message": "In Izmir.", "transcript_path": str(TITLED)}),
    ):
        call = call_of(event, **fields)
        serving.answer(call).delivered()
        serving.keep(call)
        with Reverie.open(home.path / "memory" / "reverie.db", embedder=None) as memory:
            (one,) = memory.admin.injected(home.scope, session="s1")
        wanted = "The colour of tea" if event == "Stop" else "Where does my sister Zeynep live, and since when?"
        assert one.title == wanted
    said = serving.answer(call_of("UserPromptSubmit", "s2", prompt="Which colour of tea did we talk about?")).said
    assert b"Conversation:" not in said
    serving.close()


# After a compaction.


DECIDED = (
    "Always run the tests with uv run pytest before you commit.",
    "We decided to use Postgres 16 instead of SQLite for the staging server.",
    "Bundan sonra commit mesajlarını hep Türkçe yaz.",
)
SAID = (
    DECIDED[0],
    "What does the parser do?",
    "thanks!",
    DECIDED[1],
    "Look at this:\n" + "x = compute(y)  # and so on, a long pasted line of a file\n" * 60,
    DECIDED[2],
)


def talk(engine: Reverie, scope: Scope, session: str = "s1") -> None:
    """A session in which something is decided."""
    for number, text in enumerate(SAID):
        now = NOW + timedelta(minutes=number)
        engine.observe(Message(text, session=session, at=now), scope)
        engine.observe(Message("I will always use option C.", "assistant", Role.ASSISTANT, session, now), scope)


@pytest.mark.parametrize("begins", [True, False], ids=["a start of its own", "with the next prompt"])
def test_a_compaction_brings_back_what_the_session_decided(begins: bool, scope: Scope) -> None:
    """At the start that follows it, or where a host has none with the next prompt; once, and within the budget."""
    with Reverie.open(":memory:", embedder=None) as engine:
        talk(engine, scope)
        recalling = Recalling()
        asked = at(SessionMoment.PROMPT, prompt="Now rename the helper in utils.")
        recalling.context(engine, scope, asked, BUDGET).delivered()
        recalling.compacted(scope, "s1")
        start = at(SessionMoment.START, source="compact")
        back = recalling.context(engine, scope, start if begins else asked, BUDGET)
        back.delivered()
        assert all(text in back.block for text in DECIDED)
        assert not any(text in back.block for text in ("the parser", "thanks", "compute", "option C"))
        assert back.tokens <= BUDGET
        again = recalling.context(engine, scope, asked, BUDGET).block
        assert not any(text in again for text in DECIDED)


def test_a_compaction_is_known_by_the_start_alone(scope: Scope) -> None:
    """The hook before it may come late, or the process may have been started since; other sessions' words stay."""
    with Reverie.open(":memory:", embedder=None) as engine:
        talk(engine, scope, "s1")
        engine.observe(Message("We decided to paint the shed green.", session="s0"), scope)
        start = at(SessionMoment.START, source="compact")
        block = Recalling().context(engine, scope, start, BUDGET).block
        assert DECIDED[1] in block
        assert "shed" not in block


def test_gemini_clis_attempts_are_no_compactions(tmp_path: Path, scope: Scope) -> None:
    """It calls the hook before every message; only the summary in its transcript tells that it has cut its context."""
    auto = at(SessionMoment.COMPACT, HookHost.GEMINI, source="auto")
    assert not is_compaction(auto)
    assert is_compaction(at(SessionMoment.COMPACT, HookHost.GEMINI, source="manual"))
    assert is_compaction(at(SessionMoment.COMPACT, source="auto"))
    path = tmp_path / "s.jsonl"
    begin: list[object] = [{"sessionId": "s1", "kind": "main"}]
    turn = {"type": "user", "content": [{"text": "what is a <state_snapshot>?"}]}
    snapshot = {"$set": {"messages": [{"content": [{"text": "<state_snapshot>tea</state_snapshot>"}]}]}}
    with Reverie.open(":memory:", embedder=None) as engine:
        talk(engine, scope)
        recalling, told = Recalling(), []
        for entries in ([], [turn], [turn, snapshot], [turn, snapshot, turn, snapshot]):
            event = at(
                SessionMoment.PROMPT,
                HookHost.GEMINI,
                prompt="Rename the helper.",
                transcript=transcript(path, *begin, *entries),
            )
            context = recalling.context(engine, scope, event, BUDGET)
            context.delivered()
            told.append(DECIDED[1] in context.block)
        assert told == [False, False, True, False]


def test_what_holds_no_more_is_not_brought_back(scope: Scope) -> None:
    """Forgotten or superseded; a long statement keeps no others out, and the order is the same each time."""
    with Reverie.open(":memory:", embedder=None) as engine:
        talk(engine, scope)
        for one in engine.timeline(scope, session="s1"):
            if DECIDED[1] in one.text:
                engine.forget(one.id, scope)
        memories = engine.timeline(scope, session="s1")
        found = [one.text for one in decided(memories, BUDGET)]
        assert DECIDED[1] not in found
        assert found == [one.text for one in decided(memories[::-1], BUDGET)]
        assert max(map(estimated_tokens, found)) <= BUDGET // 4
        assert decided([], BUDGET) == []


# Nothing twice, nothing anew.


def test_a_resumed_session_is_not_told_again(scope: Scope) -> None:
    """Its context has it already, so that the host's cache of the prompt holds; one that starts anew is told."""
    with Reverie.open(":memory:", embedder=None) as engine:
        engine.observe(Message("I prefer tabs over spaces.", session="long ago"), scope)
        recalling = Recalling()
        blocks = []
        for source in ("startup", "resume", "startup"):
            context = recalling.context(engine, scope, at(SessionMoment.START, source=source), BUDGET)
            context.delivered()
            blocks.append(context.block)
        assert "tabs" in blocks[0]
        assert blocks[1] == ""
        assert blocks[2] == blocks[0]


def test_the_same_moment_gives_the_same_bytes(scope: Scope) -> None:
    """As long as nothing changed in between, whether the answer arrived or not."""
    with Reverie.open(":memory:", embedder=None) as engine:
        engine.observe(Message("My sister Zeynep lives in Izmir. I prefer tabs.", session="long ago"), scope)
        recalling = Recalling()
        for event in (
            at(SessionMoment.START, source="startup"),
            at(SessionMoment.PROMPT, prompt="Where is my sister Zeynep?"),
        ):
            one, two = (recalling.context(engine, scope, event, BUDGET).block for _ in range(2))
            assert one == two


def test_gemini_cli_is_told_with_the_first_prompt(home: Home, call_of: Callable[..., HookCall]) -> None:
    """It writes what it hears at the start before the first prompt, and drops both when the session is resumed."""
    home.remember("I prefer tabs over spaces.")
    serving = HookServing(lambda _: None)
    start = serving.answer(call_of("SessionStart", transcript_path="/h/.gemini/chats/s.jsonl", source="startup"))
    start.delivered()
    assert start.said == b""
    first = serving.answer(call_of("BeforeAgent", prompt="Rename the helper."))
    first.delivered()
    assert b"tabs over spaces" in first.said
    assert b"tabs" not in serving.answer(call_of("BeforeAgent", prompt="Rename the other helper.")).said
    serving.close()


# Folders of one repository.


def git(*words: str, at: Path) -> None:
    """Git itself, with nobody's settings."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@b.example", "-c", "protocol.file.allow=always"]
    nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(at)}
    subprocess.run(["git", *who, *words], cwd=at, env={**os.environ, **nobody}, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_worktrees_of_a_repository_share_a_memory_and_its_submodules_have_their_own(
    home: Home, call_of: Callable[..., HookCall]
) -> None:
    """As git itself lays them down: what is said in one is known in the other, and in no submodule or clone."""
    config = home.path / ".config" / "reverie" / "config.toml"
    config.write_text(config.read_text().replace('project = "house"', 'project = "auto"'))
    work = home.path / "work"
    for name in ("app", "parts"):
        (work / name).mkdir(parents=True)
        git("init", at=work / name)
        git("commit", "--allow-empty", "-m", "begin", at=work / name)
    git("submodule", "add", str(work / "parts"), "parts", at=work / "app")
    git("commit", "-m", "parts", at=work / "app")
    git("worktree", "add", str(home.path / "elsewhere" / "feature"), at=work / "app")
    git("submodule", "update", "--init", at=home.path / "elsewhere" / "feature")
    git("clone", str(work / "app"), "copy", at=work)
    serving = HookServing(lambda _: None)
    fact, asked = "Our staging database listens on port 6543.", "Which port has our staging database?"
    (work / "app" / "src").mkdir()
    assert serving.keep(call_of("UserPromptSubmit", prompt=fact, cwd=str(work / "app" / "src")))

    def knows(number: int, folder: Path) -> bool:
        return b"6543" in serving.answer(call_of("UserPromptSubmit", f"s{number}", prompt=asked, cwd=str(folder))).said

    feature = home.path / "elsewhere" / "feature"
    folders = [work / "app", feature, work / "app" / "parts", feature / "parts", work / "parts", work / "copy"]
    assert [knows(number, folder) for number, folder in enumerate(folders, 10)] == [True, True, *[False] * 4]
    serving.close()
