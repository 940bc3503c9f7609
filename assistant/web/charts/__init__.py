"""Pictures of results: what to draw for which tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.figures import Language
from assistant.web.charts.costs import break_even, ownership, plans, ranking
from assistant.web.charts.frontier import frontier, picks
from assistant.web.charts.machine import inference_memory, power, training_memory
from assistant.web.charts.speed import rate, relative, share
from assistant.web.charts.svg import Chart
from tools.api import Json

Draw = Callable[[Mapping[str, Json], Language], Chart | None]
_DRAWN: dict[str, tuple[Draw, ...]] = {
    "rank_by_value": (ranking, frontier),
    "cloud_break_even": (break_even,),
    "ownership_cost": (ownership,),
    "plan_build": (plans,),
    "recommend": (picks,),
    "power_check": (power,),
    "inference_memory": (inference_memory,),
    "training_memory": (training_memory,),
    "decode_rate": (rate,),
    "prefill_rate": (rate,),
    "training_rate": (rate,),
    "multi_gpu_speedup": (rate,),
    "power_limit_effect": (share,),
    "relative_performance": (relative,),
}


def charts_of(tool: str, result: Mapping[str, Json], language: Language) -> list[Chart]:
    """Return the pictures of a result; none where a picture would say no more than the sentence."""
    drawn = (draw(result, language) for draw in _DRAWN.get(tool, ()))
    return [chart for chart in drawn if chart is not None]


__all__ = ["Chart", "charts_of"]
