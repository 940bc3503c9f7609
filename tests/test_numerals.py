import pytest

from assistant.numerals import read_numbers

READ = [
    ("1.6kW", [(1600.0, "W")]),
    ("两千二美元", [(2200.0, "USD")]),
    ("15%", [(0.15, "fraction")]),
    ("350 瓦", [(350.0, "W")]),
    ("0.175美元/度", [(0.175, "USD/kWh")]),
    ("$2,200 and $2.14/h", [(2200.0, "USD"), (2.14, "USD/h")]),
    ("每小时 2 元", [(2.0, "CNY/h")]),
    ("电费 0.6 元/度", [(0.6, "CNY/kWh")]),
    ("三百天", [(300.0, "days")]),
    ("一万五千元", [(15000.0, "CNY")]),
    ("百分之十五", [(0.15, "fraction")]),
    ("1.6万美元", [(16000.0, "USD")]),
    ("四张", [(4.0, "cards")]),
    ("two thousand five hundred W", [(2500.0, "W")]),
    ("a dozen hours", [(12.0, "h")]),
    ("half the price", [(0.5, "x")]),
    ("twice as fast", [(2.0, "x")]),
    ("-250 W", [(-250.0, "W")]),
    ("负250瓦", [(-250.0, "W")]),
    ("１６００Ｗ", [(1600.0, "W")]),
    ("300，400 W", [(300.0, ""), (400.0, "W")]),
    ("80 TB/s", [(80000.0, "GB/s")]),
    ("10 hours a day", [(10.0, "h/day")]),
    ("130亿参数", [(13.0, "1e9")]),
    ("32x32", [(32.0, ""), (32.0, "")]),
    ("1,555 GB/s", [(1555.0, "GB/s")]),
    ("比2.14美元/小时便宜", [(2.14, "USD/h")]),
    ("三年半", [(3.5, "years")]),
    ("万一不行，一般来说十分慢", []),
    ("10 a day", [(10.0, "")]),
    ("批量从 九 提到 64", [(9.0, ""), (64.0, "")]),
    ("3 - 8 = -五。", [(3.0, ""), (8.0, ""), (-5.0, "")]),
    ("3-8 = -五\n完", [(3.0, ""), (8.0, ""), (-5.0, "")]),
    ("排名第 二 的，单位是美元/百万\n", []),
]


@pytest.mark.parametrize(("text", "expected"), READ, ids=[text for text, _ in READ])
def test_numbers_are_read_with_their_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(pytest.approx(number.value), number.unit) for number in read_numbers(text)] == expected


def test_positions_point_into_the_text() -> None:
    text = "四张 3090 满载 1,400 W，电价 0.6 元/度"
    for number in read_numbers(text):
        assert text[number.start : number.end] == number.text


def test_a_number_keeps_its_written_form() -> None:
    (power,) = read_numbers("1.6 kW")
    assert power.as_written == (1.6, "kW")
    (share,) = read_numbers("15 %")
    assert share.as_written == (15.0, "%")


def test_a_run_of_digits_without_end_is_no_number():
    assert read_numbers("9" * 400) == []
