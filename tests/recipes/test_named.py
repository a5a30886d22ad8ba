"""The recipes by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reverie.errors import InvalidInput
from reverie.recipes.recipe import NAMES, recipe


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_has_every_room(name: str) -> None:
    """A read path with stages, a write path, a dream with steps, a working memory."""
    found = recipe(name)
    assert found.name == name
    assert found.recall.stages
    assert found.encode.stability_days > 0
    assert found.dream.order
    assert found.working.most > 0


def test_an_unknown_recipe_names_the_nearest() -> None:
    """A slip of the finger costs no search."""
    with pytest.raises(InvalidInput, match="opnclaw") as told:
        recipe("opnclaw")
    assert "'openclaw'" in told.value.mend
    with pytest.raises(InvalidInput, match="zzz") as told:
        recipe("zzz")
    assert "Did you mean 'reverie'?" in told.value.mend, "where none is near, the default"


def test_recalling_loads_no_dream() -> None:
    """Each room's settings are read when they are first asked for."""
    code = (
        "import sys; from reverie.recipes.recipe import recipe; recipe('v9').recall; "
        "print('reverie.consolidate.settings' in sys.modules, 'reverie.encode.settings' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "False"]
