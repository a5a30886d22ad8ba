"""The stand-in's settings of the memory, in the older layout's place: usr/settings.json over the defaults."""

from __future__ import annotations

import json
from typing import Any

from helpers import files
from layout import RECALL


def get_settings() -> dict[str, Any]:
    held = json.loads(files.read_file("usr/settings.json")) if files.exists("usr/settings.json") else {}
    return RECALL | held
