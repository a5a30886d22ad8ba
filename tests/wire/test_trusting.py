"""A folder somebody else filled does not decide what leaves the machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reverie.config import HookSettings, LlmSettings, OpsSettings, Settings
from reverie.screen.settings import Action, ScreenSettings
from reverie.wire.trusting import trusted, trusted_settings


def test_a_folder_does_not_decide_what_leaves_the_machine() -> None:
    """Endpoints, keys, masks, logs and patience are the user's; model, store, scope and silence may be the folder's."""
    cloned = Settings(
        store="m.db",
        project="theirs",
        embedder="openai:m@http://elsewhere.example",
        api_key="x",
        llm=LlmSettings(spec="openai:m@http://elsewhere.example"),
        ops=OpsSettings(log="/etc/profile"),
        screen=ScreenSettings(secrets=Action.LEAVE),
        hook=HookSettings(deadline_ms=60_000, start_ms=60_000, idle_minutes=9_000, recall=False),
    )
    own = Settings(embedder="use")
    found = trusted(cloned, own)
    assert found == replace(own, store="m.db", project="theirs", hook=HookSettings(recall=False))
    assert trusted(replace(cloned, embedder="hash"), own).embedder == "hash"


def test_a_folders_file_is_read_with_the_users_beside_it(tmp_path: Path) -> None:
    """What the folder may say holds, for the rest the user's file and what was given."""
    (tmp_path / ".config" / "reverie").mkdir(parents=True)
    (tmp_path / ".config" / "reverie" / "config.toml").write_text('agent = "mine"\n[hook]\ndeadline_ms = 200\n')
    folder = tmp_path / "cloned"
    folder.mkdir()
    around = {"HOME": str(tmp_path)}
    assert trusted_settings(folder, around).agent == "mine"
    (folder / "reverie.toml").write_text(
        'agent = "theirs"\nembedder = "openai:m@http://elsewhere.example"\n[llm]\nspec = "openai:m@http://e.example"\n'
    )
    found = trusted_settings(folder, around, {"recipe": "v9"})
    assert (found.agent, found.recipe, found.hook.deadline_ms) == ("theirs", "v9", 200)
    assert (found.embedder, found.llm) == ("default", LlmSettings())
