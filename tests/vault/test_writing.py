from datetime import timedelta

import pytest

from reverie.errors import InvalidInput
from reverie.vault.vault import ObservationDraft, Vault
from tests.vault.conftest import DAY
from tests.vault.notes import put

WRITTEN = """---
tags: [campaign, "a: b"]
importance: 0.5
created: 2026-02-15
max_age: 14d
source: hawk
refs: 0
ref_by: []
backlinks: [owl/obs-2026-02-14-003]
verified: false
---
CPL went from $12 to $15.
"""


@pytest.mark.req("B2", "B3")
def test_an_observation_is_written_as_documented(vault: Vault) -> None:
    """Exactly the documented fields, importance .5, the day's next number over vault and archive."""
    draft = ObservationDraft(" CPL went from $12 to $15.\n\n", ("campaign", "a: b"), 14.0, ("owl/obs-2026-02-14-003",))
    path = vault.new("hawk", draft, DAY)
    assert path.name == "obs-2026-02-15-001.md"
    assert path.read_text() == WRITTEN
    put(vault, "hawk/obs-2026-02-15-007", "broken")
    (vault.places.archive("hawk") / "obs-2026-02-15-009.md").write_text("old")
    assert vault.new("hawk", draft, DAY).name == "obs-2026-02-15-010.md"
    assert vault.new("owl", draft, DAY).name == "obs-2026-02-15-001.md"
    assert vault.new("hawk", draft, DAY + timedelta(days=1)).name == "obs-2026-02-16-001.md"


@pytest.mark.parametrize(
    "draft",
    [
        ObservationDraft(" \n"),
        ObservationDraft("a\x00b"),
        ObservationDraft("a", ("x\ny",)),
        ObservationDraft("\ud800"),
        ObservationDraft("a", (), 30.0, ("\x1b",)),
    ],
)
def test_what_no_file_should_hold_is_refused(vault: Vault, draft: ObservationDraft) -> None:
    """No words, control characters, half characters, tags over several lines."""
    with pytest.raises(InvalidInput):
        vault.new("hawk", draft, DAY)
    assert list(vault.places.vault("hawk").iterdir()) == []
