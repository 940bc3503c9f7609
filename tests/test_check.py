"""The claim checker finds what an article gets wrong, says why, and leaves right figures alone."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.check import Finding, check_file, check_text


def found(text: str) -> list[str]:
    return [finding.text for finding in check_text(text)]


@pytest.fixture(scope="module")
def by_article(shared: Path) -> list[list[Finding]]:
    return [check_file(str(path)) for path in sorted((shared / "articles").glob("*.txt"))]


def test_the_translated_guide_has_these_wrong_figures_and_no_others(by_article: list[list[Finding]]) -> None:
    assert [(finding.passage.split(":")[1], finding.text) for finding in by_article[0]][1:] == [
        ("3.1.1", "232"),
        ("3.1.1", "834"),
        ("3.1.1", "84"),
        ("3.1.2", "200"),
        ("7", "A6000 Turing"),
        ("9.13", "缺乏Tensor Cores"),
        ("9.14", "2.14美元"),
        ("9.14", "300天"),
        ("9.14", "2311美元"),
        ("9.14", "2270美元"),
    ]
    assert by_article[0][0].text == "RTX 40 Ampere"


def test_the_report_repeats_the_guide_without_a_wrong_figure_of_its_own(by_article: list[list[Finding]]) -> None:
    assert by_article[1] == []


def test_the_survey_has_these_wrong_figures_and_no_others(by_article: list[list[Finding]]) -> None:
    assert [(finding.passage.split(":")[1], finding.text) for finding in by_article[2]] == [
        ("3.1", "624 TFLOPS"),
        ("3.2", "149 TFLOPS"),
        ("3.5", "不具备 NVLink"),
    ]


def test_reasons_name_the_tool_and_the_right_figure(by_article: list[list[Finding]]) -> None:
    reasons = {finding.text: finding.reason for findings in by_article for finding in findings}
    assert reasons["300天"] == "cloud_break_even: 293 days."
    assert reasons["2311美元"] == "cloud_break_even: the desktop costs $2,258 by then; $2,311 fits the cloud."
    assert reasons["834"].startswith("calculate: likely 8*34, a lost multiplication sign")
    assert "624 is with 2:4 sparsity, dense FP16 is 312" in reasons["624 TFLOPS"]
    assert reasons["不具备 NVLink"] == "gpu_specs: RTX 3090 has NVLink with 112.5 GB/s."
    assert reasons["RTX 40 Ampere"] == "gpu_specs: its architecture is Ada."


def test_reasons_are_told_in_both_languages(by_article: list[list[Finding]]) -> None:
    reasons = {finding.text: finding.reason_zh for findings in by_article for finding in findings}
    assert reasons["300天"] == "cloud_break_even：293 天。"
    assert reasons["2311美元"] == "cloud_break_even：到那时台式机花费 2,258 美元；2,311 美元是云的数。"
    assert reasons["834"] == (
        "calculate：很可能是 8*34，丢了乘号：200 + 834 + 84 等于 1118，原文写的是 504；200 + 8*34 + 8*4 才等于 504。"
    )
    assert reasons["624 TFLOPS"].endswith("；624 是 2:4 稀疏值，FP16 稠密是 312。")
    assert reasons["不具备 NVLink"] == "gpu_specs：RTX 3090 有 NVLink，112.5 GB/s。"
    assert all(
        re.search(r"[\u4e00-\u9fff]", reason) and not re.search(r"[a-z] [a-z]", reason) for reason in reasons.values()
    )


@pytest.mark.parametrize(
    "text",
    [
        "The RTX 4090 has 24 GB of memory and 1008 GB/s.",
        "The A100 has 40 GB or 80 GB of memory and 312 TFLOPS.",
        "Four cards of 350 W make 4 × 350 = 1400 W.",
        "RTX 3060：12GB GDDR6 显存，13 TFLOPS。",
        "1555 GB/s for the A100 and 900 GB/s for the V100.",
        "(350 W + 100 W) × 0.15 × 24 × 365 = 591 kWh.",
        "The RTX 4090 has a TDP of 450 W; with a power limit of 300 W it is cooler.",
        "The RTX 3090 has NVLink.",
    ],
)
def test_right_figures_are_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The RTX 4090 has 32 GB of memory.", "32 GB"),
        ("RTX 3090 的显存带宽是 1936 GB/s。", "1936 GB/s"),
        ("The RTX 4090 has a TDP of 600 W.", "600 W"),
        ("Four cards make 4 × 350 = 1500 W.", "1500"),
        ("The RTX 3090 has no NVLink.", "no NVLink"),
        ("The A100 reaches 624 tensor TFLOPS.", "624 tensor TFLOPS"),
        ("RTX 4080 提供 97 TFLOPS 的性能。", None),
    ],
)
def test_wrong_figures_are_found(text: str, wrong: str | None) -> None:
    assert found(text) == ([wrong] if wrong else [])


def test_the_command_line(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("The RTX 4090 has 32 GB of memory.\n", encoding="utf-8")
    command = [sys.executable, "-m", "assistant", "check"]
    done = subprocess.run([*command, str(note), "--json"], capture_output=True, text=True, check=True)
    [finding] = json.loads(done.stdout)
    assert finding["text"] == "32 GB"
    assert finding["reason"] == "gpu_specs: RTX 4090 has 24 GB."
    gone = subprocess.run([*command, str(tmp_path / "none.md")], capture_output=True, text=True, check=False)
    assert gone.returncode == 2
    assert gone.stderr == "There is no file 'none.md'. Give a path to a text, Markdown, HTML or PDF file.\n"
