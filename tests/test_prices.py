"""Own prices: files, gpuhunt, bad rows, and how they reach the tools."""

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assistant.cli import app
from assistant.prices import PriceFileError, hunt, own_prices, read_prices, save, with_own_prices
from assistant.toolbox import toolbox
from tools.api import get_tool

TODAY = "2026-11-30"
CARDS = "card,price_usd,kind,as_of,source\n3090,650,used,2026-11-01,local market\nRTX 4090,1500,used,,\n"
RENTS = (
    "provider,gpu,gpu_count,usd_per_h,kind,as_of,source\nacme,4090,1,0.35,on_demand,2026-11-02,acme.example\n"
    "acme,RTX 4090,8,2.4,on_demand,2026-11-02,acme.example\nacme,3090,1,0.1,spot,2026-11-02,acme.example\n"
)


def write(folder: Path, text: str, name: str = "mine.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_becomes_dated_rows_and_reaches_the_tools(tmp_path: Path):
    for text in (CARDS, RENTS):
        save(read_prices(write(tmp_path, text), TODAY), tmp_path / "data")
    prices, rents = own_prices(tmp_path / "data")
    assert prices == {"RTX 3090": 650, "RTX 4090": 1500}
    # Per GPU, the lowest on demand; spot where there is nothing else.
    assert rents == {"RTX 4090": pytest.approx(0.3), "RTX 3090": 0.1}
    assert "RTX 4090,1500.0,used,2026-11-30,your own file" in (tmp_path / "data" / "prices.csv").read_text("utf-8")
    rank = get_tool("rank_by_value")
    given = with_own_prices(rank, {"use": "training_16bit", "prices_usd": {"RTX 3090": 600}}, prices, rents)
    assert given["prices_usd"] == {"RTX 3090": 600, "RTX 4090": 1500}
    assert "rents_usd_per_h" not in given
    row = rank.call({**given, "gpus": ["RTX 4090"]}).to_dict()["rows"][0]
    assert (row["price_usd"], row["price_kind"]) == (1500, "own")
    plan = with_own_prices(get_tool("plan_build"), {"use": "inference"}, prices, rents)
    assert set(plan) == {"use", "prices_usd", "rents_usd_per_h"}
    assert with_own_prices(get_tool("gpu_specs"), {"gpu": "4090"}, prices, rents) == {"gpu": "4090"}


def test_a_newer_row_replaces_the_older_one(tmp_path: Path):
    save(read_prices(write(tmp_path, CARDS), TODAY), tmp_path)
    save(read_prices(write(tmp_path, "card,price_usd,kind,as_of\n3090,700,used,2026-10-01\n"), TODAY), tmp_path)
    assert own_prices(tmp_path)[0]["RTX 3090"] == 650
    save(read_prices(write(tmp_path, "card,price_usd,kind,as_of\n3090,700,used,2026-11-20\n"), TODAY), tmp_path)
    assert own_prices(tmp_path)[0]["RTX 3090"] == 700


def test_other_currencies_need_a_rate_or_take_a_dated_one(tmp_path: Path):
    # By hand: 5000 yuan at 7.5, and at 7.1726 of 2025-02-25.
    rows = read_prices(
        write(
            tmp_path, "card,price_usd,kind,currency,units_per_dollar\n3090,5000,used,CNY,7.5\n3090,5000,street,CNY,\n"
        ),
        TODAY,
    )
    assert [row.price_usd for row in rows] == [pytest.approx(666.67, abs=0.005), pytest.approx(697.10, abs=0.005)]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.csv has no rows."),
        ("card,price_usd\nRTX 6090,100\n", "Line 2: `gpu` 'RTX 6090' is not in the catalogue. Did you mean"),
        ("card,price_usd\n3090,-5\n", "Line 2: `price_usd` must be above 0 and at most 1e+07 USD, got -5."),
        ("card,price_usd\n3090,nan\n", "Line 2: `price_usd` must be above 0 and at most 1e+07 USD, got nan."),
        ("card,price_usd\n3090,cheap\n", "Line 2: `price_usd` must be a number, got 'cheap'."),
        ("card,price_usd,kind\n3090,700,found\n", "Line 2: `kind` must be one of street, used, launch, got 'found'."),
        ("card,price_usd,as_of\n3090,700,yesterday\n", "Line 2: Invalid isoformat string: 'yesterday'"),
        ("card,price_usd,currency\n3090,5000,¥\n", "Line 2: `currency` '¥' is yuan or yen. Write 'CNY' or 'JPY'."),
        ("card,price_usd,currency\n3090,5000,INR\n", "Line 2: No dated rate is known for INR"),
        ("gpu,usd_per_h,gpu_count\n4090,0.4,0\n", "Line 2: `gpu_count` must be a whole number from 1 to 64, got '0'."),
    ],
)
def test_bad_rows_say_what_to_change(tmp_path: Path, text: str, message: str):
    with pytest.raises(PriceFileError) as error:
        read_prices(write(tmp_path, text), TODAY)
    assert str(error.value).startswith(message)


def offer(**changed: Any) -> Any:
    return types.SimpleNamespace(
        **{
            "provider": "acme",
            "gpu_name": "RTX4090",
            "gpu_memory": 24.0,
            "gpu_count": 2,
            "price": 0.8,
            "spot": False,
            **changed,
        }
    )


def test_gpuhunt_gives_rents_of_known_cards_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    offers = [
        offer(),
        offer(gpu_name="Z9", gpu_memory=5.0),
        offer(gpu_name=None),
        offer(gpu_name="H100", gpu_memory=80.0, spot=True, gpu_count=8, price=9),
    ]
    monkeypatch.setitem(sys.modules, "gpuhunt", types.SimpleNamespace(query=lambda **_: offers))
    save(hunt(TODAY), tmp_path)
    rents = own_prices(tmp_path)[1]
    assert rents["RTX 4090"] == pytest.approx(0.4)
    assert any(name.startswith("H100") for name in rents)


def test_a_dead_source_leaves_the_rest_working(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    save(read_prices(write(tmp_path, CARDS), TODAY), tmp_path)

    def dead(**_: Any) -> list[Any]:
        raise ConnectionError("no network")

    monkeypatch.setitem(sys.modules, "gpuhunt", types.SimpleNamespace(query=dead))
    with pytest.raises(PriceFileError, match=r"no answer .ConnectionError.; what you had is kept"):
        hunt(TODAY)
    assert own_prices(tmp_path)[0]["RTX 3090"] == 650
    monkeypatch.setitem(sys.modules, "gpuhunt", None)
    with pytest.raises(PriceFileError, match="not installed"):
        hunt(TODAY)


def test_stored_prices_reach_the_tools_of_the_assistant(tmp_path: Path):
    save(read_prices(write(tmp_path, CARDS), TODAY), tmp_path)
    rank = {tool.name: tool for tool in toolbox(data_dir=tmp_path)}["rank_by_value"]
    found = json.loads(rank.invoke({"use": "training_16bit", "gpus": ["RTX 3090", "RTX 4090"]}))
    assert {row["gpu"]: (row["price_usd"], row["price_kind"]) for row in found["result"]["rows"]} == {
        "RTX 3090": (650, "own"),
        "RTX 4090": (1500, "own"),
    }
    assert found["arguments"]["prices_usd"] == {"RTX 3090": 650, "RTX 4090": 1500}
    (tmp_path / "prices.csv").write_text("card,price_usd\n3090,broken\n", encoding="utf-8")
    assert json.loads(rank.invoke({"use": "training_16bit"}))["arguments"] == {"use": "training_16bit"}


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("GPU_ADVISOR_DATA_DIR", str(tmp_path / "data"))
    done = CliRunner().invoke(app, ["import-prices", str(write(tmp_path, CARDS))])
    assert (done.exit_code, "2 card prices and 0 rents" in done.output) == (0, True)
    assert own_prices(tmp_path / "data")[0]["RTX 3090"] == 650
    assert CliRunner().invoke(app, ["import-prices", str(tmp_path / "none.csv")]).exit_code == 2
    assert CliRunner().invoke(app, ["import-prices"]).exit_code == 2
