"""The commands of ``python -m benchmarks``, from retrieval and stale to speed and report, and all of them at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks import sets, systems
from reverie.errors import ReverieError
from reverie.recipes.recipe import NAMES as RECIPES

NO_MODEL = "none"
DEFAULT_RECIPE = "reverie"
STALE = ("bm25", "dense", "reverie", "observed")
"""The systems that ``stale`` compares (``benchmarks.stale.NAMES``, which loads the engine)."""
STALE_WITHOUT = ("-updates", "-outdated", "-opposed")
"""And ``reverie`` without one of these (``benchmarks.stale.WITHOUT``); as a group, ``without``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did its work, 1 with a message when it could not."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = parser().parse_args(given)
    try:
        options.run(options, given)
    except ReverieError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Reverie beside other systems.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _retrieval(commands.add_parser("retrieval", help="how much evidence each system finds in a public set"))
    _abstain(commands.add_parser("abstain", help="whether it knows when the store cannot answer; fits the weights"))
    _stale(commands.add_parser("stale", help="whether what changed stands first and what was denied is marked"))
    _multihop(
        commands.add_parser("multihop", help="what a graph of entities adds where evidence lies in several places")
    )
    _ama(
        commands.add_parser("ama", help="an agent's trajectories in AMA-Bench's form: evidence found, answers checked")
    )
    _bands(commands.add_parser("bands", help="how sure a cosine is of an answer: fits a model's calibration"))
    _lives(commands.add_parser("lives", help="mixed lives that nobody tuned on: what changed, what is needed"))
    _train(commands.add_parser("train", help="what is learned from labelled lives, learned anew"))
    _life(commands.add_parser("life", help="conversations observed, dreamt over and undreamt: no law may be broken"))
    _longrun(commands.add_parser("longrun", help="months of noise, changed facts and tight capacity, by mechanism"))
    _replay(commands.add_parser("replay", help="whether replaying sequences in the dream brings evidence: a prototype"))
    _speed(commands.add_parser("speed", help="how long recall, remember, import and open take"))
    _whole(commands.add_parser("whole", help="how long observe and recall take with everything on"))
    _dream(commands.add_parser("dream", help="how long a dream takes, in how much memory, and recall beside it"))
    _hook(commands.add_parser("hook", help="how long a coding agent waits for `reverie hook`, warm and cold"))
    _vault(commands.add_parser("vault", help="search and maintenance of a folder of observations, script and command"))
    _serving(commands.add_parser("serving", help="recall over HTTP: one client, many at once, and the server's memory"))
    _scopes(commands.add_parser("scopes", help="many scopes in one store: opening, recalls in turn, threads"))
    _encrypted(commands.add_parser("encrypted", help="what an encrypted store costs, and that it answers the same"))
    _grants(commands.add_parser("grants", help="what a recall costs with memories that other scopes granted"))
    _screen(commands.add_parser("screen", help="secrets masked, orders held back, turns touched wrongly"))
    _reminders(commands.add_parser("reminders", help="intentions formed from what people say, and brought up again"))
    _skills(commands.add_parser("skills", help="choosing a skill, finding workflows, and earlier tasks by their runs"))
    _compacted(commands.add_parser("compacted", help="what of a long session comes back after a compaction"))
    _compression(commands.add_parser("compression", help="evidence left in a digest, beside truncation and extracts"))
    _importing(commands.add_parser("importing", help="importing chats, and forming memories from them"))
    _same(commands.add_parser("same", help="what the program answers, recorded, or compared with an earlier record"))
    _report(commands.add_parser("report", help="a Markdown document and a chart from result files"))
    _all(commands.add_parser("all", help="every set found in a folder, speed, and the report"))
    return top


def _retrieval(command: argparse.ArgumentParser) -> None:
    _set_and_files(command)
    command.add_argument(
        "--rankings", type=Path, metavar="FILE", help="save the raw rankings as JSON lines (.gz: packed)"
    )
    _retrieval_choices(command)
    command.set_defaults(run=_run_retrieval)


def _set_and_files(command: argparse.ArgumentParser) -> None:
    command.add_argument("--set", required=True, choices=sorted(sets.NAMES))
    command.add_argument(
        "--data", required=True, nargs="+", type=Path, metavar="PATH", help="the set's files, in any order"
    )
    command.add_argument("--out", required=True, type=Path, metavar="FILE.json")
    command.add_argument(
        "--limit", type=_positive, help="only the first N conversations or questions, for a quick look"
    )


def _retrieval_choices(command: argparse.ArgumentParser) -> None:
    read = _among(systems.NAMES, systems.GROUPS)
    command.add_argument("--systems", type=read, default=systems.DEFAULT, metavar=",".join(systems.NAMES))
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap, and of the synthetic corpus")


def _embedding(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--embedder", default="default", metavar="SPEC", help=f"embedding model; {NO_MODEL!r}: text alone"
    )
    command.add_argument("--cache", type=Path, metavar="DIR", help="where vectors are kept between runs")


def _bands(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--data", required=True, nargs="+", type=Path, metavar="DIR", help="folders with files of several sets"
    )
    command.add_argument("--out", required=True, type=Path, metavar="FILE.json")
    command.add_argument("--each", type=_positive, default=200, metavar="N", help="questions of a set, drawn by chance")
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of what is drawn")
    command.set_defaults(run=_run_bands)


def _abstain(command: argparse.ArgumentParser) -> None:
    command.add_argument("--set", choices=sorted(sets.NAMES))
    command.add_argument("--data", nargs="+", default=[], type=Path, metavar="PATH", help="the set's files")
    command.add_argument("--out", type=Path, metavar="FILE.json")
    command.add_argument("--limit", type=_positive, help="only the first N conversations or questions")
    command.add_argument(
        "--others", nargs="+", default=[], type=Path, metavar="FILE.json", help="results of other sets, to fit on"
    )
    command.add_argument("--fit", type=Path, metavar="FILE.txt", help="write the weights fitted on --others")
    command.add_argument("--page", type=Path, metavar="FILE.md", help="write tables and curves of --others")
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    command.set_defaults(run=_run_abstain)


def _reminders(command: argparse.ArgumentParser) -> None:
    from benchmarks.reminders.commands import options

    options(command)
    command.set_defaults(run=_run_reminders)


def _stale(command: argparse.ArgumentParser) -> None:
    _set_and_files(command)
    read = _among((*STALE, *STALE_WITHOUT), {"without": STALE_WITHOUT})
    command.add_argument("--systems", type=read, default=STALE, metavar=",".join((*STALE, "without")))
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    command.set_defaults(run=_run_stale)


def _multihop(command: argparse.ArgumentParser) -> None:
    _set_and_files(command)
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    command.set_defaults(run=_run_multihop)


def _ama(command: argparse.ArgumentParser) -> None:
    command.add_argument("--out", required=True, type=Path, metavar="FILE.json")
    command.add_argument("--data", type=Path, metavar="FILE", help="AMA-Bench's own episodes, measured as well")
    command.add_argument("--episodes", type=_positive, default=20, metavar="N", help="made up by rule")
    command.add_argument("--turns", type=_positive, default=200, metavar="N", help="of each made-up episode")
    command.add_argument("--limit", type=_positive, help="only the first N of AMA-Bench's own episodes")
    _retrieval_choices(command)
    command.set_defaults(run=_run_ama)


def _lives(command: argparse.ArgumentParser) -> None:
    command.add_argument("--part", required=True, choices=("train", "development", "test"))
    command.add_argument("--out", required=True, type=Path, metavar="FILE.json")
    command.add_argument(
        "--amid", type=int, default=0, metavar="N", help="a tenth of the lives alone, each amid N messages of others"
    )
    command.add_argument("--own", action="store_true", help="with --amid: the life's person said what the others did")
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    command.set_defaults(run=_run_lives)


def _train(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "what", choices=("ranking", "kinds", "company", "pairs", "answerable", "texts", "done", "screen")
    )
    command.add_argument("--data", type=Path, metavar="DIR", help="a folder of other sets to learn from")
    command.add_argument("--out", required=True, type=Path, metavar="FILE.txt")
    command.add_argument("--measure", action="store_true", help="also measure with groups and whole sets left out")
    _embedding(command)
    command.set_defaults(run=_run_train)


def _same(command: argparse.ArgumentParser) -> None:
    command.add_argument("--out", required=True, type=Path, metavar="FILE.json", help="where the record goes")
    command.add_argument("--against", type=Path, metavar="FILE.json", help="an earlier record; a difference fails")
    command.add_argument("--data", type=Path, metavar="DIR", help="a folder with files of the public sets")
    _embedding(command)
    command.set_defaults(run=_run_same)


def _life(command: argparse.ArgumentParser) -> None:
    _set_and_files(command)
    command.add_argument("--recipe", default=DEFAULT_RECIPE, choices=RECIPES)
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of ids, salts and the choice of protected memories")
    command.set_defaults(run=_run_life)


def _longrun(command: argparse.ArgumentParser) -> None:
    _set_and_files(command)
    command.add_argument("--arms", default="main", metavar="main,controls,out,in,all", help="groups or names of arms")
    command.add_argument("--noise", type=_sizes, default=(1, 5, 20), metavar="1,5,20", help="for each own message")
    command.add_argument("--capacity", type=_sizes, default=(500, 5000), metavar="500,5000", help="memories awake")
    command.add_argument("--without", default="", metavar="NAMES", help="mechanisms taken out of all of reverie's arms")
    command.add_argument("--messages", type=_positive, default=250, help="of each conversation, from its beginning")
    command.add_argument(
        "--keep-questions", action="store_true", help="what is asked along the way is kept, as by hosts"
    )
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of the noise, the ids and the bootstrap")
    command.set_defaults(run=_run_longrun)


def _replay(command: argparse.ArgumentParser) -> None:
    _set_and_files(command)
    command.add_argument("--recipes", type=_among(RECIPES, {}), default=("reverie", "v9"), metavar="reverie,v9")
    command.add_argument("--messages", type=_positive, default=120, metavar="N", help="of each life, evidence included")
    command.add_argument("--questions", type=_positive, default=15, metavar="N", help="of each life")
    command.add_argument(
        "--capacity", type=_positive, metavar="N", help="formed memories awake; else as the recipe has it"
    )
    _embedding(command)
    command.add_argument("--seed", type=int, default=0, help="of what is drawn, the ids and the bootstrap")
    command.set_defaults(run=_run_replay)


def _speed(command: argparse.ArgumentParser) -> None:
    _sizes_and_folder(command, (1000, 10_000))
    command.add_argument("--without-lancedb", action="store_true", help="measure Reverie alone")
    command.add_argument(
        "--without-commands", action="store_true", help="leave out import and command line as processes"
    )
    command.set_defaults(run=_run_speed)


def _whole(command: argparse.ArgumentParser) -> None:
    _sizes_and_folder(command, (10_000, 100_000))
    command.add_argument(
        "--embedder", default="default", metavar="SPEC", help=f"the model whose time stands beside; {NO_MODEL!r}: none"
    )
    command.set_defaults(run=_run_whole)


def _dream(command: argparse.ArgumentParser) -> None:
    _sizes_and_folder(command, (100_000,))
    command.set_defaults(run=_run_dream)


def _hook(command: argparse.ArgumentParser) -> None:
    _sizes_and_folder(command, (10_000,))
    command.add_argument("--embedder", default="default", metavar="SPEC", help=f"the model; {NO_MODEL!r}: text alone")
    command.add_argument("--warm", type=_positive, default=60, metavar="N", help="calls while the warm process runs")
    command.add_argument("--cold", type=_positive, default=15, metavar="N", help="calls that start it")
    command.set_defaults(run=_run_hook)


def _vault(command: argparse.ArgumentParser) -> None:
    _sizes_and_folder(command, (10_000,))
    command.add_argument("--searches", type=_positive, default=10, metavar="N", help="of each kind")
    command.set_defaults(run=_run_vault)


def _serving(command: argparse.ArgumentParser) -> None:
    command.add_argument("--size", type=_positive, default=10_000, metavar="N", help="memories in the store")
    command.add_argument("--clients", type=_positive, default=16, metavar="N", help="at once")
    command.add_argument("--seconds", type=_positive, default=60, metavar="S", help="how long they ask")
    command.add_argument("--out", required=True, type=Path, metavar="FILE.json")
    command.add_argument("--folder", type=Path, metavar="DIR", help="where the store is built, or found again")
    command.add_argument("--embedder", default="default", metavar="SPEC", help=f"{NO_MODEL!r}: text alone")
    command.add_argument("--seed", type=int, default=0, help="of the synthetic corpus")
    command.set_defaults(run=_run_serving)


def _scopes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--scopes", type=_positive, default=5_000, metavar="N", help="of the store that is opened")
    command.add_argument("--turns", type=_positive, default=64, metavar="N", help="scopes recalled from in turn")
    command.add_argument("--memories", type=_positive, default=300, metavar="N", help="of each of them")
    command.set_defaults(run=_run_scopes)


def _screen(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, metavar="DIR", help="a folder with files of the public sets")
    command.add_argument("--list", action="store_true", help="name every case missed and every turn touched")
    command.set_defaults(run=_run_screen)


def _encrypted(command: argparse.ArgumentParser) -> None:
    command.add_argument("--sizes", type=_sizes, default=(1_000,), help="memories in each store, as 1000,100000")
    command.add_argument("--seed", type=int, default=0, help="of messages and cues")
    command.set_defaults(run=_run_encrypted)


def _grants(command: argparse.ArgumentParser) -> None:
    command.add_argument("--granted", type=_positive, default=200, help="memories of each of the five givers")
    command.add_argument("--recalls", type=_positive, default=400, help="recalls in each scope")
    command.add_argument("--embedder", default="default", help="the embedding model; none: text alone")
    command.add_argument("--seed", type=int, default=0, help="of messages and queries")
    command.set_defaults(run=_run_grants)


def _skills(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, metavar="DIR", help="a folder with labelled/realmem-*.jsonl.gz")
    command.add_argument("--part", default="test", choices=("train", "development", "test"), help="of our own lives")
    _embedding(command)
    command.add_argument("--seed", type=int, default=1000, help="of the traces; 0 is the one to choose by")
    command.set_defaults(run=_run_skills)


def _compacted(command: argparse.ArgumentParser) -> None:
    command.add_argument("--part", default="test", choices=("train", "development", "test"), help="of our own lives")
    _embedding(command)
    command.set_defaults(run=_run_compacted)


def _compression(command: argparse.ArgumentParser) -> None:
    command.add_argument("--set", choices=sorted(sets.NAMES))
    command.add_argument("--data", nargs="+", default=[], type=Path, metavar="PATH", help="the set's files")
    command.add_argument("--limit", type=_positive, help="only the first N conversations")
    command.add_argument("--seed", type=int, default=0, help="of the planted facts and of the bootstrap")
    command.add_argument("--recall", action="store_true", help="measure recall with little room instead, by text alone")
    command.set_defaults(run=_run_compression)


def _importing(command: argparse.ArgumentParser) -> None:
    command.add_argument("--chats", type=_positive, default=500, help="made-up chats in the form of Claude's export")
    command.set_defaults(run=_run_importing)


def _sizes_and_folder(command: argparse.ArgumentParser, sizes: tuple[int, ...]) -> None:
    shown = ",".join(map(str, sizes))
    command.add_argument("--sizes", type=_sizes, default=sizes, metavar=shown, help="memories in the store")
    command.add_argument("--out", required=True, type=Path, metavar="FILE.json")
    command.add_argument(
        "--folder", type=Path, metavar="DIR", help="where the stores are built (default: a temporary one)"
    )
    command.add_argument("--seed", type=int, default=0, help="of the synthetic corpus")


def _report(command: argparse.ArgumentParser) -> None:
    for kind in ("retrieval", "recipes", "speed", "whole", "dream", "life", "stale"):
        command.add_argument(f"--{kind}", nargs="*", default=[], type=Path, metavar="FILE")
    command.add_argument("--results", type=Path, metavar="DIR", help="every result file in a folder, told by content")
    command.add_argument("--longrun", nargs="*", default=[], type=Path, metavar="FILE", help="a page of its own")
    command.add_argument(
        "--out", required=True, type=Path, metavar="FILE.md", help="written between its markers if it exists"
    )
    command.add_argument("--chart", type=Path, metavar="FILE.png")
    command.set_defaults(run=_run_report)


def _all(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, metavar="DIR", help="a folder with files of any of the sets")
    command.add_argument("--out", required=True, type=Path, metavar="DIR")
    command.add_argument("--sizes", type=_sizes, default=(1000, 10_000, 100_000), metavar="1000,10000,100000")
    command.add_argument("--limit", type=_positive, help="only the first N conversations or questions of each set")
    command.add_argument(
        "--without-recipes", action="store_true", help="leave out the rows of the recipes, which take long"
    )
    _retrieval_choices(command)
    command.set_defaults(run=_run_all)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(_positive(part) for part in text.split(","))


def _among(names: Sequence[str], groups: Mapping[str, Sequence[str]]) -> Callable[[str], tuple[str, ...]]:
    """What reads a comma-separated list of names and of groups of names, each name once."""

    def read(text: str) -> tuple[str, ...]:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        found = tuple(dict.fromkeys(name for part in parts for name in groups.get(part, (part,))))
        if not found or not set(found) <= set(names):
            raise argparse.ArgumentTypeError(f"choose from {', '.join((*names, *groups))}")
        return found

    return read


# Each command's work is imported only when it runs: the engine, LanceDB and matplotlib are heavy.


def _run_retrieval(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.commands import retrieval

    retrieval(options, given)


def _run_bands(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.bands import bands

    bands(options, given)


def _run_abstain(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.abstain.commands import abstain

    abstain(options, given)


def _run_reminders(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.reminders.commands import run

    run(options, given)


def _run_stale(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.stale import stale

    stale(options, given)


def _run_multihop(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.multihop import multihop

    multihop(options, given)


def _run_ama(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.ama import ama

    ama(options, given)


def _run_compression(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.compression import run

    run(options, given)


def _run_importing(options: argparse.Namespace, _given: Sequence[str]) -> None:
    from benchmarks.importing import measured

    for one in measured(options.chats):
        print(one.line(), flush=True)


def _run_life(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.commands import life

    life(options, given)


def _run_train(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.training import commands

    commands.run(options, given)


def _run_skills(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.skills import run

    run(options, given)


def _run_compacted(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.hook.compacted import run

    run(options, given)


def _run_same(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.same import run

    run(options, given)


def _run_encrypted(options: argparse.Namespace, _: Sequence[str]) -> None:
    from benchmarks.encrypted import run

    run(options)


def _run_grants(options: argparse.Namespace, _: Sequence[str]) -> None:
    from benchmarks.grants import run

    run(options)


def _run_lives(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.lives.commands import run

    run(options, given)


def _run_longrun(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.longrun.commands import run

    run(options, given)


def _run_replay(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.longrun.replay import run

    run(options, given)


def _run_speed(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.commands import speed

    speed(options, given)


def _run_whole(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.commands import whole

    whole(options, given)


def _run_dream(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.commands import dream

    dream(options, given)


def _run_hook(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.hook.run import hook

    hook(options, given)


def _run_vault(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.vault import vault

    vault(options, given)


def _run_serving(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.serving import serving

    serving(options, given)


def _run_scopes(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.scopes import run

    run(options, given)


def _run_screen(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.screen.commands import run

    run(options, given)


def _run_report(options: argparse.Namespace, given: Sequence[str]) -> None:
    if options.longrun:
        from benchmarks.longrun.commands import report as longrun

        longrun(options)
        return
    from benchmarks.commands import report

    report(options, given)


def _run_all(options: argparse.Namespace, given: Sequence[str]) -> None:
    from benchmarks.commands import everything

    everything(options, given)
