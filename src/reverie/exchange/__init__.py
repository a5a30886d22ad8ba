"""Exchange: chat exports in, as messages; memories out, as JSON lines.

In: a file, an archive or an unpacked folder of Claude's or ChatGPT's data export; JSON lines of our own or of the
simple form; what other memories keep. Out: ``Message`` values one by one and what links them, with a word about
everything left out; or bytes. One file a format.
"""

from __future__ import annotations

from reverie.exchange.fields import Report, Skipped
from reverie.exchange.imports import ALL_KINDS, bring, parts_of
from reverie.exchange.own import SCHEMA, write
from reverie.exchange.reader import KINDS, read

__all__ = ["ALL_KINDS", "KINDS", "SCHEMA", "Report", "Skipped", "bring", "parts_of", "read", "write"]
