"""Secrets in the forms of programs, and commands that tell none."""

from __future__ import annotations

import time

import pytest

from reverie.screen.pipeline import screen
from reverie.screen.secret_forms import written
from reverie.screen.values import ScreenSettings
from tests.screen.long_texts import repeated
from tests.spoken import english, neither, turkish


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
def test_a_long_text_takes_no_more_than_seconds(piece: str) -> None:
    """However often a form begins and does not end."""
    text = repeated(piece)
    start = time.process_time()
    for _ in written(text):
        pass
    assert time.process_time() - start < 4
