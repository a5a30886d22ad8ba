"""Regular expressions that are compiled when something is first looked for.

In: how a pattern is written. Out: what behaves as the compiled pattern. Compiling all of them takes longer than a short
command needs for its answer, and few texts come to most of them.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Waiting:
    """Compiles itself at its first use; from then on the compiled pattern's own methods are its attributes."""

    def __init__(self, form: str, flags: int) -> None:
        self._form = form
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._form, self._flags)
        self.__dict__.update((own, getattr(compiled, own)) for own in dir(compiled) if not own.startswith("_"))
        return getattr(compiled, name)


def expression(form: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at its first use; one that is badly written raises ``re.error`` then."""
    return cast("re.Pattern[str]", _Waiting(form, flags))
