"""Secrets by what is said of them, in both languages, and what is said without telling one."""

from __future__ import annotations

import time

import pytest

from reverie.screen.statements import statements


def told(text: str) -> list[tuple[str, str]]:
    return list(dict.fromkeys((span.kind, text[span.start : span.end]) for span in statements(text)))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("my wifi password is Tr0ub4dor&3!", "password", "Tr0ub4dor&3!"),
        ("wifi şifremiz Mavi.Kus77, unutma", "password", "Mavi.Kus77"),
        ("Password: Hk29dkKd8s", "password", "Hk29dkKd8s"),
        ("Parola: Hk29dkKd8s", "password", "Hk29dkKd8s"),
        ('the password for the router was changed to "blue horse lake"', "password", "blue horse lake"),
        ("yeni parolam kedi2019! oldu", "password", "kedi2019!"),
        ("my password is sunflower.", "password", "sunflower"),
        ("Netflix şifresi: Gunes42yaz", "password", "Gunes42yaz"),
        ("my password is password123", "password", "password123"),
        ("şifrem password123", "password", "password123"),
        ("my pin is 4821", "pin", "4821"),
        ("pin kodum 4821", "pin", "4821"),
        ("the cvv is 913", "card-code", "913"),
        ("güvenlik kodu 913", "card-code", "913"),
        ("verification code: 482913", "one-time-code", "482913"),
        ("doğrulama kodu: 482913", "one-time-code", "482913"),
        ("the weather api key is 8f7d6s5a4f3d", "api-key", "8f7d6s5a4f3d"),
        ("api anahtarım 8f7d6s5a4f3d'dir", "api-key", "8f7d6s5a4f3d"),
        ("DB_PASSWORD=s3cr3tPwd99", "password", "s3cr3tPwd99"),
        ('{"clientSecret": "q8w7e6r5t4y3"}', "secret-key", "q8w7e6r5t4y3"),
        ("Authorization: Bearer kd83jfKd93jfKd0", "token", "kd83jfKd93jfKd0"),
        ("erişim belirteci: kd83jfKd93jfKd0", "token", "kd83jfKd93jfKd0"),
        ('<add key="DbPassword" value="Kx93!jd"/>', "password", "Kx93!jd"),
        ("banka kartımın şifresi 4821", "pin", "4821"),
        ("kredi kartı şifrem 4821'dir", "pin", "4821"),
        ("PIN'im 482910", "pin", "482910"),
        ("telefonun pinim 4821", "pin", "4821"),
        ("2FA secret JBSWY3DPEHPK3PXP", "one-time-secret", "JBSWY3DPEHPK3PXP"),
        ("my authenticator setup key is jbsw y3dp ehpk 3pxp", "one-time-secret", "jbsw y3dp ehpk 3pxp"),
        ("Mavi.Kus77 is my wifi password", "password", "Mavi.Kus77"),
        ("Mavi.Kus77 bizim wifi şifremiz", "password", "Mavi.Kus77"),
        ("0x" + "4c0883a69102937d" * 4 + " is my private key", "private-key", "0x" + "4c0883a69102937d" * 4),
    ],
)
def test_a_secret_that_is_told_is_found(text: str, kind: str, value: str) -> None:
    """The value alone, with the kind it was called."""
    assert told(text) == [(kind, value)]


def test_the_words_of_a_wallet_are_found() -> None:
    """Twelve words after "seed phrase", and after "kurtarma kelimeleri"."""
    words = "witch collapse practice feed shame open despair creek road again ice least"
    assert told(f"seed phrase: {words}") == [("seed-phrase", words)]
    assert told(f"kurtarma kelimelerim şunlar: {words}") == [("seed-phrase", words)]
    assert told(f'"mnemonic": "{words}"') == [("seed-phrase", words)]


@pytest.mark.parametrize(
    "text",
    [
        "The password is important, choose a strong one.",
        "Şifre önemlidir, güçlü bir tane seç.",
        "my password is wrong.",
        "şifrem yanlış",
        "I forgot the password to my account in 2019",
        "2019'da hesabımın şifresini unuttum",
        "password = request.form['password']",
        "token = jwt.encode({'id': user.id}, key)",
        'password = "password123"',
        'sifre = "sifre123"',
        "api_key: YOUR_API_KEY",
        "API_KEY=${API_KEY}",
        "api_key: <API_KEY_1>",
        "accessToken: squareAccessToken",
        "the token limit is 4096 words",
        "hash the password with sha256",
        "The key to happiness is patience.",
        "Mutluluğun anahtarı sabırdır.",
        "PIN code 560001, Bangalore",
        "passwordError.textContent = 'Password cannot exceed 50 characters.'",
        "our recovery phrase for bad days is to breathe and count slowly until the storm has passed over",
        "the token is valid until 2024-05-01",
        '<add key="PasswordLength" value="12chars"/>',
        '<add key="RequirePassword" value="true"/>',
        "kart şifresi 4 haneli olmalı",
        "kartımın şifresini 3 kez yanlış girdim",
        "PIN'im 2019'dan beri aynı",
        "2FA secret SHOULDNEVERBESHARED",
        "my 2fa key that will make sure only two of them open it",
        "a mnemonic: every good boy deserves fudge",
        "Security2024 is our password manager",
        "what is my password",
    ],
)
def test_speaking_of_secrets_tells_none(text: str) -> None:
    """States, code, stand-ins, and words that mean something else."""
    assert told(text) == []


@pytest.mark.parametrize(
    "piece", ["password ", "password is ", "şifrem ", "seed phrase ", "api_key=", 'token: "', "my "]
)
def test_a_long_text_takes_no_more_than_seconds(piece: str) -> None:
    """However often a secret is announced and not told."""
    text = (piece * (200_000 // len(piece) + 1))[:200_000]
    start = time.process_time()
    for _ in statements(text):
        pass
    assert time.process_time() - start < 4
