"""The stand-in's loader: each file is a module of its own that no other can import by name."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from types import ModuleType


def import_module(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(str(file))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_classes_from_folder(folder: str, base: type) -> list[type]:
    """One class a file: the last by name that is a subclass of the base, the base itself excepted."""
    found = []
    for file in sorted(Path(folder).glob("*.py")):
        classes = [one for _, one in inspect.getmembers(import_module(file), inspect.isclass)]
        ours = [one for one in reversed(classes) if one is not base and issubclass(one, base)]
        found += ours[:1]
    return found
