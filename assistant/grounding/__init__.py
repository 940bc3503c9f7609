"""Prove an answer: every number is a tool's, the person's, a cited passage's, or part of a name.

A draft refers to numbers as `{{r1.system_w}}` and to passages as `{{c1}}`; code fills them in. A literal passes only if
value, unit and what it is said of fit a field; a comparison passes only if a result says so.
"""

from assistant.grounding.ahead import read_ahead
from assistant.grounding.records import Evidence, Number, Unbound, Verified
from assistant.grounding.verify import verify

__all__ = ["Evidence", "Number", "Unbound", "Verified", "read_ahead", "verify"]
