"""Import and export: read chat exports as messages, and read or write memories as JSON lines or Markdown.

In: a file, an archive or an unpacked folder of Claude's or ChatGPT's data export; Reverie's own JSON lines or the
simple form; other memory systems' data. Out: ``Message`` values one by one with the relations between them and a note
on everything skipped; or bytes. One module a format.
"""

from __future__ import annotations

from reverie.exchange.fields import Report, Skipped
from reverie.exchange.imports import ALL_KINDS, bring, parts_of
from reverie.exchange.own import SCHEMA, write
from reverie.exchange.reader import KINDS, read

__all__ = ["ALL_KINDS", "KINDS", "SCHEMA", "Report", "Skipped", "bring", "parts_of", "read", "write"]
