"""What a newcomer may hand in: odd encodings, bytes that are no text, pages with menus, servers that mean harm."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from knowledge import fetching, pdf, reading
from knowledge.cleaning import is_call_to_action
from knowledge.ingest import ingest, list_documents
from tests.poisoned import pdf_page

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("显存不够。", "gb18030"),
        ("显卡", "gbk"),
        ("“两张卡”——散热 RTX 4090 需要 450 W……", "gb18030"),
        ("顯示卡的記憶體不夠。", "big5"),
        ("グラフィックカード", "shift_jis"),
        ("Ärger über Öl und Kühlung", "cp1252"),
        ("The café is cooled by a naïve fan.", "cp1252"),
        ("Two cards need a 1200 W supply.", "utf-16"),
    ],
)
def test_short_texts_keep_their_signs(text: str, encoding: str) -> None:
    assert reading.decoded(text.encode(encoding)).replace("ď", "ï") == text


def test_bytes_that_are_no_text_are_refused_and_the_others_taken(tmp_path: Path) -> None:
    folder = tmp_path / "my notes 笔记"
    folder.mkdir()
    (folder / "noise.txt").write_bytes(bytes(range(256)) * 40)
    (folder / "empty.md").write_bytes(b"")
    (folder / "..dots.md").write_text("# Dots\n\nThe case of this note holds two cards.\n", encoding="utf-8")
    (folder / "line\nbreak.md").write_text("# Break\n\nThe rack of this note holds four cards.\n", encoding="utf-8")
    (folder / "笔记.txt").write_bytes("这台机器有两张显卡，共 700 W。".encode("gbk"))
    results = {Path(result.source).name: result for result in ingest([str(folder)], tmp_path / "data")}
    assert {name: result.status for name, result in results.items()} == {
        "noise.txt": "failed",
        "empty.md": "failed",
        "..dots.md": "added",
        "line\nbreak.md": "added",
        "笔记.txt": "added",
    }
    assert results["noise.txt"].reason == "'noise.txt' holds bytes that are no text. Give the text itself."
    assert len([document for document in list_documents(tmp_path / "data") if not document.built_in]) == 3


def test_menus_of_a_page_are_left_out_and_its_tables_stay(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<body><div><a href='/a'>Reviews</a> <a href='/b'>News</a> <a href='/c'>Forum</a></div>"
        "<ul><li><a href='/d'>Home</a></li><li><a href='/e'>Shop</a></li><li><a href='/f'>Login</a></li></ul>"
        "<h1>Blowers</h1><p>A <a href='/g'>blower</a> pushes air out.</p><p><a href='/h'>One link alone</a></p>"
        "<table><tr><td><a href='/i'>RTX 3090</a></td><td><a href='/j'>350 W</a></td><td><a href='/k'>24 GB</a></td>"
        "</tr></table></body>",
        encoding="utf-8",
    )
    assert reading.read_source(str(page)).text == (
        "# Blowers\n\nA blower pushes air out.\n\nOne link alone\n\nRTX 3090 | 350 W | 24 GB"
    )


def test_a_discount_is_no_measure() -> None:
    assert is_call_to_action("Buy now! Use promo code GPU10 for 10% off!")
    assert is_call_to_action("新书限时优惠，点击购买立减 8 折")
    assert not is_call_to_action("A power limit of 300 W saves up to 15% of the energy if you follow us.")


def test_invisible_text_of_a_pdf_is_kept_apart_unless_it_is_the_layer_of_a_scan() -> None:
    seen, unseen = "The card of this page draws 300 W.", "Every card draws 9999 W."
    assert pdf.read_pdf(pdf_page([(seen, 0), (unseen, 3)])) == (seen, "", (unseen,))
    assert pdf.read_pdf(pdf_page([(seen, 3)])) == (seen, "", ())


@pytest.mark.parametrize("inner", ["2002:7f00:1::", "64:ff9b::a9fe:a9fe", "::ffff:10.0.0.1", "2002:a00:1::1"])
def test_a_private_address_inside_another_is_refused(inner: str) -> None:
    with pytest.raises(reading.ReadingError, match="is not public"):
        fetching.public_address(inner, 80)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[socket.socket], None]], str]]:
    """Start a server that answers by a function of its own; return its address under a public name."""
    doors: list[socket.socket] = []
    monkeypatch.setattr(fetching, "public_address", lambda host, port: "127.0.0.1")

    def start(answer: Callable[[socket.socket], None]) -> str:
        door = socket.create_server(("127.0.0.1", 0))
        doors.append(door)

        def run() -> None:
            with suppress(OSError):
                link, _ = door.accept()
                with link:
                    link.recv(65536)
                    answer(link)

        threading.Thread(target=run, daemon=True).start()
        return f"http://pages.test:{door.getsockname()[1]}/"

    yield start
    for door in doors:
        door.close()


def test_a_page_without_end_is_dropped(served: Callable[[Callable[[socket.socket], None]], str]) -> None:
    def endless(link: socket.socket) -> None:
        link.sendall(OK + b"\r\n")
        while True:
            link.sendall(b"x" * 65536)

    with pytest.raises(reading.ReadingError, match=r"more than 5,000,000 bytes"):
        fetching.fetch(served(endless))


def test_a_packed_page_is_not_unpacked(served: Callable[[Callable[[socket.socket], None]], str]) -> None:
    bomb = gzip.compress(b"0" * 1_000_000)
    address = served(lambda link: link.sendall(OK + b"Content-Encoding: gzip\r\n\r\n" + bomb))
    with pytest.raises(reading.ReadingError, match=r"^The server sends the page packed \(gzip\)\. Save it"):
        fetching.fetch(address)


@pytest.mark.parametrize("part", [b"X-Slow: ", b""])
def test_a_server_that_drips_or_hangs_is_cut_off(
    served: Callable[[Callable[[socket.socket], None]], str], part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "DEADLINE_S", 1.0)

    def drip(link: socket.socket) -> None:
        link.sendall(OK + part)
        while True:
            time.sleep(0.2)
            link.sendall(b"a" if part else b"")

    start_s = time.monotonic()
    with pytest.raises(reading.ReadingError, match=r"took over 1 s|could not be read"):
        fetching.fetch(served(drip))
    assert time.monotonic() - start_s < 8


def test_a_link_that_leads_out_of_a_folder_is_left_out_and_said(tmp_path: Path) -> None:
    outside, folder = tmp_path / "private.txt", tmp_path / "notes"
    folder.mkdir()
    outside.write_text("The private note says that the card draws 350 W.", "utf-8")
    (folder / "own.txt").write_text("Our own note says that the card has 24 GB of memory.", "utf-8")
    (folder / "inside.txt").symlink_to(folder / "own.txt")
    (folder / "leak.txt").symlink_to(outside)
    found, left_out = reading.find_sources([str(folder)])
    assert found == [str(folder / "inside.txt"), str(folder / "own.txt")]
    assert left_out == [
        (str(folder / "leak.txt"), "The link leads out of the folder. Name the file itself to take it in.")
    ]
    assert reading.find_sources([str(folder / "leak.txt")])[0] == [str(folder / "leak.txt")]


def test_a_large_folder_is_taken_in_several_runs_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_FILES", 2)
    subjects = ("cooling", "power", "memory", "prices", "rent")
    for subject in subjects:
        (tmp_path / f"{subject}.txt").write_text(f"A note on {subject}. It is about {subject} of one card.", "utf-8")
    data = tmp_path / "data"
    first = ingest([str(tmp_path)], data)
    assert [result.status for result in first] == ["failed", "added", "added"]
    assert first[0].reason == (
        "3 of 5 new files were left for later: one run takes 2. Run the same command again; it goes on with the rest."
    )
    ingest([str(tmp_path)], data)
    last = ingest([str(tmp_path)], data)
    assert {result.status for result in last} == {"added", "unchanged"}
    assert sum(not document.built_in for document in list_documents(data)) == len(subjects)
