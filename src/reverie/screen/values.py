"""Settings of the screen (what to do with each kind of finding) and its results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# What the screen does with each kind of thing it finds.


class ScreenAction(StrEnum):
    """What to do with a kind of finding: mask it, keep and report it, or ignore it."""

    MASK = "mask"
    MARK = "mark"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """What is screened, and how; on by default. Why each default: docs/decisions/0016-screen.md.

    Attributes:
        secrets: passwords, keys, tokens.
        quarantine: whether text that gives orders to a model is held back.
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


# What the screen answers with.


@dataclass(frozen=True, slots=True)
class Masked:
    """One finding: its kind and its place in the screened text.

    At ``start`` stand ``length`` characters: the mask where the thing was taken out, the thing itself where it was only
    marked. How long a secret was is not told.
    """

    kind: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Screened:
    """A text fit to be written down.

    ``masked`` was taken out, ``marked`` was left in, both in text order. ``quarantine`` says why the text must not be
    recalled; None: it may.
    """

    text: str
    masked: tuple[Masked, ...] = ()
    marked: tuple[Masked, ...] = ()
    quarantine: str | None = None


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A stretch of the text as it came in: ``text[start:end]`` is of this kind."""

    kind: str
    start: int
    end: int
