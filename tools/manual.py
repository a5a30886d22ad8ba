"""Generate the command and exit code sections of ``docs/cli.md``.

    python -m tools.manual docs/cli.md

writes them between ``<!-- cli-commands:begin -->`` and ``<!-- cli-commands:end -->`` (and ``cli-exits`` likewise).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from reverie.faces.cli import exits
from reverie.faces.cli.app import COMMANDS, main

WIDTH = 96


def commands() -> str:
    """Return a section for the main group and each command and subcommand, with the exact text of its ``--help``."""
    group = click.Context(main, info_name="reverie", terminal_width=WIDTH, max_content_width=WIDTH)
    sections = [_section("reverie", main.get_help(group))]
    for name in COMMANDS:
        command = main.get_command(group, name)
        if command is not None:
            sections += _sections(command, group, name)
    return "\n\n".join(sections)


def _sections(command: click.Command, above: click.Context, name: str) -> Iterator[str]:
    context = click.Context(command, above, name, terminal_width=WIDTH, max_content_width=WIDTH)
    yield _section(context.command_path, command.get_help(context))
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            yield from _sections(command.commands[below], context, below)


def renewed(page: str) -> str:
    """Return the page with its generated parts updated."""
    for name, content in (("cli-commands", commands()), ("cli-exits", exits.table())):
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n\n{content}\n\n{end}{rest.partition(end)[2]}"
    return page


def _section(name: str, text: str) -> str:
    return f"### `{name}`\n\n```text\n{text.rstrip()}\n```"


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(renewed(file.read_text(encoding="utf-8")), encoding="utf-8")
