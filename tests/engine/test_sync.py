"""Several machines synchronise a scope: one contents digest in every order, nothing lost, nothing erased comes back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from reverie import Message, Scope
from reverie.engine import sync_places
from reverie.engine.sync import Syncing
from reverie.engine.sync_places import key_of, new_key
from reverie.errors import InvalidExport, NotFound, ReverieError, StoreBusy
from reverie.exchange.segments import seal, tag_of, unseal
from reverie.types import Memory, State
from tests.engine.machines import SCOPE, History, Machine, machine, machines

pytestmark = pytest.mark.req("D50")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder that the machines share."""
    return tmp_path / "place"


@pytest.fixture
def three(tmp_path: Path) -> list[Machine]:
    """Three machines of one user."""
    return machines(tmp_path)


def settled(all_of: list[Machine], place: Path, order: tuple[int, ...] = (0, 1, 2)) -> set[str]:
    """Synchronise in rounds until no machine has anything to write or to take; return the contents' digests."""
    for _ in range(6):
        done = [all_of[number].sync(place) for number in order]
        if not any(one.taken or one.sent or one.changed for one in done):
            return {one.contents for one in done}
    raise AssertionError("the machines never come to rest")


def digest(one: Machine) -> str:
    """The journal of a machine's store, and the files of its state, as a whole."""
    return one.engine.admin.digest() + str([(file, file.read_bytes()) for file in one.segments])


def test_made_up_histories_give_one_digest_in_every_order(tmp_path: Path, share: Callable[[int], int]) -> None:
    """Remember, observe, correct, forget, pin, restore, relate, erase, undo and recall, with syncs between."""
    for seed in range(share(10)):
        found = set[str]()
        for order in permutations(range(3)):
            folder = tmp_path / f"{seed}-{order}"
            all_of = machines(folder)
            History(seed).live(all_of, 24, folder / "place")
            found |= settled(all_of, folder / "place", order)
            assert not any(one.engine.admin.verify() for one in all_of)
        assert len(found) == 1, seed


def test_a_second_sync_changes_nothing(three: list[Machine], place: Path) -> None:
    """Neither journal nor files; and nothing new means nothing written."""
    three[0].say("The spare key hangs behind the boiler.")
    settled(three, place)
    before = [digest(one) for one in three], sorted(place.rglob("*"))
    settled(three, place)
    assert ([digest(one) for one in three], sorted(place.rglob("*"))) == before


def test_what_comes_in_is_recalled_and_keeps_its_standing(three: list[Machine], place: Path) -> None:
    """Text, time, pin, relation and the message's own id."""
    first, second, _ = three
    name = first.engine.remember(Message("The spare key hangs behind the boiler.", message_id="m-1"), SCOPE).id
    other = first.say("The boiler is in the cellar.")
    first.engine.admin.pin(name, SCOPE)
    first.engine.relate(name, other, SCOPE, "elaborates")
    settled(three, place)
    assert [one.memory.id for one in second.engine.recall("spare key", SCOPE).hits][:1] == [name]
    assert second.engine.memory(name, SCOPE).standing.pinned
    assert [edge.target for edge in second.engine.admin.relations(SCOPE)] == [other]
    second.engine.remember(Message("The spare key hangs behind the boiler.", message_id="m-1"), SCOPE)
    assert len(second.engine.timeline(SCOPE)) == 2


def corrected_twice(three: list[Machine], place: Path) -> tuple[Memory, Memory, str]:
    """Two machines correct one memory differently, the second later."""
    first, second, _ = three
    old = first.say("Mert lives in Ankara.")
    settled(three, place)
    second.clock.at += timedelta(hours=1)
    one = first.engine.correct(old, "Mert lives in Izmir.", SCOPE)
    other = second.engine.correct(old, "Mert lives in Bursa.", SCOPE)
    return one, other, old


def test_two_corrections_are_both_kept_and_the_later_one_counts(three: list[Machine], place: Path) -> None:
    """Every machine shows the conflict; the loser is superseded by the winner, and can be read."""
    one, other, old = corrected_twice(three, place)
    assert len(settled(three, place)) == 1
    for each in three:
        (conflict,) = each.engine.transfer.sync_conflicts(SCOPE, state=each.state)
        assert conflict.memory == old
        assert other.id in conflict.kept
        assert one.id in conflict.others[0][1]
        loser, winner = each.engine.memory(one.id, SCOPE), each.engine.memory(other.id, SCOPE)
        assert loser.text == "Mert lives in Izmir."
        assert (loser.standing.state, loser.standing.superseded_by) == (State.SUPERSEDED, winner.id)
        assert winner.standing.state is State.ACTIVE


def test_a_conflict_ends_where_a_person_settles_it(three: list[Machine], place: Path) -> None:
    """The value that counts stays, and no machine lists the conflict any more."""
    _, _, old = corrected_twice(three, place)
    settled(three, place)
    three[2].sync(place, old)
    assert len(settled(three, place)) == 1
    assert all(not each.engine.transfer.sync_conflicts(SCOPE, state=each.state) for each in three)


def test_forgetting_at_two_moments_is_a_conflict_and_forgotten_everywhere(three: list[Machine], place: Path) -> None:
    """The later moment counts."""
    name = three[0].say("Mert lives in Ankara.")
    settled(three, place)
    for each in three[:2]:
        each.engine.forget(name, SCOPE)
    settled(three, place)
    ends = {each.engine.memory(name, SCOPE).valid_until for each in three}
    assert ends == {three[1].clock.at}
    assert [one.what for one in three[2].engine.transfer.sync_conflicts(SCOPE, state=three[2].state)] == ["validity"]


def test_changes_of_different_parts_do_not_conflict(three: list[Machine], place: Path) -> None:
    """A pin and a tag on two machines both stay."""
    name = three[0].say("Mert lives in Ankara.")
    settled(three, place)
    three[0].engine.admin.pin(name, SCOPE)
    three[1].engine.admin.amend(name, SCOPE, tags=["family"])
    settled(three, place)
    for each in three:
        standing = each.engine.memory(name, SCOPE).standing
        assert (standing.pinned, standing.tags) == (True, ("family",))
        assert not each.engine.transfer.sync_conflicts(SCOPE, state=each.state)


def test_a_clock_that_goes_back_loses_no_change(three: list[Machine], place: Path) -> None:
    """Who knew of a change and made another comes after it, whatever the clocks say."""
    first, second, _ = three
    name = first.say("Mert lives in Ankara.")
    first.engine.admin.amend(name, SCOPE, tags=["first"])
    settled(three, place)
    second.clock.at -= timedelta(days=400)
    second.engine.admin.amend(name, SCOPE, tags=["second"])
    settled(three, place)
    assert {each.engine.memory(name, SCOPE).standing.tags for each in three} == {("second",)}


def words_in(one: Machine, place: Path) -> str:
    """All that the segments of a place and of a machine hold, decrypted."""
    key = key_of(one.state)
    files = [*place.rglob("*.segment"), *one.segments]
    return str([unseal(file.read_bytes(), key, tag_of(key, SCOPE), file.name) for file in files])


def test_an_erasure_travels_and_leaves_no_word_in_any_segment(three: list[Machine], place: Path) -> None:
    """Also what was formed from the message, and what another machine corrected meanwhile stays erased."""
    first, second, third = three
    name = first.engine.observe(Message("My sister Zeynep prefers oolong."), SCOPE).id
    kept = first.say("The bins go out on Friday.")
    settled(three, place)
    assert "oolong" in words_in(first, place)
    second.engine.admin.pin(name, SCOPE)
    third.engine.admin.erase(name, SCOPE, why="asked for")
    assert len(settled(three, place)) == 1
    for each in three:
        assert "oolong" not in words_in(each, place)
        assert not [text for text in each.texts() if "oolong" in text]
        assert each.engine.memory(kept, SCOPE)


def test_an_old_copy_of_a_segment_brings_nothing_erased_back(three: list[Machine], place: Path) -> None:
    """A folder that was set back, or a stick that lay in a drawer: the file is rewritten once more."""
    name = three[0].say("Zeynep prefers oolong.")
    settled(three, place)
    (file,) = place.rglob("*.segment")
    old = file.read_bytes()
    three[1].engine.admin.erase(name, SCOPE, why="asked for")
    settled(three, place)
    file.write_bytes(old)
    settled(three, place)
    assert all("oolong" not in words_in(each, place) and not each.texts() for each in three)


def test_a_rewritten_segment_that_arrives_before_its_erasure_brings_nothing_back(tmp_path: Path, place: Path) -> None:
    """It names what it lost, so that no machine takes its own copy for something new."""
    first, second = machines(tmp_path, 2)
    name = first.say("Zeynep prefers oolong.")
    first.sync(place)
    second.sync(place)
    first.engine.admin.erase(name, SCOPE, why="asked for")
    first.sync(place)
    second_file = next(iter(sorted(place.rglob("*00000002.segment"))), None)
    if second_file is not None:
        second_file.unlink()
    assert second.sync(place).erased == 1
    assert not second.texts()


def altered(file: Path) -> None:
    """Change one byte of the content."""
    raw = bytearray(file.read_bytes())
    raw[-5] ^= 1
    file.write_bytes(raw)


def renamed(file: Path) -> None:
    """Replay a segment under the next number."""
    file.with_name(file.name.replace("00000001", "00000009")).write_bytes(file.read_bytes())


def swapped(file: Path) -> None:
    """Exchange the first two segments of a machine."""
    other = file.with_name(file.name.replace("00000001", "00000002"))
    one, two = file.read_bytes(), other.read_bytes()
    file.write_bytes(two)
    other.write_bytes(one)


def of_another_key(file: Path) -> None:
    """Encrypt the same content with a key of somebody else."""
    state = file.parents[3] / "foreign"
    new_key(state)
    segment = unseal(file.read_bytes(), key_of(file.parents[3] / "first"), file.parent.name, file.name)
    file.write_bytes(seal(segment, key_of(state), file.parent.name, bytes(32)))


def newer(file: Path) -> None:
    """A format of a later version."""
    file.write_bytes(file.read_bytes().replace(b"reverie-sync/1\n", b"reverie-sync/2\n"))


def cut_short(file: Path) -> None:
    """Half a file, as a stick that was pulled out leaves it."""
    file.write_bytes(file.read_bytes()[: len(file.read_bytes()) // 2])


BROKEN = {
    altered: "changed, cut short or renamed",
    renamed: "changed, cut short or renamed",
    swapped: "changed, cut short or renamed",
    of_another_key: "another key",
    newer: "newer format",
    cut_short: "cut short",
}


@pytest.mark.parametrize("breaking", BROKEN, ids=lambda one: one.__name__)
def test_a_segment_that_is_not_as_it_was_written_is_refused(
    breaking: Callable[[Path], None], three: list[Machine], place: Path
) -> None:
    """The error names what is wrong, and neither store, files nor place change."""
    first, second, _ = three
    for text in ("Zeynep prefers oolong.", "Mert prefers coffee."):
        first.say(text)
        first.sync(place)
    second.say("The bins go out on Friday.")
    breaking(min(place.rglob("*00000001.segment")))
    before = digest(second), [(file, file.read_bytes()) for file in sorted(place.rglob("*.segment"))]
    with pytest.raises(InvalidExport, match=BROKEN[breaking]):
        second.sync(place)
    assert (digest(second), [(file, file.read_bytes()) for file in sorted(place.rglob("*.segment"))]) == before


def test_a_segment_waits_for_those_before_it(three: list[Machine], place: Path) -> None:
    """A folder that is still being copied: what is whole comes in, the rest at a later sync."""
    first, second, _ = three
    for text in ("Zeynep prefers oolong.", "Mert prefers coffee.", "The bins go out on Friday."):
        first.say(text)
        first.sync(place)
    middle = next(place.rglob("*00000002.segment"))
    raw = middle.read_bytes()
    middle.unlink()
    done = second.sync(place)
    assert (done.new, done.waiting) == (1, (middle.name,))
    middle.write_bytes(raw)
    assert second.sync(place).new == 2


def test_a_lost_folder_is_filled_again(three: list[Machine], place: Path) -> None:
    """Every machine has a copy of all segments."""
    three[0].say("Zeynep prefers oolong.")
    settled(three, place)
    for file in place.rglob("*.segment"):
        file.unlink()
    three[1].sync(place)
    assert list(place.rglob("*.segment"))


def test_two_places_carry_each_others_segments(three: list[Machine], tmp_path: Path, place: Path) -> None:
    """A folder between the first two machines, a stick between the last two."""
    stick = tmp_path / "stick"
    stick.mkdir()
    first, second, third = three
    first.say("Zeynep prefers oolong.")
    third.say("Mert prefers coffee.")
    for each, where in ((first, place), (second, place), (second, stick), (third, stick), (second, stick)):
        each.sync(where)
    second.sync(place)
    assert {first.sync(place).contents, second.sync(stick).contents, third.sync(stick).contents} == {
        second.sync(place).contents
    }


def test_scopes_stay_apart(three: list[Machine], place: Path) -> None:
    """Only the scope that was named goes out."""
    first, second, _ = three
    other = Scope("helper", "ada", "office")
    first.engine.remember(Message("The office key is blue."), other)
    first.say("Zeynep prefers oolong.")
    settled(three, place)
    assert second.engine.admin.scopes() == [SCOPE]
    assert "office" not in words_in(first, place)


def test_a_file_that_is_no_segment_is_named_and_left_alone(three: list[Machine], place: Path) -> None:
    """As the copies that folder services make of a file that changed twice."""
    three[0].say("Zeynep prefers oolong.")
    three[0].sync(place)
    (file,) = place.rglob("*.segment")
    copy = file.with_name(f"{file.stem} (conflicted copy).segment")
    copy.write_bytes(b"anything")
    assert three[1].sync(place).ignored == (copy.name,)
    assert copy.read_bytes() == b"anything"


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("write", range(6))
def test_a_sync_that_is_killed_at_any_write_is_completed_by_the_next(
    write: int, three: list[Machine], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before or after each file, and in the middle of the transaction: the end is as if nothing had happened."""
    first, second, third = three
    name = first.say("Zeynep prefers oolong.")
    first.say("The bins go out on Friday.")
    settled(three, place)
    second.say("Mert prefers coffee.")
    third.engine.admin.erase(name, SCOPE, why="asked for")
    third.sync(place)
    calls, replace = iter(range(99)), sync_places.durable.replace

    def dying(*args: Any, **given: Any) -> None:
        if next(calls) == write // 2:
            if write % 2:
                replace(*args, **given)
            raise Killed

        replace(*args, **given)

    def dying_inside(*_: object) -> None:
        raise Killed

    for owner, name, deadly in ((sync_places.durable, "replace", dying), (Syncing, "_note", dying_inside)):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, deadly)
            with pytest.raises(Killed):
                second.sync(place)
        second.say("Mert has a cat.")
    assert len(settled(three, place)) == 1
    assert third.texts() == ["Mert has a cat.", "Mert has a cat.", "Mert prefers coffee.", "The bins go out on Friday."]
    assert "oolong" not in words_in(second, place)


def test_two_syncs_at_once_give_what_one_after_the_other_gives(three: list[Machine], place: Path) -> None:
    """Different machines on one folder, and one machine twice."""
    for number, each in enumerate(three):
        each.say(f"Zeynep has {number} cats.")
    failed = list[Exception]()

    def work(each: Machine) -> None:
        try:
            each.sync(place)
        except (ReverieError, OSError, KeyError) as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(each,)) for each in (*three, *three)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(settled(three, place)) == 1
    assert len(three[0].texts()) == 3


def test_a_sync_waits_for_another_of_the_same_store_only_so_long(
    three: list[Machine], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it says so."""
    three[0].sync(place)
    monkeypatch.setattr(sync_places, "WAIT_S", 0.0)
    (lock,) = sync_places.sync_folder(three[0].state).glob("*/lock")
    with sync_places.locked(lock), pytest.raises(StoreBusy):
        three[0].sync(place)


def test_a_machine_without_a_key_is_told_how_to_get_one(tmp_path: Path, place: Path) -> None:
    """And writes nothing."""
    (one,) = machines(tmp_path, 1)
    with pytest.raises(NotFound, match="no key"):
        one.engine.transfer.sync(place, SCOPE, state=tmp_path / "elsewhere")
    assert not list(place.iterdir())


def test_a_copied_state_folder_is_found_out(tmp_path: Path, place: Path) -> None:
    """Two machines of one name would overwrite each other's segments."""
    first, second = machines(tmp_path, 2)
    first.say("Zeynep prefers oolong.")
    first.sync(place)
    (own,) = sync_places.sync_folder(first.state).glob("*/machine")
    target = sync_places.sync_folder(second.state) / own.parent.name
    target.mkdir()
    (target / "machine").write_bytes(own.read_bytes())
    second.say("Mert prefers coffee.")
    second.sync(tmp_path / "place")
    assert len(second.texts()) == 2  # it went on after the number of the other
    (tmp_path / "b").mkdir()
    first.say("Mert is tired.")
    second.say("Mert is awake.")
    first.sync(tmp_path / "b")
    second.sync(place)
    with pytest.raises(InvalidExport, match="Two different segments"):
        second.sync(tmp_path / "b")


def test_a_store_that_was_set_back_gets_everything_again(tmp_path: Path, place: Path) -> None:
    """A backup of before some syncs: nothing counts as erased because the old store does not hold it."""
    first, second = machines(tmp_path, 2)
    key = (tmp_path / "first" / "sync" / "key").read_text()
    file = tmp_path / "m.db"
    third = machine(tmp_path, 5, key, str(file))
    first.say("Zeynep prefers oolong.")
    first.sync(place)
    third.sync(place)
    third.engine.admin.backup(tmp_path / "old.db")
    third.say("Mert prefers coffee.")
    third.sync(place)
    third.engine.close()
    for end in ("", "-wal", "-shm", "-head"):
        Path(f"{file}{end}").unlink(missing_ok=True)
    (tmp_path / "old.db").rename(file)
    again = machine(tmp_path, 5, key, str(file))
    again.sync(place)
    second.sync(place)
    assert again.texts() == second.texts() == ["Mert prefers coffee.", "Zeynep prefers oolong."]
    again.engine.close()
