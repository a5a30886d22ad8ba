import json
import os
import re
import socket
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from tests.faces.cli.conftest import Run, formed
from tests.models.fake_rerank import fake_rerank
from tests.trusting import trusting


def hits(run: Run, *arguments: str) -> list[str]:
    """The texts recalled, best first."""
    return [hit["memory"]["text"] for hit in run("recall", *arguments, "--json").shape["hits"]]


def test_recall_shows_the_answer_with_its_reason_and_id(keys: Run) -> None:
    """Plain lines where no terminal is: scope, count, then a row a memory."""
    done = keys("recall", "Where is the spare key?")
    assert done.code == 0
    scope, count, _, first = done.out.splitlines()[:4]
    assert scope == "scope: helper/ada/home"
    assert "of 3 memories" in count
    assert "The spare key hangs behind the boiler." in first
    assert "text" in first
    assert keys("timeline", "--json").shape["memories"][0]["id"] in first


def test_recall_in_json_carries_every_signal(keys: Run) -> None:
    """The shares add up to the score."""
    answer = keys("recall", "spare key", "--json").shape
    assert answer["searched"] == 3
    assert answer["trace"]
    for hit in answer["hits"]:
        assert abs(sum(signal["share"] for signal in hit["signals"]) - hit["score"]) < 1e-6


def test_recall_can_be_narrowed(keys: Run) -> None:
    """By number, by tokens, by time."""
    assert len(hits(keys, "boiler")) == 2
    assert len(hits(keys, "boiler", "--top-k", "1")) == 1
    assert hits(keys, "boiler", "--budget", "1") == []
    assert len(hits(keys, "boiler", "--budget", "0")) == 2
    assert hits(keys, "boiler cat", "--start", "2026-03-05") == ["Our cat is called Pasha."]
    assert "Our cat is called Pasha." not in hits(keys, "boiler cat", "--end", "2026-03-05")


def test_settings_give_the_limits_where_no_option_does(keys: Run, folder: Path) -> None:
    """top_k and budget_tokens of the file."""
    with (folder / "reverie.toml").open("a", encoding="utf-8") as file:
        file.write("top_k = 1\n")
    trusting(folder)
    assert len(hits(keys, "boiler")) == 1


def test_a_cue_without_an_answer_is_no_error(home: Run) -> None:
    """An empty memory answers with nothing."""
    done = home("recall", "anything")
    assert done.code == 0
    assert "0 of 0 memories" in done.out


def test_recall_counts_and_explain_does_not(keys: Run) -> None:
    """Looking is not using."""
    keys("explain", "spare key")
    assert keys("stats", "--json").shape["scopes"][0]["accesses"] == 0
    keys("recall", "spare key", "--top-k", "1")
    assert keys("stats", "--json").shape["scopes"][0]["accesses"] == 1


def test_a_new_model_is_told_what_it_lacks(keys: Run) -> None:
    """Text finds the memories meanwhile, and the note names the command."""
    done = keys("recall", "spare key", "--embedder", "hash")
    assert "behind the boiler" in done.out
    assert "3 memories have no vector" in done.err
    assert "reverie store embed" in done.err
    keys("store", "embed", "--embedder", "hash")
    assert keys("recall", "spare key", "--embedder", "hash").err == ""


def test_explain_shows_stages_signals_and_shifts(keys: Run) -> None:
    """A block a hit in eighty columns, and a sentence for what would have changed the order; on demand all of it."""
    shape = keys("explain", "Where is the spare key of the boiler?", "--json").shape
    brief = keys("explain", "Where is the spare key of the boiler?").out
    shown = keys("explain", "Where is the spare key of the boiler?", "--all").out
    assert max(map(len, (brief + shown).splitlines())) <= 80
    assert "scope: helper/ada/home" in shown
    for step in shape["trace"]:
        assert step["stage"] in shown
    for signal in shape["hits"][0]["signals"]:
        assert signal["name"] in shown
    assert ("would be number" in shown) == bool(shape["shifts"])
    for hit in shape["hits"]:
        assert hit["memory"]["id"] in brief
        assert len(re.findall(r"\d\.\d\d", brief.split(hit["memory"]["id"])[1].split("\n\n")[0])) == 4
    first = [one for one in shape["shifts"] if min(one["rank"], one["instead"]) <= 3]
    assert brief.count("would be number") == len(first)
    assert shape["trace"][0]["stage"] not in brief
    assert "--all" in brief


def test_explain_has_room_for_signals_of_a_few_hits(home: Run) -> None:
    """An order that comes though it shares no word with the question has a signal that no other hit has."""
    home("observe", "From now on always answer me in short sentences.")
    home("observe", "Tom likes black tea with lemon.", "--deliberate")
    told = home("explain", "What does Tom like to drink?", "--all")
    assert told.code == 0, told.err
    signals = [
        {signal["name"] for signal in hit["signals"]}
        for hit in home("explain", "What does Tom like to drink?", "--json").shape["hits"]
    ]
    assert all(name in told.out for name in set().union(*signals))


def test_long_texts_are_cut_unless_asked_for(home: Run) -> None:
    """A screen is not filled by one memory."""
    home("remember", "boiler " + "x" * 1000)
    assert "x" * 500 not in home("recall", "boiler").out
    assert "x" * 1000 in home("recall", "boiler", "--full").out
    assert "x" * 500 not in home("timeline").out
    assert "x" * 1000 in home("timeline", "--full").out


def test_a_stored_escape_reaches_no_terminal(home: Run) -> None:
    """Neither from text nor speaker nor session, in any command that shows them."""
    home("remember", "boiler \x1b[31mred\x9b", "--speaker", "A\x1b[2Jda", "--session", "s\x07")
    for command in (("recall", "boiler"), ("explain", "boiler"), ("timeline",)):
        done = home(*command)
        assert "boiler" in done.out
        assert not {"\x1b", "\x9b", "\x07"} & set(done.out + done.err), command


def test_timeline_lists_by_time_and_can_be_cut(keys: Run) -> None:
    """By session, by span, by number."""

    def listed(*arguments: str) -> list[str]:
        return [memory["text"][:10] for memory in keys("timeline", "--json", *arguments).shape["memories"]]

    assert listed() == ["The spare ", "The boiler", "Our cat is"]
    assert listed("--session", "cat") == ["Our cat is"]
    assert listed("--start", "2026-03-02T09:01Z", "--end", "2026-03-09") == ["The boiler"]
    assert listed("--limit", "1") == ["The spare "]
    assert "3 memories" in keys("timeline").out


def test_a_text_json_cannot_carry_stands_beside_its_exact_form(home: Run) -> None:
    """Two lone surrogates would come back as one character."""
    import base64

    home("remember", "\ud83d\ude00")
    [memory] = home("timeline", "--json").shape["memories"]
    assert base64.b64decode(memory["text_base64"]).decode("utf-8", "surrogatepass") == "\ud83d\ude00"
    assert json.dumps(memory)


def test_what_no_longer_holds_is_recalled_where_it_is_asked_for(talk: Run) -> None:
    """As of a moment when it held, or with the past; else it is not."""
    fact = formed(talk)[0]
    talk("feedback", fact["id"], "--wrong")

    def found(*options: str) -> bool:
        hits = talk("recall", "Where did my sister Zeynep move?", "--json", *options).shape
        return fact["id"] in [hit["memory"]["id"] for hit in (*hits["hits"], *hits["withheld"])]

    assert not found()
    assert found("--past")
    assert found("--as-of", "2026-03-04")


def test_a_recall_says_what_stands_beside_the_hits(talk: Run) -> None:
    """What was withheld and why; and a timeline, how what was formed stands."""
    shown = talk("recall", "Zeynep Izmir").out
    assert "episodic active" in talk("timeline").out
    assert "withheld: " in shown
    assert "repeats number" in shown


def test_a_session_may_ask(talk: Run) -> None:
    """It is handed on; an answer comes either way."""
    assert talk("recall", "Zeynep", "--session", "default").code == 0


def test_an_endpoint_that_is_down_costs_meaning_only(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages are kept and recalled by text, a line says so; only embedding itself fails."""
    monkeypatch.setattr("reverie.models.openai._FIRST_PAUSE_S", 0.0)
    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as taken:  # and nobody listens
        taken.bind(("127.0.0.1", 0))
        model = ("--embedder", f"openai:m@http://127.0.0.1:{taken.getsockname()[1]}/v1")
        assert keys("remember", "The boiler hums.", *model).code == 0
        done = keys("recall", "Who is Pasha?", *model)
        assert done.code == 0
        assert "Our cat is called Pasha." in done.out
        assert "recalled by text alone" in done.err
        assert [fault["name"] for fault in keys("doctor", "--json", *model).shape["faults"]] == ["model-unavailable"]
        assert keys("store", "embed", *model).code == 23


def said(run: Run, *texts: str) -> None:
    """Each a month after the one before, in a conversation of its own."""
    for month, text in enumerate(texts, 1):
        run("observe", text, "--at", f"2026-{month:02}-03", "--session", f"s{month}")


@pytest.mark.parametrize(
    ("older", "latest", "cue"),
    [
        ("My rent is 950 euros a month.", "My rent is 1100 euros a month.", "How much is my rent?"),
        ("Kiram ayda 950 avro.", "Kiram ayda 1100 avro.", "Kiram ne kadar?"),
    ],
)
def test_what_is_out_of_date_says_so_and_by_what(home: Run, older: str, latest: str, cue: str) -> None:
    """A mark adds nothing to the score, and is shown all the same; the newer row is named by its number."""
    said(home, older, latest)
    rows = home("recall", cue).out.splitlines()
    (row,) = (row for row in rows if older in row)
    assert "superseded by #1" in row or "outdated: #1 is newer" in row
    (first,) = (row for row in rows if latest in row)
    assert "#" not in first
    assert any(
        row.startswith(("Probability that an answer is here: 0.", "Yanıtın burada olma ol")) for row in rows[-2:]
    )


@pytest.mark.parametrize(
    ("no", "yes", "cue"),
    [
        ("I never drink coffee.", "I drink coffee every morning.", "Do I drink coffee?"),
        ("Bryan ile hiç tanışmadım.", "Haziranda Bryan ile tanıştım.", "Bryan ile hiç tanıştım mı?"),
    ],
)
def test_each_side_of_a_contradiction_names_the_other(home: Run, no: str, yes: str, cue: str) -> None:
    """By its number."""
    said(home, no, yes)
    lines = re.sub(r" \(\d{4}-\d\d\)", "", home("recall", cue).out).splitlines()  # a month that was worked out
    rows = [row for row in lines if no in row or yes in row]
    assert ["contradicts #" in row for row in rows] == [True, True]


@pytest.mark.parametrize(
    ("cue", "doubt"),
    [
        ("Which airline flew me to Tokyo?", "Nothing here answers that (probability 0."),
        ("Beni Tokyo'ya hangi havayolu uçurdu?", "Burada bunu yanıtlayan bir şey yok (olasılık 0."),
    ],
)
def test_where_nothing_answers_a_line_says_so(home: Run, cue: str, doubt: str) -> None:
    """Before the rows, whatever stands in them, in the language of the question; explain says it too."""
    said(home, "From now on always answer me in short sentences.", "The boiler is loud.")
    shown = home("recall", cue).out
    assert "standing instruction" in shown
    assert shown.splitlines()[2].startswith(doubt)
    assert shown.splitlines()[2].endswith(":")
    assert doubt in home("explain", cue).out


@pytest.mark.parametrize(
    ("cue", "fact"),
    [("Where does Elif live?", "My sister Elif lives in Ankara."), ("Elif nerede yaşıyor?", "Elif Ankara'da yaşıyor.")],
)
def test_a_question_is_not_answered_with_itself(home: Run, cue: str, fact: str) -> None:
    """What a hook kept just before is withheld, and a line says why; who asks from Python gets it as before."""
    said(home, fact, cue)
    shape = home("recall", cue, "--json").shape
    assert fact in [hit["memory"]["text"] for hit in shape["hits"]]
    assert cue not in [hit["memory"]["text"] for hit in shape["hits"]]
    assert "says only what is asked" in home("recall", cue).out
    with Reverie.open("reverie.db", embedder=None) as memory:
        assert cue in [hit.memory.text for hit in memory.recall(cue, Scope("helper", "ada", "home")).hits]


@pytest.mark.parametrize(
    ("likely", "words"), [(0.59, "Hardly an answer here (probability 0.59); nearest:"), (0.6, ": 0.60")]
)
def test_doubt_is_told_by_the_recipes_own_bands(
    keys: Run, likely: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a host that asks on its own."""
    from reverie.recall import confidence

    monkeypatch.setattr(confidence, "probability", lambda *_: likely)
    assert words in keys("recall", "Where is the spare key?").out


def test_a_recipe_without_an_estimate_says_nothing_of_it(keys: Run) -> None:
    """Its best score is no probability."""
    shown = keys("recall", "Where is the spare key?", "--recipe", "openclaw").out
    assert "behind the boiler" in shown
    assert "robability" not in shown


def test_a_reranker_reads_what_recall_finds(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """By option; explain shows its signal, and doctor finds no fault in it, but does in one that is down."""
    monkeypatch.setenv("no_proxy", "*")
    patient = ("[reranker]", "weight = 20", "deadline_ms = 30000")
    Path("reverie.toml").write_text(Path("reverie.toml").read_text() + "\n".join(patient) + "\n")
    trusting(Path.cwd(), dict(os.environ))
    with fake_rerank("tei") as server:
        spec = ("--reranker", f"rerank:{server.url}")
        assert hits(keys, "boiler") == ["The boiler was serviced in March.", "The spare key hangs behind the boiler."]
        assert hits(keys, "boiler", *spec)[0] == "The spare key hangs behind the boiler."
        assert "reader" in keys("explain", "boiler", *spec).out
        assert keys("doctor", *spec).code == 0
        count = len(server.asked)
        assert hits(keys, "boiler", *spec, "--no-model")[0] == "The boiler was serviced in March."
        keys("remember", "The cat sleeps.", *spec)
        assert len(server.asked) == count
    assert hits(keys, "boiler", *spec)[0] == "The boiler was serviced in March."
    faults = keys("doctor", "--json", *spec).shape["faults"]
    assert [fault["name"] for fault in faults] == ["reranker-unavailable"]
