from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from reverie.answers import Curve, CurvePoint
from reverie.faces.plots.charts import draw_forgetting
from reverie.types import Kind, Memory, Role, Scope

AT = datetime(2026, 3, 2, tzinfo=UTC)
FACT = Memory("m1", Scope("a", "u", "p"), Kind.FACT, "Zeynep moved.", AT, AT, "s", 0, "Ada", Role.USER)


def test_the_picture_says_what_one_sees(texts_of: Callable[[object], list[str]]) -> None:
    """Whose curve, which law, how many accesses, and where it stands now."""
    pytest.importorskip("matplotlib")
    falling = [(0.0, 1.0), (4.0, 0.6), (4.0, 1.0), (7.0, 0.75), (17.0, 0.4)]
    points = tuple(CurvePoint(AT + timedelta(days=days), days, left) for days, left in falling)
    curve = Curve(FACT, "power", AT + timedelta(days=7), 0.75, points, (AT + timedelta(days=4),))
    shown = texts_of(draw_forgetting(curve))
    assert "How “Zeynep moved.” fades" in shown
    assert "1 accesses" in shown
    assert "retention (power curve)" in shown
    assert "now: 0.75" in [text.strip() for text in shown]
