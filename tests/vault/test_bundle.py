from __future__ import annotations

from pathlib import Path

import pytest

from reverie.vault.standalone.bundle import Key, Refused, Sources, final_names, reach, written


def bundled(root: Path, modules: dict[str, str], entry: str) -> str:
    """The modules of a package as one file: what ``entry`` of ``reverie.main`` needs."""
    for name, text in modules.items():
        path = root / "reverie" / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""Head."""\n{text}', encoding="utf-8")
    sources = Sources(root)
    found = reach(sources, Key("reverie.main", entry))
    names = final_names(found)
    parts = []
    for name in sources.order:
        module = sources.module(name)
        wanted = [one for one in module.statements if any(Key(name, defined) in names for defined in one.names)]
        parts += [written(module, one, names) for one in wanted]
    return "\n".join(parts)


MODULES = {
    "formulas.fade": "def score(x):\n    return _half(x)\ndef _half(x):\n    return x / 2\ndef unused():\n    gone()\n",
    "part": "# why\nLIMIT = 7\n'''What for.'''\ndef _half(x):\n    return -x\ndef turned(x):\n    return _half(x)\n",
    "main": (
        "from reverie.formulas import fade\nfrom reverie.part import LIMIT, turned as over\n"
        "def run(x):\n    score = fade.score(x)\n    return (score, over(x), LIMIT)\n"
    ),
}


def test_one_file_does_what_the_modules_do(tmp_path: Path) -> None:
    """Names that two modules gave are told apart, a variable hides no function, and what is not needed is left out."""
    text = bundled(tmp_path, MODULES, "run")
    assert "unused" not in text
    assert "# why\nLIMIT = 7\n'''What for.'''" in text
    assert "score = fade_score(x)" in text
    names: dict[str, object] = {}
    exec(text, names)
    run = names["run"]
    assert callable(run)
    assert run(4) == (2.0, -4, 7)


@pytest.mark.parametrize(
    "main",
    [
        "from reverie.formulas import fade\ndef run():\n    return vars(fade)\n",
        "def run():\n    return absent\n",
        "for x in (): pass\ndef run():\n    pass\n",
    ],
)
def test_what_cannot_be_told_apart_is_refused(tmp_path: Path, main: str) -> None:
    """A module as a value, a name from nowhere, a statement of another kind; never a file that does something else."""
    with pytest.raises(Refused):
        bundled(tmp_path, MODULES | {"main": main}, "run")
