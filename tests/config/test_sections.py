from dataclasses import fields, is_dataclass

from reverie.config import LlmSettings, Settings, flat, shown
from reverie.config.sections import DEFAULTS, LEAST, PATHS, POSITIVE, SECRETS, SECTIONS, SHORT
from reverie.models.llm import ChatSettings
from reverie.models.openai import Endpoint


def test_the_key_is_never_shown() -> None:
    """Printing the settings does not print the secret."""
    assert "hush" not in repr(Settings(api_key="hush"))
    assert "hush" not in repr(Settings(llm=LlmSettings(api_key="hush")))
    told = shown(Settings(api_key="hush", llm=LlmSettings(api_key="hush")))
    assert "hush" not in repr(told)
    assert told["llm.api_key"] == told["api_key"] == "set"


def test_a_secret_is_hidden_in_both_ways() -> None:
    """Each field that a printed section leaves out is in SECRETS, and each key in SECRETS is such a field."""
    hidden = set()
    for one in fields(Settings()):
        section = getattr(Settings(), one.name)
        inner = fields(section) if is_dataclass(section) else ()
        hidden |= {f"{one.name}.{field.name}" for field in inner if not field.repr}
        hidden |= set() if one.repr else {one.name}
    assert hidden == set(SECRETS), "a secret needs both: repr=False, and its key in SECRETS"


def test_the_limits_of_a_language_model_are_its_own_defaults() -> None:
    """What the settings say where nothing is set is what the model does where nothing is said."""
    ours, theirs = LlmSettings(), ChatSettings("m", Endpoint())
    for name in ("deadline_s", "rereads", "tokens_per_day", "rest_after", "rest_s"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert (ours.timeout_s, ours.attempts) == (Endpoint().timeout_s, Endpoint().attempts)


def test_the_tables_name_settings_there_are() -> None:
    """A bound, a path or a secret for a key that is not there would be a slip of the pen."""
    assert {*LEAST, *PATHS, *POSITIVE, *SECRETS, *SHORT.values()} <= set(DEFAULTS)
    assert {key.partition(".")[0] for key in DEFAULTS if "." in key} == set(SECTIONS)


def test_every_default_is_within_its_own_bounds() -> None:
    """What nobody has set is never refused."""
    assert all(float(DEFAULTS[key]) >= least for key, least in LEAST.items())
    assert all(float(DEFAULTS[key]) > 0 for key in POSITIVE)
    assert flat(Settings()) == DEFAULTS
