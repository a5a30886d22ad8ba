from pathlib import Path

import pytest

from reverie.vault.contents import Records, VaultRecord


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    """Zeros too; the same records are not written again."""
    path = tmp_path / "own" / "vault.json"
    known = {
        "owl/b": VaultRecord(0.0, 0.0, since="2026-02-15", credited=("a/1", "b/2"), outcomes=("a \n b",)),
        "hawk/ç": VaultRecord(0.95, 0.85, verified=True, contradicted_by=("x",), review="2026-02-16", copy="ab"),
    }
    Records(path).save(known)
    raw, at = path.read_bytes(), path.stat().st_mtime_ns
    again = Records(path)
    assert (again.known, again.fault) == (known, "")
    again.save(known)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (raw, at)


@pytest.mark.parametrize(
    "raw", ["", "[]", "{}", '{"format": 2, "observations": {}}', '{"format": 1, "observations": {"a": {"earned": 1}}}']
)
def test_a_broken_file_is_told_and_made_anew(tmp_path: Path, raw: str) -> None:
    """It may be deleted, so it may be broken."""
    path = tmp_path / "vault.json"
    path.write_text(raw)
    records = Records(path)
    assert records.known == {}
    assert "made anew" in records.fault
    records.save({})
    assert Records(path).fault == ""
