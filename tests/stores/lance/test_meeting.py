"""What both directions of a meeting share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.events import Action, Forgotten
from reverie.stores.lance.sync_state import ACTOR, Meeting, SyncMarks
from reverie.stores.sqlite import SqliteStore
from tests.stores.lance.making import HOME, lent
from tests.stores.making import START, Writer


@pytest.mark.parametrize("names_agents", [True, False])
def test_a_meeting_knows_whose_the_table_is(tmp_path: Path, names_agents: bool) -> None:
    """Every agent of the home's user and project where rows name agents, else the home alone; events bear its name."""
    store = SqliteStore(tmp_path / "a.db")
    name = Writer(store).remember(HOME, "tea")
    with store.begin(durable=False) as tx:
        connection = store._connection
        meeting = Meeting(tx, connection, SyncMarks(connection), lent(), HOME, names_agents, START)
        assert meeting.shows(HOME)
        assert meeting.shows(replace(HOME, agent="coder")) is names_agents
        assert not meeting.shows(replace(HOME, user="grace"))
        assert meeting.scope(meeting.number(HOME)) == HOME
        assert meeting.memory(replace(HOME, agent="coder"), name) is None
        assert meeting.number(replace(HOME, agent="coder")) == 0
        found = meeting.memory(HOME, name)
        assert found is not None
        draft = meeting.draft(HOME, Action.FORGET, "because", Forgotten(name, None, START))
        assert (draft.actor, draft.at, draft.why, len(draft.salt)) == (ACTOR, START, "because", 16)
    store.close()
