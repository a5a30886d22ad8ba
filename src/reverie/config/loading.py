"""Reading settings: in, files, variables and what is passed; out, the settings in force, each value checked.

Later wins: the defaults, the user's ``config.toml``, the project's ``reverie.toml`` (searched upwards from the working
folder), ``REVERIE_*`` variables, and what the caller passes.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from reverie.config.project import AUTO, auto_project
from reverie.config.sections import (
    DEFAULTS,
    LEAST,
    NO_PATHS,
    PATHS,
    POSITIVE,
    SECTIONS,
    SHORT,
    Settings,
    Value,
)
from reverie.durable import user_folder
from reverie.errors import InvalidSetting

PROJECT_FILE = "reverie.toml"
USER_FILE = "reverie/config.toml"
PREFIX = "REVERIE_"
LANCE = "lance:"
"""May stand before a store that is OpenClaw's own table."""


def load_settings(
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, object] | None = None,
) -> Settings:
    """The settings in force for ``folder`` (default: the working folder).

    Args:
        folder: where the search for ``reverie.toml`` begins.
        environment: variables to read instead of the process's.
        given: what the caller passes, by key (``llm.spec``); None values are passed over.

    Raises:
        InvalidSetting: a key is unknown (the nearest known one is named), or a value has the wrong type or range.
    """
    environment = os.environ if environment is None else environment
    found: dict[str, Value] = {}
    for file in (user_file(environment), project_file(folder or Path.cwd())):
        if file is not None and file.is_file():
            found |= _from_file(file, environment)
    found |= _checked(dict(_from_environment(environment)), "the environment")
    passed = {key: value for key, value in (given or {}).items() if value is not None}
    settings = _settings(_at_home(found | _checked(passed, "the call"), environment))
    return replace(settings, project=auto_project(folder or Path.cwd())) if settings.project == AUTO else settings


def user_file(environment: Mapping[str, str]) -> Path | None:
    """Where the user's own settings live; None where there is no home."""
    base = user_folder(environment, "XDG_CONFIG_HOME", ".config")
    return base / USER_FILE if base else None


def project_file(folder: Path) -> Path | None:
    """The nearest ``reverie.toml`` in ``folder`` or above it."""
    folder = folder.resolve()
    return next((f / PROJECT_FILE for f in (folder, *folder.parents) if (f / PROJECT_FILE).is_file()), None)


def variable(key: str) -> str:
    """The environment variable of a key: ``llm.spec`` is REVERIE_LLM_SPEC."""
    return PREFIX + key.replace(".", "_").upper()


def _settings(found: Mapping[str, Value]) -> Settings:
    settings = Settings()
    for section in SECTIONS:
        own = {key.partition(".")[2]: value for key, value in found.items() if key.startswith(f"{section}.")}
        if own:
            settings = replace(settings, **{section: replace(getattr(settings, section), **own)})
    top = {key: value for key, value in found.items() if "." not in key}
    return replace(settings, **top)  # type: ignore[arg-type] # each was checked against its default's type


def _from_file(file: Path, environment: Mapping[str, str]) -> dict[str, Value]:
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSetting(f"{file} is not TOML: {error}.", "Mend the line it names.") from None
    values = _at_home(_checked(dict(_flattened(raw)), str(file)), environment)
    for key in PATHS:
        if str(values.get(key, "")) not in NO_PATHS:
            values[key] = str(file.parent / str(values[key]))
    return values


def _at_home(values: dict[str, Value], environment: Mapping[str, str]) -> dict[str, Value]:
    """Paths that begin with ``~/`` from the user's home: hosts start us without a shell that would see to it."""
    home = environment.get("HOME")
    inside = {key: str(values[key]) for key in PATHS if home and str(values.get(key, "")).startswith("~/")}
    return values | {key: f"{home}{path[1:]}" for key, path in inside.items()}


def _flattened(raw: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in raw.items():
        if key in SECTIONS and isinstance(value, dict):
            yield from ((f"{key}.{name}", inner) for name, inner in value.items())
        else:
            yield SHORT.get(key, key), value


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """What is set by variables; the long name of a key wins over the short one."""
    names = {variable(short): key for short, key in SHORT.items()} | {variable(key): key for key in DEFAULTS}
    for name, key in names.items():
        if name in environment:
            yield key, _read(environment[name], DEFAULTS[key])


def _read(text: str, default: Value) -> object:
    """A variable's text as the type of its default; the text itself where it is none, which is then refused."""
    if isinstance(default, bool):
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.lower(), text)
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            return text
    return text


def _checked(raw: Mapping[str, object], where: str) -> dict[str, Value]:
    return {key: _value(key, value, where) for key, value in raw.items()}


def _value(key: str, value: object, where: str) -> Value:
    if key not in DEFAULTS:
        raise _unknown(key, where)
    default = DEFAULTS[key]
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InvalidSetting(f"{where} sets {key} to {value!r}.", "Use true or false.")
        return value
    if isinstance(default, int | float):
        return _number(key, value, where, type(default))
    if not isinstance(value, str):
        raise InvalidSetting(f"{where} sets {key} to {value!r}, which is not text.", "Put it in quotes.")
    if isinstance(default, StrEnum):
        return _choice(key, value, where, type(default))
    return value.removeprefix(LANCE) if key == "store" else value  # the folder tells by what lies in it


def _unknown(key: str, where: str) -> InvalidSetting:
    if key in SECTIONS:
        return InvalidSetting(f"{where} sets {key!r}, which is a section.", f"Write [{key}] and below it its keys.")
    section = key.partition(".")[0]
    known = [name for name in DEFAULTS if name.startswith(f"{section}.")] or [*DEFAULTS, *SECTIONS]
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
    return InvalidSetting(f"{where} sets {key!r}, which is not known.", f"Did you mean {near[0]!r}?")


def _number(key: str, value: object, where: str, kind: type[int] | type[float]) -> Value:
    least = LEAST.get(key, 0)
    is_kind = isinstance(value, int) or (kind is float and isinstance(value, float))
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_kind:
        raise InvalidSetting(f"{where} sets {key} to {value!r}.", _wanted(key, kind))
    if not least <= value < float("inf") or (key in POSITIVE and value == 0):
        raise InvalidSetting(f"{where} sets {key} to {value!r}.", _wanted(key, kind))
    return kind(value)


def _wanted(key: str, kind: type[int] | type[float]) -> str:
    if key in POSITIVE:
        return "Use a number above 0."
    return f"Use a {'whole ' if kind is int else ''}number from {LEAST.get(key, 0):g}."


def _choice(key: str, value: str, where: str, kind: type[StrEnum]) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        raise InvalidSetting(f"{where} sets {key} to {value!r}.", f"Use one of {', '.join(kind)}.") from None
