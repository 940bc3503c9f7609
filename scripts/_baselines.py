"""What others would predict for the same rows: a bandwidth ratio, a tensor-rate ratio, `servcalc` and `ridgepoint`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from scripts._fitting import Row
from scripts._observations import Seen
from tools._efficiency import tensor_16bit_tflops
from tools._models import find_model
from tools._training_model import matrix_tflops
from tools._work import weights_read_gb

# The card that a ratio starts from, and the next one where a workload was not measured on it.
REFERENCES = ("RTX 3090", "RTX A6000", "M2 Ultra (76 cores)", "RX 7900 XT", "Arc A770 16GB")
WORKER = Path(__file__).parent / "rivals_worker.py"
# Our names for cards -> theirs.
_SERVCALC = {
    "RTX 3060 12GB": "RTX 3060",
    "RTX 3080 10GB": "RTX 3080",
    "RTX 4060 Ti 8GB": "RTX 4060 Ti",
    "V100 SXM2 16GB": "V100 16GB",
    "A100 SXM 80GB": "A100 80GB",
    "A100 PCIe 80GB": "A100 80GB",
    "H100 SXM": "H100 80GB",
    "RTX 4070 Ti Super": "RTX 4070 Ti Super",
}
_RIDGEPOINT = {
    "A100 SXM 80GB": "a100-80gb",
    "A100 PCIe 80GB": "a100-80gb",
    "A100 PCIe 40GB": "a100-40gb",
    "H100 SXM": "h100-80gb",
    "L40S": "l40s-48gb",
    "RTX 3090": "rtx3090-24gb",
    "RTX 4090": "rtx4090-24gb",
    "H200 SXM": "h200-141gb",
}
_RIDGEPOINT_FORMATS = {"FP16": "fp16", "Q4_0": "q4_0", "Q4_K_M": "q4_k_m", "Q8_0": "q8_0"}


def workload_of(seen: Seen) -> tuple[str, ...]:
    """Return what must be equal for a ratio between two cards to make sense: never two software generations."""
    software = "v0" if seen.software == "v0_old" else seen.software
    return (
        seen.workload,
        software,
        *(str(seen.details.get(key, "")) for key in ("model", "weight_format", "tokens", "network", "precision")),
    )


def ratios(rows: Sequence[Row], figure: str) -> list[float | None]:
    """Return the rate that a ratio of bandwidths or tensor rates to the reference card predicts for each row."""
    measured = {(workload_of(row.seen), row.card): row.seen for row in rows}
    found: list[float | None] = []
    for row in rows:
        base = next(
            (
                measured[key]
                for name in REFERENCES
                if (key := (workload_of(row.seen), name)) in measured and name != row.card
            ),
            None,
        )
        found.append(None if base is None else base.value * _figure(row.seen, figure) / _figure(base, figure))
    return found


def _figure(seen: Seen, figure: str) -> float:
    if figure == "bandwidth":
        return seen.gpu.memory_bandwidth_gb_s
    if seen.workload == "training":
        return matrix_tflops(seen.gpu, str(seen.details["precision"]))
    return tensor_16bit_tflops(seen.gpu)


def rivals(rows: Sequence[Row], python: str) -> dict[str, list[float | None]]:
    """Return the rates of both packages, by an interpreter that has them; None where they do not know the card."""
    jobs = [_job(row.seen) for row in rows]
    done = subprocess.run([python, str(WORKER)], input=json.dumps(jobs), capture_output=True, text=True, check=True)
    answers: list[dict[str, float | None]] = json.loads(done.stdout)
    return {name: [answer[name] for answer in answers] for name in ("servcalc", "ridgepoint")}


def _job(seen: Seen) -> dict[str, object]:
    name, stored = str(seen.details["model"]), str(seen.details["weight_format"])
    model = find_model(name).model
    config = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": model.hidden_size,
        "intermediate_size": model.intermediate_size,
        "num_hidden_layers": model.layers,
        "num_attention_heads": model.heads,
        "num_key_value_heads": model.kv_heads,
        "vocab_size": model.vocab_size,
        "max_position_embeddings": 8192,
        "rms_norm_eps": 1e-5,
        "tie_word_embeddings": False,
        "torch_dtype": "float16",
    }
    return {
        "workload": seen.workload,
        "tokens": seen.details["tokens"],
        "config": config,
        "model": name,
        "weight_bytes": int(weights_read_gb(model, stored, 1) * 1e9),
        "quantised": stored != "FP16",
        "servcalc": _SERVCALC.get(seen.card, seen.card),
        "ridgepoint": _RIDGEPOINT.get(seen.card),
        "format": _RIDGEPOINT_FORMATS[stored],
    }
