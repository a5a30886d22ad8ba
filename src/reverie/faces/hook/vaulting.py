"""A session in a vault that is linked: in, whose session, and in which folder; out, what to read first, and its flush.

A vault is believed only where the user linked it, with the store, user and project that are in force for the folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from reverie.config import Settings
from reverie.engine.core import Reverie
from reverie.errors import NotFound
from reverie.types import Kind, Message, Scope
from reverie.vault.files import Places, is_agent
from reverie.vault.laws import ocean_laws
from reverie.vault.linking.links import Place, Tie, load, sidecar
from reverie.vault.session_flush import flush
from reverie.vault.vault import Vault
from reverie.wire.trusting import is_own_link

READ_MAX = 20


@dataclass(frozen=True, slots=True)
class Around:
    """The linked vault a session works in, and the ties of its agent."""

    places: Places
    ties: tuple[Tie, ...]

    def first(self) -> tuple[str, ...]:
        """The memories of the files to read when the session begins: the most important first, of equals the newest.

        Those of the agent and those all agents share, at most twenty.
        """
        held = [tie for tie in self.ties if tie.place is Place.ACTIVE and tie.here]
        ordered = sorted(held, key=lambda tie: (tie.file.importance, tie.name), reverse=True)
        return tuple(tie.memory for tie in ordered[:READ_MAX])

    def flush(self, engine: Reverie, scope: Scope, session: str, today: date) -> int:
        """Write what a session taught into the agent's folder; how many observations. Raises StoreError.

        What the vault says already is left out, so that it may be done again.
        """
        said = engine.timeline(scope, session=session)
        kept = [one for one in sorted(said, key=lambda one: one.seq) if one.kind is Kind.EPISODE]
        messages = [Message(one.text, one.speaker, one.role, session, one.at) for one in kept]
        return len(flush(Vault(self.places, ocean_laws()), scope.agent, messages, today, dry_run=False))


def around(
    folder: Path, settings: Settings, scope: Scope, environment: Mapping[str, str] | None = None
) -> Around | None:
    """The linked vault a folder lies in; None where there is none, or it is linked with another memory or agent.

    A link that came with the vault is none: it would have the session's words written where others may fetch them.

    Raises StoreCorrupt where its link cannot be read.
    """
    if not settings.hook.vault or not is_agent(scope.agent):
        return None
    try:
        places = Places.above(folder)
    except NotFound:
        return None
    link = load(sidecar(places))
    if link is None or (link.user, link.project) != (scope.user, scope.project):
        return None
    if Path(link.store) != Path(settings.store).resolve() or (link.agents and scope.agent not in link.agents):
        return None
    if not is_own_link(sidecar(places).resolve(), link, environment):
        return None
    return Around(places, link.of(scope.agent))
