"""Start quickly: import this before anything large, and call `done` after the last import.

Python's collector walks through all objects again and again while thousands of modules are read, and finds nothing to
free. Gradio parses and rewrites the type stubs in its own folder at every start. The two were 40% of the start.
"""

from __future__ import annotations

import gc
import inspect
from typing import Any

_getfile = inspect.getfile


def _no_stubs(thing: Any) -> str:
    if isinstance(thing, type) and thing.__module__.startswith("gradio."):
        raise OSError("to Gradio: a class without a file, so without a stub")
    return _getfile(thing)


gc.disable()
inspect.getfile = _no_stubs


def done() -> None:
    """Put things back; what was imported stays to the end, so the collector need not look at it."""
    inspect.getfile = _getfile
    gc.freeze()
    gc.enable()
