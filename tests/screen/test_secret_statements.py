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


HEX = "8f3c1b7d90ae4265b1c07de9f2a45c38"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        *english(
            ("Card 5500 0000 0000 0004 exp 12/27 CVV 473", "card-code", "473"),
            ("my visa expires 12/27, cvc 4731", "card-code", "4731"),
            (f"twilio auth token {HEX}", "token", HEX),
            (f"stripe api key `{HEX}`", "api-key", HEX),
            ("ssh ada@host with password maVi_1903", "password", "maVi_1903"),
            ("user ada pw maVi_1903", "password", "maVi_1903"),
            ("username: selin password gul1903ros", "password", "gul1903ros"),
        ),
        *turkish(
            ("Kart 5500 0000 0000 0004 son kullanma 12/27 CVV 473", "card-code", "473"),
            ("kartım 5500 0000 0000 0004, CVC 4731", "card-code", "4731"),
            (f"twilio erişim belirteci {HEX}", "token", HEX),
            (f"stripe için api anahtarım {HEX}", "api-key", HEX),
            ("ssh ada@sunucu ve şifre maVi_1903", "password", "maVi_1903"),
            ("kullanıcı ada şfr maVi_1903", "password", "maVi_1903"),
            ("kullanıcı adı selin parola gul1903ros", "password", "gul1903ros"),
        ),
    ],
)
def test_a_value_right_after_its_naming_is_found(text: str, kind: str, value: str) -> None:
    """Where it, or what was said before, leaves no doubt."""
    assert told(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "The CVC 2022 conference was great.",
            "the CVC 300 words list for kids",
            "card CVV 3 digits",
            "the token 0xdAC17F958D2ee523a2206206994597C13D831ec7 is on the chain",
            "access token expiration timestamp configuration",
            "The user forgot password Reset2",
            "ask user for password OAuth2Token",
            "log in with password manager 1Password7",
            "protect it with password AES256",
        ),
        *turkish(
            "CVV numarasını 2022 yılında değiştirdiler",
            "kartın CVV 3 haneli kodu",
            "kart güvenlik kodu üç hanelidir",
            "token 0xdAC17F958D2ee523a2206206994597C13D831ec7",
            "erişim belirteci süresi ayarlandı",
            "güvenlik kodlaması 1234 satır",
            "güvenlik kodları 2024 yılında değişti",
            "kullanıcı parola alanını boş bıraktı",
            "dosyayı şifre AES256 ile koru",
        ),
    ],
)
def test_what_only_stands_after_a_naming_is_none(text: str) -> None:
    """Years, numbers of something, addresses of a chain, names of programs."""
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        *english(
            ("SIM PIN 4821, PUK 83920147", ["4821", "83920147"]),
            ("iPhone passcode is 258014", ["258014"]),
            ("my phone password is 2580", ["2580"]),
            ("I use Galata#1453 as my password everywhere", ["Galata#1453"]),
            ("login: ada / Galata#1453", ["Galata#1453"]),
            ("Netflix: ada@example.com / Galata#1453", ["Galata#1453"]),
        ),
        *turkish(
            ("SIM kartımın pini 4821, PUK kodu 83920147", ["4821", "83920147"]),
            ("banka kartımın pini 4821", ["4821"]),
            ("telefonumun ekran kilidi şifresi 258014", ["258014"]),
            ("atm şifrem 4821", ["4821"]),
            ("her yerde Galata#1453 şifresini kullanıyorum", ["Galata#1453"]),
            ("Kullanıcı adım: ada / Galata#1453", ["Galata#1453"]),
            ("giriş: ada | Galata#1453", ["Galata#1453"]),
        ),
    ],
)
def test_what_stands_beside_what_it_opens_is_found(text: str, values: list[str]) -> None:
    """A card, a telephone, a name to log in with, or a sentence that says it is used."""
    assert sorted(value for _, value in told(text)) == values


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "the card PIN 2024 update",
            "GPIO pin 1234 is unused on my tablet",
            "my laptop password is 4 digits",
            "I use Bitwarden as my password manager everywhere",
            "login: ada / 2FA",
            "write to ada@example.com / Premium2024",
            "Login page: GET /api/v1/users",
        ),
        *turkish(
            "Bu pini 5000 liraya aldım",
            "Kartımın pini 4 haneli.",
            "Telefonumun şifresi 2024 yılında değişti.",
            "Bilgisayarımın şifresi 12345 değil.",
            "Windows10 şifresini unuttum",
            "Hesabım: ada / Premium2024",
            "Telefonumun parolası 6 haneli olmalı.",
        ),
    ],
)
def test_what_only_stands_beside_is_none(text: str) -> None:
    """Years, counts, products and plans."""
    assert told(text) == []


def told_of_plain_words(text: str) -> list[str]:
    return list(dict.fromkeys(text[span.start : span.end] for span in statements(text)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *english(
            ("my passphrase is purple monkey dishwasher lamp", "purple monkey dishwasher lamp"),
            ("our backup pass phrase: correct-horse-battery-staple.", "correct-horse-battery-staple"),
            ("My Netflix password is fluffycat", "fluffycat"),
        ),
        *turkish(
            ("parola ifadem mor maymun bulaşık lamba", "mor maymun bulaşık lamba"),
            ("Geçiş ifademiz: mavi-deniz-kuru-fincan.", "mavi-deniz-kuru-fincan"),
            ("Netflix şifrem karakartal", "karakartal"),
            ("wifi şifremiz: karakartal.", "karakartal"),
            ("Netflix parolamız karakartal oldu", "karakartal"),
        ),
    ],
)
def test_plain_words_of_ones_own_are_found(text: str, value: str) -> None:
    """One word after "my password", four and more after "my passphrase"."""
    assert told_of_plain_words(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "my passphrase is extremely long and hard to type",
            "my passphrase is seven random dictionary words",
            "my passphrase is stored inside Bitwarden vault",
            "my passphrase is saved in my head",
            "the passphrase is whatever people agree upon",
            "my password is broken.",
            "my password is locked",
        ),
        *turkish(
            "parola ifadem dört rastgele kelimeden oluşuyor",
            "parola ifadem telefonumda kayıtlı duruyor hep",
            "parola ifadem yazması zor uzun cümle",
            "şifrem telefonda",
            "Netflix şifrem annemde",
            "şifrem çalışmıyor",
            "şifrem kayboldu.",
            "parolam şaşırtıcı",
            "şifrem doğumgünüm",
            "Netflix şifrem bozuk",
            "şifrem nerede?",
        ),
    ],
)
def test_what_is_said_of_a_password_is_none(text: str) -> None:
    """Places, states, qualities and whole sentences."""
    assert told_of_plain_words(text) == []


@pytest.mark.parametrize("piece", [*english("my passphrase is purple "), *turkish("parola ifadem mor maymun ")])
def test_a_long_text_of_plain_words_takes_no_more_than_seconds(piece: str) -> None:
    """However often a passphrase is announced."""
    text = repeated(piece)
    start = time.process_time()
    for _ in statements(text):
        pass
    assert time.process_time() - start < 4


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *english(
            ("my password is correct horse battery staple", "correct horse battery staple"),
            ("my password: blue cat flying balloon", "blue cat flying balloon"),
            ("the wifi password is blue cat flying balloon", "blue cat flying balloon"),
        ),
        *turkish(
            ("Parolam doğru at pil zımba", "doğru at pil zımba"),
            ("şifrem: mavi kedi uçan balon", "mavi kedi uçan balon"),
            ("Wifi parolası mavi kedi uçan balon", "mavi kedi uçan balon"),
            ("Wifi parolamız mavi kedi uçan balon oldu", "mavi kedi uçan balon"),
        ),
    ],
)
def test_a_row_of_plain_words_is_found(text: str, value: str) -> None:
    """Four words and more after "my password is", "parolam", "wifi parolası"."""
    assert told_of_plain_words(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "my password is giving everybody trouble lately",
            "my password is written inside drawer three",
            "the wifi password is on the fridge door",
            "our password: eight characters or more please",
            "my password is one nobody would guess",
        ),
        *turkish(
            "Şifrem kızımın doğum günü tarihi",
            "Wifi parolası modemin arka yüzünde yazılı",
            "Parolam hep aynı eski parola",
            "Şifrem hatırlatır mısın lütfen abi",
            "Wifi parolası ev sahibi teyze biliyor",
            "Şifrem yine yanlış çıktı maalesef ya",
        ),
    ],
)
def test_a_sentence_is_no_row_of_plain_words(text: str) -> None:
    """Endings and small words tell it."""
    assert told_of_plain_words(text) == []
