"""The wheel's build hook: in, the build of a wheel; out, the vault's scripts, made of the source, among its files.

hatchling loads this file by its path (``pyproject.toml``). An editable install writes the scripts into ``dist/scripts``
as well, where the checkout's own ``reverie vault init --scripts`` looks.
"""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "reverie/vault/data/scripts"
"""Where an installed package has them."""


class VaultScripts(BuildHookInterface[Any]):
    """Makes the scripts and puts them into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the scripts before a wheel is built (``version``: standard or editable)."""
        sys.path.insert(0, self.root)  # the folder of `tools` is on no path of whoever builds
        from tools import vault_scripts

        for path in vault_scripts.write():
            if version == "standard":
                build_data["force_include"][str(path)] = f"{PLACE}/{path.name}"
