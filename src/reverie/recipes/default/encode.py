"""How ``reverie`` encodes: as document D, but only what has a class is formed, and what merges must also agree."""

from __future__ import annotations

from dataclasses import replace

from reverie.encode.settings import Merging
from reverie.recipes.v9.encode import ENCODE as V9

FORM = replace(V9.form, needs_class=True, rewrite=False)
assert V9.gate is not None
GATE = replace(V9.gate, agree=True, merging=Merging.APPEND)

ENCODE = replace(V9, form=FORM, gate=GATE)
