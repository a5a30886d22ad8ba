import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.faces.cli.timers import Cron, NightlyRun, Systemd

ODD = "a b\"c'd$HOME%n${x}`id`;&|#~İğ\\"


def night(*command: str, folder: str = "/data/Şule's 100%") -> NightlyRun:
    return NightlyRun(command, Path(folder), 3, 30, "k3y", "Reverie's nightly dream of a/u/p")


def unquoted(line: str) -> list[str]:
    """The words of an ExecStart as systemd reads them: quotes, backslashes, then specifiers and dollars."""
    words, word, inside, escaped = [], "", False, False
    for sign in line:
        if escaped:
            word, escaped = word + sign, False
        elif sign == "\\":
            escaped = True
        elif sign == '"':
            inside = not inside
        elif sign == " " and not inside:
            words, word = [*words, word], ""
        else:
            word += sign
    return [one.replace("%%", "%").replace("$$", "$") for one in [*words, word]]


@pytest.mark.req("D25")
def test_a_unit_says_what_where_and_when() -> None:
    """The service runs the command once in its folder; the timer wakes it every night, later if the machine slept."""
    (_, service), (_, timer) = Systemd(Path("units")).texts(night("/bin/reverie", "dream"))
    assert "WorkingDirectory=/data/Şule's 100%%\n" in service
    assert 'ExecStart="/bin/reverie" "dream"\n' in service
    assert "OnCalendar=*-*-* 03:30:00\nPersistent=true\n" in timer


def test_a_crontab_line_says_the_same() -> None:
    """With a mark at its end by which it is found again."""
    [(_, line)] = Cron().texts(night("/bin/reverie", "dream", "--user=O'Neil 5%"))
    assert line.startswith("30 3 * * * cd '/data/Şule'\"'\"'s 100\\%' && /bin/reverie dream ")
    assert line.endswith(" # reverie-dream-k3y\n")


@settings(max_examples=150)
@given(st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1))
def test_a_words_quotes_are_only_quotes_to_systemd(word: str) -> None:
    """Whatever printable text a scope is called by, the command gets it back."""
    (_, service), _ = Systemd(Path("units")).texts(night("/bin/reverie", word, ODD))
    line = service.split("ExecStart=")[1].removesuffix("\n")
    assert unquoted(line) == ["/bin/reverie", word, ODD]
    assert "\n" not in line


@settings(max_examples=25)  # each runs a shell
@given(st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="\\", include_characters=" ")))
def test_a_words_quotes_are_only_quotes_to_a_shell(tmp_path_factory: pytest.TempPathFactory, word: str) -> None:
    """Cron takes the backslash off a per cent sign and hands the rest to a shell."""
    folder = tmp_path_factory.mktemp("it's a folder")
    [(_, line)] = Cron().texts(night("printf", "%s", word, folder=str(folder)))
    command = line.split(" * * * ", 1)[1].replace("\\%", "%")
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True)
    assert done.stdout.decode() == word


@pytest.mark.parametrize("word", ["two\nlines", "bell\x07", "\ud800", "turned\u202e"])
@pytest.mark.parametrize("timer", [Systemd(Path("units")), Cron()], ids=["systemd", "cron"])
def test_what_a_line_cannot_carry_is_refused(timer: Systemd | Cron, word: str) -> None:
    """Before anything is written."""
    with pytest.raises(InvalidInput):
        timer.texts(night("/bin/reverie", word))
    with pytest.raises(InvalidInput):
        timer.texts(night("/bin/reverie", folder=f"/data/{word}"))


def test_a_folder_that_would_run_on_is_refused() -> None:
    """A backslash at the end of a unit's line would join it with the next; crons differ in backslashes."""
    with pytest.raises(InvalidInput):
        Systemd(Path("units")).texts(night("/bin/reverie", folder="/data/odd\\"))
    with pytest.raises(InvalidInput):
        Cron().texts(night("/bin/reverie", folder="/data/o\\dd"))


def test_shells_agree_with_us_about_the_odd_word() -> None:
    """The test's own word is one that only a careful quoting survives."""
    assert shlex.split(shlex.quote(ODD)) == [ODD]
