"""Generate the reference of the command line: the index in ``docs/cli/index.md`` and one page for each command.

In: the command group and the other pages. Out: each page's text with its generated part renewed, which lies between
``<!-- command:begin -->`` and ``<!-- command:end -->``. What is written by hand follows it. ``python -m tools.docs
--write`` writes them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import click

from reverie.faces.cli import exits
from reverie.faces.cli.app import CALLED_BY_HOSTS, COMMANDS, NAMED_ABOVE, SECTIONS, main
from reverie.faces.cli.invocation import CommonOption

PAGES = Path(__file__).resolve().parents[1] / "docs"
FOLDER = "cli"
WIDTH = 96
MOST_EXAMPLES = 6
MOST_SEE_ALSO = 4
NOT_FOR_READERS = {"_build", "contributing", "decisions", "lab", FOLDER}
"""Folders whose pages are neither searched for examples nor suggested."""

TASKS = {
    "Everyday": "Remember and recall",
    "Look": "Find out why",
    "Tend": "Restore, consolidate, undo",
    "Move": "Move and copy",
    "Connect": "Connect a program",
    "Run": "Set up and operate",
    "Called": "Called by programs",
}
"""For each section of the help: what its commands are for."""

PLAIN_VALUES = {"INTEGER": "N", "INTEGER RANGE": "N", "FLOAT": "NUMBER", "FLOAT RANGE": "NUMBER"}
"""What stands for click's names of a value's type."""

COMMON = "The [common options](index.md#common-options) work here too."
"""What a command's page says in place of the table of the options that every command takes."""

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")

_BLOCK = re.compile(r"^```(?P<form>sh|console)\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"(?:\$ )?reverie (?:--\S+ \S+ )*(?P<name>[a-z]+)")
_RANGE = re.compile(r"(?P<low>[\d.]+)<=x<=(?P<high>[\d.]+)|x>=(?P<least>[\d.]+)")
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A line of a page that calls a command; ``is_run`` if a test runs it."""

    page: str
    line: str
    is_run: bool


def files() -> dict[str, Callable[[str], str]]:
    """Return, for each page of the reference, below ``docs``, what turns its text into the current one."""
    renewed: dict[str, Callable[[str], str]] = {f"{FOLDER}/index.md": with_index}
    return renewed | {file_of(name): partial(with_command, name) for name in COMMANDS}


def file_of(name: str) -> str:
    """Return the page of a command, below ``docs``: "memory pin" is on the page of its group, "memory"."""
    return f"{FOLDER}/{name.split()[0]}.md"


def with_part(page: str, name: str, content: str) -> str:
    """Return the page with one generated part renewed; without a place for it, the part is put at the end."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n\n{content}\n\n{end}{rest.partition(end)[2]}"


def with_index(page: str) -> str:
    """Return the index with its table of commands and of common options renewed, and the order of its pages."""
    order = "```{toctree}\n:hidden:\n:maxdepth: 1\n\njson\n" + "\n".join(COMMANDS) + "\n```"
    parts = (("commands", tables()), ("common-options", common_options()), ("pages", order))
    for name, content in parts:
        page = with_part(page, name, content)
    return page


def with_exits(page: str) -> str:
    """Return the page of the errors with the table of exit codes renewed."""
    return with_part(page, "exits", exits.table())


def with_command(name: str, page: str) -> str:
    """Return a command's page with its generated part renewed; an empty page gets its title first."""
    return with_part(page or f"# reverie {name}\n\n", "command", command_part(name)).rstrip("\n") + "\n"


# The index


def tables() -> str:
    """Return a heading and a table for each task: its commands, each with what it does, linked to its page."""
    sections = {title: list(names) for title, names in SECTIONS.items()}
    sections["Run"] += NAMED_ABOVE
    sections["Called"] = list(CALLED_BY_HOSTS)
    return "\n\n".join(f"## {TASKS[title]}\n\n{_table(names)}" for title, names in sections.items())


def _table(names: list[str]) -> str:
    rows = [f"| [`{name}`]({name}.md) | {_text(main.commands[name].short_help or '')} |" for name in names]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])


def common_options() -> str:
    """Return the table of the options that every command takes."""
    return _option_table([p for p in main.params if isinstance(p, CommonOption)], click.Context(main))


# One command


def command_part(name: str) -> str:
    """Return the generated part of a command's page: the command, those below it, examples, exit codes, links."""
    above = click.Context(main, info_name="reverie", terminal_width=WIDTH, max_content_width=WIDTH)
    return "\n\n".join([*_sections(main.commands[name], above, name), *_after(name)])


def _sections(command: click.Command, above: click.Context, name: str) -> Iterator[str]:
    context = click.Context(command, above, name, terminal_width=WIDTH, max_content_width=WIDTH)
    is_own_page = above.parent is None
    if not is_own_page:
        yield f"## {context.command_path}"
    first, *rest = [_text(" ".join(part.split())) for part in (command.help or "").split("\n\n")]
    yield first
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ').strip()}\n```"
    yield from rest
    if own := _own_options(command):
        yield _option_table(own, context)
    if is_own_page:
        yield COMMON
    if isinstance(command, click.Group):
        yield from _below(command, context)


def _own_options(command: click.Command) -> list[click.Option]:
    own = [p for p in command.params if isinstance(p, click.Option) and not isinstance(p, CommonOption)]
    return [option for option in own if not option.hidden]


def _below(group: click.Group, context: click.Context) -> Iterator[str]:
    below = {child: group.commands[child] for child in group.list_commands(context)}
    yield _subcommands(context.command_path, below)
    for child, under in below.items():
        yield from _sections(under, context, child)


def _subcommands(path: str, below: dict[str, click.Command]) -> str:
    rows = [f"| [`{name}`](#{_anchor(f'{path} {name}')}) | {_first(command)} |" for name, command in below.items()]
    return "\n".join(["| subcommand | what it does |", "| --- | --- |", *rows])


def _first(command: click.Command) -> str:
    return _text(command.short_help or " ".join((command.help or "").split("\n\n")[0].split()))


def _anchor(heading: str) -> str:
    return heading.replace(" ", "-")


def _option_table(options: list[click.Option], context: click.Context) -> str:
    rows = [f"| {_spelled(option, context)} | {_meaning(option, context)} |" for option in options]
    return "\n".join(["| option | what it does |", "| --- | --- |", *rows])


def _spelled(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if option.is_flag or option.count or isinstance(option.type, click.Choice):
        return names
    value = option.make_metavar(context)
    return f"{names} {_text(PLAIN_VALUES.get(value, value))}"


def _meaning(option: click.Option, context: click.Context) -> str:
    """Return an option's help, its choices, its default and its range in words."""
    record = option.get_help_record(context)
    text, _, extra = (record or ("", ""))[1].partition("  [")
    parts = [_text(" ".join(text.split()))]
    if isinstance(option.type, click.Choice):
        parts.append("One of " + ", ".join(f"`{choice}`" for choice in option.type.choices) + ".")
    for part in extra.rstrip("]").split("; ") if extra else ():
        parts.append(_text(_RANGE.sub(_in_words, part)).capitalize() + ".")
    return " ".join(parts)


def _in_words(found: re.Match[str]) -> str:
    low, high = found["low"] or found["least"], found["high"]
    return f"from {low} to {high}" if high else f"at least {low}"


def _text(text: str) -> str:
    """Return a help text as Markdown: code between backticks stays, an option becomes code, the rest plain text."""
    parts = text.split("`")
    plain = [re.sub(r"([\\*<|\[\]])", r"\\\1", part) for part in parts[::2]]
    parts[::2] = [_OPTION.sub(r"`\g<0>`", part) for part in plain]
    return "`".join(parts)


def _after(name: str) -> Iterator[str]:
    shown = examples(name)
    if shown:
        yield "## Examples"
        yield "```console\n" + "\n".join(f"$ {one.line}" for one in shown) + "\n```"
        if shown[0].is_run:
            places = " · ".join(f"[{title_of(page)}](../{page})" for page in dict.fromkeys(one.page for one in shown))
            yield f"From guides whose commands a test runs: {places}."
    yield "## Exit codes"
    yield _exit_codes(name)
    if pages := [page for page in see_also(name) if page not in {one.page for one in shown if one.is_run}]:
        yield "## See also"
        yield " · ".join(f"[{title_of(page)}](../{page})" for page in pages)


def _exit_codes(name: str) -> str:
    own = [
        f"**{number}** {meaning}"
        for number, meaning in exits.OUTCOMES.items()
        if number == exits.DONE or re.search(rf"`{name}[ `]", meaning)
    ]
    rest = "All others: [exit codes](../errors.md#exit-codes). With `--json`: [JSON answers](json.md)."
    return f"{'; '.join(own)}. {rest}"


# Examples and links


def examples(name: str) -> list[Example]:
    """Return the first few lines that call a command: those that a test runs, or, if there are none, the others."""
    found = _calls().get(name, [])
    run = [one for one in found if one.is_run]
    return _distinct(run or found)[:MOST_EXAMPLES]


def _distinct(found: list[Example]) -> list[Example]:
    """Return one example a subcommand before a second one of any, in order, each line once."""
    first = {tuple(one.line.split()[1:3]): one for one in reversed(found)}
    by_line = {one.line: one for one in [*reversed(first.values()), *found]}
    return list(by_line.values())


def see_also(name: str) -> list[str]:
    """Return the few pages that name a command most often, after the one that is about it alone."""
    counts = {page: len(re.findall(rf"\breverie {name}\b", text)) for page, text in _pages().items()}
    named = [page for page, n in counts.items() if n > 0 and page != "index.md"]
    own = {f"{name}.md", f"{name}s.md"}
    return sorted(named, key=lambda page: (page not in own, -counts[page], page))[:MOST_SEE_ALSO]


def title_of(page: str) -> str:
    """Return the title of a page."""
    found = _TITLE.search(_pages()[page])
    return found[1] if found else page


@cache
def _pages() -> dict[str, str]:
    """Every page for readers, below ``docs``, and its text."""
    found = {path.relative_to(PAGES): path for path in sorted(PAGES.rglob("*.md"))}
    return {
        place.as_posix(): path.read_text(encoding="utf-8")
        for place, path in found.items()
        if not NOT_FOR_READERS & set(place.parts)
    }


@cache
def _calls() -> dict[str, list[Example]]:
    found: dict[str, list[Example]] = {}
    for page, text in _pages().items():
        for block in _BLOCK.finditer(text):
            is_run = block["form"] == "sh" and page.startswith("how-to/")
            for line in block["lines"].replace("\\\n", " ").splitlines():
                if called := _CALL.match(line):
                    shown = " ".join(line.removeprefix("$ ").split("  ")[0].split())
                    found.setdefault(called["name"], []).append(Example(page, shown, is_run))
    return found
