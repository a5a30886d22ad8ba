"""Load the settings in force from files, environment variables and arguments, and check each value.

Later sources win: the defaults, the user's ``config.toml``, the folder's ``reverie.toml`` (searched upwards from the
working folder), ``REVERIE_*`` variables, and the caller's arguments. An agent may run in a folder that somebody else
filled, so a folder's file may set little until the user trusts it. Every face loads its settings here.
"""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from reverie.config.project import AUTO, Projects, narrowed
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
    flat,
)
from reverie.config.trust import FolderFile, Sought, Trust, TrustKind, seek
from reverie.durable import home_folder, unreadable, user_folder
from reverie.errors import InvalidSetting

USER_FILE = "reverie/config.toml"
PREFIX = "REVERIE_"
LANCE = "lance:"
"""Optional prefix of a store path that names OpenClaw's own table."""
SERVERS = ("postgresql://", "postgres://")
"""Prefixes of the address of a database."""
CIPHER = "sqlcipher:"
"""Prefix of a store path that names an encrypted store."""
FREE = ("recipe", "top_k", "budget_tokens", "hook.budget_tokens")
"""Keys that an untrusted folder's file may set: amounts only, never a path, an address or a model."""
SILENCES = ("hook.recall", "hook.capture", "hook.vault")
"""Keys that an untrusted folder's file may switch off, but not on."""
MODELS = ("embedder", "reranker.spec")
"""Keys that name a model. A model's folder may hold code."""
MODEL_FOLDERS = ("sentence-transformers", "fastembed")
"""Kinds of models that can be named by a path."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force in a folder.

    Attributes:
        settings: every value.
        file: the folder's file, trusted or not; None if there is none that may be read.
        trusted: whether the user has agreed to the file, so that all of it applies.
        notes: which of the file's settings are not used and what to do about it, for the user to read.
        found_store: the path of the store if the folder decides it: its file names the store, or nobody names one and
            the
          default path lies in the folder. None if the user decides it.
    """

    settings: Settings
    file: FolderFile | None = None
    trusted: bool = False
    notes: tuple[str, ...] = ()
    found_store: Path | None = None


def load_settings(
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, object] | None = None,
) -> Settings:
    """Return the settings in force for ``folder`` (default: the working folder); warn of folder settings that are not
    used.

    Args:
        folder: where the search for ``reverie.toml`` begins.
        environment: variables to read instead of the process's.
        given: the caller's values, by key (``llm.spec``, or ``llm`` for short); None values are skipped.

    Raises:
        InvalidSetting: a key is unknown (the nearest known one is named), or a value has the wrong type or range.
    """
    loaded = load(folder, environment, given)
    for note in loaded.notes:
        warnings.warn(note, stacklevel=2)
    return loaded.settings


def load(
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, object] | None = None,
    *,
    agreed: bool = False,
) -> Loaded:
    """Return the settings in force with the notes that ``load_settings`` warns of; ``agreed`` trusts the folder's file.

    Raises:
        InvalidSetting: as ``load_settings``.
        StoreError: the user's own settings file exists and cannot be read.
    """
    folder = Path.cwd() if folder is None else folder
    environment = os.environ if environment is None else environment
    own = _users(environment)
    sought, said, trusted = _folders(folder, environment, agreed=agreed)
    used = _trusted(said) if trusted else _untrusted(said, sought.file)
    above = _checked(dict(_from_environment(environment)), "the environment")
    passed = _checked({SHORT.get(key, key): v for key, v in (given or {}).items() if v is not None}, "the call")
    settings = _settings(_at_home(own | used | above | passed, environment))
    question = ""
    if settings.project == AUTO:
        project, question = Projects(environment).meet(folder)
        settings = replace(settings, project=project)
    named = "store" in passed or ("store" in own and "store" not in used and "store" not in above)
    return Loaded(
        settings,
        sought.file,
        trusted,
        (*sought.ignored, *_notes(sought.file, said, settings, trusted=trusted), *filter(None, [question])),
        None if named else _found_store(settings.store, folder, sought.file, (own, used, above)),
    )


def _folders(folder: Path, environment: Mapping[str, str], *, agreed: bool) -> tuple[Sought, dict[str, Value], bool]:
    """Return the folder's settings file, its values, and whether the user trusts it.

    A faulty file that the user never trusted is skipped, and the search goes on above it.

    Raises:
        InvalidSetting: a file has a fault and the user trusts it, trusted an earlier version of it, or is about to.
    """
    trust, ignored = Trust(environment), tuple[str, ...]()
    while True:
        sought = seek(folder)
        file, ignored = sought.file, (*ignored, *sought.ignored)
        if file is None:
            return Sought(None, ignored), {}, False
        trusted, known = agreed or trust.trusts(file), trust.known(TrustKind.SETTINGS, file.path)
        try:
            return Sought(file, ignored), _from_text(file.path, file.content, environment), trusted
        except InvalidSetting:
            if trusted or known is not None:  # the user's own file, which the user has to mend
                raise
        ignored = (
            *ignored,
            f"{file.path} is ignored: it is not trusted, and has a fault. `reverie config trust` names it.",
        )
        folder = file.path.parent.parent
        if folder == file.path.parent:
            return Sought(None, ignored), {}, False


def _users(environment: Mapping[str, str]) -> dict[str, Value]:
    """Return the values of the user's own settings file, which may be a symbolic link."""
    path = user_file(environment)
    if path is None:
        return {}
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return {}
        return _from_text(path, path.read_bytes(), environment)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise unreadable(error, path) from None


def _trusted(said: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of a trusted file, without models named by a folder: that folder can change later."""
    return {key: value for key, value in said.items() if key not in MODELS or not _is_model_folder(str(value))}


def _untrusted(said: Mapping[str, Value], file: FolderFile | None) -> dict[str, Value]:
    """Return the values of a folder's file that apply without the user's trust."""
    used = {key: said[key] for key in FREE if key in said}
    used |= {key: False for key in SILENCES if said.get(key) is False}
    project = str(said.get("project", ""))
    if project and file is not None:
        used["project"] = narrowed(project, file.path.parent)
    return used


def _is_model_folder(spec: str) -> bool:
    """Whether a model is named by a path; such a folder may hold code."""
    kind, _, name = spec.strip().partition(":")
    name = name.strip()
    return kind.strip().lower() in MODEL_FOLDERS and (name[:1] in (".", "~", "/", "\\") or Path(name).is_absolute())


def _notes(file: FolderFile | None, said: Mapping[str, Value], settings: Settings, *, trusted: bool) -> Iterator[str]:
    """Yield one sentence for the user if settings of a folder's file are not applied."""
    values = flat(settings)
    keys = ", ".join(key for key, value in said.items() if values[key] != value and value != AUTO)
    if file is None or keys in ("", "project"):  # a project name alone needs no note
        return
    if not trusted:
        yield f"{file.path} is not trusted, so its {keys} do not hold. Look at it with `reverie config trust`."
    elif any(_is_model_folder(str(said.get(key, ""))) for key in MODELS):
        yield f"{file.path} names a model by its folder. That may hold code, so only your own settings may."


def _found_store(
    store: str, folder: Path, file: FolderFile | None, said: tuple[Mapping[str, Value], ...]
) -> Path | None:
    """Return the path of the store if the folder decides it; None if the user names it or it is not a file.

    A relative path in the folder's file is the folder's choice wherever it leads, because what lies there depends on
    where the folder was put. An absolute one was read by whoever trusted the file.
    ``said`` holds the values of the user's file, of the folder's file, and of the environment.
    """
    own, used, above = said
    if store in NO_PATHS or store.startswith(SERVERS) or ("store" in above and Path(store).is_absolute()):
        return None
    path = Path(os.path.normpath(folder.resolve() / store))
    if "store" in above or "store" not in used:
        return path
    if file is None or path == Path(os.path.normpath(str(own.get("store", "")))):
        return None
    from_there = any(one.is_relative_to(file.path.parent) for one in (path, Path(store)))  # the latter with its ".."
    return path if from_there else None


def user_file(environment: Mapping[str, str]) -> Path | None:
    """Return the path of the user's own settings file; None without a home folder."""
    base = user_folder(environment, "XDG_CONFIG_HOME", ".config")
    return base / USER_FILE if base else None


def variable(key: str) -> str:
    """Return the name of a key's environment variable: ``llm.spec`` is REVERIE_LLM_SPEC."""
    return PREFIX + key.replace(".", "_").upper()


def _settings(found: Mapping[str, Value]) -> Settings:
    settings = Settings()
    for section in SECTIONS:
        own = {key.partition(".")[2]: value for key, value in found.items() if key.startswith(f"{section}.")}
        if own:
            settings = replace(settings, **{section: replace(getattr(settings, section), **own)})
    top = {key: value for key, value in found.items() if "." not in key}
    return replace(settings, **top)  # type: ignore[arg-type] # each was checked against its default's type


def _from_text(file: Path, content: bytes, environment: Mapping[str, str]) -> dict[str, Value]:
    try:
        raw = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # also overlong numbers and too many brackets
        raise InvalidSetting(f"{file} is not TOML: {error}.", "Mend the line it names.") from None
    values = _at_home(_checked(dict(_flattened(raw)), str(file)), environment)
    for key in PATHS:
        if str(values.get(key, "")) not in NO_PATHS:
            values[key] = str(file.parent / str(values[key]))
    return values


def _at_home(values: dict[str, Value], environment: Mapping[str, str]) -> dict[str, Value]:
    """Expand a leading ``~/`` in paths to the user's home, because hosts start Reverie without a shell."""
    home = home_folder(environment)
    inside = {key: str(values[key]) for key in PATHS if home and str(values.get(key, "")).startswith("~/")}
    return values | {key: f"{home}{path[1:]}" for key, path in inside.items()}


def _flattened(raw: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in raw.items():
        if key in SECTIONS and isinstance(value, dict):
            yield from ((f"{key}.{name}", inner) for name, inner in value.items())
        else:
            yield SHORT.get(key, key), value


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """Yield the settings made by environment variables; the long name of a key wins over the short one."""
    names = {variable(short): key for short, key in SHORT.items()} | {variable(key): key for key in DEFAULTS}
    for name, key in names.items():
        if name in environment:
            yield key, _read(environment[name], DEFAULTS[key])


def _read(text: str, default: Value) -> object:
    """Convert a variable's text to the type of its default; return the text unchanged (refused later) if that fails."""
    if isinstance(default, bool):
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.lower(), text)
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            return text
    return text


def _checked(raw: Mapping[str, object], where: str) -> dict[str, Value]:
    store = raw.get("store")
    if isinstance(store, str):  # whoever names a store says with its prefix whether it is encrypted
        raw = {"encrypted": store.startswith(CIPHER) or _is_sealed(store), **raw}
    return {key: _value(key, value, where) for key, value in raw.items()}


def _is_sealed(store: str) -> bool:
    """Whether this is the address of an encrypted tenant."""
    query = store.partition("?")[2] if store.startswith(SERVERS) else ""
    return "encrypted=true" in query.split("&")


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
    return (
        value.removeprefix(LANCE).removeprefix(CIPHER) if key == "store" else value
    )  # the kind of store is recognised by the folder's content


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
