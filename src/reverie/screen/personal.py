"""Personal data by its form: addresses of mail, telephone, bank, card, identity, network and street.

In: a text. Out: spans, unordered, possibly overlapping. A form with check digits counts only if they are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from reverie.language.expressions import expression
from reverie.language.letters import plain
from reverie.screen import checks, lists
from reverie.screen.values import Span

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
"""Signs before and after a number in which stands what it is called."""
_STREET_MAX, _STREET_WORD_MAX = 90, 14
_IPV4 = expression(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IPV6 = expression(r"(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:){3,7}(?::|[0-9A-Fa-f]{1,4})(?:[0-9A-Fa-f:]{0,30})(?![\w:])")


def personal_data(text: str) -> Iterator[Span]:
    """Every stretch that names a person's address, number or account."""
    if "@" in text:
        yield from _mail(text)
    if any(map(text.__contains__, "0123456789")):
        yield from (found for match in _NUMBER.finditer(text) if (found := _number(match)))
        yield from _ibans(text)
        yield from _network(text)
        yield from _streets(text)


def _mail(text: str) -> Iterator[Span]:
    """Mail addresses; those of hosts that documentation reserves reach no one."""
    for host in _MAIL_HOST.finditer(text):
        at = host.start()
        name = _MAIL_NAME.search(text, max(0, at - 65), at)
        if name and not _NO_ONE.search(host[1]):
            yield Span("email", name.start(), host.end())


def _number(match: re.Match[str]) -> Span | None:
    """What a row of digits is, by its grouping and check digits; None: just a number."""
    start, end = match.span()
    told = match.group()
    digits = "".join(filter(str.isdecimal, told))
    if checks.is_card(digits) and _CARD_GROUPS.match(told) and not _is_called_otherwise(match):
        return Span("card-number", start, end)
    if told.isdecimal() and checks.is_turkish_identity(told):
        return Span("turkish-identity-number", start, end)
    if _SSN.match(told) and checks.is_social_security(digits):
        return Span("social-security-number", start, end)
    if 8 <= len(digits) <= 15 and _PHONES.match(told) and len(set(digits)) > 2:
        return Span("phone", start, end)
    return None


@cache
def _other_names() -> re.Pattern[str]:
    named = "|".join(sorted(lists.words("no-cards")))
    return re.compile(rf"\b(?:{named})\b(?!.*\b(?:card|kart|visa))")


def _is_called_otherwise(match: re.Match[str]) -> bool:
    """Whether a number with the form of a card's is named as another one in its line: an IMEI."""
    before = re.split(r"[\n;,]", plain(match.string[max(0, match.start() - _CALLED_BEFORE) : match.start()]))[-1]
    after = re.split(r"[\n;,.]", plain(match.string[match.end() : match.end() + _CALLED_AFTER]))[0]
    return bool(_other_names().search(before) or _other_names().search(after))


def _ibans(text: str) -> Iterator[Span]:
    for match in _IBAN.finditer(text):
        told, end = match.group(), match.end()
        while told:  # the next word may stand in capitals too, and is then no part of the number
            if checks.is_iban(told.replace(" ", "")):
                yield Span("iban", match.start(), end)
                break
            told = told.rpartition(" ")[0]
            end = match.start() + len(told)


def _network(text: str) -> Iterator[Span]:
    """Addresses a stranger could reach; those of one's own network tell nothing."""
    if text.count(".") > 2 or text.count(":") > 3:
        found = [*_IPV4.finditer(text), *_IPV6.finditer(text)]
        if found:
            import ipaddress  # lazy: few texts hold one

            for match in found:
                try:
                    is_public = ipaddress.ip_address(match.group()).is_global
                except ValueError:
                    continue  # 999.1.1.1, or a time of day
                if is_public and not match.group().endswith(".0.0"):  # 4.18.0.0 is a version
                    yield Span("ip-address", *match.span())


@cache
def _street_forms() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """An English address (number, name, street); a Turkish one up to its number; and the word it ends in."""
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


def _streets(text: str) -> Iterator[Span]:
    english, turkish, named = _street_forms()
    yield from (Span("street-address", *match.span()) for match in english.finditer(text))
    for number in _HOUSE.finditer(text):
        start, end = max(0, number.start() - _STREET_MAX), number.start()
        if named.search(text, max(start, end - _STREET_WORD_MAX), end) and (street := turkish.search(text, start, end)):
            yield Span("street-address", street.start(), number.end())
