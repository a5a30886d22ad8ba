from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.screen.cases import secrets
from reverie.screen import secret_forms as room
from reverie.screen.pipeline import screen
from reverie.screen.secret_forms import tokens, written
from reverie.screen.values import ScreenSettings
from tests.screen.long_texts import repeated
from tests.spoken import NEITHER, english, neither, turkish


def kinds(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in tokens(text)]


@pytest.mark.parametrize(
    ("before", "after"),
    [*english(('key="', '", region')), *turkish(("anahtar ", "."), ("yenisi ", "'dir, eskisi iptal"))],
)
def test_a_token_is_told_with_its_kind_and_bounds(before: str, after: str) -> None:
    """The token alone, not what stands around it."""
    key = "AKIA" + "Q3EGRTVBYT6K7HWZ"
    assert kinds(f"{before}{key}{after}") == [("aws-access-key", key)]


@NEITHER
def test_every_kind_with_a_known_beginning_is_told() -> None:
    """One of each of the formats that need no words around them."""
    missed = [case.kind for case in secrets(60, 3) if case.group == "shape" and not kinds(case.text)]
    assert missed == []


@NEITHER
def test_kinds_without_a_rule_are_told_by_chance() -> None:
    """Formats the lists do not hold are found for nine in ten."""
    held = [case for case in secrets(600, 4) if case.group == "heldout"]
    assert sum(bool(kinds(case.text)) for case in held) >= 0.9 * len(held)


@NEITHER
def test_a_private_key_goes_whole() -> None:
    """From its first line to its last; without the last, as far as the key reaches."""
    whole = "-----BEGIN RSA PRIVATE KEY-----\nQUJD\nREVG\n-----END RSA PRIVATE KEY-----"
    assert kinds(f"see\n{whole}\nbye") == [("private-key", whole)]
    cut = "-----BEGIN PRIVATE KEY-----\nQUJDREVG\n"
    assert kinds(cut + "(cut)") == [("private-key", cut)]
    assert kinds("-----BEGIN PUBLIC KEY-----\nQUJD\n-----END PUBLIC KEY-----") == []


@NEITHER
def test_the_password_in_an_address_is_told() -> None:
    """It alone; a variable or an example in its place is left."""
    assert kinds("postgres://app:Zx9kWq2LmP@db/shop") == [("password", "Zx9kWq2LmP")]
    assert kinds("postgres://app:${DB_PASS}@db/shop postgres://user:password@localhost/db") == []


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "AKIA" + "IOSFODNN7EXAMPLE is the one of the manual",
            "scikit-learn flask-bootstrap task-management-system-for-students",
        ),
        *turkish(
            "kılavuzdaki " + "AKIA" + "IOSFODNN7EXAMPLE'dır, gerçeği değil", "ogrenciler-icin-gorev-yonetim-sistemi"
        ),
        *neither(
            'integrity="sha384-w76AqPfDkMBDXo30jS1Sgez6pr3x5MlQ1ZAGC+nuZB+EYdgRZgiwxhTBTkF7CXvN"',
            "https://docs.net/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
            "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" + "AAAAIGn3fPq0Zl8xJ7d5x9bK2mV4tR6yU8iO0pQwErTyUiOp deniz@ev",
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        ),
    ],
)
def test_what_only_looks_long_is_left(text: str) -> None:
    """Examples of manuals, checksums, ids in addresses, names of packages, pictures."""
    assert kinds(text) == []


@pytest.mark.parametrize(
    "piece", neither("a", "a-", "AKIA", "eyJ", "://a:", "-----BEGIN PRIVATE KEY-----", "0123456789abcdef", "sk-")
)
def test_a_long_text_takes_no_more_than_seconds(piece: str) -> None:
    """No pattern goes over a long text again and again."""
    text = repeated(piece)
    start = time.process_time()
    for _ in tokens(text):
        pass
    assert time.process_time() - start < 4


@NEITHER
@given(st.text("aZ09_./=~$: \n\u2003é", max_size=60))
@example("a" * 16)
def test_a_run_stands_in_a_long_word(text: str) -> None:
    """Texts without a word of so many signs are passed over: none of them holds a run."""
    assert not room._RUN.search(text) or max(map(len, text.split())) >= room._RUN_MIN


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in written(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        *neither(
            ("curl -u admin:Tr0ub4dor https://x.example/api", "password", "Tr0ub4dor"),
            ("curl -s --user 'deniz:Kara!Kedi9' https://x.example", "password", "Kara!Kedi9"),
            ("sshpass -p X7kdj2 ssh root@gate", "password", "X7kdj2"),
            ("sshpass -p 'mavi kus 77' scp a b:", "password", "mavi kus 77"),
            ("mysql -u root -pMavi77 shop", "password", "Mavi77"),
            ("redis-cli -h cache -a 2nfr5pyzPCB9 ping", "password", "2nfr5pyzPCB9"),
            ("machine git.example login deniz password kX93jdkQ", "password", "kX93jdkQ"),
            ("machine h\n  login u\n  password p\n", "password", "p"),
            ("otpauth://totp/Shop:deniz?issuer=Shop&secret=JBSWY3DPEHPK3PXP", "one-time-secret", "JBSWY3DPEHPK3PXP"),
            ("WIFI:T:WPA;S:EvAgi;P:kedi1234;;", "password", "kedi1234"),
            (r"WIFI:S:Ev\;P:Agi;T:WPA;P:k\;di1234;H:false;;", "password", r"k\;di1234"),
        ),
        *turkish(("`mysqldump -uroot -pMavi77`, dedi", "password", "Mavi77")),
    ],
)
def test_a_program_s_secret_is_found(text: str, kind: str, value: str) -> None:
    """The value alone; and what was masked is not masked anew."""
    assert found(text) == [(kind, value)]
    once = screen(text, ScreenSettings())
    assert value not in once.text.split()
    assert screen(once.text, ScreenSettings()).text == once.text


@pytest.mark.parametrize(
    "text",
    [
        *neither(
            "curl -u $USER:$PASS https://x.example",
            "curl https://x.example; docker run -u 1000:1000 shop",
            'sshpass -p "$PW" ssh gate',
            "mysql -u root -p shop",
            "mysql -u root -p.",
            "docker run --name db mysql -p3306:3306",
            "tar -pxvf a.tar && mkdir -p src/main",
            "WIFI:T:nopass;S:Guest;;",
            "otpauth://totp/Shop?secret=<base32>",
        ),
        *english(
            "curl -u user:password https://x.example",
            "sshpass -p <password> ssh gate",
            "mysql -pYOUR_PASSWORD",
            "I went to the machine and used my login and password",
            "WIFI: the password is on the fridge; ask me;",
        ),
        *turkish(
            "curl -u kullanici:parola https://x.example",
            "sshpass -p <parola> ssh gate",
            "mysql -pPAROLANI_BURAYA_YAZ",
            "machine yazan yere login ile password bilgilerini girdim",
            "WIFI: şifre buzdolabının üstünde; bana sor;",
        ),
    ],
)
def test_a_command_without_a_secret_tells_none(text: str) -> None:
    """Variables, stand-ins, ports, other programs, and words."""
    assert found(text) == []


@pytest.mark.parametrize(
    "piece", neither("curl -u a", "mysql -p ", "machine a login b ", "otpauth://a?a&", "WIFI:S:a;", "sshpass -p ")
)
def test_a_long_text_takes_no_more_than_seconds_in_written(piece: str) -> None:
    """However often a form begins and does not end."""
    text = repeated(piece)
    start = time.process_time()
    for _ in written(text):
        pass
    assert time.process_time() - start < 4
