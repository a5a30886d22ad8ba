from __future__ import annotations

import random
import string
import time

import pytest

from reverie.language.text.letters import plain
from reverie.screen import secrecy
from reverie.screen.secrecy import is_example, is_nothing, is_placeholder, is_random, is_strict, looks_secret
from tests.spoken import NEITHER, english, neither, turkish


@pytest.mark.parametrize(
    "value",
    [
        *english("YOUR_API_KEY", "<your-token>"),
        *turkish("buraya_yaz", "ŞİFRENİZİ_BURAYA_YAZIN", "<senin_anahtarın>"),
        *neither("xxxxxxxxxxxx", "AKIAXXXXXXXXXXXXXXXX"),
    ],
)
def test_stand_ins_are_known(value: str) -> None:
    """What documentation writes where a secret would stand."""
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    [
        *english("password123", "my_secret_key", "jwt-secret-key", "admin@123"),
        *turkish("parola123", "gizli_anahtar", "YeniŞifrem1", "yönetici@123", "geçersiz-token"),
        *neither("12345678"),
    ],
)
def test_examples_of_tutorials_are_known(value: str) -> None:
    """Put together from the words that tutorials use."""
    assert is_example(value)
    assert not is_example(value + "Qx7vR")


@NEITHER
def test_a_hostile_example_takes_no_time() -> None:
    """Words that overlap, over and over, and then no end."""
    start = time.process_time()
    assert not is_example("password" * 5000 + "~Q~")
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("signs", "least"),
    neither((string.ascii_letters + string.digits, 190), (string.ascii_lowercase + string.digits, 180)),
)
def test_chance_is_told_from_names(signs: str, least: int) -> None:
    """Of two hundred strings by chance nearly all are seen as such; fewer where there are no capitals."""
    chance = random.Random(7)
    made = ["".join(chance.choices(signs, k=36)) for _ in range(200)]
    assert sum(map(is_random, made)) >= least


@pytest.mark.parametrize(
    "value",
    [
        *english(
            "getUserById2FromDatabaseConnection",
            "test_user_can_login_with_oauth2_and_refresh",
            "SQLALCHEMY_TRACK_MODIFICATIONS_2024",
        ),
        *turkish(
            "kullaniciyiKimlik2IleVeritabanindanGetir",
            "test_kullanici_oauth2_ile_girip_oturumu_yeniler",
            "MUVAFFAKİYETSİZLEŞTİRİCİLERDEN_2024",
        ),
        *neither(
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "123e4567-e89b-12d3-a456-426614174000",
            "commit-da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "anticonstitutionnellement",
        ),
    ],
)
def test_names_sums_and_ids_are_no_chance_strings(value: str) -> None:
    """Identifiers, commits, checksums and the usual ids are left."""
    assert not is_random(value)


@pytest.mark.parametrize(
    "value",
    [
        *english("Tr0ub4dor&3", "blue-Horse!lake"),
        *turkish("mavi.Kus77", "kedi2019!", "GüneşliGün!"),
        *neither("9f8a7s6d5f"),
    ],
)
def test_passwords_look_secret(value: str) -> None:
    """A digit or sign among letters."""
    assert looks_secret(value)


@pytest.mark.parametrize(
    "value",
    [
        *english("important"),
        *turkish("şifreniz", "unutulmuş", "hatırlayamıyorum"),
        *neither(
            "10:30",
            "2024-05-01",
            "get_token()",
            "os.environ",
            "https://a.b/c",
            "ada@kod.com",
            "abc",
            "3.5mb",
        ),
    ],
)
def test_words_dates_code_and_addresses_do_not(value: str) -> None:
    """What follows "the password is" without being one."""
    assert not looks_secret(value)


@pytest.mark.parametrize("word", [*english("wrong", "Broken.", "words"), *turkish("yanlış", "Bozuk.", "kelime")])
def test_what_is_said_of_passwords_is_known(word: str) -> None:
    """With the marks around it and a capital."""
    assert is_nothing(word)
    assert not is_nothing("Mavi.Kus77")


@NEITHER
def test_a_name_of_code_is_no_secret_in_doubt() -> None:
    """A variable and an example look like passwords and are none where nothing else tells."""
    assert is_strict("maVi_1903")
    assert not any(map(is_strict, ("userToken", "db_pass2", "password123", "sha256")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("my SIM PIN", True), ("bank card PIN", True), ("I lost my card. The PIN", False), ("postal PIN", False)
        ),
        *turkish(
            ("telefonumun PIN", True),
            ("kartının PIN", True),
            ("ekran kilidi PIN", True),
            ("Telefonum bozuldu. Onun PIN", False),
            ("posta PIN", False),
        ),
    ],
)
def test_what_is_opened_stands_before_the_naming(text: str, expected: bool) -> None:
    """In the same clause."""
    low = plain(text)
    assert secrecy.is_locked_before(low, low.index("pin")) is expected


@pytest.mark.parametrize(
    ("text", "expected"), [*english(("the PIN for my phone is", True), ("the PIN of the town is", False))]
)
def test_what_is_opened_stands_around_the_naming(text: str, expected: bool) -> None:
    """English names it before or after."""
    low = plain(text)
    assert secrecy.is_locked(low, low.index("pin"), len(low)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [*turkish(("telefonumun şifresi", True), ("kızımızın Netflix şifresi", True), ("telefonun şifresi", False))],
)
def test_something_of_ones_own_has_it(text: str, expected: bool) -> None:
    """Turkish says so by an ending."""
    low = plain(text)
    assert secrecy.is_of_mine(low, low.index("sifre")) is expected
