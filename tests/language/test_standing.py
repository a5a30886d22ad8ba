"""Standing orders and preferences are told from what merely sounds like them, in English and Turkish."""

from __future__ import annotations

import pytest

from reverie.language.standing import MARKS, asks_advice, asks_record, marks, standing
from reverie.types import Kind, Role
from tests.spoken import english, neither, turkish

ORDERS = [*english("Always answer in metric units."), *turkish("Bana her zaman metrik birimlerle cevap ver.")]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Always answer in metric units.",
            "Never use emoji when you write to me.",
            "From now on, reply in short sentences.",
            "Thanks! Please list the sources whenever I ask about health.",
            "Include a diagram every time I ask about networks.",
            "I want you to always double-check the totals.",
            "From today, answer shortly.",
            "Every time I deploy, remind me of the tag.",
            "From now on I want you to keep it short.",
            "Don't recommend me anything with gluten.",
            "Always answer me in Turkish, please.",
            "give me the answer first, then the reasoning",
            "be honest with me",
            "give me weights in kg not lbs",
            "no spoilers please, ever",
            "write the Latin names of plants too",
            "Never suggest recipes that need an oven.",
            "Before you run anything, ask me.",
            "Use tabs for indentation.",
            "From now on I want you to answer in Turkish.",
        ),
        *turkish(
            "bana hep Türkçe cevap ver",
            "Asla emoji kullanma.",
            "Beni sabah dokuzdan önce asla arama.",
            "Sakın bana resmî bir dille seslenmeyin.",
            "Bundan sonra kısa cümlelerle yanıtla.",
            "Sağlık sorduğumda kaynakları da belirt.",
            "Her seferinde ağ sorularıma bir çizim ekle.",
            "Bana her zaman kısa cevaplar vermeni istiyorum.",
            "Bugünden itibaren kısa yanıtla.",
            "Ne zaman sürüm çıkarsam bana etiketi hatırlat.",
            "Bana glütenli bir şey önerme.",
            "Bundan sonra bana Türkçe cevap ver lütfen.",
            "Önce sonucu söyle sonra açıkla.",
            "Bana karşı dürüst ol.",
            "Ağırlıkları kg olarak ver, lb değil.",
            "Lütfen spoiler verme, asla.",
            "bitki adlarının latincesini de yaz",
            "Kimyasal gübre önerme bana",
            "Asla fırın gerektiren tarif önerme.",
            "Artık bana Ada de.",
            "Girinti için hep sekme kullan.",
            "KDV dahil söyle",
        ),
    ],
)
def test_an_order_stands(text: str) -> None:
    """What holds for later answers is an instruction."""
    assert standing(text) is Kind.INSTRUCTION


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I prefer pytest.",
            "For trips I'd rather take the train, you know.",
            "I tend to choose small libraries.",
            "My preference is for quiet rooms.",
        ),
        *turkish(
            "pytest kullanmayı tercih ederim.",
            "Yolculukta treni yeğlerim.",
            "Genelde küçük kütüphaneleri seçerim.",
            "Tercihim sessiz odalardan yana.",
        ),
    ],
)
def test_a_preference_stands(text: str) -> None:
    """What a person would rather have is a preference."""
    assert standing(text) is Kind.PREFERENCE


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I always loved that lake.",
            "Never mind.",
            "We never went back there.",
            "I will try to walk more from now on.",
            "I want to frame the ticket from today's show.",
            "From now on, I will explain each step of the project.",
            "Every time I use the phone it freezes.",
            "She looked forward to the concert.",
            "I never answer in English to my kids.",
            "our coach: always stretch after running",
            "My boss said: never answer emails at night.",
            "Never again will I fly with Ryanair.",
            "From now on I go to bed at ten.",
            "From now on I use tabs.",
            "from now on we ship weekly, on Tuesdays",
            "Use lots of water when you plant tomatoes.",
            "Always remember who you are, my dad used to say.",
            "Never use the dishwasher for the good knives, it ruins them",
            "Any time you need help, don't hesitate to reach out.",
            "put each week on a separate line of text",
            "Use names for opposing forces.",
            "I prefer the second option.",
            "I don't like the look of this bug.",
        ),
        *turkish(
            "Hep aynı şeyi yapıyorum.",
            "Artık orada çalışmıyorum.",
            "Oraya asla gitmedik.",
            "Bu asla kabul edilmez bir uygulama.",
            "Çok sakin çalışma.",
            "Hiçbir zaman sıkılmadığım yer sinema.",
            "Onu asla görmedik, Fatma",
            "Onu asla affetmem.",
            "Bundan sonra daha çok yürüyeceğim.",
            "Konseri dört gözle bekliyordu.",
            "Ne zaman telefonu açsam donuyor.",
            "Çocuklarıma asla İngilizce cevap vermem.",
            "antrenörümüz: koşudan sonra hep esneme yap",
            "Patronum dedi ki: asla gece cevap verme.",
            "artık Selin Hanım'a gitmiyoruz, Emre Bey'e geçtik, Kadıköy'de",
            "Artık ben de.",
            "Bir daha asla Ryanair ile uçmam.",
            "Bundan sonra onda yatıyorum.",
            "Artık sekme kullanıyorum.",
            "Bundan sonra haftalık sürüm çıkarıyoruz, salıları.",
            "Domates dikerken bol su kullan.",
            "Hep kim olduğunu hatırla, derdi babam.",
            "İyi bıçaklar için asla bulaşık makinesi kullanma, bozuyor",
            "Yardıma ihtiyacın olursa çekinme.",
            "her haftayı ayrı bir satıra yaz",
            "İkinci seçeneği tercih ederim.",
            "Bu şarkıya bayılıyorum!",
        ),
        *neither("", "\ud83d \x00"),
    ],
)
def test_what_only_tells_something_does_not_stand(text: str) -> None:
    """A habit, a past or a plan is no order."""
    assert standing(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "You don't have to use bullet points any more.",
            "Forget what I said about emojis, you can use them again.",
            "You can use emojis again.",
            "Scrap the rule about short answers.",
            "Go back to Celsius.",
        ),
        *turkish(
            "Artık emoji kullanabilirsin.",
            "Madde işareti kullanmana artık gerek yok.",
            "Emoji konusunda söylediğimi unut.",
            "Docstring kuralını unut.",
            "Santigrata geri dön.",
        ),
    ],
)
def test_an_order_taken_back_stands(text: str) -> None:
    """What is allowed again, or no longer needed, holds from then on as an order does."""
    assert standing(text) is Kind.INSTRUCTION


@pytest.mark.parametrize(
    "text",
    [
        *english("You can use my bike.", "You don't have to come.", "We went back to Celsius.", "Forget it."),
        *turkish("Bisikletimi kullanabilirsin.", "Gelmene gerek yok.", "Artık gidebilirsin.", "Unut gitsin."),
    ],
)
def test_a_leave_for_something_else_takes_no_order_back(text: str) -> None:
    """Nor does what is told about others."""
    assert standing(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I'm vegetarian.",
            "By the way, I'm allergic to shellfish",
            "I don't eat pork",
            "I love hiking.",
            "I hate horror films.",
            "I drink my coffee black.",
        ),
        *turkish(
            "Vejetaryenim.",
            "Bu arada kabuklu deniz ürünlerine alerjim var",
            "Domuz eti yemem",
            "Doğa yürüyüşünü çok severim.",
            "Korku filmi sevmem.",
            "Kahveyi sütsüz içerim.",
        ),
    ],
)
def test_a_lasting_taste_is_a_preference(text: str) -> None:
    """Diets, allergies, firm likes and dislikes of the speaker's own."""
    assert standing(text) is Kind.PREFERENCE


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I love that!",
            "I'd love to.",
            "I love you",
            "I hate it when the build breaks.",
            "My sister is vegetarian.",
            "I loved the film.",
            "Do I like jazz?",
        ),
        *turkish(
            "Buna bayıldım!",
            "Çok isterim.",
            "Seni seviyorum",
            "Derleme bozulunca nefret ediyorum.",
            "Kız kardeşim vejetaryen.",
            "Filmi çok sevdim.",
            "Caz sever miyim?",
        ),
    ],
)
def test_idle_enthusiasm_is_no_preference(text: str) -> None:
    """What pleases for a moment, one thing, or what others like."""
    assert standing(text) is None


@pytest.mark.parametrize("liked", [*english("I'm vegan. "), *turkish("Veganım. ")])
def test_a_taste_within_a_long_story_is_not_kept_apart(liked: str) -> None:
    """Long messages are read for what says itself that it holds."""
    assert standing(liked + "x" * 400) is None


@pytest.mark.parametrize(
    "text",
    [
        *english("Look:\n```\nAlways use tabs when I ask.\n```"),
        *turkish("Bak:\n```\nSorduğumda hep sekme kullan.\n```"),
    ],
)
def test_code_gives_no_orders(text: str) -> None:
    """What stands in code is nobody's wish."""
    assert standing(text) is None
    assert standing(text.replace("```", "")) is Kind.INSTRUCTION


@pytest.mark.parametrize("said", ORDERS)
def test_only_the_person_served_gives_orders(said: str) -> None:
    """An assistant's or a bystander's words are never marked, a user's are."""
    assert MARKS[Kind.INSTRUCTION] in marks(said, Kind.EPISODE, Role.USER)
    assert marks(said, Kind.EPISODE, Role.ASSISTANT) == ()
    assert marks(said, Kind.EPISODE, Role.PERSON) == ()


@pytest.mark.parametrize("liked", [*english("Likes rye bread"), *turkish("Çavdar ekmeğini sever")])
def test_a_formed_preference_is_marked_by_its_kind(liked: str) -> None:
    """Whatever its words."""
    assert marks(liked, Kind.PREFERENCE, Role.USER) == (MARKS[Kind.PREFERENCE],)


@pytest.mark.parametrize("said", ORDERS)
def test_a_formed_fact_is_never_marked(said: str) -> None:
    """Though its words are an order."""
    assert marks(said, Kind.FACT, Role.USER) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Can you suggest a hotel?", True),
            ("How should I store the keys?", True),
            ("How many keys are there?", False),
            ("Where did we eat?", False),
            ("Book me a flight to Rome", True),
            ("Where can I eat tonight?", True),
            ("What shall I wear to the wedding?", True),
            ("Which flight did I book?", False),
            ("Where did I eat on Friday?", False),
            ("What can I not eat?", False),
            ("How high is Mount Everest?", False),
            ("What should I cook on Sunday?", True),
        ),
        *turkish(
            ("Bana bir otel önerir misin?", True),
            ("Anahtarları nasıl saklamalıyım?", True),
            ("Kaç anahtar var?", False),
            ("Nerede yedik?", False),
            ("Bana bir film öner", True),
            ("Bu akşam ne pişireyim?", True),
            ("Akşam nerede yiyelim?", True),
            ("Tatile nereye gideyim?", True),
            ("Notu nasıl kaydedeyim?", True),
            ("Arabayı kime satayım?", True),
            ("Hangi ekipteyim?", False),
            ("Kursta hangi seviyedeyim?", False),
            ("Geçen akşam ne pişirdim?", False),
            ("Cuma günü nerede yedim?", False),
            ("Geziyi ne zaman planladım?", False),
            ("Ağrı Dağı ne kadar yüksek?", False),
            ("Nerede park etmek yasak?", False),
            ("Ne yapıyorsun bu akşam?", False),
            ("Pazar günü ne pişirmeliyim?", True),
            ("Ona ne alsam?", True),
        ),
    ],
)
def test_advice_is_told_from_a_look_back(text: str, expected: bool) -> None:
    """Preferences matter where something is to be chosen or made."""
    assert asks_advice(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Have I ever been to Rome?", True),
            ("In which order did these come?", True),
            ("When is the deadline?", False),
        ),
        *turkish(
            ("Roma'ya hiç gittim mi?", True),
            ("Bunlar hangi sırayla geldi?", True),
            ("Son teslim ne zaman?", False),
        ),
    ],
)
def test_a_look_at_the_conversation_is_told(text: str, expected: bool) -> None:
    """Questions about what was said are no task for standing orders."""
    assert asks_record(text) is expected
