"""Names of result fields in words; a field that is not listed is named by its own words."""

from __future__ import annotations

import re

from assistant.figures import Language

# field: Chinese, English.
_LABELS = {
    "gpu_w": ("显卡功耗", "Power of the cards"),
    "board_power_w": ("显卡标称功耗", "Board power"),
    "platform_w": ("平台功耗", "CPU, board and the rest"),
    "system_w": ("整机功耗", "Whole machine"),
    "psu_w": ("电源功率", "Power supply"),
    "headroom_w": ("电源余量", "Headroom of the supply"),
    "recommended_psu_w": ("建议电源", "Recommended power supply"),
    "wall_w": ("墙上取电", "Power at the wall"),
    "outlet_limit_w": ("插座可持续功率", "Continuous limit of the outlet"),
    "suggested_power_limit_w": ("建议的功率上限", "Suggested power limit"),
    "limited_system_w": ("限功率后的整机功耗", "Whole machine with the limit"),
    "saved_w": ("省下的功率", "Power saved"),
    "power_limit_w": ("功率上限", "Power limit"),
    "power_w": ("功率", "Power"),
    "psu_efficiency": ("电源效率", "Efficiency"),
    "break_even_days": ("回本天数", "Days to break even"),
    "break_even_usd": ("平衡点的花费", "Cost at break-even"),
    "break_even_utilization": ("盈亏平衡利用率", "Break-even utilization"),
    "utilization": ("利用率", "Utilization"),
    "cloud_usd_per_day": ("云端每天", "Cloud per day"),
    "desktop_usd_per_day": ("自有主机每天", "Own machine per day"),
    "cloud_usd_per_h": ("云端每小时", "Cloud per hour"),
    "desktop_usd": ("主机价格", "Price of the machine"),
    "cloud_usd_at_horizon": ("期末云端花费", "Cloud cost at the horizon"),
    "horizon_days": ("期限", "Horizon"),
    "desktop_usd_at_horizon": ("期末主机花费", "Machine cost at the horizon"),
    "electricity_usd_per_kwh": ("电价", "Electricity price"),
    "energy_kwh_per_year": ("每年用电", "Energy per year"),
    "electricity_usd_per_year": ("每年电费", "Electricity per year"),
    "electricity_usd": ("电费", "Electricity"),
    "total_usd": ("总花费", "Total cost"),
    "price_usd": ("价格", "Price"),
    "launch_price_usd": ("首发价", "Launch price"),
    "relative_per_1000_usd": ("每千美元性能", "Performance per $1,000"),
    "relative": ("相对性能", "Relative performance"),
    "energy_kwh": ("用电量", "Energy"),
    "emissions_kg": ("碳排放", "Emissions"),
    "intensity_g_per_kwh": ("电网碳强度", "Grid intensity"),
    "hours": ("小时", "Hours"),
    "weights_gb": ("权重", "Weights"),
    "kv_cache_gb": ("KV 缓存", "KV cache"),
    "kv_cache_gib": ("KV 缓存", "KV cache"),
    "bytes_per_token": ("每个 token 的字节数", "Bytes per token"),
    "overhead_gb": ("其他开销", "Overhead"),
    "total_gb": ("合计显存", "Total memory"),
    "per_gpu_gb": ("每张卡", "Per card"),
    "gradients_gb": ("梯度", "Gradients"),
    "optimizer_gb": ("优化器状态", "Optimizer states"),
    "activations_gb": ("激活值", "Activations"),
    "memory_gb": ("显存", "Memory"),
    "gpu_count": ("卡数", "Number of cards"),
    "memory_bandwidth_gb_s": ("显存带宽", "Memory bandwidth"),
    "l2_cache_mb": ("L2 缓存", "L2 cache"),
    "tensor_fp16_dense_tflops": ("FP16 张量算力（稠密）", "FP16 tensor rate, dense"),
    "slots": ("占用槽位", "Slots"),
    "length_mm": ("长度", "Length"),
    "nvlink_gb_s": ("NVLink 带宽", "NVLink bandwidth"),
    "slots_needed": ("需要的槽位", "Slots needed"),
    "tokens_per_s": ("每秒 token", "Tokens per second"),
    "samples_per_s": ("每秒样本", "Samples per second"),
    "usd_per_million_tokens": ("每百万 token", "Per million tokens"),
    "usd_per_h": ("每小时", "Per hour"),
    "speedup": ("加速比", "Speedup"),
    "efficiency": ("并行效率", "Parallel efficiency"),
    "cycles": ("周期", "Cycles"),
    "relative_speed": ("相对速度", "Relative speed"),
    "years": ("年限", "Years"),
    "model": ("模型", "Model"),
    "cards": ("显卡", "Cards"),
    "gpu": ("显卡", "Card"),
    "budget_usd": ("预算", "Budget"),
    "date": ("日期", "Date"),
    "assumptions": ("假设", "Assumption"),
    "assumptions_zh": ("假设", "Assumption"),
    "steps": ("计算步骤", "Step"),
    "sources": ("来源", "Source"),
    "expression": ("算式", "Expression"),
    "use": ("用途", "Use"),
    "value": ("结果", "Result"),
}
_UNITS = re.compile(r"_(?:w|usd|gb|gib|mb|kg|kwh|mm|h|days|tflops|tops)$")


def field_label(name: str, language: Language) -> str:
    """Return a field's name in words."""
    if name in _LABELS:
        zh, en = _LABELS[name]
        return zh if language == "zh" else en
    return name if language == "zh" else _UNITS.sub("", name).replace("_", " ").capitalize()
