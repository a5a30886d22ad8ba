"""The stand-in's files: every path is below the program's own folder, wherever one stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from layout import ROOT


def get_base_dir() -> str:
    return str(ROOT)


def get_abs_path(*parts: str) -> str:
    return str(ROOT.joinpath(*parts))


def exists(*parts: str) -> bool:
    return Path(get_abs_path(*parts)).exists()


def read_file(path: str, encoding: str = "utf-8") -> str:
    return Path(get_abs_path(path)).read_text(encoding=encoding)


def write_file(path: str, content: str, encoding: str = "utf-8") -> None:
    where = Path(get_abs_path(path))
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(content, encoding=encoding)


def read_prompt_file(name: str, folders: Sequence[str], **values: Any) -> str:
    for folder in folders:
        if (Path(folder) / name).is_file():
            text = (Path(folder) / name).read_text(encoding="utf-8")
            for key, value in values.items():
                text = text.replace("{{" + key + "}}", str(value))
            return text
    raise FileNotFoundError(name)
