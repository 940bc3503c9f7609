"""What each fitted coefficient means, and its unit."""

from __future__ import annotations

LLAMA = "llama.cpp scoreboards (github.com/ggml-org/llama.cpp/discussions/15013) and XiongjieDai 2024-05"
LAMBDA = "Lambda deep-learning benchmark v0 to v2 (github.com/lambdal/deeplearning-benchmark)"

_DECODE = {
    "memory": ("1", "Times the bytes over bandwidth of the data sheet; overlaps with requests."),
    "requests": (
        "1",
        "Times the bytes over 8 B per SM and cycle: what the SMs can ask of the memory; decides on cards "
        "with much bandwidth for each SM (A100, H100).",
    ),
    "requests_16bit": ("1", "The same for 16-bit weights, relative."),
    "ecc": ("1", "GDDR memory with error correction (server cards): this many times the memory time."),
    "cache": ("1", "Times the bytes of the key-value cache over bandwidth, attention without flash kernels."),
    "fixed": ("10^6 cycles", "Cycles of the boost clock a token of a 32-layer model takes whatever the bandwidth."),
    "unpack": ("us SM GHz/MB", "Unpacking 4-bit weights and multiplying: time of a GB for each SM x GHz."),
    "unpack_16bit": ("1", "The same for 16-bit weights, relative."),
    "unpack_k": ("1", "The same for GGUF K formats, relative."),
    "power": ("J/GB", "Slows cards with little board power: this many joules for each GB read."),
    "old_software": ("1", "Fixed cost of llama.cpp of May 2024 over that of 2025."),
    "vulkan": ("1", "Time of the Vulkan build over the CUDA build."),
    "memory_16bit": ("1", "Memory time of 16-bit weights, relative to 4 bit."),
    "memory_8bit": ("1", "Memory time of 8-bit weights, relative to 4 bit."),
    "memory_k": ("1", "Memory time of GGUF K formats, relative to 4 bit."),
}
_PREFILL = {
    "matrix": ("1", "Time of 10^12 operations for each SM x GHz x 0.125, quantised weights on matrix units."),
    "matrix_16bit": ("1", "The same for 16-bit weights (for Apple relative to quantised ones)."),
    "volta": ("1", "The same on Volta, which runs prompts through FP16 tensor cores."),
    "shader": ("1", "Time of 10^12 operations for each 64 lanes x GHz x 0.0625 without tensor cores."),
    "power": ("(W/SM GHz)^0.5", "Times the root of SM x GHz over board power: the clock falls under the power limit."),
    "power_16bit": ("1", "The same for 16-bit weights, relative."),
    "memory": ("GB/TFLOP", "GB moved for 10^12 operations: activations and unpacked weights."),
    "fixed": ("10^6 cycles", "Cycles of the boost clock a run of 512 tokens takes whatever the card."),
    "old_software": ("1", "Time of llama.cpp of May 2024 over that of 2025."),
    "vulkan": ("1", "Time of the Vulkan build over the CUDA build."),
}
_TRAINING = {
    "tensor": ("1", "Weight of 100 TFLOPS over the matrix rate in the time of a sample."),
    "shader": ("1", "Weight of 150 SM GHz over SM x clock."),
    "memory": ("1", "Weight of 1000 GB/s over bandwidth."),
    "power": ("1", "Weight of 300 W over board power."),
    "step": ("1", "Weight of what a step costs whatever its batch."),
    "ecc": ("1", "GDDR memory with error correction: this many times the memory time."),
    "old_design": ("1", "Time of Pascal, Volta and Turing over newer designs."),
}


def meaning_of(name: str) -> tuple[str, str, str]:
    """Return unit, meaning and source of a fitted coefficient."""
    kind, last = name.split(".")[0], name.rsplit(".", 1)[-1]
    if kind == "decode":
        return (*_DECODE[last], LLAMA)
    if kind == "prefill":
        return (*_PREFILL[last], LLAMA)
    if last.startswith("software"):
        return "s", f"Level of software {last.removeprefix('software_')}: multiplies the weighted sum.", LAMBDA
    return (*_TRAINING[last], LAMBDA)
