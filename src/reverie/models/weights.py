"""Find a file of weights inside an installed package and make sure it is the published one.

In: package, path within it, SHA-256. Out: the file's bytes, read once and compared before anybody computes with them.
The package is looked up, never imported: its code does not run.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import ModelCorrupt, ModelMissing


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """One file in one release of a package. ``install`` is what a person types to get it."""

    package: str
    path: str
    sha256: str
    install: str

    def read(self) -> bytes:
        """The verified bytes.

        Raises:
            ModelMissing: the package is not installed, or has no such file.
            ModelCorrupt: the file is not the one the checksum was taken of.
        """
        location = self._locate()
        try:
            data = location.read_bytes()
        except OSError as error:
            raise ModelMissing(f"{self.package} has no readable {self.path}.", self._mend) from error
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise ModelCorrupt(f"{self.path} of {self.package} is not the published file.", self._mend)
        return data

    @property
    def is_there(self) -> bool:
        """Whether the package is installed; nothing is read."""
        return importlib.util.find_spec(self.package) is not None

    @property
    def _mend(self) -> str:
        return f"Install it again: {self.install}"

    def _locate(self) -> Path:
        found = importlib.util.find_spec(self.package)
        folders = list(found.submodule_search_locations or ()) if found else []
        if not folders:
            raise ModelMissing(f"The package {self.package} is not installed.", f"Install it: {self.install}")
        return Path(folders[0]) / self.path
