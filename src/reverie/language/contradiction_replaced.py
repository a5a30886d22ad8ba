"""Whether a clause says what a later sentence replaces: we use Slack, switched from Slack to Teams.

In: an earlier clause and a later switch. Out: yes or no. For a name that is exchanged what it is of must agree: an
employer is left by who works there, a tool by who uses it, and all else only where the switch says of what.
"""

from __future__ import annotations

import re
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_reading import Clause
from reverie.language.contradiction_switches import Exchange, Switch
from reverie.language.contradiction_words import COPULAS, grammar, tokens, verb_terms

_OURS_TR = re.compile(r"(?:[aeiu]r[iu]z|yoruz|[iu]m[iu]z)\Z")
_MINE_TR = re.compile(r"[iu]m(?:[iu]z)?\Z")


def is_replaced(clause: Clause, switch: Switch) -> bool:
    """Whether a clause says what a later sentence replaces: its name, or the value together with what it is of."""
    said = clause.terms | {token.term or token.plain for token in clause.tokens if token.raw[:1].isdigit()}
    if not switch.was <= said or switch.now <= said or clause.denial or clause.bounded:
        return False
    if (clause.past and not switch.mends) or not _is_of_same_unit(clause, switch) or _is_of_another(clause, switch):
        return False
    if switch.others or (clause.others and not _only_mends(switch)):
        return False
    if switch.exchange is not None:
        return _is_exchanged(clause, switch, switch.exchange)
    is_name = any(token.term in switch.was and token.raw[:1].isupper() for token in clause.tokens[1:])
    is_sure = is_name and (switch.mends or not switch.contrasts)
    return is_sure or bool((clause.terms - switch.was) & (switch.terms | switch.now))


def _only_mends(switch: Switch) -> bool:
    """Whether a switch corrects a slip and says nothing else, so that it may be of anybody: I meant York, not Leeds."""
    return switch.mends and switch.terms <= grammar("mending")


def _is_of_same_unit(clause: Clause, switch: Switch) -> bool:
    """Whether a number that is replaced was said of what the new one counts: "3 cats, not 5" is not of five dogs."""
    is_number = any(term[:1].isdigit() for term in switch.was)
    return not is_number or all(term[:1].isdigit() or term in clause.terms for term in switch.now)


def _is_of_another(clause: Clause, switch: Switch) -> bool:
    """Whether a number that is replaced was said of another thing: the gym opens at 6, the bakery at 7 and not at 6."""
    is_number = any(term[:1].isdigit() for term in switch.was)
    told = switch.things | {term for term in switch.now if not term[:1].isdigit()}
    said = {term for term in clause.terms - switch.was if not term.startswith("v ")}
    return is_number and bool(said - told and told - said) and 2 * len(said & told) < len(said | told)


# --- names that are exchanged


def _is_exchanged(clause: Clause, switch: Switch, exchange: Exchange) -> bool:
    """Whether a clause says that what is given up was in use, by the speaker or where the switch says."""
    if not exchange.rest <= clause.terms or clause.partly or _likes(clause):
        return False
    if exchange.things:
        return True
    if employers := [claim for claim in clause.claims if claim.name == "employer"]:
        is_speaker = all(claim.owner == {"1"} for claim in employers)
        named = frozenset(token.term for token in tokens(employers[0].written, clause.language))
        return exchange.job and exchange.speaker and is_speaker and named == switch.was
    is_ours = not exchange.group or _is_of_us(clause)
    return is_ours and _is_own(clause, switch) and _is_used(clause, switch)


def _likes(clause: Clause) -> bool:
    """Whether a clause says what is liked, which is so whatever is used."""
    return not clause.terms.isdisjoint(("like", "v sev"))


def _is_own(clause: Clause, switch: Switch) -> bool:
    """Whether something is said of the speaker or of what is his: we use, our backend uses, our editor is."""
    words = [token.plain for token in clause.tokens]
    if clause.language == "tr":
        return clause.first or _is_told_of_own(clause, switch) or words[0] in grammar("own things")
    if not {"i", "we"}.isdisjoint(words):
        return True
    if words[0] not in ("my", "our", "the") or len(words) == 1:
        return False
    if words[0] != "the" and _is_told_of_own(clause, switch):
        return True
    verb = next((token for token in clause.tokens[2:] if token.term or token.plain in COPULAS), None)
    is_verb = verb is not None and (verb.plain in COPULAS or verb.term in _using("en"))
    return is_verb and words[1] in grammar("own things")  # no team "at church"


def _is_of_us(clause: Clause) -> bool:
    """Whether a clause is of the speaker with others: we use, ekibimiz kullanıyor."""
    if clause.language == "tr":
        return any(_OURS_TR.search(token.plain) or token.plain in grammar("own groups") for token in clause.tokens)
    return any(token.plain in ("we", "our") or token.plain in grammar("own groups") for token in clause.tokens)


def _is_told_of_own(clause: Clause, switch: Switch) -> bool:
    """Whether a clause says only what something of the speaker's is: our editor is Vim, editörümüz Vim."""
    *before, last = clause.tokens
    if last.term not in switch.was:
        return False
    if clause.language == "tr":
        return any(_MINE_TR.search(token.plain) for token in before)
    return any(token.plain in COPULAS for token in before)


def _is_used(clause: Clause, switch: Switch) -> bool:
    """Whether a clause says that something is in use, or is what it is."""
    is_copula = clause.language == "en" and any(token.plain in COPULAS for token in clause.tokens)
    return not clause.terms.isdisjoint(_using(clause.language)) or is_copula or _is_told_of_own(clause, switch)


@cache
def _using(language: str) -> frozenset[str]:
    """The terms of what one does with a tool or a service."""
    return verb_terms(lists.entries(f"contradiction-using.{language}"), language)
