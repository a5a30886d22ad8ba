"""What the screen does with each kind of thing it finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What is done with a kind: taken out of the text, kept and told of, or passed over."""

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

    secrets: Action = Action.MASK
    quarantine: bool = True
    email: Action = Action.MARK
    phone: Action = Action.MARK
    iban: Action = Action.MASK
    card: Action = Action.MASK
    tr_identity: Action = Action.MASK
    us_ssn: Action = Action.MASK
    ip_address: Action = Action.MARK
    street_address: Action = Action.MARK
