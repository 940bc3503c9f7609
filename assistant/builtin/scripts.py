"""Traditional Chinese signs as simplified ones, one for one, so that positions stay; and shares written as 三成."""

from __future__ import annotations

import re

_PAIRS = (
    "張张塊块個个機机電电價价錢钱數数幾几時时間间裡里裝装統统銷销開开顯显卻却訓训練练兩两應应該该買买賣卖點点對对會会過过還还這这"
    "請请問问嗎吗麼么為为從从體体壓压熱热風风線线連连槽槽顆颗頻频寬宽記记憶忆憑凭檔档樣样種种週周歲岁萬万億亿號号歐欧圓圆佔占總总"
    "計计筆笔夠够單单雙双無无與与並并後后於于區区達达選选擇择費费貴贵資资質质運运適适項项領领預预題题類类驗验負负責责貨货貼贴"
    "輸输轉转農农遊游進进遠远遲迟邊边鐘钟長长門门關关陣阵階阶難难靜静響响頁页順顺須须頓顿頭头額额顧顾飛飞餘余館馆駕驾驅驱"
    "節节約约級级純纯紙纸細细組组結结給给絕绝經经綠绿維维網网緊紧緩缓縮缩績绩織织繼继續续"
)
_TABLE = str.maketrans(dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)))
_TENTHS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_TENTH = re.compile(r"(?<![一二两三四五六七八九十百千万亿])([一二两三四五六七八九])成(?![本功为了立长员品果交分])")


def simplified(text: str) -> str:
    """Return a text in simplified signs, with "三成" as "30%" and "4O90" as "4090"."""
    zeros = re.sub(r"(?<=\d)[Oo](?=\d\d(?!\d))", "0", text.translate(_TABLE))
    return _TENTH.sub(lambda hit: f"{_TENTHS[hit[1]] * 10}%", zeros)
