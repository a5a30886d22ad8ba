"""Settings: the only reader of configuration files and of the environment.

Later wins: the defaults, the user's ``config.toml``, the project's ``reverie.toml`` (searched upwards from the working
folder), ``REVERIE_*`` variables, and what the caller passes.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from reverie.errors import InvalidSetting

PROJECT_FILE = "reverie.toml"
USER_FILE = "reverie/config.toml"
PREFIX = "REVERIE_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user can set.

    Attributes:
        store: path of the store; relative to the file that names it, else to the working folder.
        agent: the scope's agent.
        user: the scope's user.
        project: the scope's project.
        embedder: the embedding model's specification; "none" recalls by text alone.
        api_key: key for an embedding endpoint; better set as REVERIE_API_KEY than in a file.
        top_k: most memories a recall injects, from 1.
        budget_tokens: most tokens a recall injects; 0 for no limit.
    """

    store: str = "reverie.db"
    agent: str = ""
    user: str = ""
    project: str = ""
    embedder: str = "default"
    api_key: str = ""
    top_k: int = 10
    budget_tokens: int = 1000

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.name != "api_key")
        return f"Settings({shown})"


KEYS = tuple(f.name for f in fields(Settings))
NUMBERS = {"top_k": 1, "budget_tokens": 0}
"""Settings that are whole numbers, and the least each may be."""


def load_settings(
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, object] | None = None,
) -> Settings:
    """The settings in force for ``folder`` (default: the working folder).

    Args:
        folder: where the search for ``reverie.toml`` begins.
        environment: variables to read instead of the process's.
        given: what the caller passes; None values are passed over.

    Raises:
        InvalidSetting: a key is unknown (the nearest known one is named), or a value has the wrong type or range.
    """
    environment = os.environ if environment is None else environment
    settings = Settings()
    for file in (user_file(environment), project_file(folder or Path.cwd())):
        if file is not None and file.is_file():
            settings = replace(settings, **_from_file(file))
    settings = replace(settings, **_from_environment(environment))
    passed = {key: value for key, value in (given or {}).items() if value is not None}
    return replace(settings, **_checked(passed, "the call"))


def user_file(environment: Mapping[str, str]) -> Path | None:
    """Where the user's own settings live; None where there is no home."""
    base = environment.get("XDG_CONFIG_HOME") or (f"{environment['HOME']}/.config" if environment.get("HOME") else None)
    return Path(base) / USER_FILE if base else None


def project_file(folder: Path) -> Path | None:
    """The nearest ``reverie.toml`` in ``folder`` or above it."""
    folder = folder.resolve()
    return next((f / PROJECT_FILE for f in (folder, *folder.parents) if (f / PROJECT_FILE).is_file()), None)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSetting(f"{file} is not TOML: {error}.", "Mend the line it names.") from None
    values = _checked(raw, str(file))
    if isinstance(values.get("store"), str) and values["store"] != ":memory:":
        values["store"] = str(file.parent / str(values["store"]))
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    for name, text in environment.items():
        if name.startswith(PREFIX):
            key = name.removeprefix(PREFIX).lower()
            if key in KEYS:
                raw[key] = _number(text) if key in NUMBERS else text
    return _checked(raw, "the environment")


def _number(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        return text


def _checked(raw: Mapping[str, object], where: str) -> dict[str, Any]:
    for key, value in raw.items():
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.0)
            raise InvalidSetting(f"{where} sets {key!r}, which is not known.", f"Did you mean {near[0]!r}?")
        if key in NUMBERS:
            _check_number(key, value, where)
        elif not isinstance(value, str):
            raise InvalidSetting(f"{where} sets {key} to {value!r}, which is not text.", "Put it in quotes.")
    return dict(raw)


def _check_number(key: str, value: object, where: str) -> None:
    least = NUMBERS[key]
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidSetting(f"{where} sets {key} to {value!r}.", f"Use a whole number from {least}.")
