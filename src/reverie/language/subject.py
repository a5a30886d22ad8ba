"""Whether a text speaks of a person: in, a name; out, what tells of any text or address whether it names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from reverie.language import lists
from reverie.language.letters import APOSTROPHES, compose, plain

_BARE_MIN = 3
"""Letters of a name that a Turkish ending may follow without an apostrophe, and then one of two letters or more: Al is
not meant by Ali."""
_ADDRESS = "entity://"


def naming(name: str) -> Callable[[str], bool]:
    """Tells whether a text has the name as a word: whatever its case and marks, as "@elif", "Elif's" or "Elif'in"."""
    parts = _read(name).removeprefix("@").split()
    ending = r"(?:'\w*)?"
    if len("".join(parts)) >= _BARE_MIN:
        bare = sorted((one for one in lists.words("case-endings.tr") if len(one) > 1), key=len, reverse=True)
        ending = rf"(?:'\w*|{'|'.join(map(re.escape, map(plain, bare)))})?"
    whole = r"[\s_-]+".join(map(re.escape, parts))
    pattern = re.compile(rf"(?<!\w){whole}{ending}(?!\w)")
    return lambda text: bool(parts) and pattern.search(_read(text)) is not None


def names(told: Callable[[str], bool], texts: Iterable[str]) -> bool:
    """Whether any of these texts or addresses of entities (``entity://person/elif-aydin``) names somebody."""
    return any(told(text.rpartition("/")[2] if text.startswith(_ADDRESS) else text) for text in texts)


def _read(text: str) -> str:
    return plain(compose(text).translate(APOSTROPHES))
