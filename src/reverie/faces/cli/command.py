"""What all commands share as commands: the common options, how times are typed, and how a person is asked."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from reverie.faces.cli.invocation import CommonOption, common_options
from reverie.faces.cli.screen import is_terminal

WHY = "The reason. It stays in the journal until the memory is erased."
"""Of every ``--why``: it is hashed with a salt, so that an erasure can take it out."""


class Command(click.Command):
    """A command that takes the common options and lists them after its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += common_options()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the common ones."""
        params = self.get_params(ctx)
        own = [param for param in params if isinstance(param, click.Option) and not isinstance(param, CommonOption)]
        common = [param for param in params if isinstance(param, CommonOption)]
        for title, listed in (("Options", own), ("Common options", common)):
            records = [record for param in listed if (record := param.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


if TYPE_CHECKING:
    _TimeType = click.ParamType[datetime]
else:
    _TimeType = click.ParamType  # generic in newer versions of click only


class Time(_TimeType):
    """A moment: ISO 8601, a day or a day and a time; without a zone it is UTC."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The moment in UTC; a usage error where the text is none."""
        if isinstance(value, datetime):
            return value
        try:
            at = datetime.fromisoformat(str(value).strip())
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no time; write 2026-03-02 or 2026-03-02T18:30:00Z.", param, ctx)


TIME = Time()


def confirmed(question: str) -> bool:
    """Whether a person at a terminal says yes; nobody else can."""
    return is_terminal(sys.stdin) and click.confirm(question, default=False, err=True)
