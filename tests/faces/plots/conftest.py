"""What the tests of pictures ask for: the words in one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def texts_of() -> Callable[[Any], list[str]]:
    """Every text in a figure, legends and axes included."""

    def texts(figure: Any) -> list[str]:
        from matplotlib.text import Text

        figure.canvas.draw()
        return [text.get_text() for text in figure.findobj(Text) if text.get_text()]

    return texts
