"""Read results while the model writes about them, so that its draft need not wait for that."""

from __future__ import annotations

from assistant.figures import Language
from assistant.grounding.dates import known_dates
from assistant.grounding.fits import verdicts_of
from assistant.grounding.hearing import Heard
from assistant.grounding.own import all_own_sentences
from assistant.grounding.records import Evidence


def read_ahead(evidence: Evidence, language: Language) -> None:
    """Work out of results all that does not depend on a draft; it is remembered as long as they are.

    Args:
        evidence: The results so far.
        language: That the answer will be in.
    """
    _ = evidence.index
    Heard(evidence, ())
    known_dates(evidence.results, evidence.user)
    verdicts_of(evidence.results)
    all_own_sentences(evidence, language)
