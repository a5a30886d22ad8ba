import errno
from pathlib import Path

import pytest

from reverie.errors import ReverieError, StoreError, StoreFull, StoreReadOnly
from reverie.faces.cli.files import file_error


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EACCES, StoreReadOnly),
        (errno.EROFS, StoreReadOnly),
        (errno.ENOTDIR, StoreError),
    ],
)
def test_the_systems_reasons_become_ours(number: int, kind: type[ReverieError]) -> None:
    """Each with the file's name and what to do."""
    error = file_error(OSError(number, "reason"), Path("there.jsonl"))
    assert type(error) is kind
    assert "there.jsonl" in error.message
    assert error.mend
