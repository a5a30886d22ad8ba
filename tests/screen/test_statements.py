"""Secrets by what is said of them, in both languages, and what is said without telling one."""

from __future__ import annotations

import time

import pytest

from reverie.screen.secret_statements import statements
from tests.screen.long_texts import repeated
from tests.spoken import english, neither, turkish

WALLET = "0x" + "4c0883a69102937d" * 4


def told(text: str) -> list[tuple[str, str]]:
    return list(dict.fromkeys((span.kind, text[span.start : span.end]) for span in statements(text)))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        *english(
            ("my wifi password is Tr0ub4dor&3!", "password", "Tr0ub4dor&3!"),
            ("Password: Hk29dkKd8s", "password", "Hk29dkKd8s"),
            ('the password for the router was changed to "blue horse lake"', "password", "blue horse lake"),
            ("my password is sunflower.", "password", "sunflower"),
            ("my password is password123", "password", "password123"),
            ("my pin is 4821", "pin", "4821"),
            ("the cvv is 913", "card-code", "913"),
            ("verification code: 482913", "one-time-code", "482913"),
            ("the weather api key is 8f7d6s5a4f3d", "api-key", "8f7d6s5a4f3d"),
            ("DB_PASSWORD=s3cr3tPwd99", "password", "s3cr3tPwd99"),
            ('{"clientSecret": "q8w7e6r5t4y3"}', "secret-key", "q8w7e6r5t4y3"),
            ("Authorization: Bearer kd83jfKd93jfKd0", "token", "kd83jfKd93jfKd0"),
            ('<add key="DbPassword" value="Kx93!jd"/>', "password", "Kx93!jd"),
            ("2FA secret JBSWY3DPEHPK3PXP", "one-time-secret", "JBSWY3DPEHPK3PXP"),
            ("my authenticator setup key is jbsw y3dp ehpk 3pxp", "one-time-secret", "jbsw y3dp ehpk 3pxp"),
            ("Mavi.Kus77 is my wifi password", "password", "Mavi.Kus77"),
            (f"{WALLET} is my private key", "private-key", WALLET),
        ),
        *turkish(
            ("wifi şifremiz Mavi.Kus77, unutma", "password", "Mavi.Kus77"),
            ("Parola: Hk29dkKd8s", "password", "Hk29dkKd8s"),
            ("yeni parolam kedi2019! oldu", "password", "kedi2019!"),
            ("şifremi Mavi.Kus77 olarak değiştirdim", "password", "Mavi.Kus77"),
            ("e-devlet şifrem Mavi.Kus77'ydi", "password", "Mavi.Kus77"),
            ("ŞİFREM Mavi.Kus77", "password", "Mavi.Kus77"),
            ("Netflix şifresi: Gunes42yaz", "password", "Gunes42yaz"),
            ("şifrem password123", "password", "password123"),
            ("pin kodum 4821", "pin", "4821"),
            ("banka kartımın şifresi 4821", "pin", "4821"),
            ("kredi kartı şifrem 4821'dir", "pin", "4821"),
            ("PIN'im 482910", "pin", "482910"),
            ("telefonun pinim 4821", "pin", "4821"),
            ("güvenlik kodu 913", "card-code", "913"),
            ("kartın arkasındaki güvenlik kodu 913'tü", "card-code", "913"),
            ("cvv kodum 913", "card-code", "913"),
            ("doğrulama kodu: 482913", "one-time-code", "482913"),
            ("api anahtarım 8f7d6s5a4f3d'dir", "api-key", "8f7d6s5a4f3d"),
            ("VERITABANI_SIFRESI=s3cr3tPwd99", "password", "s3cr3tPwd99"),
            ('{"gizliAnahtar": "q8w7e6r5t4y3"}', "secret-key", "q8w7e6r5t4y3"),
            ("erişim belirteci: kd83jfKd93jfKd0", "token", "kd83jfKd93jfKd0"),
            ('<add key="VeritabaniParolasi" value="Kx93!jd"/>', "password", "Kx93!jd"),
            ("iki adımlı doğrulama anahtarım JBSWY3DPEHPK3PXP", "one-time-secret", "JBSWY3DPEHPK3PXP"),
            ("doğrulayıcı uygulamanın kurulum anahtarı jbsw y3dp ehpk 3pxp", "one-time-secret", "jbsw y3dp ehpk 3pxp"),
            ("Mavi.Kus77 bizim wifi şifremiz", "password", "Mavi.Kus77"),
            (f"{WALLET} benim özel anahtarım", "private-key", WALLET),
        ),
    ],
)
def test_a_secret_that_is_told_is_found(text: str, kind: str, value: str) -> None:
    """The value alone, with the kind it was called."""
    assert told(text) == [(kind, value)]


@pytest.mark.parametrize(
    "before", [*english("seed phrase: ", '"mnemonic": "'), *turkish("kurtarma kelimelerim şunlar: ", "gizli ifadem ")]
)
def test_the_words_of_a_wallet_are_found(before: str) -> None:
    """Twelve words after what a wallet calls them."""
    words = "witch collapse practice feed shame open despair creek road again ice least"
    assert told(f"{before}{words}") == [("seed-phrase", words)]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "The password is important, choose a strong one.",
            "my password is wrong.",
            "I forgot the password to my account in 2019",
            "password = request.form['password']",
            "token = jwt.encode({'id': user.id}, key)",
            'password = "password123"',
            "api_key: YOUR_API_KEY",
            "API_KEY=${API_KEY}",
            "api_key: <API_KEY_1>",
            "accessToken: squareAccessToken",
            "the token limit is 4096 words",
            "hash the password with sha256",
            "The key to happiness is patience.",
            "PIN code 560001, Bangalore",
            "passwordError.textContent = 'Password cannot exceed 50 characters.'",
            "our recovery phrase for bad days is to breathe and count slowly until the storm has passed over",
            "the token is valid until 2024-05-01",
            '<add key="PasswordLength" value="12chars"/>',
            '<add key="RequirePassword" value="true"/>',
            "2FA secret SHOULDNEVERBESHARED",
            "my 2fa key that will make sure only two of them open it",
            "a mnemonic: every good boy deserves fudge",
            "Security2024 is our password manager",
            "what is my password",
        ),
        *turkish(
            "Şifre önemlidir, güçlü bir tane seç.",
            "şifrem yanlış",
            "2019'da hesabımın şifresini unuttum",
            "parola = istek.form['parola']",
            "jeton = jwt.encode({'id': kullanici.id}, anahtar)",
            'sifre = "sifre123"',
            "api_anahtari: ANAHTARINI_BURAYA_YAZ",
            "API_ANAHTARI=${API_ANAHTARI}",
            "api_anahtari: <API_ANAHTARI>",
            "erisimBelirteci: magazaErisimBelirteci",
            "jeton sınırı 4096 sözcük",
            "şifreyi sha256 ile karmala",
            "Mutluluğun anahtarı sabırdır.",
            "sifreHatasi.textContent = 'Şifre 50 karakteri geçemez.'",
            "zor günler için kurtarma ifademiz derin nefes alıp fırtına dinene kadar yavaş yavaş yüze kadar saymak",
            "jeton 2024-05-01'e kadar geçerli",
            '<add key="ParolaUzunlugu" value="12karakter"/>',
            '<add key="ParolaZorunlu" value="true"/>',
            "kart şifresi 4 haneli olmalı",
            "kartımın şifresini 3 kez yanlış girdim",
            "PIN'im 2019'dan beri aynı",
            "iki adımlı doğrulama anahtarı PAYLASILMAMALI",
            "şifreniz en az 8 karakterden oluşmalı",
            "doğrulama kodu 5 dakika geçerli",
            "Güvenlik2024 bizim parola yöneticimiz",
            "şifrem neydi",
        ),
    ],
)
def test_speaking_of_secrets_tells_none(text: str) -> None:
    """States, code, stand-ins, and words that mean something else."""
    assert told(text) == []


@pytest.mark.parametrize(
    "piece",
    [
        *english("password ", "password is ", "seed phrase ", "my "),
        *turkish("şifrem ", "parolam: ", "kurtarma kelimelerim ", "benim "),
        *neither("api_key=", 'token: "'),
    ],
)
def test_a_long_text_takes_no_more_than_seconds(piece: str) -> None:
    """However often a secret is announced and not told."""
    text = repeated(piece)
    start = time.process_time()
    for _ in statements(text):
        pass
    assert time.process_time() - start < 4


@pytest.mark.parametrize(
    ("text", "values"),
    [
        *english(
            ("my pw is wUbbYrEqm7", ["wUbbYrEqm7"]),
            ("pass: SM9wCZ7Uw7", ["SM9wCZ7Uw7"]),
            ("login: admin pass: Welcome2024", ["Welcome2024"]),
            ("pass phrase: blue-horse-staple-99", ["blue-horse-staple-99"]),
            ("Use Kedi1234! as the password.", ["Kedi1234!"]),
            ("user selin password GulRose!77", ["GulRose!77"]),
            ("my password used to be GulRose77 but now it's RoseGul88", ["GulRose77", "RoseGul88"]),
            ("my old password was Kedi1234! and now it's Kopek5678!", ["Kedi1234!", "Kopek5678!"]),
            ("my bank password is 147258.", ["147258"]),
            ("My phone unlock code is 2580", ["2580"]),
            ("One-time password: 771203", ["771203"]),
            ("my 2FA backup codes are 83920-11823, 55102-77410", ["83920-11823", "55102-77410"]),
            ("my backup codes are 3037-9022 3037-9023", ["3037-9022", "3037-9023"]),
            ("recovery codes: kxpd1734, efgh5678, and ijkl9012", ["kxpd1734", "efgh5678", "ijkl9012"]),
            ("backup codes:\n1. 83920174\n2. 55019283", ["83920174", "55019283"]),
            ("my backup code is 83920174 iphone12 has it", ["83920174"]),
            ("the PIN for my phone is 482193", ["482193"]),
            ("our sim pin: 482193", ["482193"]),
            ("The wifi code for guests is maVi_1903", ["maVi_1903"]),
            ("guest wi-fi key: maVi_1903", ["maVi_1903"]),
        ),
        *turkish(
            ("şfr: Kedi1234!", ["Kedi1234!"]),
            ("kullanıcı adı: admin pass: Welcome2024", ["Welcome2024"]),
            ("Kedi1234! benim parolam.", ["Kedi1234!"]),
            ("kullanıcı selin parola GulRose!77", ["GulRose!77"]),
            ("eski parolam GulRose77'ydi ama artık RoseGul88", ["GulRose77", "RoseGul88"]),
            ("eski şifrem Kedi1234! idi, şimdi Kopek5678! oldu", ["Kedi1234!", "Kopek5678!"]),
            ("banka şifrem 147258", ["147258"]),
            ("İnternet bankacılığı şifremiz 739154 oldu", ["739154"]),
            ("Telefonumun kilit kodu 2580", ["2580"]),
            ("Tek kullanımlık şifreniz: 771203", ["771203"]),
            ("yedek kodlarım 83920-11823, 55102-77410", ["83920-11823", "55102-77410"]),
            ("yedek kodlarım: 83920174 55019283 77120934", ["83920174", "55019283", "77120934"]),
            ("Kurtarma kodlarım: 83920174 ve 55019283", ["83920174", "55019283"]),
            ("yedek kodlarım:\n1. 83920174\n2. 55019283", ["83920174", "55019283"]),
            ("kurtarma kodumuz 83920174 iphone12 için", ["83920174"]),
            ("telefonumun PIN'i 482193", ["482193"]),
            ("doğrulama kodum 482193", ["482193"]),
            ("misafirler için wifi kodu maVi_1903", ["maVi_1903"]),
            ("wi-fi anahtarımız: maVi_1903", ["maVi_1903"]),
            ("wifi şifremiz turkiye!2024", ["turkiye!2024"]),
        ),
    ],
)
def test_a_secret_in_plain_words_is_found(text: str, values: list[str]) -> None:
    """Short names, what it is by now, whole lists, and digits where they are one's own."""
    assert [value for _, value in told(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "My password manager is Bitwarden.",
            "My password manager is KeePass2.",
            "My password vault is Dashlane",
            "My password hint is Fluffy",
            "The password protected file is report2024.xlsx",
            "My PIN pad is 1200 years old",
            "My pin code area is 560001",
            "pass the salt",
            "I pass: next",
            "My bus pass: AB123456",
            "pw stands for password",
            "Did you change the password KeePass2?",
            "my password is 100000 times better",
            "the pin of my area is 560001",
            "the pin for the project board has 123456 views",
            "my backup codes are stored in drawer2",
            "the wifi code is on the fridge",
        ),
        *turkish(
            "Parola yöneticimiz KeePass2.",
            "Şifre yöneticim 1Password.",
            "Parola kasam Dashlane7",
            "Parola ipucum Pamuk12",
            "Şifreli dosya rapor2024.xlsx",
            "Şifreleme yöntemi AES256bit",
            "Şifre politikamız 12karakter",
            "PIN kodu bölgesi 56001",
            "PIN cihazım 1200 yıllık",
            "tuzu uzat",
            "şfr şifre demektir",
            "Otobüs kartım: AB123456",
            "şifrem 100000 kez denendi",
            "mahallemin PIN bölgesi 560001",
            "yedek kodlarımı 2024 yılında aldım",
            "kurtarma kodlarım kasada",
            "wifi kodu buzdolabının üstünde",
        ),
    ],
)
def test_what_has_its_name_from_a_secret_is_none(text: str) -> None:
    """Managers, hints and pads; words that look like a naming; numbers of something else."""
    assert told(text) == []
