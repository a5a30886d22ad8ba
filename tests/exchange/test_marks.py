import pytest

from reverie.exchange.chatgpt import without_marks
from tests.spoken import english, neither, turkish


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *english(
            (
                "Tea grows in Rize\ue200cite\ue202turn0search1\ue202turn0search4\ue201. It rains.",
                "Tea grows in Rize. It rains.",
            ),
            ("It rains 【12†source】【4:0†notes.pdf】 a lot.", "It rains a lot."),
            ("\ue203It rains a lot.\ue204 \ue202turn0news12\ue206", "It rains a lot."),
        ),
        *turkish(
            (
                "Çay Rize'de yetişir \ue200filecite\ue202turn0file1\ue202L3-L9\ue201, yağmur boldur.",
                "Çay Rize'de yetişir, yağmur boldur.",
            ),
            ("Yağmur boldur 【3†kaynak】.", "Yağmur boldur."),
            ("\ue200i\ue202turn0image0\ue201\nYağmur boldur.", "Yağmur boldur."),
        ),
    ],
)
def test_what_stands_for_a_source_goes_with_the_space_before_it(text: str, words: str) -> None:
    """Of every kind that shows no words of its own."""
    assert without_marks(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *english(
            ('It rains in \ue200entity\ue202["city","Rize","on the Black Sea"]\ue201.', "It rains in Rize."),
            ("See \ue200url\ue202the forecast\ue202https://x.example\ue201 first.", "See the forecast first."),
        ),
        *turkish(
            ('Yağmur \ue200entity\ue202["city","Rize","Karadeniz"]\ue201 üzerinde.', "Yağmur Rize üzerinde."),
            ("Önce \ue200url\ue202tahmine\ue202https://x.example\ue201 bak.", "Önce tahmine bak."),
        ),
    ],
)
def test_words_that_a_mark_wraps_stay(text: str, words: str) -> None:
    """They belong to the sentence."""
    assert without_marks(text) == words


@pytest.mark.parametrize(
    "text", [*english(" a\n 【note】 [12] † "), *turkish(" çay\n 【not】 [12] † "), *neither("", "\ue300", "【12】")]
)
def test_what_is_no_mark_stays_as_it_is(text: str) -> None:
    """Brackets, daggers and other characters of private use, and every space."""
    assert without_marks(text) == text


@pytest.mark.parametrize("part", neither("", "[", "[]", '["city"]', '["city",1]', "{}", "[" * 100_000))
def test_an_entity_that_cannot_be_read_is_no_error(part: str) -> None:
    """It goes like any other mark; so do a mark that never ends and ends alone, whose words stay."""
    assert without_marks(f"a \ue200entity\ue202{part}\ue201b") == "ab"
    assert without_marks("a \ue200cite b") == "a cite b"
    assert without_marks("a\ue201\ue202 b") == "a b"


def test_many_blanks_are_gone_through_once() -> None:
    """A padded answer takes no longer than its length; with each blank looked at anew it took minutes."""
    padded = "\u3010" + " " * 200_000 + "x"
    assert without_marks(padded) == padded


def test_an_answer_that_begins_with_code_keeps_its_indentation() -> None:
    """Only what the mark leaves behind goes."""
    assert without_marks("    x = 1 \u301012\u2020source\u3011") == "    x = 1"
