"""Hold the numbers of an article against the tools: which of them do the tools not confirm, and why.

What no tool and no sum speaks about is left alone: a finding is a contradiction, never a mere doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from assistant.check.amounts import sums, uneven_labels
from assistant.check.break_even import break_even, two_names_for_one_price
from assistant.check.cards import architectures, figures_of_cards, missing_links, missing_matrix_units
from assistant.check.finding import Finding as Finding
from knowledge.articles import Article, Passage, foreign_passages, language_of, read_article
from knowledge.cleaning import clean
from knowledge.poison import visible
from knowledge.reading import read_source

_RULES: tuple[Callable[[Sequence[Passage]], list[Finding]], ...] = (
    sums,
    uneven_labels,
    break_even,
    two_names_for_one_price,
    figures_of_cards,
    architectures,
    missing_links,
    missing_matrix_units,
)


def check_file(source: str) -> list[Finding]:
    """Check a file.

    Args:
        source: A text, Markdown, HTML or PDF file.

    Raises:
        ReadingError: If it cannot be read.
    """
    reading = read_source(source)
    return check_text(reading.text, name=Path(source).stem)


def check_text(text: str, *, name: str = "text") -> list[Finding]:
    """Return what the tools contradict, in the order of the text."""
    passages = _passages(visible(text).text, name)
    found = [finding for rule in _RULES for finding in rule(passages)]
    order = {passage.id: place for place, passage in enumerate(passages)}
    kept = {(finding.text, finding.reason): finding for finding in reversed(found)}
    return sorted(kept.values(), key=lambda finding: (order[finding.passage], finding.start))


def _passages(text: str, name: str) -> Sequence[Passage]:
    try:
        return read_article(text)[1]
    except ValueError:
        article = Article(id=name, language=language_of(text), title=name)
        return foreign_passages(article, list(clean(text).paragraphs))
