"""How ``reverie`` encodes: as document D, but only what has a class and stands alone is formed, in its own words,
what is the same must also agree, and what adds to a memory stands beside it.
"""

from __future__ import annotations

from dataclasses import replace

from reverie.encode.settings import Merging
from reverie.encode.statements import own_words
from reverie.recipes.published.v9.encode import ENCODE as V9
from reverie.recipes.published.v9.encode import FORM as V9_FORM
from reverie.recipes.published.v9.encode import GATE as V9_GATE
from reverie.recipes.published.v9.encode import OBSERVE as V9_OBSERVE

FORM = replace(V9_FORM, read=own_words, needs_class=True, standalone=True, rewrite=None)
GATE = replace(V9_GATE, agree=True, supersede=None, merging=Merging.BESIDE)

OBSERVE = replace(V9_OBSERVE, feel=None)

ENCODE = replace(V9, observe=OBSERVE, form=FORM, gate=GATE, weigh=None, flashbulb=None, tag=None)
"""No importance out of channels, no flashbulbs, no tags: no answer ever came out better for them (decision 0037)."""
