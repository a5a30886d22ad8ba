"""Toy files of each set, in the sets' own forms, with the oddities the real ones have. Every word is our own."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.values import Haystack, Item, Question
from reverie.types import Role

Records: TypeAlias = Sequence[dict[str, Any]]

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def write_lines(path: Path, records: Records) -> Path:
    """JSON lines; gzipped where the name says so."""
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def locomo() -> Records:
    """Two conversations of two sessions each."""
    return [
        {
            "sample_id": "conv-a",
            "conversation": {
                "speaker_a": "Mira",
                "speaker_b": "Jonas",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    turn("Mira", "D1:1", "I adopted a grey parrot from the shelter."),
                    turn("Jonas", "D1:2", "Lovely! Mine is a greyhound named Bolt."),
                ],
                "session_2_date_time": "12:09 am on 13 September, 2023",
                "session_2": [
                    turn("Mira", "D2:1", "Look at this.", blip_caption="a parrot on a bookshelf"),
                    turn("Jonas", "D2:2", "I ran the marathon in Oslo last week."),
                ],
                "session_3_date_time": "9:00 am on 1 October, 2023",
            },
            "qa": [
                qa("Which bird did Mira adopt?", ["D1:1"], 4),
                qa("Where is the parrot, and what bird is it?", ["D1:1; D2:1"], 1),
                qa("When did Jonas run the marathon?", ["D:2:2"], 2),
                qa("Would Mira like a zoo?", [], 3),
                qa("What is the name of Mira's greyhound?", ["D1:2"], 5),
                qa("What did Jonas bake?", ["D7:40"], 4),
            ],
        },
        {
            "sample_id": "conv-b",
            "conversation": {
                "session_1_date_time": "6:55 pm on 20 October, 2023",
                "session_1": [
                    turn("Ada", "D1:1", "My violin broke on Tuesday."),
                    turn("Finn", "D1:2", "I can lend you the old one from the attic."),
                    turn("Ada", "D1:3", "That saves my concert."),
                ],
            },
            "qa": [
                qa("Which instrument broke?", ["D1:1"], 4),
                qa("Who lends a violin from the attic?", ["D1:1 D1:2", "D01:02"], 1),
            ],
        },
    ]


def turn(speaker: str, dia_id: str, text: str, **more: str) -> dict[str, str]:
    """A turn of LoCoMo."""
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **more}


def qa(question: str, evidence: list[str], category: int) -> dict[str, Any]:
    """A question of LoCoMo."""
    return {"question": question, "answer": "…", "evidence": evidence, "category": category}


def longmemeval_questions() -> Records:
    """One question over three sessions (one of them twice), and one that cannot be answered."""
    return [
        {
            "question_id": "q1",
            "question_type": "multi-session",
            "question": "Which degree did I finish, and where?",
            "question_date": "2023/05/30 (Tue) 23:40",
            "haystack": [
                ["k2", "2023/05/24 (Wed) 05:53"],
                ["k1", "2023/05/20 (Sat) 02:21"],
                ["k3", "2023/05/22 (Mon) 10:00"],
                ["k3", "2023/05/25 (Thu) 10:00"],
            ],
        },
        {
            "question_id": "q2_abs",
            "question_type": "multi-session",
            "question": "Which car did I sell?",
            "question_date": "2023/05/30 (Tue) 23:41",
            "haystack": [["k1", "2023/05/20 (Sat) 02:21"]],
        },
    ]


def longmemeval_sessions() -> Records:
    """The sessions those questions name, and one nobody names."""
    return [
        {
            "key": "k1",
            "session_id": "answer_1",
            "turns": [
                {"role": "user", "content": "I finished my degree in botany.", "has_answer": True},
                {"role": "assistant", "content": "Congratulations!", "has_answer": False},
            ],
        },
        {
            "key": "k2",
            "session_id": "answer_2",
            "turns": [{"role": "user", "content": "The university in Uppsala was cold.", "has_answer": True}],
        },
        {"key": "k3", "session_id": "chat_3", "turns": [{"role": "user", "content": "How do I boil an egg?"}]},
        {"key": "k4", "session_id": "chat_4", "turns": [{"role": "user", "content": "Unused."}]},
    ]


def beam() -> Records:
    """One chat of two batches."""
    return [
        {
            "chat": "1",
            "messages": [
                message(0, "user", "My deadline is in March. ->-> 1,1", "March-15-2024", 1),
                message(1, "assistant", "<!-- a -->\nNoted.", "March-15-2024", 1),
                message(2, "user", "The deadline moved to June.", "April-05-2024", 2),
                message(3, "assistant", "June it is.", None, 2),
            ],
            "questions": [
                probe("b1", "knowledge_update", {"original_info": [0], "updated_info": [2]}, [0, 2]),
                probe("b2", "abstention", None, []),
                probe("b3", "event_ordering", [2, 2, 99], [2, 99]),
                probe("b4", "preference_following", [], []),
            ],
        }
    ]


def message(number: int, role: str, content: str, time: str | None, batch: int) -> dict[str, Any]:
    """A message of BEAM."""
    return {"id": number, "role": role, "content": content, "time": time, "batch": batch}


def probe(qid: str, kind: str, src: object, gold: list[int]) -> dict[str, Any]:
    """A question of BEAM."""
    return {"qid": qid, "type": kind, "question": "When is the deadline?", "src": src, "gold": gold}


def xquad() -> Records:
    """Three Turkish paragraphs."""
    return [
        {
            "paragraphs": [
                {"id": 0, "title": "Nehir", "text": "\ufeffIrmağın suyu dağlardan gelir ve denize dökülür."},
                {"id": 1, "title": "Nehir", "text": "Balıkçılar sabah erkenden kayıklarıyla açılır."},
                {"id": 2, "title": "Şehir", "text": "İstanbul'un köprüleri iki kıtayı birleştirir."},
            ],
            "questions": [
                {"id": "x1", "question": "Köprüler neyi birleştirir?", "paragraph": 2},
                {"id": "x2", "question": "Irmağın suyu nereden gelir?", "paragraph": 0},
                {"id": "x3", "question": "Kim yazdı?", "paragraph": 9},
            ],
        }
    ]


def labelled(name: str = "toy-lives") -> Records:
    """A life of two sessions: an update, a question asked before it, one labelled by session, one without an answer."""
    return [
        {
            "set": name,
            "id": "life-a",
            "language": "en",
            "messages": [
                said("m1", "s1", "2024-05-01T09:00:00", "user", "The stove key hangs in the pantry."),
                said("m2", "s1", "2024-05-01T09:01:00", "assistant", "Noted, in the pantry."),
                said("m3", "s2", "2024-06-01T09:00:00", "device", "Parcel delivered to the porch."),
                said("m4", "s2", "2024-06-01T09:05:00", "user", "We hang the stove key in the cellar these days."),
            ],
            "questions": [
                ask("q1", "2024-07-01T09:00:00", "update", gold=["m4", "m9"], older=["m1"], newest=["m4"]),
                ask("q2", "2024-05-20T09:00:00", "fact", gold=["m1"]),
                ask("q3", "2024-07-01T09:00:00", "fact", gold=[], gold_sessions=["s2"]),
                ask("q4", "2024-07-01T09:00:00", "contradiction-resolution", gold=["m1", "m4"], sides=[["m1"], ["m4"]]),
                ask("q5", "2024-07-01T09:00:00", "unanswerable", gold=[], answerable=False),
            ],
        }
    ]


def said(id: str, session: str, time: str, role: str, text: str) -> dict[str, Any]:
    """A message of a labelled life."""
    return {"id": id, "time": time, "session": session, "speaker": role, "role": role, "text": text}


def ask(id: str, time: str, category: str, **more: Any) -> dict[str, Any]:
    """A question of a labelled life."""
    asked = {"id": id, "question": "Where is the stove key?", "time": time, "category": category}
    return {**asked, "answerable": True, **more}


def write_all(folder: Path) -> Path:
    """A folder with files of every set, some packed, and one that is none."""
    write_lines(folder / "a.jsonl.gz", locomo())
    write_lines(folder / "b.jsonl", longmemeval_sessions())
    write_lines(folder / "c.jsonl.gz", longmemeval_questions())
    write_lines(folder / "d.jsonl", beam())
    write_lines(folder / "e.jsonl", xquad())
    (folder / "README.md").write_text("not data")
    return folder


def item(id: str, text: str, session: str = "s1", speaker: str = "user") -> Item:
    """An item of the user's."""
    return Item(id, session, speaker, Role.USER, NOON, text)


def haystack(items: Sequence[Item], questions: Sequence[Question]) -> Haystack:
    """An English haystack."""
    return Haystack("toy", "en", tuple(items), tuple(questions))


def question(text: str, *gold: str) -> Question:
    """A question with its gold."""
    return Question("q", text, "all", gold, NOON)
