"""Lays the stand-in out as a program's folder: in, one of the two layouts; out, a tree an agent can run from.

It is written in the newer layout (1.x); the older one (0.9.8) is the same code with its rooms elsewhere.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

SOURCE = Path(__file__).parent / "standin"
HOOK = "message_loop_prompts_after"
MOVED = {
    "helpers": "python/helpers",
    "plugins/_memory/helpers/memory.py": "python/helpers/memory.py",
    f"plugins/_memory/extensions/python/{HOOK}": f"python/extensions/{HOOK}",
    f"extensions/python/{HOOK}": f"python/extensions/{HOOK}",
    "plugins/_memory/prompts": "prompts",
}
RENAMED = {
    "from plugins._memory.helpers.memory import": "from python.helpers.memory import",
    "from helpers import plugins": "from python.helpers import settings",
    'plugins.get_plugin_config("_memory", self.agent) or {}': "settings.get_settings()",
    "from helpers": "from python.helpers",
    "OLD = False": "OLD = True",
}


def lay(layout: str, where: Path) -> None:
    """Write the stand-in for ``0.9`` or ``1`` below a folder that is not there yet."""
    skipped = shutil.ignore_patterns("__pycache__", *([] if layout == "0.9" else ["settings.py"]))
    shutil.copytree(SOURCE, where, ignore=skipped)
    for folder in ("usr/workdir", "usr/agents", "agents/agent0", *([] if layout == "0.9" else ["usr/plugins"])):
        (where / folder).mkdir(parents=True, exist_ok=True)
    if layout == "0.9":
        _older(where)
    else:
        _defaults(where)


def _older(where: Path) -> None:
    for old, new in MOVED.items():
        (where / new).parent.mkdir(parents=True, exist_ok=True)
        if (where / old).is_dir() and (where / new).is_dir():
            for one in (where / old).iterdir():
                one.rename(where / new / one.name)
        else:
            (where / old).rename(where / new)
    for folder in ("plugins", "extensions", "usr/plugins"):
        shutil.rmtree(where / folder, ignore_errors=True)
    (where / "python/helpers/plugins.py").unlink()
    for file in where.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for old, new in RENAMED.items():
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")


def _defaults(where: Path) -> None:
    """The newer layout's defaults are YAML, of which JSON is a part."""
    values: dict[str, object] = {}
    exec((where / "layout.py").read_text(encoding="utf-8"), {"__file__": str(where / "layout.py")}, values)
    (where / "plugins/_memory/default_config.yaml").write_text(json.dumps(values["RECALL"]), encoding="utf-8")
