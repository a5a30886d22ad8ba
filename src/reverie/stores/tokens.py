"""Index terms as tokens that pass any tokeniser untouched: any string in, letters and digits out, one to one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

_LONGEST = 120
_SAFE = "a-z0-9\u0080-\u00a5\u00a8-\ud7ff\ue000-\U0010ffff"
_UNSAFE = re.compile(f"[^{_SAFE}]")
"""All but lower-case ASCII, digits and what lies beyond ASCII; § (the escape) and ¦ (the separator) are unsafe too."""
_UNSAFE_IN_LINE = re.compile(f"[^ {_SAFE}]")


def tokens_line(prefix: str, terms: Sequence[str]) -> str:
    """The tokens of terms, each behind the prefix, apart by blanks."""
    joined = " ".join(terms)
    is_plain = _UNSAFE_IN_LINE.search(joined) is None and joined.count(" ") == len(terms) - 1
    if is_plain and max(map(len, terms)) <= _LONGEST:  # nearly always, and many times faster than term by term
        return prefix + joined.replace(" ", " " + prefix)
    return " ".join([prefix + token(term) for term in terms])


def token(term: str) -> str:
    """The token of a term. Different terms give different tokens (very long ones by their SHA-256)."""
    if _UNSAFE.search(term) is not None:
        term = _UNSAFE.sub(lambda found: f"§{ord(found.group()):x}§", term)
    if len(term) > _LONGEST:
        return "§§" + sha256(term.encode("utf-8", "surrogatepass")).hexdigest()
    return term
