import math

import pytest

from reverie.vault.front import Malformed
from reverie.vault.observation import age_text, changed
from tests.vault.conftest import DAY
from tests.vault.notes import seen, text


@pytest.mark.req("B2")
def test_the_documents_own_example_is_read() -> None:
    """Each field means what the document says."""
    one = seen(text("CTR dropped 12%.\n", tags="[campaign, ctr, insurance]", source="watchtower"))
    assert one.tags == ("campaign", "ctr", "insurance")
    assert (one.importance, one.max_age_days, one.source, one.refs) == (0.5, 30.0, "watchtower", 0)
    assert (one.ref_by, one.backlinks, one.verified, one.promoted) == ((), (), False, False)
    assert one.created == DAY
    assert one.body == "CTR dropped 12%.\n"


@pytest.mark.req("B2")
@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("importance", "high", 3),
        ("importance", "1.2", 3),
        ("importance", "-0.1", 3),
        ("importance", "nan", 3),
        ("importance", "", 3),
        ("created", "2026-02-30", 4),
        ("created", "yesterday", 4),
        ("max_age", "0d", 5),
        ("max_age", "a month", 5),
        ("refs", "many", 7),
        ("ref_by", "{a: 1}", 8),
        ("verified", "perhaps", 10),
    ],
)
def test_a_field_that_says_nothing_is_told_with_its_line(field: str, value: str, line: int) -> None:
    """The file is no observation then; nothing is guessed."""
    with pytest.raises(Malformed, match=field) as caught:
        seen(text(**{field: value}))
    assert caught.value.line == line


@pytest.mark.parametrize("field", ["tags", "importance", "created", "max_age", "source"])
def test_required_fields_are_required(field: str) -> None:
    """The others may be missing."""
    lines = [line for line in text().splitlines(keepends=True) if not line.startswith(f"{field}:")]
    with pytest.raises(Malformed, match=field):
        seen("".join(lines))
    bare = [line for line in text().splitlines(keepends=True) if line[:4] not in ("refs", "ref_", "back", "veri")]
    assert seen("".join(bare)).refs == 0


def test_links_are_read_as_obsidian_writes_them() -> None:
    """In double brackets, with an ending, with another name to show."""
    one = seen(text(backlinks='["[[hawk/obs-1]]", "[[obs-2.md|the second]]", obs-3]'))
    assert one.backlinks == ("hawk/obs-1", "obs-2", "obs-3")


def test_what_is_not_utf8_is_told() -> None:
    """With the line of the first odd byte."""
    from pathlib import Path

    from reverie.formulas.vault import Name
    from reverie.vault.observation import observation

    with pytest.raises(Malformed, match="UTF-8") as caught:
        observation(Name("hawk", "a"), Path("a.md"), b"---\na: 1\n---\n\xff")
    assert caught.value.line == 4


def test_an_observation_that_stays_as_it_was_is_the_same() -> None:
    """Nothing is written for it then."""
    one = seen(text())
    assert changed(one, one.front.with_scalar("refs", "0")) is one
    assert changed(one, one.front.with_scalar("refs", "2")).refs == 2


def test_a_maximum_age_is_written_in_whole_days() -> None:
    """Rounded up: nobody gets less than was meant."""
    assert [age_text(31.5), age_text(90.0), age_text(math.inf)] == ["32d", "90d", "permanent"]
    assert math.isinf(seen(text(max_age="permanent")).max_age_days)
    assert seen(text(created="2026-02-20")).age_days(DAY) == 0
