"""A message told of its speaker: "I prefer tea" as "User prefers tea", "Çayı severim" as "Kullanıcı çayı sever".

In: what somebody said in the first person. Out: the same in the third, without filler words, cut to length. Negations,
numbers, names and what is quoted stay as they are; a message that cannot be rewritten surely keeps its words behind
"User: " (in Turkish "Kullanıcı: ").
"""

from __future__ import annotations

import re
from functools import cache

from reverie.language import lists
from reverie.language.detect import turkish_evidence
from reverie.language.sentences import capital, masked, sentences
from reverie.recipes.v9 import rewriting_english, rewriting_turkish
from reverie.recipes.v9.wordlists import WORDS

SUBJECT = "User"
LIMIT = 500
_ELLIPSIS = "…"
_BLANKS = re.compile(r"[ \t]{2,}")


def third_person(text: str, subject: str = SUBJECT, limit: int = LIMIT) -> str:
    """The text about ``subject``, at most ``limit`` characters, cut behind a sentence or else a word."""
    evidence = turkish_evidence(text)
    language = "tr" if evidence > 0 or (evidence == 0 and not rewriting_english.is_own(text)) else "en"
    told = without_fillers(text.strip(), language)
    if language == "tr":
        subject = lists.table("role-names", WORDS).get(subject, (subject,))[0]
        rewritten = rewriting_turkish.rewritten(told, subject)
    else:
        rewritten = rewriting_english.rewritten(told, subject)
    return _cut(f"{subject}: {told}" if rewritten is None else rewritten, limit)


def without_fillers(text: str, language: str) -> str:
    """The text without the words that say nothing (data/fillers.*); quotations keep theirs."""
    always, opening, between = _fillers(language)
    hidden = masked(text)
    for pattern, kept in ((always, ""), (between, " "), (opening, "")):
        parts: list[str] = []
        end = 0
        for match in pattern.finditer(hidden):
            parts += [text[end : match.start()], kept]
            end = match.end()
            if pattern is opening and end < len(text):
                parts.append(capital(text[end], language))
                end += 1
        text = "".join([*parts, text[end:]])
        hidden = masked(text)
    return _BLANKS.sub(" ", text).strip()


@cache
def _fillers(language: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Patterns for words dropped anywhere, at the beginning of a sentence, and between commas.

    At the beginning a comma follows them, or, where they can be nothing else there, a subject.
    """
    table = lists.table(f"fillers.{language}", WORDS)
    kinds = ("always", "apart", "before", "subjects")
    always, apart, before, subjects = ("|".join(map(re.escape, table[kind])) for kind in kinds)
    opening = rf"(?:{apart}),\s+|(?:{before})\s+(?=(?:{subjects})\b)"
    return (
        re.compile(rf"(?<!\w)(?:{always})\b(?:,|\.{{2,3}}|…)?\s*", re.IGNORECASE),
        re.compile(rf"(?:(?<=\A)|(?<=[.!?]\s)|(?<=\n))(?:{opening})", re.IGNORECASE),
        re.compile(rf",\s+(?:{apart}),\s+", re.IGNORECASE),
    )


def _cut(text: str, limit: int) -> str:
    """The text itself if short enough; else its first whole sentences, or its first words and an ellipsis."""
    if len(text) <= limit:
        return text
    kept = ""
    for sentence in sentences(text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > limit:
            break
        kept = longer
    if kept:
        return kept
    head = text[: max(0, limit - 1)]
    return (head.rpartition(" ")[0] or head) + _ELLIPSIS if limit > 0 else ""
