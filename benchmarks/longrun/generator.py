"""Writing a script: a conversation's first sessions, its questions, and everything that is mixed in, all by seed.

What is mixed in: chatter, planted facts, and edits of messages: nearly the same words again, or another value.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from benchmarks.longrun.script import Asked, Change, Origin, Said, Script
from benchmarks.phrases import LANGUAGES, FactForm, chatter, choices, facts, standing
from benchmarks.values import Haystack, Item, Question
from reverie.types import Role

# Edits of a message: nearly the same words again, or the same with another value. Seeded; nothing else decides.


def repeated(text: str, language: str, chance: random.Random) -> str:
    """A near-duplicate: other wordings where there are any, or words before or after it."""
    forms = choices("edits", language)
    said = text
    for pair in chance.sample(forms["instead"], len(forms["instead"])):
        old, _, new = pair.partition(" = ")
        said = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, said, count=1)
        if said != text and chance.random() < 0.5:
            break
    if said == text or chance.random() < 0.5:
        if chance.random() < 0.5:
            return f"{chance.choice(forms['before'])} {said}"
        return f"{said} {chance.choice(forms['after'])}"
    return said


def restated(text: str, language: str, chance: random.Random) -> str | None:
    """The message with one value changed for another of its class, as an update; None: it holds no such value."""
    classes = {name: values for name, values in choices("values", language).items() if name != "restated"}
    held = [
        (value, values)
        for values in classes.values()
        for value in values
        if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)
    ]
    if not held:
        return None
    old, values = chance.choice(held)
    new = chance.choice([value for value in values if value != old])
    lead = chance.choice(choices("values", language)["restated"])
    said = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
    return f"{lead} {said}"


# The script itself.

MESSAGES = 250
"""A life takes whole sessions from the beginning until it has so many messages; a session that is longer is cut."""

REPEAT_EVERY = 4
"""One in so many messages of noise repeats something that was said; the others are chatter."""

IN_SESSION_EVERY = 5
"""One in so many messages of noise is said amid a session of the conversation, the others on any day."""

RESTATED_EVERY = 15
"""One in so many messages of the conversation is restated with another value, where it holds one."""

AGAIN_MOST = 3
"""So many times at most a question is asked along the way; every second one is not asked before the end."""

SMALL_TALK = 20
"""Calls at the end that ask for nothing."""

SCREENED_CHARS = 600
"""Longer chatter of other conversations is left out: it is no small talk."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How much is mixed in: messages of noise for each of the conversation; and by which seed."""

    factor: int
    seed: int


@dataclass(slots=True)
class _Draft:
    """A script in the making."""

    language: str
    chance: random.Random
    said: list[Said]
    asked: list[Asked] = field(default_factory=list)
    changes: dict[str, Change] = field(default_factory=dict)

    @property
    def start(self) -> datetime:
        return min(said.item.at for said in self.said)

    @property
    def end(self) -> datetime:
        return max(said.item.at for said in self.said)

    def between(self, start: datetime, end: datetime) -> datetime:
        """A moment in between, by day (8 to 22 h); the end's own day is over by then."""
        days = max(1, (end.date() - start.date()).days)
        day = datetime.combine(start.date(), datetime.min.time(), UTC) + timedelta(days=self.chance.randint(1, days))
        return day + timedelta(minutes=self.chance.randint(8 * 60, 22 * 60))


def write(haystack: Haystack, others: Sequence[Haystack], noise: Noise, messages: int = MESSAGES) -> Script:
    """The script of one life.

    What happens in the conversation, its facts and its questions is the same whatever the noise.
    """
    chance = random.Random(f"{haystack.name}/{noise.seed}")
    draft = _Draft(haystack.language, chance, list(_own(haystack, messages)))
    speakers = list(dict.fromkeys(said.item.speaker for said in draft.said))
    questions = _kept(haystack.questions, draft)
    _restate(draft, questions)
    facts_asked = _plant(draft, speakers)
    _ask(draft, [*questions, *facts_asked])
    draft.chance = random.Random(f"{haystack.name}/{noise.seed}/{noise.factor}")
    draft.said += list(_noise(draft, others, noise.factor * sum(s.origin is Origin.OWN for s in draft.said)))
    said = sorted(draft.said, key=lambda one: (one.item.at, one.item.id))
    return Script(haystack.name, tuple(said), tuple(sorted(draft.asked, key=lambda one: one.at)), draft.changes)


def _own(haystack: Haystack, messages: int) -> Iterator[Said]:
    """The conversation's own messages, a minute apart within each session."""
    sessions: dict[str, list[Item]] = {}
    for item in haystack.items:
        sessions.setdefault(item.session, []).append(item)
    taken = 0
    for items in sessions.values():
        if taken >= messages:
            return
        for place, item in enumerate(items[: messages - taken]):
            yield Said(replace(item, at=item.at + timedelta(minutes=place)), Origin.OWN, item.id)
        taken += len(items)


def _kept(questions: Sequence[Question], draft: _Draft) -> list[Asked]:
    """The questions whose evidence lies wholly in what is said; of the unanswerable those whose trap does."""
    known = {said.content for said in draft.said}
    return [
        Asked(q.id, q.text, q.category, q.gold if q.answerable else (), draft.end)
        for q in questions
        if q.gold and known.issuperset(q.gold)
    ]


def _restate(draft: _Draft, questions: Sequence[Asked]) -> None:
    """Some facts of the conversation change later; those somebody asks about first."""
    asked = {content for question in questions for content in question.gold}
    own = list(draft.said)
    draft.chance.shuffle(own)
    own.sort(key=lambda said: said.content not in asked)
    left = len(own) // RESTATED_EVERY
    for said in own:
        text = restated(said.item.text, draft.language, draft.chance) if left else None
        if text is None or said.item.at.date() == draft.end.date():
            continue
        at = draft.between(said.item.at, draft.end)
        item = replace(said.item, id=f"{said.item.id}/anew", session=f"talk-{at.date()}", at=at, text=text)
        draft.said.append(Said(item, Origin.RESTATED, item.id))
        draft.changes[said.content] = Change(at, item.id)
        left -= 1


def _plant(draft: _Draft, speakers: Sequence[str]) -> list[Asked]:
    """Facts of our own that change once or twice, and standing orders, in both languages; the questions about them."""
    asked: list[Asked] = []
    start, end, first = draft.start, draft.end, speakers[0]
    for number, (language, form) in enumerate((lang, form) for lang in LANGUAGES for form in facts(lang)):
        speaker = speakers[(number // 2) % len(speakers)] if language == "en" else first
        if (number % 2 == 0) == (language == "en"):  # each fact in one language: the other would contradict it
            asked.append(_fact(draft, form, language, speaker, (start, end)))
    for language in LANGUAGES:
        for number, order in enumerate(standing(language)):
            if (number % 2 == 0) == (language == "en"):
                at = draft.between(start, start + (end - start) / 2)
                content = f"standing/{language}/{number}"
                item = replace(_item(draft, content, first, at, order.order), role=Role.USER)  # said to the agent
                draft.said.append(Said(item, Origin.STANDING, content))
                asked.append(Asked(content, order.request, "standing", (content,), at))
    return asked


def _fact(draft: _Draft, form: FactForm, language: str, speaker: str, span: tuple[datetime, datetime]) -> Asked:
    start, end = span
    values = draft.chance.sample(choices("slots", language)[form.slot], draft.chance.choice((2, 3)))
    step = (end - start) / (len(values) + 1)
    previous = ""
    for number, value in enumerate(values):
        at = draft.between(start + step * number, start + step * (number + 1))
        content = f"fact/{language}/{form.slot}/{number}"
        text = (form.anew if number else form.first).replace(f"{{{form.slot}}}", value)
        draft.said.append(Said(_item(draft, content, speaker, at, text), Origin.FACT, content))
        if previous:
            draft.changes[previous] = Change(at, content)
        previous = content
    question = form.question.replace("{speaker}", speaker)
    gold = f"fact/{language}/{form.slot}/0"
    return Asked(f"fact/{language}/{form.slot}", question, "fact", (gold,), end)


def _item(draft: _Draft, name: str, speaker: str, at: datetime, text: str) -> Item:
    role = next(said.item.role for said in draft.said if said.item.speaker == speaker)
    return Item(name, f"talk-{at.date()}", speaker, role, at, text)


def _ask(draft: _Draft, questions: Sequence[Asked]) -> None:
    """Every question at the end, every second one also along the way, once or more."""
    said_at = {said.content: said.item.at for said in draft.said}
    last = draft.end + timedelta(days=1)
    for question in questions:
        changed = any(content in draft.changes for content in question.gold)
        category = "restated" if changed and question.category != "fact" else question.category
        draft.asked.append(replace(question, category=category, at=last, last=True))
        if question.gold and draft.chance.random() < 0.5:
            known = max(said_at[content] for content in question.gold)
            for _ in range(draft.chance.randint(1, AGAIN_MOST)):
                if known.date() < draft.end.date():
                    draft.asked.append(replace(question, category=category, at=draft.between(known, draft.end)))
    for number in range(SMALL_TALK):
        text = chatter(LANGUAGES[number % 2], draft.chance)
        draft.asked.append(Asked(f"small-talk/{number}", text, "small talk", (), last, last=True))


def _noise(draft: _Draft, others: Sequence[Haystack], amount: int) -> Iterator[Said]:
    """Repeats and chatter, each at its time."""
    known = [said for said in draft.said if said.item.at.date() < draft.end.date()]
    own = [said.item for said in draft.said if said.origin is Origin.OWN]
    speakers = list(dict.fromkeys(item.speaker for item in own))
    elsewhere = _small_talk(others)
    chance = draft.chance
    for number in range(amount):
        if number % REPEAT_EVERY == 0 and known:
            said = chance.choice(known)
            yield _repeat(draft, said, number)
            continue
        text = chance.choice(elsewhere) if elsewhere and number % 2 else chatter(_mixed(number), chance)
        item = _chatter_item(draft, chance.choice(own), speakers)
        yield Said(replace(item, id=f"noise/{number}", text=text), Origin.CHATTER, "")


def _chatter_item(draft: _Draft, host: Item, speakers: Sequence[str]) -> Item:
    """A message at some time, now and then amid the session of another."""
    chance, at = draft.chance, draft.between(draft.start, draft.end)
    amid = chance.random() < 1 / IN_SESSION_EVERY
    return replace(
        host,
        session=host.session if amid else f"talk-{at.date()}",
        speaker=chance.choice(speakers),
        at=host.at + timedelta(seconds=chance.randint(1, 59)) if amid else at,
    )


def _repeat(draft: _Draft, said: Said, number: int) -> Said:
    """Something said before, in nearly the same words, before it became stale."""
    change = draft.changes.get(said.content)
    until = change.at if change else draft.end
    at = draft.between(said.item.at, until)
    if change and at >= change.at:
        at = said.item.at + (change.at - said.item.at) / 2
    language = said.content.split("/")[1] if said.origin in (Origin.FACT, Origin.STANDING) else draft.language
    text = repeated(said.item.text, language, draft.chance)
    item = replace(said.item, id=f"repeat/{number}", session=f"talk-{at.date()}", at=at, text=text)
    return Said(item, Origin.REPEAT, said.content)


def _small_talk(others: Sequence[Haystack]) -> list[str]:
    """What was said in other conversations and is nobody's evidence there."""
    evidence = {(other.name, content) for other in others for question in other.questions for content in question.gold}
    return [
        item.text
        for other in others
        for item in other.items
        if (other.name, item.id) not in evidence and len(item.text) <= SCREENED_CHARS
    ]


def _mixed(number: int) -> str:
    """Chatter of our own is in both languages by turns."""
    return LANGUAGES[(number // 2) % 2]
