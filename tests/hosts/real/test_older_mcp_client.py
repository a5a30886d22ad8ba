"""The previous major version of the MCP client, in an environment of its own, against this server."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.hosts.real.programs import REVERIE

NAMED = "REVERIE_OLDER_MCP"
"""A Python that has it; `make hosts` makes one and names it."""
SCRIPT = Path(__file__).with_name("older_mcp_client.py")


@pytest.mark.skipif(NAMED not in os.environ, reason="`make hosts` installs the older client and runs this")
def test_the_older_client_is_served() -> None:
    """Lists, calls, errors, progress, cancellation, resources and prompts, over both transports."""
    done = subprocess.run(
        [os.environ[NAMED], str(SCRIPT), str(REVERIE)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["stdio: 2025-11-25", "http: 2025-11-25"]
