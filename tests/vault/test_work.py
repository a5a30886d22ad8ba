from reverie.vault.contents import VaultRecord
from reverie.vault.laws import Laws
from reverie.vault.maintenance import item
from tests.vault.conftest import DAY
from tests.vault.notes import seen, text


def test_what_nobody_touched_counts_from_its_first_day(laws: Laws) -> None:
    """What somebody did touch is taken as it stands, from today."""
    assert item(seen(text()), {}, laws, DAY).record.since == ""
    for fields in ({"importance": "0.8"}, {"refs": "1"}, {"verified": "true"}):
        assert item(seen(text(**fields)), {}, laws, DAY).record.since == DAY.isoformat()


def test_a_number_of_a_persons_holds(laws: Laws) -> None:
    """It is what was earned from now on."""
    known = {"hawk/obs-2026-02-15-001": VaultRecord(0.8, 0.7)}
    assert item(seen(text(importance="0.7")), known, laws, DAY).record.earned == 0.8
    assert item(seen(text(importance="0.3")), known, laws, DAY).record.earned == 0.3


def test_the_same_number_is_not_written_again(laws: Laws) -> None:
    """However the author spelled it."""
    one = item(seen(text(importance="0.50")), {}, laws, DAY)
    assert one.with_importance(0.5, 0.5).now is one.now
    assert "importance: 0.6\n" in one.with_importance(0.6, 0.6).now.front.text
