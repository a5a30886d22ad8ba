"""Whether a number is what it looks like: check digits of cards, bank accounts and identity numbers.

In: digits and letters without blanks. Out: yes or no.
"""

from __future__ import annotations

_CARD_BEGINNINGS = (
    "4",
    "51",
    "52",
    "53",
    "54",
    "55",
    "34",
    "37",
    "6011",
    "64",
    "65",
    "35",
    "36",
    "38",
    "30",
    "62",
    "9792",
)
"""Visa, Mastercard, American Express, Discover, JCB, Diners, UnionPay, Troy; Mastercard's second range is 2221–2720."""


def is_luhn(digits: str) -> bool:
    """Whether the last digit is the Luhn check digit of those before it (ISO/IEC 7812-1)."""
    total = 0
    for place, sign in enumerate(reversed(digits)):
        digit = int(sign) * (1 + place % 2)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Whether these are 13 to 19 digits that an issuer gives out and Luhn confirms."""
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    is_issued = digits.startswith(_CARD_BEGINNINGS) or "2221" <= digits[:4] <= "2720"
    return is_issued and is_luhn(digits)


def is_iban(account: str) -> bool:
    """Whether an account number is an IBAN: country, two check digits, remainder 1 over 97 (ISO 13616)."""
    if not 15 <= len(account) <= 34 or not account[:2].isalpha() or not account[2:4].isdecimal():
        return False
    turned = account[4:] + account[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1


def is_turkish_identity(digits: str) -> bool:
    """Whether these eleven digits carry the two check digits of a Turkish identity number."""
    if len(digits) != 11 or digits[0] == "0":
        return False
    numbers = [int(sign) for sign in digits]
    odd, even = sum(numbers[0:9:2]), sum(numbers[1:8:2])
    return (7 * odd - even) % 10 == numbers[9] and sum(numbers[:10]) % 10 == numbers[10]


def is_social_security(digits: str) -> bool:
    """Whether nine digits can be a social security number: no area 000, 666 or 9xx, no group 00, no serial 0000."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"
