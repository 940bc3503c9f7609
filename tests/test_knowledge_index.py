"""Building, storing, taking in and taking out; one engine behind two doors."""

import http.server
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from knowledge import fetching, reading, store
from knowledge.articles import built_in_articles
from knowledge.client import open_client
from knowledge.embedding import BuiltInEmbedder, SentenceEmbedder
from knowledge.ingest import ensure_index, ingest, list_documents, remove
from knowledge.search import Searcher
from knowledge.store import open_index, read_manifest
from knowledge.vectors import shipped_vectors, text_key

NOTE = (
    "# Riser note\n\nThe Frobnicator bracket model Zeta-9 holds four graphics cards apart by 45 mm "
    "and keeps each of them below 72 degrees under load.\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ensure_index(tmp_path)
    return tmp_path


def test_both_doors_to_the_engine_give_the_same_vectors() -> None:
    direct, through = BuiltInEmbedder(), SentenceEmbedder()
    texts = ["怎么给四张 RTX 3090 散热", "Memory bandwidth is 936 GB/s."]
    assert direct.name == through.name
    np.testing.assert_allclose(direct.query(texts[0]), through.query(texts[0]), atol=1e-6)
    np.testing.assert_allclose(direct.passages(texts), through.passages(texts), atol=1e-6)


def test_shipped_vectors_are_those_of_the_articles() -> None:
    texts = [p.context for _, passages in built_in_articles() for p in passages]
    known = shipped_vectors(BuiltInEmbedder().name)
    missing = [text for text in texts if text_key(text) not in known]
    assert not missing, "run `python -m knowledge.vectors`: articles have changed"
    sample = texts[::100]
    vectors = BuiltInEmbedder().passages(sample)
    assert all(float(known[text_key(text)] @ row) > 0.999 for text, row in zip(sample, vectors, strict=True))


def test_a_search_imports_nothing_heavy_once_the_index_is_there(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from knowledge.search import Searcher\n"
        "heavy = {'chromadb', 'torch', 'sentence_transformers'}\n"
        "assert Searcher(Path(sys.argv[1])).search('Is NVLink worth it?')\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_index_that_is_up_to_date_is_left_alone(folder: Path) -> None:
    before = read_manifest(folder)
    ensure_index(folder)
    assert read_manifest(folder) == before is not None


def test_a_damaged_snapshot_is_restored_from_chroma(folder: Path) -> None:
    before = open_index(folder)
    assert before is not None
    [snapshot] = (folder / "knowledge").glob("passages-*.npz")
    snapshot.write_bytes(b"damaged")
    after = open_index(folder)
    assert after is not None and after.passages == before.passages
    np.testing.assert_allclose(after.vectors, before.vectors, atol=1e-6)


def test_a_half_built_index_is_never_served(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_manifest(folder)
    note = folder / "note.md"
    note.write_text(NOTE, encoding="utf-8")
    with monkeypatch.context() as patch:

        def power_cut(path: Path, content: bytes) -> None:
            raise OSError("power cut")

        patch.setattr(store, "_write", power_cut)
        with pytest.raises(OSError, match="power cut"):
            ingest([str(note)], folder)
    assert read_manifest(folder) == before
    assert Searcher(folder).search("Is NVLink worth it?")
    ingest([str(note)], folder)
    client = open_client(folder / "knowledge")
    manifest = read_manifest(folder)
    assert manifest is not None and [c.name for c in client.list_collections()] == [manifest.version]


def test_a_document_comes_changes_and_goes(folder: Path) -> None:
    note = folder / "note.md"
    note.write_text(NOTE, encoding="utf-8")
    searcher = Searcher(folder)
    question = "How far apart does the Frobnicator bracket hold the graphics cards?"
    assert not any("Frobnicator" in found["text"] for found in searcher.search(question))
    [added] = ingest([str(note)], folder)
    assert (added.status, added.passages) == ("added", 1)
    assert "45 mm" in searcher.search(question)[0]["text"]
    [again] = ingest([str(note)], folder)
    assert again.status == "unchanged"
    note.write_text(NOTE.replace("45 mm", "60 mm"), encoding="utf-8")
    [replaced] = ingest([str(note)], folder)
    assert (replaced.status, replaced.id) == ("replaced", added.id)
    assert "60 mm" in searcher.search(question)[0]["text"]
    assert remove(added.id, folder) and not remove(added.id, folder)
    assert not any("Frobnicator" in found["text"] for found in searcher.search(question))
    assert not remove("dettmers-2023", folder)
    assert all(document.built_in for document in list_documents(folder))


def test_a_source_that_cannot_be_read_does_not_stop_the_others(folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"x")
    results = ingest([str(folder / "none.txt"), str(folder / "picture.png"), "http://127.0.0.1/"], folder)
    assert [(result.status, result.reason) for result in results] == [
        ("failed", "There is no file 'none.txt'. Give a path to a text, Markdown, HTML or PDF file."),
        ("failed", "'picture.png' is no text. Give one of .txt, .md, .markdown, .html, .htm, .pdf."),
        ("failed", "The host '127.0.0.1' is not public. Save the page and give the file instead."),
    ]


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://[::1]/",
        "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/",
        "http://192.168.1.1:8080/x",
        "http://100.64.0.1/",
    ],
)
def test_private_addresses_are_refused(address: str) -> None:
    with pytest.raises(reading.ReadingError, match="is not public"):
        fetching.fetch(address)


def test_a_redirect_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", "http://10.0.0.1/secret")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    real = fetching.public_address
    monkeypatch.setattr(
        fetching, "public_address", lambda host, port: "127.0.0.1" if host == "pages.test" else real(host, port)
    )
    with pytest.raises(reading.ReadingError, match=r"The host '10\.0\.0\.1' is not public"):
        fetching.fetch(f"http://pages.test:{server.server_port}/")
    server.shutdown()


def test_html_becomes_text(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<html><head><title>A page</title><script>x()</script></head><body><nav>Menu</nav>"
        "<h2>1 Power</h2><p>It draws <b>350</b> W.</p></body></html>",
        encoding="utf-8",
    )
    found = reading.read_source(str(page))
    assert (found.title, found.text) == ("A page", "## 1 Power\n\nIt draws 350 W.")


def test_the_command_line(own_data_folder: Path) -> None:
    command = [sys.executable, "-m", "knowledge"]
    done = subprocess.run(
        [*command, "search", "Is NVLink worth it?", "-k", "1", "--json"], capture_output=True, text=True, check=True
    )
    [found] = json.loads(done.stdout)
    assert {"id", "article", "title", "section", "url", "date", "text", "score", "language"} <= found.keys()
    gone = subprocess.run([*command, "remove", "nothing"], capture_output=True, text=True, check=False)
    assert (gone.returncode, "There is no document 'nothing' of yours." in gone.stderr) == (1, True)
    assert own_data_folder.is_dir()


def test_a_warm_search_costs_little(folder: Path) -> None:
    searcher = Searcher(folder)
    searcher.search("Is NVLink worth it?")
    times_s: list[float] = []
    for _ in range(10):
        start_s = time.process_time()  # of both threads: 27 ms by the clock when the machine is idle
        searcher.search("how do I cool four RTX 3090s")
        times_s.append(time.process_time() - start_s)
    assert min(times_s) < 0.08
