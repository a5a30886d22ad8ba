"""Index terms as tokens that pass any tokeniser untouched: any string in, letters and digits out, one to one."""

from __future__ import annotations

import re
from hashlib import sha256

_LONGEST = 120
_UNSAFE = re.compile("[^a-z0-9\u0080-\u00a5\u00a8-\ud7ff\ue000-\U0010ffff]")
"""All but lower-case ASCII, digits and what lies beyond ASCII; § (the escape) and ¦ (the separator) are unsafe too."""


def token(term: str) -> str:
    """The token of a term. Different terms give different tokens (very long ones by their SHA-256)."""
    if _UNSAFE.search(term) is not None:
        term = _UNSAFE.sub(lambda found: f"§{ord(found.group()):x}§", term)
    if len(term) > _LONGEST:
        return "§§" + sha256(term.encode("utf-8", "surrogatepass")).hexdigest()
    return term
