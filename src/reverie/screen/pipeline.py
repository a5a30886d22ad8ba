"""Screen a text: the first stage of every write.

In: a text as it was said, and the settings. Out: the text to store, what was masked or marked in it, and
whether it is quarantined. Source of the numbers: docs/decisions/0016-screen.md.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from reverie.screen.heads import MASKS, secrets
from reverie.screen.injection import quarantine_reason
from reverie.screen.personal import personal_data
from reverie.screen.secret_forms import tokens, written
from reverie.screen.secret_statements import statements
from reverie.screen.values import Masked, ScreenAction, Screened, ScreenSettings, TextSpan
from reverie.types import Role

_CATEGORIES = {
    "email": "email",
    "phone": "phone",
    "iban": "iban",
    "card-number": "card",
    "turkish-identity-number": "tr_identity",
    "social-security-number": "us_ssn",
    "ip-address": "ip_address",
    "street-address": "street_address",
}
"""Setting for each kind of personal data."""
_UNKNOWN = "unknown-token"


def screen(text: str, settings: ScreenSettings, said_by: Role = Role.USER, *, in_prose: bool = True) -> Screened:
    """Return the screened text of any speaker; ``in_prose``: also detect secrets by the words around them.

    Secrets and, depending on the settings, personal data are replaced by ``[secret: kind]`` and ``[personal: kind]``;
    everything else stays. Screening a screened text changes nothing.
    """
    reason = quarantine_reason(text, said_by) if settings.quarantine else None
    return _shown(text, _chosen(text, settings, in_prose=in_prose), reason)


def screen_name(name: str, settings: ScreenSettings) -> Screened:
    """Return the screened name of a speaker: without secrets.

    A name is also a key, and masks would merge different names: random-looking strings and numbers may be ids of
    accounts,
    so they stay.
    """
    chosen = _chosen(name, settings, in_prose=False)
    return _shown(name, [one for one in chosen if one[2] == "secret" and one[0].kind != _UNKNOWN], None)


def _shown(text: str, chosen: list[tuple[TextSpan, ScreenAction, str]], reason: str | None) -> Screened:
    """Return the text with masks for the chosen spans."""
    parts: list[str] = []
    masked: list[Masked] = []
    marked: list[Masked] = []
    done = length = 0
    for span, action, label in chosen:
        before = text[done : span.start]
        shown = f"[{label}: {span.kind}]" if action is ScreenAction.MASK else text[span.start : span.end]
        told = Masked(span.kind, length + len(before), len(shown))
        (masked if action is ScreenAction.MASK else marked).append(told)
        parts += (before, shown)
        length += len(before) + len(shown)
        done = span.end
    return Screened("".join(parts) + text[done:] if parts else text, tuple(masked), tuple(marked), reason)


def _chosen(text: str, settings: ScreenSettings, *, in_prose: bool) -> list[tuple[TextSpan, ScreenAction, str]]:
    """Choose the spans to act on, in order; of overlapping ones by mask before mark, secret before personal, length."""
    found = [(span, settings.secrets, "secret") for span in _secrets(text, settings)]
    found += [(span, _action(span.kind, settings), "personal") for span in personal_data(text)]
    if in_prose:
        found += [(span, settings.secrets, "secret") for span in _told(text, settings, [span for span, *_ in found])]
    if not found:
        return found
    acted = [one for one in found if one[1] is not ScreenAction.LEAVE]
    order = sorted(
        acted, key=lambda one: (one[1] is not ScreenAction.MASK, one[2] != "secret", one[0].start - one[0].end)
    )
    ends: list[int] = []  # ends of kept spans in order; these do not overlap, so their starts are in the same order
    kept: list[tuple[TextSpan, ScreenAction, str]] = []
    for one in order:
        place = bisect_right(ends, one[0].start)
        if place == len(kept) or kept[place][0].start >= one[0].end:
            ends.insert(place, one[0].end)
            kept.insert(place, one)
    return kept


def _secrets(text: str, settings: ScreenSettings) -> Iterator[TextSpan]:
    if settings.secrets is not ScreenAction.LEAVE:
        for span in (*tokens(text), *statements(text), *written(text)):
            if not any(mask in text[max(0, span.start - 12) : span.end] for mask in MASKS):
                yield span


def _told(text: str, settings: ScreenSettings, known: Sequence[TextSpan]) -> Iterator[TextSpan]:
    """Find secrets by the words around them, where no other span was found."""
    if settings.secrets is not ScreenAction.LEAVE:
        ordered = sorted(known, key=lambda span: span.start)
        starts, ends = [span.start for span in ordered], [*accumulate((span.end for span in ordered), max)]
        for span in secrets(text):
            # spans that begin before its end; the furthest of them may overlap it
            before = bisect_left(starts, span.end)
            if before == 0 or ends[before - 1] <= span.start:
                yield span


def _action(kind: str, settings: ScreenSettings) -> ScreenAction:
    action: ScreenAction = getattr(settings, _CATEGORIES[kind])
    return action
