"""``python -m benchmarks screen``: secrets masked, orders held back, turns touched wrongly, and the time it takes."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from benchmarks.screen import cases
from benchmarks.screen.cases import judged, turns
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenAction, Screened, ScreenSettings

SECRETS = 300
SEED = 20250101
MESSAGE = (
    "I went to the market on Saturday with my sister and we bought a lot of apples, then drove home before the rain "
    "started in the evening."
)
REPEATS = 2000
LONG = 1_000_000
"""Characters of the longest texts."""


def options(command: argparse.ArgumentParser) -> None:
    """The options of the command."""
    command.add_argument("--data", type=Path, metavar="DIR", help="a folder with files of the public sets")
    command.add_argument("--list", action="store_true", help="name every case missed and every turn touched")


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Print a table; a turn that nobody has judged counts as touched wrongly."""
    del given  # the table depends on no folder's name
    settings = ScreenSettings()
    _secrets(settings, options.list)
    _orders(settings, options.list)
    _harmless(settings, options.list)
    _personal(options.list)
    for unseen in (False, True):
        _written(settings, unseen=unseen)
    _speed(settings)
    if options.data:
        _turns(settings, options.data, options.list)


def _secrets(settings: ScreenSettings, listed: bool) -> None:
    found, all_of, kinds = Counter[str](), Counter[str](), set[str]()
    for case in cases.secrets(SECRETS, SEED):
        masked = is_gone(case.secret, screen(case.text, settings))
        kinds.add(case.kind)
        for group in ("all", case.group):
            found[group] += masked
            all_of[group] += 1
        if listed and not masked:
            print(f"  missed {case.group} {case.kind} {case.language}: {case.text!r}")
    for group in all_of:
        print(f"secrets masked, {group}: {found[group]} of {all_of[group]} ({found[group] / all_of[group]:.1%})")
    print(f"kinds of secrets: {len(kinds)}")


def is_gone(secret: str, screened: Screened) -> bool:
    """Whether nothing of a secret is left: no stretch of eight of its signs, or of a shorter one all."""
    piece = min(8, len(secret))
    kept = secret.partition("://")[2].partition(":")[2].partition("@")[0] or secret if "@" in secret else secret
    body = kept.removeprefix("https://hooks.slack.com/services/")
    return bool(screened.masked) and not any(
        body[at : at + piece] in screened.text for at in range(len(body) - piece + 1)
    )


def _orders(settings: ScreenSettings, listed: bool) -> None:
    found, all_of = Counter[str](), Counter[str]()
    for case in cases.orders():
        held = screen(case.text, settings).quarantine is not None
        for group in (
            "all",
            case.language,
            "kinds added later" if case.held_out else "kinds first written for",
            case.kind,
        ):
            found[group] += held
            all_of[group] += 1
        if listed and not held:
            print(f"  missed {case.kind} {case.language}: {case.text!r}")
    for group in sorted(all_of, key=lambda name: -all_of[name]):
        print(f"orders held back, {group}: {found[group]} of {all_of[group]} ({found[group] / all_of[group]:.1%})")


def _harmless(settings: ScreenSettings, listed: bool) -> None:
    texts = list(cases.harmless())
    wrong = [text for text in texts if screen(text, settings).quarantine]
    print(f"harmless texts held back: {len(wrong)} of {len(texts)}")
    if listed:
        print("".join(f"  {text!r}\n" for text in wrong), end="")


_CALLED = {
    "card-number": "card",
    "ip-address": "ip_address",
    "social-security-number": "us_ssn",
    "street-address": "street_address",
    "turkish-identity-number": "tr_identity",
}
"""What the screen calls a kind, and what its setting and the labels do."""


def _personal(listed: bool) -> None:
    """How much personal data is found, and how much of what is found is any, by language and kind."""
    marking = ScreenSettings(ScreenAction.LEAVE, False, *[ScreenAction.MARK] * (len(fields(ScreenSettings)) - 2))
    hits, labels, marks = Counter[str](), Counter[str](), Counter[str]()
    for case in cases.personal():
        seen = _seen(case.text, marking)
        true = [one for one in seen if any(_is_same(one, other) for other in case.found)]
        for counted, spans in ((hits, true), (labels, case.found), (marks, seen)):
            for kind, *_ in spans:
                counted.update((case.language, kind, "all"))
        if listed and (len(true), len(true)) != (len(seen), len(case.found)):
            print(f"  personal {case.language}: found {[case.text[at:to] for _, at, to in seen]} in {case.text!r}")
    for group in sorted(labels | marks):
        recall, precision = (_interval(hits[group], of[group]) for of in (labels, marks))
        print(f"personal data, {group}: recall {recall}, precision {precision}")


def _seen(text: str, settings: ScreenSettings) -> list[tuple[str, int, int]]:
    """Return what the screen marks in a text: kind, start, end."""
    found = screen(text, settings).marked
    return [(_CALLED.get(one.kind, one.kind), one.start, one.start + one.length) for one in found]


def _is_same(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    """Whether two spans are of one kind and share more than half of the longer."""
    shared = min(one[2], other[2]) - max(one[1], other[1])
    return one[0] == other[0] and shared > max(one[2] - one[1], other[2] - other[1]) / 2


def _interval(hits: int, of: int) -> str:
    """Return a share with its 95 % interval (Wilson's)."""
    if of == 0:
        return "of none"
    z, share = 1.96, hits / of
    middle, spread = share + z * z / (2 * of), z * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5
    low, high = ((middle + sign * spread) / (1 + z * z / of) for sign in (-1, 1))
    return f"{share:.1%} of {of} ({max(0.0, low):.1%} to {min(1.0, high):.1%})"


def _written(settings: ScreenSettings, *, unseen: bool) -> None:
    """What is done to texts that nobody wrote a rule for; figures alone."""
    done, all_of = Counter[str](), Counter[str]()
    for one in cases.written(unseen=unseen):
        found = screen(one.text, settings)
        masked = one.secret not in found.text if one.kind == "secret" else bool(found.masked)
        done[one.kind] += masked if "secret" in one.kind else found.quarantine is not None
        all_of[one.kind] += 1
    who = "a hand only measured on" if unseen else "hands that are learned from"
    told = (f"{kind} {done[kind]} of {number}" for kind, number in all_of.items())
    print(f"{who}, held back or masked: {', '.join(told)}")


def _speed(settings: ScreenSettings) -> None:
    screen(MESSAGE, settings)
    start = time.process_time()
    for _ in range(REPEATS):
        screen(MESSAGE, settings)
    print(f"a message of {len(MESSAGE.split())} words: {(time.process_time() - start) / REPEATS * 1e3:.3f} ms CPU")
    for name, text in (
        ("words", MESSAGE * (LONG // len(MESSAGE) + 1)),
        ("one run", "a" * LONG),
        ("digits", "1 " * (LONG // 2)),
    ):
        start = time.process_time()
        screen(text[:LONG], settings)
        print(f"{LONG:,} characters of {name}: {time.process_time() - start:.2f} s CPU")


def _turns(settings: ScreenSettings, folder: Path, listed: bool) -> None:
    verdicts = judged()
    touched, told, marks, number = Counter[str](), Counter[str](), Counter[str](), 0
    for turn, text in turns(folder):
        number += 1
        screened = screen(text, settings)
        marks.update({mark.kind for mark in screened.marked})
        if screened.masked or screened.quarantine:
            what = screened.quarantine or ", ".join(sorted({mask.kind for mask in screened.masked}))
            touched[verdicts.get(turn, "unjudged")] += 1
            told[what] += 1
            if listed:
                print(f"  {verdicts.get(turn, 'unjudged')} {turn} {what}")
    wrong = touched["wrong"] + touched["unjudged"]
    share = wrong / max(number, 1)
    print(f"turns: {number}; touched: {touched.total()}; rightly: {touched['right']}; wrongly: {wrong} ({share:.3%})")
    print(f"turns in which something was marked and left: {dict(marks)}")
