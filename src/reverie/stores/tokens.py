"""Index terms as tokens that pass any tokeniser untouched: any string in, letters and digits out, one to one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

_LONGEST = 120
_MORE = "!-/:-`{-\x7f\u00a6\u00a7]|[\ud800-\udfff]"
_UNSAFE = re.compile(f"[\x00- {_MORE}")
"""All but lower-case ASCII, digits and what lies beyond ASCII; also § (the escape), ¦ (the separator), lone surrogates.
Named by what it holds, as that compiles ten times as fast as what it does not hold."""
_UNSAFE_IN_LINE = re.compile(f"[\x00-\x1f{_MORE}")


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
