"""PDFs come in as text, without what repeats on their pages, within limits of time and memory."""

from __future__ import annotations

import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from knowledge.ingest import ensure_index, ingest
from knowledge.store import open_index
from tests.filler import WORDS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ensure_index(tmp_path / "data")
    return tmp_path / "data"


def _pdf(pages: int, lines: int = 34) -> bytes:
    """Write a plain PDF with running heads and page numbers, without a library."""
    chance = random.Random(3)
    bodies: list[bytes] = []
    for page in range(pages):
        words = [" ".join(chance.choices(WORDS, k=11)) for _ in range(lines)]
        shown = [
            "Handbook of GPU machines",
            *words,
            f"Fact {page}: the board of page {page} draws {page + 100} W.",
            f"Page {page + 1}",
        ]
        text = "".join(f"({line}) Tj T*\n" for line in shown)
        bodies.append(f"BT /F1 10 Tf 12 TL 50 780 Td\n{text}ET".encode())
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {pages} /Kids [{' '.join(f'{4 + 2 * n} 0 R' for n in range(pages))}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, body in enumerate(bodies):
        packed = zlib.compress(body)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Filter /FlateDecode /Length %d >>\nstream\n" % len(packed) + packed + b"\nendstream")
    content, places = b"%PDF-1.4\n", list[int]()
    for number, item in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n" % number + item + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table
    return (
        content
        + end
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(content))
    )


def test_a_pdf_comes_in_without_its_running_heads(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "handbook.pdf"
    path.write_bytes(_pdf(4, lines=3))
    [added] = ingest([str(path)], folder)
    assert added.status == "added"
    index = open_index(folder)
    assert index is not None
    texts = " ".join(passage.text for passage in index.passages if passage.article == added.id)
    assert "the board of page 2 draws 102 W" in texts
    assert "Handbook of GPU" not in texts.replace(added.id, "") and "Page 3" not in texts


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"%PDF-1.4 nothing", "The PDF is damaged"), (_pdf(1, 0).replace(b"/Kids [4 0 R]", b"/Kids []"), "The PDF ")],
)
def test_a_pdf_that_cannot_be_read_is_refused_with_the_way_out(
    tmp_path: Path, folder: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(content)
    [result] = ingest([str(path)], folder)
    assert result.status == "failed" and result.reason.startswith(reason)


@pytest.mark.long
@pytest.mark.system
def test_a_pdf_of_300_pages_within_8_minutes_and_1_gb(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "handbook.pdf"
    path.write_bytes(_pdf(300))
    code = (
        "import resource, sys\nfrom pathlib import Path\nfrom knowledge.ingest import ingest\nsteps = []\n"
        "[result] = ingest([sys.argv[2]], Path(sys.argv[1]), progress=lambda done, total: steps.append(done))\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(result.status, result.passages, len(set(steps)), used.ru_maxrss // 1024, used.ru_utime)"
    )
    start_s = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), str(path)], capture_output=True, text=True, check=True
    )
    status, passages, steps, memory_mb, cpu_s = done.stdout.split()
    print(f"{time.monotonic() - start_s:.0f} s, {cpu_s} s CPU, {memory_mb} MB, {passages} passages, {steps} steps")
    assert status == "added"
    assert time.monotonic() - start_s <= 480
    assert int(memory_mb) <= 1024
    assert int(steps) > 100
