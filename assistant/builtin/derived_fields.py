"""Which line of a data sheet states the tensor rate of a format."""

from __future__ import annotations

RATE_FIELD = {
    "FP8": "tensor_fp8_dense_tflops",
    "FP4": "tensor_fp4_dense_tflops",
    "BF16": "tensor_bf16_dense_tflops",
    "TF32": "tensor_tf32_dense_tflops",
    "FP32": "fp32_tflops",
}
