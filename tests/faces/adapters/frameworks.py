"""The frameworks the adapters are for, where they are installed.

In: an adapter's module and extra. Out: the module; where its framework is missing the tests of it are skipped with a
word, and in `make adapters`, which names the extras it has installed in REVERIE_ADAPTERS, they fail.
"""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import Any

import pytest

from reverie.errors import ReverieError

if os.environ.get("REVERIE_ADAPTERS"):  # in an environment of their own alone: our telemetry's tests want theirs on
    os.environ.setdefault("OTEL_SDK_DISABLED", "true")
    os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("CREWAI_DISABLE_VERSION_CHECK", "true")
    os.environ.setdefault("OPENAI_AGENTS_DISABLE_TRACING", "1")

THEIRS = "ignore"
"""A warning in a framework's own code is no fault of ours: ``pytestmark = pytest.mark.filterwarnings(THEIRS)``."""


def adapter(name: str, extra: str, package: str) -> Any:
    """The adapter's module. ``package`` is imported first: not every adapter needs its framework to be imported."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import_module(package)
            return import_module(f"reverie.faces.adapters.{name}")
    except (ImportError, ReverieError) as error:
        if extra in os.environ.get("REVERIE_ADAPTERS", "").split():
            raise
        pytest.skip(f"{package} is not installed (extra {extra}): {error}", allow_module_level=True)
