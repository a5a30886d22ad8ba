"""Check that the documentation keeps up with the code, and write the parts of it that are read off the code.

In: the package, the pages. Out: a list of faults (``python -m tools.docs``), or the generated parts, written in place
(``--write``). A generated part stands between ``<!-- NAME:begin -->`` and ``<!-- NAME:end -->``.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from reverie import errors
from reverie.config import DEFAULTS, SECTIONS, Settings
from reverie.faces.cli import main as command_line
from reverie.faces.cli.invocation import CommonOption
from reverie.recall.settings import RecallSettings
from reverie.recipes.default.recall import SIGNALS
from tools import chart, manual

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs"
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~|:::).*?^\1", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+\s+(?P<text>.+?)\s*$", re.MULTILINE)
ATTRIBUTE = re.compile(r"^(?P<name>\w+): (?P<what>.+?)(?=^\w+: |\Z)", re.MULTILINE | re.DOTALL)


def faults() -> list[str]:
    """Everything in which the documentation is behind, a line each."""
    return [*undocumented_commands(), *undocumented_settings(), *stale_parts(), *dead_links()]


# Commands


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """A command and all below it, each with the words one types; those that load late are loaded."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for child_name in command.list_commands(context):
            child = command.get_command(context, child_name)
            if child is not None:
                yield from commands(child, f"{name} {child_name}")


def undocumented_commands() -> list[str]:
    """Commands and options without documentation, and pages without a command.

    An option counts only in its command's own section; the common ones in the index, if the command's page links there.
    """
    found = []
    for name, command in commands(command_line, "reverie"):
        if not command.hidden and command is not command_line:
            found += undocumented(command, name)
    known = {*manual.files(), "cli/json.md"}
    pages_there = [path.relative_to(PAGES).as_posix() for path in (PAGES / "cli").glob("*.md")]
    return found + [f"docs/{file}: there is no such command" for file in pages_there if file not in known]


def undocumented(command: click.Command, name: str) -> list[str]:
    """What a command's page lacks: its heading, or options."""
    file = manual.file_of(name.removeprefix("reverie "))
    page = read(PAGES / file)
    section = section_of(page, name)
    if not section:
        return [f"docs/{file}: no heading for `{name}`"]
    everywhere = section_of(read(PAGES / "cli" / "index.md"), "Common options") if manual.COMMON in page else ""
    missing = [option for option in own_options(command) if not names(section, option)]
    missing += [option for option in common_options(command) if not names(everywhere, option)]
    return [f"docs/{file}: `{name}` lacks {option}" for option in missing]


def own_options(command: click.Command) -> list[str]:
    """The options that this command takes besides the common ones, as in ``spellings``."""
    return spellings([p for p in command.params if not isinstance(p, CommonOption)])


def common_options(command: click.Command) -> list[str]:
    """The common options that this command takes, as in ``spellings``."""
    return spellings([p for p in command.params if isinstance(p, CommonOption)])


def spellings(parameters: Sequence[click.Parameter]) -> list[str]:
    """The longest spelling of each option, and of its opposite; arguments stand in the usage line."""
    shown = []
    for parameter in parameters:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            shown += [max(parameter.opts, key=len), *parameter.secondary_opts]
    return shown


def names(text: str, option: str) -> bool:
    """Whether the text names an option, and not just a longer one that begins alike."""
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text) is not None


def section_of(page: str, command: str) -> str:
    """The part of a page under the heading that names a command, up to the next heading; "" if there is none."""
    found = re.search(rf"^#+ +`?{re.escape(command)}`?\s*$(?P<body>.*?)(?=^#+ |\Z)", page, re.MULTILINE | re.DOTALL)
    return (found["body"] or " ") if found else ""


# Generated parts


def settings_tables() -> str:
    """A table for the settings without a section, then a heading and a table for each section."""
    parts = [settings_table("")]
    for section in SECTIONS:
        about = " ".join(inspect.cleandoc(type(getattr(Settings(), section)).__doc__ or "").split())
        parts += [f"### {section}", re.split(r"(?<=\.) ", about)[0], settings_table(section)]
    return "\n\n".join(parts)


def settings_table(section: str) -> str:
    """One row a setting of a section: key, default and meaning, from the fields and docstrings of the settings."""
    rows = [
        f"| `{key}` | {shown_default(default)} | {meaning_of(key)} |"
        for key, default in DEFAULTS.items()
        if key.rpartition(".")[0] == section
    ]
    return "\n".join(["| key | default | what it is |", "| --- | --- | --- |", *rows])


def meaning_of(key: str) -> str:
    """What a setting is; one of a section is described by the section's own class."""
    section, _, name = key.rpartition(".")
    owner = type(getattr(Settings(), section)) if section else Settings
    return attributes(owner).get(name, "")


def shown_default(value: object) -> str:
    """A default as one would write it in the file; nothing for an empty text."""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f'`"{value}"`' if value else "none"
    return f"`{value}`"


def attributes(owner: type) -> dict[str, str]:
    """Name → text, from the ``Attributes`` section of a class's docstring."""
    section = inspect.cleandoc(owner.__doc__ or "").partition("Attributes:\n")[2]
    return {m["name"]: " ".join(m["what"].split()) for m in ATTRIBUTE.finditer(inspect.cleandoc("\n" + section))}


def numbers_table() -> str:
    """One row a number of the default recipe's read path: name, value and meaning."""
    meaning = attributes(RecallSettings)
    rows = [
        f"| `{f.name}` | {shown_number(getattr(SIGNALS, f.name))} | {meaning.get(f.name, '')} |"
        for f in fields(RecallSettings)
    ]
    return "\n".join(["| number | value | what it is |", "| --- | --- | --- |", *rows])


def shown_number(value: float | frozenset[str] | None) -> str:
    """A number, or names in their order; none where there are none."""
    if value is None:
        return "none"
    return ", ".join(sorted(value)) if isinstance(value, frozenset) else f"{value:g}"


def undocumented_settings() -> list[str]:
    """Settings and numbers without a meaning: their table would show an empty cell."""
    owners: tuple[type[Any], ...] = (
        Settings,
        *(type(getattr(Settings(), section)) for section in SECTIONS),
        RecallSettings,
    )
    return [
        f"the docstring of {owner.__name__} does not say what {f.name} is"
        for owner in owners
        for f in fields(owner)
        if not attributes(owner).get(f.name)
    ]


def error_tree() -> str:
    """The tree of errors as errors.py draws it."""
    drawing = (errors.__doc__ or "").split("\n\n")[1]
    return f"```text\n{inspect.cleandoc(drawing)}\n```"


GENERATED: dict[str, Callable[[str], str]] = {
    "settings.md": lambda page: manual.with_part(page, "settings", settings_tables()),
    "scoring.md": lambda page: manual.with_part(page, "numbers", numbers_table()),
    "errors.md": lambda page: manual.with_exits(manual.with_part(page, "errors", error_tree())),
    **manual.files(),
    "images/benchmarks-summary.svg": lambda _: chart.drawn(read(PAGES / "benchmarks" / "results.md")),
}
"""Page → what renews its generated parts."""


def stale_parts() -> list[str]:
    """Generated parts that are not as the code would write them now."""
    return [
        f"docs/{file}: a generated part is not current; run `.venv/bin/python -m tools.docs --write`"
        for file, renew in GENERATED.items()
        if renew(read(PAGES / file)) != read(PAGES / file)
    ]


def write_parts() -> None:
    """Renew every generated part in place."""
    for file, renew in GENERATED.items():
        page = PAGES / file
        page.write_text(renew(read(page)), encoding="utf-8")


# Links


def pages() -> list[Path]:
    """Every page a reader may come to."""
    written = [path for path in PAGES.rglob("*.md") if "_build" not in path.parts]
    return sorted([*ROOT.glob("*.md"), *(ROOT / "requirements").glob("*.md"), *written])


def dead_links() -> list[str]:
    """Links between pages whose target or heading is not there."""
    return [fault for page in pages() for fault in broken_links(page, read(page))]


def broken_links(page: Path, text: str) -> list[str]:
    """The links of a text, as if it stood in ``page``, that lead nowhere. The web is not asked."""
    prose = CODE_SPAN.sub("", FENCE.sub("", text))
    targets = [m["target"] for m in LINK.finditer(prose) if "://" not in m["target"]]
    targets = [target for target in targets if not target.startswith("mailto:")]
    return [f"{page.relative_to(ROOT).as_posix()}: {target}" for target in targets if not leads_somewhere(page, target)]


def leads_somewhere(page: Path, target: str) -> bool:
    """Whether a relative link's file, and its heading if it names one, are there."""
    name, _, anchor = target.partition("#")
    file = (page.parent / name).resolve() if name else page
    if not file.exists():
        return False
    return not anchor or file.suffix != ".md" or anchor in anchors(read(file))


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings: lower case, words joined by hyphens, punctuation gone."""
    plain = FENCE.sub("", text)
    headings = {re.sub(r"[^\w\- ]", "", m["text"].lower()).strip().replace(" ", "-") for m in HEADING.finditer(plain)}
    return headings | set(re.findall(r"^\(([\w-]+)\)=", text, re.MULTILINE))


def reference_keys() -> set[str]:
    """The keys of docs/references.md, each a heading of its own, and ``decision-0007`` for each decision there is."""
    sources = {m["text"].strip("`") for m in HEADING.finditer(read(PAGES / "references.md"))}
    return sources | {f"decision-{page.name[:4]}" for page in (PAGES / "decisions").glob("[0-9]*.md")}


def read(path: Path) -> str:
    """A page's text; "" while there is none, which the checks then report."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def main(arguments: Sequence[str]) -> int:
    """Write or check; faults go to the error stream and make the exit code 1."""
    if "--write" in arguments:
        write_parts()
        return 0
    found = faults()
    for fault in found:
        print(fault, file=sys.stderr)
    if not found:
        print(f"documentation: {len(pages())} pages, complete and current")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
