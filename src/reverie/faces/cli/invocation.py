"""One run of a command: the common options, and the settings, scope, engine and screen made from them.

Also how times are parsed, and how a person is asked and shown progress.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import wraps
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.core import ParameterSource

from reverie.errors import InvalidScope
from reverie.faces.cli.screen import Page, Screen, is_terminal, one_line

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from reverie.config import Loaded, Settings
    from reverie.engine.core import Reverie
    from reverie.ops.log import LogLine, OpsEntry, OpsLog
    from reverie.ports import Embedder, Reranker
    from reverie.types import Scope


NO_MODEL = "none"
_Callback: TypeAlias = Callable[[click.Context, click.Parameter, bool], None]


@dataclass(slots=True)
class Invocation:
    """The common options given so far; they may come before or after the command, and the later one wins.

    ``page`` takes the output of a command that is run for another process; ``log`` is the ops log of the engine that
    was opened last.
    """

    given: dict[str, str] = field(default_factory=dict)
    as_json: bool = False
    page: Page | None = None
    log: OpsLog | None = field(default=None, init=False)
    _loaded: Loaded | None = field(default=None, init=False)

    @property
    def screen(self) -> Screen:
        """The screen that the command writes its answer to."""
        return Screen(self.as_json, self.page)

    @property
    def is_loaded(self) -> bool:
        """Whether a command has asked for the settings."""
        return self._loaded is not None

    def settings(self) -> Settings:
        """Return the settings in force, loaded once all options are read. Raises InvalidSetting."""
        return self.loaded().settings

    def loaded(self) -> Loaded:
        """Return the settings in force with their sources; folder settings that are not used are reported once."""
        if self._loaded is None:
            from reverie.config import load

            self._loaded = load(given=self.given)
            for note in self._loaded.notes:
                self.screen.note(note)
        return self._loaded

    def reload(self) -> None:
        """Load the settings anew at their next use, because a command has written some."""
        self._loaded = None

    def lasting(self) -> dict[str, str]:
        """Return the options that a new reverie.toml keeps besides scope and store; no reranker is the default."""
        kept = {key: self.given[key] for key in ("embedder", "reranker", "recipe") if key in self.given}
        return {key: value for key, value in kept.items() if (key, value) != ("reranker", NO_MODEL)}

    def scope(self) -> Scope:
        """Return the scope in force. Raises InvalidScope if a part is not named."""
        from reverie.types import Scope

        settings = self.settings()
        parts = {name: getattr(settings, name) for name in ("agent", "user", "project")}
        missing = [name for name, value in parts.items() if not value]
        if missing:
            raise InvalidScope(
                f"The scope is not whole: no {', no '.join(missing)} is named.",
                "Run `reverie setup`, or here `reverie init --agent A --user U --project P`, or give the flags.",
            )
        return Scope(**parts)

    def open(self, *, model: bool = True, create: bool = False, reads: bool = False, stays: bool = False) -> Reverie:
        """Open the engine on the store in force; ``model`` False for commands without models, ``reads`` adds the
        reranker, ``stays`` is for a process that runs for long.

        Raises StoreMissing, unless ``create`` allows a new store, and StoreUntrusted.
        """
        from reverie.engine.requests import Caller, calling
        from reverie.wire.logs import open_log
        from reverie.wire.opening import open_engine
        from reverie.wire.trust import own_made, require_trust

        settings, is_new = self.settings(), require_trust(self.loaded())
        settings = settings if stays else replace(settings, count_within_s=0.0)
        embedder, reranker = self.embedder() if model else None, self.reranker() if reads else None
        click.get_current_context().find_root().with_resource(calling(Caller(by_hand())))
        self.log = open_log(settings)
        engine = open_engine(settings, embedder, self.log, mind=model, create=create, reranker=reranker)
        if is_new:
            own_made(self.loaded())
        return engine

    @contextmanager
    def logged(self, op: str, store: str = "") -> Iterator[LogLine]:
        """Write the block into the ops log as an operation on the store in force, or another, that needs no engine."""
        from reverie.ops.log import OpsEntry, operation
        from reverie.wire.logs import open_log

        settings = self.settings()
        log = open_log(replace(settings, store=store) if store else settings)
        try:
            with operation(log.write if log else _dropped, OpsEntry(op, who=by_hand())) as line:
                yield line
        finally:
            if log is not None:
                log.close()

    @contextmanager
    def reading(self) -> Iterator[Reverie]:
        """Yield the engine for one question, with models and reranker. Raises as ``open``."""
        with self.open(reads=True) as engine:
            yield engine

    def embedder(self) -> Embedder | None:
        """Open the embedding model in force; None for text alone. Raises ModelError, or InvalidSetting for an unknown
        name.
        """
        from reverie.engine.factories import open_embedder

        settings = self.settings()
        return open_embedder(settings.embedder, settings.api_key)

    def reranker(self) -> Reranker | None:
        """Open the reranker in force, if any. Raises ModelError, or InvalidSetting for an unknown name."""
        from reverie.wire.opening import open_reranker

        settings = self.settings()
        return None if settings.reranker.spec.strip().lower() == NO_MODEL else open_reranker(settings)


def _dropped(entry: OpsEntry) -> None:
    """Write an entry nowhere, as there is no log."""


def by_hand() -> str:
    """Return the caller that a command's events name: `cli:` and the system's login name of who runs it."""
    try:
        import pwd  # not on Windows

        return f"cli:{pwd.getpwuid(os.getuid()).pw_name}"
    except (ImportError, KeyError):
        with suppress(OSError):
            return f"cli:{os.getlogin()}"
        return "cli:unknown"


pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


class CommonOption(click.Option):
    """An option that every command takes, in its own section of the help."""


def common_options() -> list[CommonOption]:
    """Return the options that every command takes, and the group before it."""
    return [
        _setting("store", "PATH", "The store: a file, or a folder that holds reverie.db."),
        _setting("agent", "NAME", "The scope's agent."),
        _setting("user", "NAME", "The scope's user."),
        _setting("project", "NAME", "The scope's project."),
        _setting("embedder", "SPEC", "The embedding model."),
        _setting("reranker", "SPEC", "The model that reads the first hits."),
        _setting("recipe", "NAME", "How to recall, form and dream."),
        _flag("--no-model", _without_model, "Work on text alone, without embedding model and reranker."),
        _flag("--json", _json, "Answer in JSON."),
    ]


def _setting(name: str, metavar: str, text: str) -> CommonOption:
    return CommonOption([f"--{name}"], metavar=metavar, help=text, expose_value=False, callback=_given)


def _flag(name: str, callback: _Callback, text: str) -> CommonOption:
    return CommonOption([name], is_flag=True, help=text, expose_value=False, callback=callback)


def _given(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None and param.name is not None:
        ctx.ensure_object(Invocation).given[param.name] = value


def _without_model(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.ensure_object(Invocation).given |= {"embedder": NO_MODEL, "reranker": NO_MODEL}


def _json(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.ensure_object(Invocation).as_json |= value


WHY = "The reason. It stays in the journal until the memory is erased."
"""Help of every ``--why``; the reason is hashed with a salt, so that an erasure can remove it."""


class Command(click.Command):
    """A command that takes the common options and lists them after its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += common_options()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the common ones."""
        _format_options(self, ctx, formatter)


def _format_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    params = command.get_params(ctx)
    own = [param for param in params if isinstance(param, click.Option) and not isinstance(param, CommonOption)]
    common = [param for param in params if isinstance(param, CommonOption)]
    for title, listed in (("Options", own), ("Common options", common)):
        records = [record for param in listed if (record := param.get_help_record(ctx)) is not None]
        if records:
            with formatter.section(title):
                formatter.write_dl(records)


class LazyGroup(click.Group):
    """A group whose commands are imported on first use; ``lazy`` maps names to ``module.attribute``."""

    def __init__(self, *args: Any, lazy: Mapping[str, str], **kwargs: Any) -> None:
        self._lazy = lazy
        super().__init__(*args, **kwargs)

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        """Every command of the group, all loaded: for documentation and completion."""
        return {name: self._load(name) for name in self._lazy}

    @commands.setter
    def commands(self, value: MutableMapping[str, click.Command]) -> None:
        """Ignore click's empty dict: the table is the only list of commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the table."""
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load and return the command of this name."""
        return self._load(cmd_name) if cmd_name in self._lazy else None

    def _load(self, name: str) -> click.Command:
        module, attribute = self._lazy[name].split(".")
        command: click.Command = getattr(import_module(f"reverie.faces.cli.{module}"), attribute)
        return command


class CommandGroup(LazyGroup):
    """A command with subcommands; with ``invoke_without_command`` it also does something itself."""

    def __init__(self, *args: Any, callback: Callable[..., Any] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, callback=callback and _alone(callback), **kwargs)
        self.params += common_options()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write its own options, the common ones, and the commands below it."""
        _format_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that was called; the group's own options may not be given before it."""
        for param in self.params:
            source = ctx.get_parameter_source(param.name or "")
            is_own = not isinstance(param, CommonOption) and source is ParameterSource.COMMANDLINE
            if is_own and not ctx.resilient_parsing:
                ctx.fail(f"{param.opts[0]} belongs to `{ctx.command_path}` alone.")
        return super().resolve_command(ctx, args)


def _alone(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the callback so that it does not run when a subcommand does."""

    @wraps(callback)
    def call(*args: Any, **kwargs: Any) -> Any:
        return callback(*args, **kwargs) if click.get_current_context().invoked_subcommand is None else None

    return call


if TYPE_CHECKING:
    _TimeType = click.ParamType[datetime]
else:
    _TimeType = click.ParamType  # generic in newer versions of click only


class Time(_TimeType):
    """A time in ISO 8601: a day, or a day and a time; without a zone it is UTC."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Parse a time to UTC; report a usage error for an invalid text."""
        if isinstance(value, datetime):
            return value
        try:
            at = datetime.fromisoformat(str(value).strip())
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no time; write 2026-03-02 or 2026-03-02T18:30:00Z.", param, ctx)


TIME = Time()


def confirmed(question: str) -> bool:
    """Whether a person at a terminal says yes; without a terminal, and where the input ends, always False."""
    if not is_terminal(sys.stdin):
        return False
    try:
        return click.confirm(question, default=False, err=True)
    except click.Abort as stopped:
        _ended(stopped)
        return False


def prompted(text: str, **how: Any) -> str:
    """Return what a person types, without spaces around it; an empty text where the input ends."""
    try:
        return str(click.prompt(text, err=True, **how)).strip()
    except click.Abort as stopped:
        _ended(stopped)
        return ""


def _ended(stopped: click.Abort) -> None:
    """Begin a new line where a question was left because the input ended. Raises KeyboardInterrupt after Ctrl-C."""
    if isinstance(stopped.__context__, KeyboardInterrupt):
        raise KeyboardInterrupt from None
    click.echo(err=True)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar during a block; call what it yields with each step's size. No bar without a terminal."""
    if not is_terminal(sys.stderr):
        yield _nobody_looks
        return
    bar: ProgressBar[int]
    # Steps are counted by update(); the iterable only lets the total be unknown.
    with click.progressbar(count(), length=total, label=one_line(label), file=sys.stderr, show_pos=True) as bar:
        yield bar.update


def _nobody_looks(step: int) -> None:
    """Do nothing."""


@contextmanager
def busy(label: str) -> Iterator[None]:
    """Show a label on standard error during a block whose progress is unknown."""
    if not is_terminal(sys.stderr):
        yield
        return
    sys.stderr.write(f"{one_line(label)} …")
    sys.stderr.flush()
    try:
        yield
    finally:
        sys.stderr.write("\r\x1b[K")
