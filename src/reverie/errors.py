"""The tree of errors that Reverie raises on purpose.

    ReverieError
    ├── InvalidInput            a value from the caller cannot be used
    │   ├── InvalidScope        a scope part is missing, empty or too long
    │   ├── InvalidSetting      a setting is unknown, of the wrong type or out of range
    │   └── InvalidExport       a file to import does not have the format it claims
    ├── NotFound                no memory, session or file of that name in this scope
    ├── Denied                  a policy of the scope does not allow the call
    ├── Conflict                the call contradicts what exists: a file, a protected memory, a message id in use
    ├── StoreError              the store cannot perform the operation
    │   ├── StoreMissing        there is no store, or no folder, at this path
    │   ├── StoreClosed         the engine was closed before the call
    │   ├── StoreBusy           another process held the store for too long
    │   ├── StoreFull           the disk is full
    │   ├── StoreReadOnly       the file or its folder cannot be written
    │   ├── StoreCorrupt        the file is damaged, or the journal's chain is broken
    │   ├── StoreUncertain      the connection was lost while a change was being committed
    │   ├── StoreTooNew         the file was written by a newer Reverie
    │   └── StoreUntrusted      the store came with a folder, and the user has not trusted it yet
    ├── ModelError              a model cannot perform the operation
    │   ├── ModelMissing        the package or file of the model is not installed
    │   ├── ModelCorrupt        the weights are not the ones that were published
    │   └── ModelUnavailable    the model's endpoint did not answer
    └── ServerError             a Reverie server cannot perform the operation
        ├── AccessRefused       the token is missing, unknown, or does not allow this call
        └── ServerUnavailable   the server does not answer, or refuses requests for a while

Every error says what happened and, in ``mend``, what to do about it.
"""

from __future__ import annotations


class ReverieError(Exception):
    """Base of all errors: ``message`` says what happened, ``mend`` what to do about it."""

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.message} {self.mend}".strip()


class InvalidInput(ReverieError):
    """A value from the caller cannot be used."""


class InvalidScope(InvalidInput):
    """A scope part is missing, empty or too long."""


class InvalidSetting(InvalidInput):
    """A setting is unknown, of the wrong type or out of range."""


class InvalidExport(InvalidInput):
    """A file to import does not have the format it claims."""


class NotFound(ReverieError):
    """No memory, session or file of that name in this scope."""


class Denied(ReverieError):
    """A policy of the scope does not allow the call."""


class Conflict(ReverieError):
    """The call contradicts what exists: a file, a protected memory, a message id in use."""


class StoreError(ReverieError):
    """The store cannot perform the operation."""


class StoreMissing(StoreError):
    """There is no store, or no folder, at this path."""


class StoreClosed(StoreError):
    """The engine was closed before the call."""


class StoreBusy(StoreError):
    """Another process held the store for too long."""


class StoreFull(StoreError):
    """The disk is full."""


class StoreReadOnly(StoreError):
    """The file or its folder cannot be written."""


class StoreCorrupt(StoreError):
    """The file is damaged, or the journal's chain is broken."""


class StoreTooNew(StoreError):
    """The file was written by a newer Reverie."""


class StoreUncertain(StoreError):
    """The connection was lost while a change was being committed: it may be kept or not."""


class StoreUntrusted(StoreError):
    """The store came with a folder, and the user has not trusted it yet."""


class ModelError(ReverieError):
    """A model cannot perform the operation."""


class ModelMissing(ModelError):
    """The package or file of the model is not installed."""


class ModelCorrupt(ModelError):
    """The weights are not the ones that were published."""


class ModelUnavailable(ModelError):
    """The model's endpoint did not answer."""


class ServerError(ReverieError):
    """A Reverie server cannot perform the operation."""


class AccessRefused(ServerError):
    """The token is missing, unknown, or does not allow this call."""


class ServerUnavailable(ServerError):
    """The server does not answer, or refuses requests for a while."""
