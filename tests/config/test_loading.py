"""Settings: which source wins, and what an unknown key is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie.config import DEFAULTS, Format, Settings, flat, load, load_settings, variable
from reverie.errors import InvalidSetting
from reverie.screen.values import ScreenAction, ScreenSettings


def read(folder: Path, environment: Mapping[str, str], given: Mapping[str, object] | None = None) -> Settings:
    """The settings where the folder's file is trusted."""
    return load(folder, environment, given, agreed=True).settings


def test_the_defaults_hold_without_any_file(tmp_path: Path) -> None:
    """An empty folder and an empty environment give the documented defaults."""
    assert load_settings(tmp_path, {}) == Settings()


def test_later_sources_win(tmp_path: Path) -> None:
    """User file < project file < environment < the call."""
    home = tmp_path / "home"
    (home / ".config" / "reverie").mkdir(parents=True)
    (home / ".config" / "reverie" / "config.toml").write_text('agent = "a"\nuser = "a"\nproject = "a"\ntop_k = 1\n')
    (tmp_path / "reverie.toml").write_text('user = "b"\nproject = "b"\ntop_k = 2\n')
    found = read(tmp_path, {"HOME": str(home), "REVERIE_PROJECT": "c", "REVERIE_TOP_K": "3"}, {"top_k": 4})
    assert (found.agent, found.user, found.project, found.top_k) == ("a", "b", "c", 4)


def test_a_project_file_is_found_from_below(tmp_path: Path) -> None:
    """As git finds its folder; and its store lies beside it."""
    (tmp_path / "reverie.toml").write_text('store = "memory.db"\n')
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    assert read(below, {}).store == str(tmp_path / "memory.db")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('projct = "x"', "'project'"),
        ("top_k = -1", "whole number from 0"),
        ('top_k = "many"', "whole number"),
        ("agent = 7", "quotes"),
        ("agent = ", "Mend the line"),
        ("[llm]\ntimout_s = 3", "'llm.timeout_s'"),
        ("[scren]\nemail = 'mask'", "'screen'"),
        ("screen = 'off'", r"\[screen\]"),
        ("[screen]\nemail = 'hide'", "mask, mark, leave"),
        ("[screen]\nquarantine = 'no'", "true or false"),
        ("[llm]\nattempts = 0", "whole number from 1"),
        ("[llm]\nattempts = 1.5", "whole number"),
        ("[llm]\ntimeout_s = 0", "above 0"),
        ("[llm]\ntimeout_s = inf", "above 0"),
        ("[llm]\ntokens_per_day = -1", "whole number from 0"),
        ("[plots]\nformat = 'gif'", "svg, png"),
        ("[ops]\nwhole_texts = 1", "true or false"),
    ],
)
def test_a_wrong_file_says_what_to_do(tmp_path: Path, text: str, says: str) -> None:
    """An unknown key names the nearest known one; a wrong value names what is allowed."""
    (tmp_path / "reverie.toml").write_text(text)
    with pytest.raises(InvalidSetting, match=says):
        read(tmp_path, {})


def test_a_wrong_variable_is_refused(tmp_path: Path) -> None:
    """The environment is checked like a file."""
    with pytest.raises(InvalidSetting, match="environment"):
        load_settings(tmp_path, {"REVERIE_TOP_K": "many"})


def test_sections_are_merged_key_by_key(tmp_path: Path) -> None:
    """A project's file that sets one key of a section leaves the others as the user's own file set them."""
    home = tmp_path / "home" / ".config" / "reverie"
    home.mkdir(parents=True)
    (home / "config.toml").write_text('[llm]\nspec = "openai:m"\ntimeout_s = 5\n[screen]\nemail = "mask"\n')
    (tmp_path / "reverie.toml").write_text('[llm]\ntimeout_s = 7.5\n[plots]\nformat = "png"\n')
    found = read(tmp_path, {"HOME": str(tmp_path / "home"), "REVERIE_LLM_ATTEMPTS": "2"})
    assert (found.llm.spec, found.llm.timeout_s, found.llm.attempts) == ("openai:m", 7.5, 2)
    assert found.screen == ScreenSettings(email=ScreenAction.MASK)
    assert found.plots.format is Format.PNG


def test_a_language_model_may_be_named_in_a_word(tmp_path: Path) -> None:
    """``llm`` alone is its ``spec``, in a file and as a variable; the long name wins."""
    (tmp_path / "reverie.toml").write_text('llm = "openai:a"\n')
    assert read(tmp_path, {}).llm.spec == "openai:a"
    assert read(tmp_path, {"REVERIE_LLM": "openai:b"}).llm.spec == "openai:b"
    both = {"REVERIE_LLM_SPEC": "openai:c", "REVERIE_LLM": "openai:b"}
    assert read(tmp_path, both).llm.spec == "openai:c"


@pytest.mark.parametrize(("text", "value"), [("true", True), ("1", True), ("NO", False), ("false", False)])
def test_a_variable_may_switch_something(tmp_path: Path, text: str, value: bool) -> None:
    """In the words people use for it; another word is refused."""
    assert load_settings(tmp_path, {"REVERIE_SCREEN_QUARANTINE": text}).screen.quarantine is value
    with pytest.raises(InvalidSetting, match="true or false"):
        load_settings(tmp_path, {"REVERIE_SCREEN_QUARANTINE": "perhaps"})


def test_a_logs_path_belongs_to_its_file(tmp_path: Path) -> None:
    """Relative to the file that names it; none is no path."""
    (tmp_path / "reverie.toml").write_text('[ops]\nlog = "logs/ops.jsonl"\n')
    assert read(tmp_path, {}).ops.log == str(tmp_path / "logs" / "ops.jsonl")
    (tmp_path / "reverie.toml").write_text('[ops]\nlog = "none"\n')
    assert read(tmp_path, {}).ops.log == "none"


def test_every_key_can_be_set_by_a_variable_of_its_own(tmp_path: Path) -> None:
    """No two keys share a variable, and each is read back as what it was."""
    names = [variable(key) for key in DEFAULTS]
    assert len(set(names)) == len(names)
    environment = {variable(key): str(value).lower() for key, value in DEFAULTS.items()}
    assert flat(load_settings(tmp_path, environment)) == DEFAULTS


def test_a_path_may_begin_at_home(tmp_path: Path) -> None:
    """In a file, a variable or an option: whoever starts the command may have no shell to see to it."""
    environment = {"HOME": str(tmp_path / "ada")}
    (tmp_path / "reverie.toml").write_text('store = "~/a.db"\n[ops]\nlog = "~/a.jsonl"\n')
    found = read(tmp_path, environment)
    assert (found.store, found.ops.log) == (str(tmp_path / "ada" / "a.db"), str(tmp_path / "ada" / "a.jsonl"))
    assert read(tmp_path, environment, {"store": "~/b.db"}).store == str(tmp_path / "ada" / "b.db")
    assert read(tmp_path, {}, {"store": "~b/c.db"}).store == "~b/c.db"


def test_openclaws_table_is_named_with_or_without_its_prefix(tmp_path: Path) -> None:
    """From a file, a variable or the call; what lies in the folder tells what it is."""
    (tmp_path / "reverie.toml").write_text('store = "lance:memory/lancedb"\n')
    assert read(tmp_path, {}).store == str(tmp_path / "memory/lancedb")
    assert read(tmp_path, {"HOME": "/h", "REVERIE_STORE": "lance:~/db"}).store == "/h/db"
    assert read(tmp_path, {}, {"store": "lance:/db"}).store == "/db"
