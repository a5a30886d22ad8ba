from datetime import date
from pathlib import Path

from reverie.vault.files import Places
from reverie.vault.linking.executor import Names

DAY = date(2026, 2, 15)


def test_names_are_free_in_the_vault_the_archive_and_any_case(tmp_path: Path) -> None:
    """What is given out is taken; what is gone and may come back is kept free."""
    places = Places(tmp_path)
    for folder, name in ((places.vault("hawk"), "OBS-2026-02-15-001"), (places.archive("hawk"), "obs-2026-02-15-002")):
        folder.mkdir(parents=True)
        (folder / f"{name}.md").write_text("broken")
    names = Names(places, "hawk", ["obs-2026-02-15-003"])
    assert [names.of_day(DAY), names.of_day(DAY)] == ["obs-2026-02-15-004", "obs-2026-02-15-005"]
    assert names.again("obs-2026-02-15-003") == "obs-2026-02-15-003"
    assert names.again("obs-2026-02-15-001") is None


def test_a_conflict_has_a_name_beside(tmp_path: Path) -> None:
    """The second one gets a number."""
    names = Names(Places(tmp_path), "hawk")
    given = [names.beside("obs-2026-02-15-001", "conflict") for _ in range(2)]
    assert given == ["obs-2026-02-15-001-conflict", "obs-2026-02-15-001-conflict-2"]
