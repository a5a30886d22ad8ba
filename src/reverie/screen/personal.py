"""Detect personal data by form: mail, telephone, bank, card, identity, network and street addresses.

Numbers count only with valid check digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen import lists
from reverie.screen.values import TextSpan

# Check digits of cards, bank accounts and identity numbers.


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
    """Whether the last digit is the Luhn check digit of the others (ISO/IEC 7812-1)."""
    total = 0
    for place, sign in enumerate(reversed(digits)):
        digit = int(sign) * (1 + place % 2)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Whether these are 13 to 19 digits of a card issuer with a valid Luhn digit."""
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    is_issued = digits.startswith(_CARD_BEGINNINGS) or "2221" <= digits[:4] <= "2720"
    return is_issued and is_luhn(digits)


def is_iban(account: str) -> bool:
    """Whether an account number is an IBAN: country, two check digits, remainder 1 modulo 97 (ISO 13616)."""
    if not 15 <= len(account) <= 34 or not account[:2].isalpha() or not account[2:4].isdecimal():
        return False
    turned = account[4:] + account[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1


def is_turkish_identity(digits: str) -> bool:
    """Whether eleven digits have the two check digits of a Turkish identity number."""
    if len(digits) != 11 or digits[0] == "0":
        return False
    numbers = [int(sign) for sign in digits]
    odd, even = sum(numbers[0:9:2]), sum(numbers[1:8:2])
    return (7 * odd - even) % 10 == numbers[9] and sum(numbers[:10]) % 10 == numbers[10]


def is_social_security(digits: str) -> bool:
    """Whether nine digits can be a US social security number: no area 000, 666 or 9xx, group 00 or serial 0000."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


# Detection.


_MAIL_HOST = expression(r"@([A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24})(?![\w@])")
_MAIL_NAME = expression(r"(?<![\w.%+-])[A-Za-z0-9][\w.%+-]{0,63}\Z")
_NO_ONE = expression(r"(?:^|\.)(?:example|test|invalid|localhost)(?:\.(?:com|org|net))?\Z", re.IGNORECASE)
_NUMBER = expression(r"(?<![\w.,/=#$€£₺-])(?:\+|00)?\(?\d(?:[ ().\-–]{0,2}\d){6,18}(?![\w%€£₺]|[.,]\d|-\w)")
_IBAN = expression(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,9}(?![A-Za-z0-9])")
_SSN = expression(r"\d{3}-\d{2}-\d{4}\Z")
_CARD_GROUPS = expression(r"\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}\Z|\d{4}[ -]\d{6}[ -]\d{4,5}\Z|\d{13,19}\Z")
_PHONES = expression(
    r"\+\d[\d ().\-–]{7,22}\Z"  # any country, written with its code
    r"|(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[ .-]\d{4}\Z"  # North America
    r"|(?:00?90|0)[ -]?\(?[2-5]\d{2}\)?[ .-]?\d{3}[ .-]?\d{2}[ .-]?\d{2}\Z"  # Turkey
    r"|5\d{2} \d{3} \d{2} \d{2}\Z"
    r"|0\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}\Z"  # Britain and others, with the leading nought
)
_HOUSE = expression(r"(?<!\w)[Nn][Oo][:.]? ?\d{1,4}(?:[/-]\w{1,4})?(?!\w)")
_CALLED_BEFORE, _CALLED_AFTER = 28, 40
"""Characters before and after a number in which its name is searched."""
_STREET_MAX, _STREET_WORD_MAX = 90, 14
_IPV4 = expression(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IPV6 = expression(r"(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:){3,7}(?::|[0-9A-Fa-f]{1,4})(?:[0-9A-Fa-f:]{0,30})(?![\w:])")


def personal_data(text: str) -> Iterator[TextSpan]:
    """Find the spans of personal addresses, numbers and accounts."""
    if "@" in text:
        yield from _mail(text)
    if any(map(text.__contains__, "0123456789")):
        yield from (found for match in _NUMBER.finditer(text) if (found := _number(match)))
        yield from _ibans(text)
        yield from _network(text)
        yield from _streets(text)


def _mail(text: str) -> Iterator[TextSpan]:
    """Find mail addresses, except those of hosts reserved for documentation."""
    for host in _MAIL_HOST.finditer(text):
        at = host.start()
        name = _MAIL_NAME.search(text, max(0, at - 65), at)
        if name and not _NO_ONE.search(host[1]):
            yield TextSpan("email", name.start(), host.end())


def _number(match: re.Match[str]) -> TextSpan | None:
    """Classify a sequence of digits by grouping and check digits; None for an ordinary number."""
    start, end = match.span()
    told = match.group()
    digits = "".join(filter(str.isdecimal, told))
    if is_card(digits) and _CARD_GROUPS.match(told) and not _is_called_otherwise(match):
        return TextSpan("card-number", start, end)
    if told.isdecimal() and is_turkish_identity(told):
        return TextSpan("turkish-identity-number", start, end)
    if _SSN.match(told) and is_social_security(digits):
        return TextSpan("social-security-number", start, end)
    if 8 <= len(digits) <= 15 and _PHONES.match(told) and len(set(digits)) > 2:
        return TextSpan("phone", start, end)
    return None


@cache
def _other_names() -> re.Pattern[str]:
    named = "|".join(sorted(lists.words("no-cards")))
    return re.compile(rf"\b(?:{named})\b(?!.*\b(?:card|kart|visa))")


def _is_called_otherwise(match: re.Match[str]) -> bool:
    """Whether a number that looks like a card's is named differently in its line, as an IMEI."""
    before = re.split(r"[\n;,]", plain(match.string[max(0, match.start() - _CALLED_BEFORE) : match.start()]))[-1]
    after = re.split(r"[\n;,.]", plain(match.string[match.end() : match.end() + _CALLED_AFTER]))[0]
    return bool(_other_names().search(before) or _other_names().search(after))


def _ibans(text: str) -> Iterator[TextSpan]:
    for match in _IBAN.finditer(text):
        told, end = match.group(), match.end()
        while told:  # a following word in capitals does not belong to the number
            if is_iban(told.replace(" ", "")):
                yield TextSpan("iban", match.start(), end)
                break
            told = told.rpartition(" ")[0]
            end = match.start() + len(told)


def _network(text: str) -> Iterator[TextSpan]:
    """Find public IP addresses; private ones identify nobody."""
    if text.count(".") > 2 or text.count(":") > 3:
        found = [*_IPV4.finditer(text), *_IPV6.finditer(text)]
        if found:
            import ipaddress  # imported when needed: few texts contain one

            for match in found:
                try:
                    is_public = ipaddress.ip_address(match.group()).is_global
                except ValueError:
                    continue  # 999.1.1.1, or a time of day
                if is_public and not match.group().endswith(".0.0"):  # 4.18.0.0 is a version
                    yield TextSpan("ip-address", *match.span())


@cache
def _street_forms() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return patterns: an English address (number, name, street), a Turkish one up to its number, its last word."""
    english = "|".join(sorted(map(str.capitalize, lists.entries("street-words.en")), key=len, reverse=True))
    turkish = "|".join(sorted(lists.entries("street-words.tr"), key=len, reverse=True))
    return (
        re.compile(
            rf"(?<![\w$€£.,/-])\d{{1,5}}[A-Za-z]?(?: [A-Z][\w'.-]{{0,20}}){{1,4}} (?:{english})\b\.?"
            r"(?:,? (?:Apt|Suite|Unit|#)\.? ?\w{1,6})?"
        ),
        re.compile(
            r"(?:[^\W\d_][\w'.]{0,20} (?:Mah(?:allesi|\.)|Mh\.),? )?"
            rf"(?:[^\W_][\w'.]{{0,20}} ){{1,3}}(?i:{turkish})\b\.?,? ?\Z"
        ),
        re.compile(rf"(?i:{turkish})\b\.?,? ?\Z"),
    )


def _streets(text: str) -> Iterator[TextSpan]:
    english, turkish, named = _street_forms()
    yield from (TextSpan("street-address", *match.span()) for match in english.finditer(text))
    for number in _HOUSE.finditer(text):
        start, end = max(0, number.start() - _STREET_MAX), number.start()
        if named.search(text, max(start, end - _STREET_WORD_MAX), end) and (street := turkish.search(text, start, end)):
            yield TextSpan("street-address", street.start(), number.end())
