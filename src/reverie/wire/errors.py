"""Exit code and HTTP status for every error class, and the limits on one request."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reverie import errors

MESSAGES_MAX = 10_000
SOURCES_MAX = 100
NOTES_MAX = 100
"""Most notes in one request: a batch is kept whole or not at all, and answered memory by memory."""


_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Code:
    """How an error is reported: exit code of a command, status of an HTTP answer."""

    exit: int
    status: int


CODES: dict[type[errors.ReverieError], Code] = {
    errors.ReverieError: Code(1, 500),
    errors.InvalidInput: Code(2, 422),
    errors.InvalidScope: Code(2, 422),
    errors.InvalidSetting: Code(2, 422),
    errors.NotFound: Code(3, 404),
    errors.Conflict: Code(4, 409),
    errors.Denied: Code(9, 403),
    errors.InvalidExport: Code(5, 422),
    errors.StoreError: Code(10, 500),
    errors.StoreMissing: Code(11, 503),
    errors.StoreClosed: Code(12, 503),
    errors.StoreBusy: Code(13, 503),
    errors.StoreFull: Code(14, 507),
    errors.StoreReadOnly: Code(15, 503),
    errors.StoreCorrupt: Code(16, 500),
    errors.StoreTooNew: Code(17, 500),
    errors.StoreUntrusted: Code(18, 503),
    errors.StoreUncertain: Code(19, 503),
    errors.ModelError: Code(20, 503),
    errors.ModelMissing: Code(21, 503),
    errors.ModelCorrupt: Code(22, 503),
    errors.ModelUnavailable: Code(23, 503),
    errors.ServerError: Code(30, 502),
    errors.AccessRefused: Code(31, 403),
    errors.ServerUnavailable: Code(32, 503),
}
"""Exit code and HTTP status of every class of the error tree."""


def code(error: errors.ReverieError) -> Code:
    """Return the codes of an error; for a class not in the table, those of its nearest ancestor."""
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


def name(kind: type[errors.ReverieError]) -> str:
    """Return an error class's name in JSON: StoreBusy is ``store-busy``."""
    return _WORD.sub("-", kind.__name__).lower()


def told(error: errors.ReverieError) -> dict[str, object]:
    """Return an error as JSON data: its kind, what happened and what to do about it."""
    return {"kind": type(error).__name__, "message": error.message, "mend": error.mend}
