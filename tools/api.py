"""What the rooms above may use of the tools: call them, name cards and models, know units."""

from __future__ import annotations

from tools._catalog import Gpu, Model, gpus, models
from tools._errors import ToolInputError
from tools._formats import usual_format
from tools._names import Match, find, match, nearest, words_of
from tools._registry import Tool, all_tools, get_tool
from tools._result import Json, Result, Source, Text, is_array, is_object
from tools._units import unit_of
from tools._words import Named, named_in

__all__ = [
    "Gpu",
    "Json",
    "Match",
    "Model",
    "Named",
    "Result",
    "Source",
    "Text",
    "Tool",
    "ToolInputError",
    "all_tools",
    "find",
    "get_tool",
    "gpus",
    "is_array",
    "is_object",
    "match",
    "models",
    "named_in",
    "nearest",
    "unit_of",
    "usual_format",
    "words_of",
]
