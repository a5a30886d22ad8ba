"""Turkish words that carry a denial inside, in all their forms: yemem, bırakmamaya, vermeyen, gelmesin, gönderme.

In: a word in plain letters. Out: whether it denies. The finite forms are those of ``turkish_verb``; some others end
like nouns (from work, without working), and count only behind a root that is on the list of verbs.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.contradiction_words import turkish_verb
from reverie.language.letters import plain

_FORMS = re.compile(
    r"\w{2,}?(?:mama|meme|m[ae]y[ae]n|m[ae]y[ae]l[iu]m|m[ae]y[iu]p\Z|m[ae]y[iu]n(?:[iu]z|c[ae])?\Z|m[ae]yken\Z)"
)
_LOOSE_FORMS = re.compile(r"(\w{2,}?)m[ae](?:d[ae]n|s[iu]n(?:l[ae]r)?|s[ae](?:m|n|k|n[iu]z|l[ae]r)?|y[ae]y[iu]m)\Z")
_OWN = re.compile(r"(?<!ma)(?<!me)m[ae]m\Z")
_ORDER = re.compile(r"(\w{2,})m[ae]\Z")


@lru_cache(maxsize=1 << 14)
def denies(word: str) -> bool:
    """Whether a word is a denied verb, finite or not."""
    if word.startswith(tuple(lists.entries("no-denials.tr"))):
        return False
    verb = turkish_verb(word)
    loose = _LOOSE_FORMS.match(word)
    return (
        (verb is not None and verb.denied)
        or _FORMS.match(word) is not None
        or (loose is not None and loose[1] in _roots())
    )


def forbids(word: str) -> bool:
    """Whether a word is a denied order: gönderme. It is one only where a clause ends, else a noun (yüzme dersi)."""
    found = _ORDER.match(word)
    return found is not None and found[1] in _roots()


def is_ones_own(word: str) -> bool:
    """Whether a word that denies where a clause ends (almam) is else what one does: almam gerekiyor, I must take it."""
    return _OWN.search(word) is not None


@cache
def _roots() -> frozenset[str]:
    return frozenset(map(plain, lists.entries("verb-roots.tr")))
