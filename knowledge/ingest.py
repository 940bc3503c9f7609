"""Fill the index: the articles of the package at first use, people's own documents when asked."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from knowledge.articles import (
    Article,
    Passage,
    articles_hash,
    built_in_articles,
    foreign_passages,
    front_matter,
    language_of,
)
from knowledge.background import CHINESE, ENGLISH, measure_chance
from knowledge.cleaning import clean
from knowledge.embedding import Embedder, Progress, Vectors, open_embedder
from knowledge.pending import embedded, forget
from knowledge.poison import suspicion, visible
from knowledge.reading import Reading, ReadingError, find_sources, read_content, source_content
from knowledge.store import Document, Index, Manifest, build_lock, open_index, publish, read_manifest
from knowledge.vectors import question_key, shipped_vectors, text_key


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """What became of one source.

    Attributes:
        source: The path or address that was asked for.
        status: "added", "replaced", "unchanged", "set aside" (it tries to steer a reading program; nothing of
            it is searched) or "failed".
        id: Id of the document, "" when it failed.
        passages: Number of its passages.
        injected: Planted phrases that were removed from it.
        doubts: Doubtful figures that were seen in it.
        reason: Why it failed or was set aside, "" otherwise.
    """

    source: str
    status: str
    id: str = ""
    passages: int = 0
    injected: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    reason: str = ""


_log = logging.getLogger(__name__)


def ensure_index(data_dir: Path, *, embedding: str = "", progress: Progress | None = None) -> None:
    """Build the index when there is none, or when the articles or the model have changed.

    Args:
        data_dir: The person's data folder.
        embedding: Setting of the embedding model, "" for the built-in one.
        progress: Called with the number of embedded passages and of all passages.

    Notes:
        An index that is up to date costs a few milliseconds. Texts go straight to the built-in model:
        importing sentence-transformers would take 6 s and 400 MB.
    """
    embedder = open_embedder(embedding)
    if is_current(read_manifest(data_dir), embedder) and open_index(data_dir):
        return
    with build_lock(data_dir):
        manifest = read_manifest(data_dir)  # another process may have built it meanwhile
        index = open_index(data_dir)
        if index and is_current(manifest, embedder):
            return
        if index is None and manifest:
            lost = [document.source for document in manifest.documents if not document.built_in]
            _log.warning(
                "the index is damaged and is built anew; to be ingested again: %s", ", ".join(lost) or "nothing"
            )
        own = {document.id for document in index.manifest.documents if not document.built_in} if index else set[str]()
        documents = [d for d in index.manifest.documents if d.id in own] if index else []
        passages = [p for p in index.passages if p.article in own] if index else []
        _build(data_dir, index, documents, passages, embedder, progress)


def ingest(
    sources: Iterable[str],
    data_dir: Path,
    *,
    embedding: str = "",
    progress: Progress | None = None,
    report: Callable[[Ingested], None] | None = None,
) -> tuple[Ingested, ...]:
    """Take people's documents into the index.

    Args:
        sources: Files (text, Markdown, HTML, PDF), folders or http(s) addresses.
        data_dir: The person's data folder.
        embedding: Setting of the embedding model, "" for the built-in one.
        progress: Called with the number of embedded passages and of all passages.
        report: Called with each result as soon as the index holds it.

    Returns:
        What became of each source. A source already there with the same content is left alone, and a
        source that cannot be read does not stop the others.
    """
    ensure_index(data_dir, embedding=embedding, progress=progress)
    with build_lock(data_dir):
        index = open_index(data_dir)
        assert index is not None  # ensure_index has just built it
        own = [document for document in index.manifest.documents if not document.built_in]
        passages = [p for p in index.passages if any(p.article == document.id for document in own)]
        found, left_out = find_sources(sources, {document.source for document in own})
        results = [Ingested(source=source, status="failed", reason=reason) for source, reason in left_out]
        for source in found:
            result, document, new = _take_in(source, own)
            results.append(result)
            if document is not None:
                own = [d for d in own if d.id != document.id] + [document]
                passages = [p for p in passages if p.article != document.id] + list(new)
        if any(result.status in ("added", "replaced", "set aside") for result in results):
            _build(data_dir, index, own, passages, open_embedder(embedding), progress)
    for result in results:
        if report:
            report(result)
    return tuple(results)


def list_documents(data_dir: Path) -> tuple[Document, ...]:
    """Return the texts in the index, those of the package among them."""
    manifest = read_manifest(data_dir)
    return manifest.documents if manifest else ()


def remove(name: str, data_dir: Path, *, embedding: str = "") -> bool:
    """Take a person's document out of the index; False when there is none of that id."""
    with build_lock(data_dir):
        index = open_index(data_dir)
        own = [d for d in index.manifest.documents if not d.built_in] if index else []
        if index is None or all(document.id != name for document in own):
            return False
        kept = [document for document in own if document.id != name]
        passages = [p for p in index.passages if any(p.article == document.id for document in kept)]
        _build(data_dir, index, kept, passages, open_embedder(embedding), None)
    return True


def is_current(manifest: Manifest | None, embedder: Embedder) -> bool:
    """Whether an index was built from these articles by this model."""
    return manifest is not None and manifest.embedding == embedder.name and manifest.articles_hash == articles_hash()


def _build(
    data_dir: Path,
    index: Index | None,
    own: list[Document],
    own_passages: list[Passage],
    embedder: Embedder,
    progress: Progress | None,
) -> None:
    """Publish the articles of the package and these documents; vectors that exist are kept."""
    built_in = built_in_articles()
    passages = [passage for _, found in built_in for passage in found] + own_passages
    vectors = _vectors(data_dir, passages, index, embedder, progress)
    documents = [_built_in_document(article, found) for article, found in built_in] + own
    english, chinese = (_questions(questions, embedder) for questions in (ENGLISH, CHINESE))
    ours = sum(len(found) for _, found in built_in)
    publish(
        data_dir,
        passages=passages,
        vectors=vectors,
        documents=documents,
        # Of our articles alone: what people add must not change how these are judged.
        chance=measure_chance(passages[:ours], vectors[:ours], english, chinese),
        embedding=embedder.name,
        setting=embedder.setting,
        articles_hash=articles_hash(),
    )
    forget(data_dir)


def _vectors(
    data_dir: Path, passages: Sequence[Passage], index: Index | None, embedder: Embedder, progress: Progress | None
) -> Vectors:
    known = shipped_vectors(embedder.name)
    if index and index.manifest.embedding == embedder.name:
        known |= {text_key(p.context): vector for p, vector in zip(index.passages, index.vectors, strict=True)}
    new = list(dict.fromkeys(p.context for p in passages if text_key(p.context) not in known))
    if new:
        known |= embedded(data_dir, embedder, new, progress)
    return np.array([known[text_key(p.context)] for p in passages], dtype=np.float32)


def _questions(questions: Sequence[str], embedder: Embedder) -> Vectors:
    known = shipped_vectors(embedder.name)
    rows = [known.get(question_key(text)) for text in questions]
    return np.array(
        [embedder.query(text) if row is None else row for text, row in zip(questions, rows, strict=True)],
        dtype=np.float32,
    )


def _built_in_document(article: Article, passages: Sequence[Passage]) -> Document:
    content = "\n".join(passage.context for passage in passages)
    return Document(
        id=article.id,
        title=article.title,
        language=article.language,
        url=article.url,
        date=article.date,
        source="",
        content_hash=hashlib.sha256(content.encode()).hexdigest(),
        passages=len(passages),
    )


def _take_in(source: str, own: Sequence[Document]) -> tuple[Ingested, Document | None, tuple[Passage, ...]]:
    """Read, clean and cut one source, unless its content is in the index already."""
    try:
        content, kind = source_content(source)
        known = hashlib.sha256(content).hexdigest()
        same = next((document for document in own if document.content_hash == known), None)
        if same:
            status = "set aside" if same.suspect else "unchanged"
            return (
                Ingested(source=source, status=status, id=same.id, passages=same.passages, reason=same.suspect),
                None,
                (),
            )
        return _taken(source, read_content(source, content, kind), own)
    except ReadingError as error:
        return Ingested(source=source, status="failed", reason=str(error)), None, ()


def _taken(source: str, reading: Reading, own: Sequence[Document]) -> tuple[Ingested, Document, tuple[Passage, ...]]:
    seen = visible(reading.text)
    # A title is shown with every passage, wherever it comes from.
    suspect = suspicion(seen, reading.hidden) or suspicion(visible(reading.title))
    suspect = suspect or (f"It holds {reading.sign}." if reading.sign else "")
    header, body = _parts(seen.text)
    cleaned = clean("" if suspect else body)
    article = _article(reading, header, body)
    passages = foreign_passages(article, list(cleaned.paragraphs))
    if not passages and not suspect:
        raise ReadingError("It holds no text after cleaning.")
    document = Document(
        id=article.id,
        title=article.title,
        language=article.language,
        url=article.url,
        date=article.date,
        source=reading.source,
        content_hash=reading.content_hash,
        passages=len(passages),
        suspect=suspect,
    )
    status = "set aside" if suspect else "replaced" if any(d.id == article.id for d in own) else "added"
    doubts = tuple(dict.fromkeys(passage.doubt for passage in passages if passage.doubt))
    return (
        Ingested(
            source=source,
            status=status,
            id=article.id,
            passages=len(passages),
            injected=cleaned.injected,
            doubts=doubts,
            reason=suspect,
        ),
        document,
        passages,
    )


def _parts(text: str) -> tuple[dict[str, str], str]:
    """Return the front matter of a text and the rest."""
    header = front_matter(text) or {}
    return header, text.split("---", 2)[2] if header else text


def _article(reading: Reading, header: dict[str, str], body: str) -> Article:
    title = visible(header.get("title") or reading.title).text.strip()
    return Article(
        id=_document_id(title, reading.source),
        language=_language(header, body),
        title=title,
        author=header.get("author", ""),
        url=header.get("url") or reading.url,
        date=header.get("date") or reading.date,
    )


def _language(header: dict[str, str], body: str) -> str:
    stated = header.get("language", "")[:2].lower()
    return stated if stated in ("zh", "en") else language_of(body)


def _document_id(title: str, source: str) -> str:
    """Name a document after its title; the hash of its source keeps two of one title apart."""
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30].strip("-") or "document"
    return f"{words}-{hashlib.sha256(source.encode()).hexdigest()[:6]}"
