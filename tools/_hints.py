"""Ways out that several tools offer."""

from __future__ import annotations

from tools._result import Text

GPU_COUNT_HINT = Text("Give the number of cards, e.g. 4.", "请给出显卡数量，例如 4。")
TOKENS_HINT = Text("Give tokens, e.g. 8192.", "请给出 token 数，例如 8192。")
SEQUENCES_HINT = Text("Give how many sequences run at once, e.g. 1.", "请给出同时处理的序列数，例如 1。")
SAMPLES_HINT = Text("Give samples per card, e.g. 64.", "请给出每卡样本数，例如 64。")
SHARE_HINT = Text("Give a share such as 0.45 for 45 %.", "请给出比例，例如 45 % 写 0.45。")
