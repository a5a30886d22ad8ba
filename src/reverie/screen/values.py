"""Settings and results of the screen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ScreenAction(StrEnum):
    """What is done with a kind of finding: masked in the text, kept and reported, or ignored."""

    MASK = "mask"
    MARK = "mark"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """Settings of the screen, all on by default. Reasons for each default: docs/decisions/0016-screen.md.

    Attributes:
        secrets: passwords, keys, tokens.
        quarantine: whether text that gives orders to a model is quarantined.
        email: e-mail addresses.
        phone: telephone numbers.
        iban: bank account numbers (IBAN).
        card: payment card numbers.
        tr_identity: Turkish identity numbers.
        us_ssn: social security numbers of the United States.
        ip_address: public internet addresses.
        street_address: street addresses.
    """

    secrets: ScreenAction = ScreenAction.MASK
    quarantine: bool = True
    email: ScreenAction = ScreenAction.MARK
    phone: ScreenAction = ScreenAction.MARK
    iban: ScreenAction = ScreenAction.MASK
    card: ScreenAction = ScreenAction.MASK
    tr_identity: ScreenAction = ScreenAction.MASK
    us_ssn: ScreenAction = ScreenAction.MASK
    ip_address: ScreenAction = ScreenAction.MARK
    street_address: ScreenAction = ScreenAction.MARK


@dataclass(frozen=True, slots=True)
class Masked:
    """One finding: its kind, and its position in the screened text.

    At ``start`` there are ``length`` characters: the mask, or the thing itself if it was only marked. The length of a
    secret is not revealed.
    """

    kind: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Screened:
    """A screened text, fit to be stored.

    ``masked`` lists what was replaced, ``marked`` what was kept, both in text order. ``quarantine`` is the reason why
    the text must not be recalled, or None.
    """

    text: str
    masked: tuple[Masked, ...] = ()
    marked: tuple[Masked, ...] = ()
    quarantine: str | None = None


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A span of the original text: ``text[start:end]`` is of this kind."""

    kind: str
    start: int
    end: int
