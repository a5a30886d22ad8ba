"""Edits of a message: nearly the same words again, or the same with another value. Seeded; nothing else decides."""

from __future__ import annotations

import random
import re

from benchmarks.longrun.phrases import choices


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
