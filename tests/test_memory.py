import pytest

from tools._errors import ToolInputError
from tools._models import find_model, size_b
from tools.memory import inference_memory, kv_cache, training_memory

# Model, tokens, format, bytes per token, GiB. From the shapes in each config.json; the Llama rows and
# DeepSeek-V3 are worked out in the project's facts, the others by hand from 2 x layers x kv_heads x head_dim x bytes.
KV_GOLDEN = [
    ("llama-3-8b", 8192, "FP16", 131_072, 1.0),
    ("Llama 2 7B", 4096, "FP16", 524_288, 2.0),
    ("llama3 70b", 8192, "FP16", 327_680, 2.5),
    ("DeepSeek V3", 1, "FP16", 70_272, 70_272 / 2**30),
    ("Qwen1.5-7B-Chat", 24_320, "FP16", 524_288, 11.875),  # QwenLM/Qwen3 issue 16: 11.88 GiB
    ("qwen2.5-7b", 262_144, "Q8_0", 30_464, 7.4375),  # 57,344 B x 8.5 / 16
    ("qwen2.5-7b", 262_144, "FP16", 57_344, 14.0),
    ("mistral 7b v0.1", 32_768, "FP16", 131_072, 0.5),  # window of 4096 in every layer
    # Every other layer has a window of 128.
    ("gpt-oss-20b", 1000, "FP16", 49_152, (12 * 1000 + 12 * 128) * 2048 / 2**30),
]


@pytest.mark.parametrize(("model", "tokens", "kv_format", "per_token", "gib"), KV_GOLDEN)
def test_kv_cache_golden(model: str, tokens: int, kv_format: str, per_token: float, gib: float):
    result = kv_cache(model=model, tokens=tokens, kv_format=kv_format)
    assert result.bytes_per_token == per_token
    assert result.kv_cache_gib == pytest.approx(gib, rel=1e-9)
    assert result.kv_cache_gb == pytest.approx(gib * 2**30 / 1e9, rel=1e-9)


def test_hybrid_model_caches_in_its_attention_layers_only():
    assert kv_cache(model="qwen3-next-80b-a3b", tokens=262_144).kv_cache_gib == pytest.approx(6.0)


def test_kv_steps_show_the_figures():
    assert kv_cache(model="llama-3-8b", tokens=8192).steps[0] == (
        "bytes_per_token = 2 x 8 x 128 x 32 layers x 16 bit / 8 = 131,072 B"
    )


# Weights: parameters x bits / 8, or the file that was published. Tolerance: the digits of the source.
WEIGHT_GOLDEN = [
    ("llama-3-8b", "BF16", 16.06, 0.001),
    ("mixtral-8x7b", "FP16", 93.4, 0.001),
    ("mixtral-8x7b", "AWQ", 24.65, 0.01),  # TheBloke's file, 24.65 GB
    ("llama-3-70b", "AWQ", 39.8, 0.01),  # file of 39.8 GB
    ("qwen1.5-7b", "GPTQ", 5.86, 0.01),  # Qwen's own GPTQ-Int4 file
    ("deepseek-r1", "Q6_K", 550.2, 0.001),  # ktransformers issue 951
    ("llama-3.1-8b", "Q4_K_M", 4.9, 0.01),  # llama.cpp, llama-quantize README
    ("llama-3.1-70b", "Q4_K_M", 43.1, 0.01),
    ("65B", "NF4", 33.5, 0.01),  # QLoRA: 4.127 bits
]


@pytest.mark.parametrize(("model", "weight_format", "gb", "tolerance"), WEIGHT_GOLDEN)
def test_weights_golden(model: str, weight_format: str, gb: float, tolerance: float):
    assert inference_memory(model=model, weight_format=weight_format).weights_gb == pytest.approx(gb, rel=tolerance)


def test_measured_serving_lies_between_floor_and_total():
    # Qwen README: Qwen-7B in BF16, 2048 tokens generated, 16.99 GB.
    result = inference_memory(model="qwen-7b", weight_format="BF16", context_tokens=2048)
    assert result.floor_gb < 16.99 < result.total_gb


def test_mixture_counts_all_experts_and_says_so():
    # vllm issue 3285: Mixtral in 16 bit does not run on four 24 GB cards.
    result = inference_memory(model="Mixtral 8x7B", gpu_count=4)
    assert result.per_gpu_gb > 24 > result.floor_per_gpu_gb
    assert "RTX 4090" not in result.fitting_gpus
    assert result.warnings[0].en.startswith("All experts must lie in memory; only 12.88B of 46.7B")


def test_fitting_gpus_are_sorted_and_hold_it():
    from tools._catalog import gpus

    memory = {card.name: card.memory_gb for card in gpus()}
    result = inference_memory(model="13B", weight_format="INT8")
    sizes = [memory[name] for name in result.fitting_gpus]
    assert sizes == sorted(sizes)
    assert min(sizes) >= result.per_gpu_gb
    assert len(sizes) <= 12


def test_total_is_the_sum_of_its_parts():
    result = inference_memory(model="llama-3-8b", weight_format="Q4_K_M", context_tokens=8192, batch_size=4)
    assert result.total_gb == pytest.approx(result.weights_gb + result.kv_cache_gb + result.overhead_gb)


# Bytes a parameter: ZeRO, arXiv:1910.02054; 8-bit Adam, arXiv:2110.02861; pure BF16, LlamaFactory issue 3422.
BYTES_GOLDEN = [
    ("mixed_bf16", "adamw", 16),
    ("mixed_fp16", "adamw", 16),
    ("mixed_bf16", "adamw_8bit", 10),
    ("pure_bf16", "adamw", 8),
    ("fp32", "adamw", 16),
    ("mixed_bf16", "sgd", 12),
    ("fp32", "adafactor", 8),
]


@pytest.mark.parametrize(("precision", "optimizer", "expected"), BYTES_GOLDEN)
def test_bytes_per_parameter(precision: str, optimizer: str, expected: float):
    result = training_memory(model="7B", precision=precision, optimizer=optimizer)
    assert result.bytes_per_parameter == expected
    assert result.states_gb == pytest.approx(7 * expected)


def test_conventions_of_other_sources():
    result = training_memory(model="7B")
    assert (result.states_gb, result.states_hugging_face_gb, result.high_states_gb) == (112.0, 126.0, 140.0)


def test_lora_parameters_golden():
    # Hu et al.: r x (d_in + d_out) per matrix; 32 layers x 2 matrices x 8 x (4096 + 4096).
    assert training_memory(model="7B", method="lora", lora_rank=8).lora_parameters == 4_194_304


# Qwen README_CN, one A100 80 GB, rank 64 on all linear layers: LoRA and Q-LoRA by length.
MEASURED = [
    ("qwen-7b", "lora", 1024, 21.5),
    ("qwen-7b", "lora", 8192, 36.6),
    ("qwen-7b", "qlora", 1024, 12.3),
    ("qwen-14b", "qlora", 2048, 19.9),
    ("qwen-14b", "qlora", 4096, 23.0),
]


@pytest.mark.parametrize(("model", "method", "tokens", "gb"), MEASURED)
def test_measured_fine_tuning(model: str, method: str, tokens: int, gb: float):
    result = training_memory(
        model=model, method=method, sequence_tokens=tokens, lora_rank=64, lora_targets="all_linear"
    )
    assert result.per_gpu_gb == pytest.approx(gb, rel=0.10)


def test_activations_golden():
    # arXiv:2205.05198: s b h (34 + 5 a s / h), 34 s b h, 2 s b h per layer.
    base = {"model": "llama-2-7b", "sequence_tokens": 2048, "batch_size": 2}
    unit = 2048 * 2 * 4096 * 32 / 1e9
    assert training_memory(**base, checkpointing="full").activations_gb == pytest.approx(2 * unit)
    assert training_memory(**base, checkpointing="selective").activations_gb == pytest.approx(34 * unit)
    stored = training_memory(**base, checkpointing="none", flash_attention=False)
    assert stored.activations_gb == pytest.approx((34 + 5 * 32 * 2048 / 4096) * unit)


def test_zero_golden():
    # LlamaFactory issue 6752: Qwen2.5-3B (3.09e9) on four cards, states of a card 17.0 GB (ZeRO-2), 12.4 GB (ZeRO-3).
    two = training_memory(model="qwen2.5-3b", zero_stage=2, gpu_count=4)
    three = training_memory(model="qwen2.5-3b", zero_stage=3, gpu_count=4)
    rest = two.activations_gb + two.logits_gb + two.overhead_gb
    assert two.per_gpu_gb - rest == pytest.approx(17.0, rel=0.01)
    assert three.per_gpu_gb - rest == pytest.approx(12.4, rel=0.01)


def test_offload_golden():
    # DeepSpeed's estimator for 9.708e9 parameters on four cards: 18.08 GiB a card, 216.99 GiB of main memory.
    result = training_memory(model="7B", parameters_b=9.708, zero_stage=2, gpu_count=4, offload="optimizer")
    states = result.per_gpu_gb - result.activations_gb - result.logits_gb - result.overhead_gb
    assert states * 1e9 / 2**30 == pytest.approx(18.08, rel=0.001)
    assert result.cpu_gb * 1e9 / 2**30 == pytest.approx(216.99, rel=0.001)


def test_logits_grow_with_vocabulary():
    # axolotl thread: 14,000 tokens x 262,144 words x 4 B = 14.7 GB a copy; ten bytes are held at the peak.
    result = training_memory(model="gemma-3-12b", method="lora", sequence_tokens=14_000)
    assert result.logits_gb == pytest.approx(14.7 * 10 / 4, rel=0.01)


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_zero_never_needs_more(stage: int):
    lower = training_memory(model="llama-3-8b", zero_stage=stage + 1, gpu_count=8)
    assert lower.per_gpu_gb < training_memory(model="llama-3-8b", zero_stage=stage, gpu_count=8).per_gpu_gb


@pytest.mark.parametrize("model", ["llama-3-8b", "deepseek-v3", "gemma-3-27b", "mistral-7b-v0.1", "gpt-oss-120b"])
def test_longer_context_never_needs_less(model: str):
    needs = [inference_memory(model=model, context_tokens=tokens).total_gb for tokens in (128, 4096, 8192, 100_000)]
    assert needs == sorted(needs)


def test_fewer_bits_never_need_more():
    formats = ("FP32", "FP16", "Q8_0", "FP8", "Q6_K", "Q5_K_M", "Q4_K_M", "Q4_0", "INT4", "Q3_K_M", "Q2_K")
    needs = [inference_memory(model="llama-3-8b", weight_format=name).total_gb for name in formats]
    assert needs == sorted(needs, reverse=True)


def test_qlora_needs_less_than_lora_and_lora_less_than_full():
    needs = [
        training_memory(model="7B", method=method, sequence_tokens=2048).per_gpu_gb
        for method in ("qlora", "lora", "full")
    ]
    assert needs == sorted(needs)


NAMES = [
    ("Llama 3 8B", "llama-3-8b"),
    ("llama3 70b", "llama-3-70b"),
    ("Qwen2.5-72B-Instruct", "qwen2.5-72b"),
    ("DeepSeek V3", "deepseek-v3"),
    ("deepseek-ai/DeepSeek-R1", "deepseek-r1"),
    ("mixtral 8×7b", "mixtral-8x7b"),
    ("通义千问2.5 7B", "qwen2.5-7b"),
    ("Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"),
    ("gemma 3 27b it", "gemma-3-27b"),
    ("qwen3 30b a3b", "qwen3-30b-a3b"),
    ("meta-llama/Llama-2-13b-chat-hf", "llama-2-13b"),
    ("8x7B", "mixtral-8x7b"),
]


@pytest.mark.parametrize(("typed", "name"), NAMES)
def test_model_names_as_people_type_them(typed: str, name: str):
    assert find_model(typed).model.name == name


@pytest.mark.parametrize(
    ("typed", "size"),
    [
        ("13B", 13),
        ("7b", 7),
        ("130亿", 13),
        ("70亿参数", 7),
        ("0.5B", 0.5),
        ("350M", 0.35),
        ("7B 模型", 7),
        ("llama-3-8b", None),
    ],
)
def test_sizes(typed: str, size: float | None):
    assert size_b(typed) == (None if size is None else pytest.approx(size))


def test_a_bare_size_says_what_it_was_taken_for():
    note = kv_cache(model="7B", tokens=4096).assumptions[0]
    assert note.en == (
        "A 7B model without a name is taken as dense and shaped like Llama 2 7B: 32 layers, "
        "32 KV heads of 128. Name the model for its own shape."
    )


def test_own_figures_win():
    result = kv_cache(model="deepseek-v3", tokens=100, layers=10, kv_heads=2, head_dim=64)
    assert result.bytes_per_token == 2 * 2 * 64 * 10 * 2
    assert find_model("our own model", parameters_b=3).model.parameters_b == 3


ERRORS = [
    (
        lambda: kv_cache(model="qwen2.5-71b", tokens=1),
        "`model` 'qwen2.5-71b' is not in the catalogue. Did you mean 'qwen2.5-7b' or 'qwen2.5-72b' or 'qwen2.5-14b'? "
        "You can also give its size, e.g. '7B', or `parameters_b` with `layers`, `kv_heads` and `head_dim`.",
    ),
    (
        lambda: kv_cache(model="", tokens=1),
        "`model` must be a model's name or size, got ''. Give one such as 'llama-3-8b' or '13B'.",
    ),
    (
        lambda: kv_cache(model="sdxl", tokens=1),
        "`model` 'sdxl' has no key-value cache that is known. Name a language model, or give `layers`, `kv_heads` and "
        "`head_dim`.",
    ),
    (lambda: kv_cache(model="7B", tokens=0), "`tokens` must be at least 1, got 0. Give tokens, e.g. 8192."),
    (
        lambda: kv_cache(model="7B", tokens=8, kv_format="FP9"),
        "`kv_format` must be one of FP32, FP16, BF16, FP8, INT8, Q8_0, Q4_0, got 'FP9'. Did you mean 'FP8'?",
    ),
    (
        lambda: inference_memory(model="900000B"),
        "`model` must be at most 20000 billion, got 900000. Give billions of parameters, e.g. 7 for a 7B model.",
    ),
    (
        lambda: inference_memory(model="7B", gpu_count=1.5),
        "`gpu_count` must be a whole number, got 1.5. Give the number of cards, e.g. 4.",
    ),
    (lambda: training_memory(model="7B", zero_stage=4), "`zero_stage` must be at most 3, got 4. Give 0, 1, 2 or 3."),
    (
        lambda: training_memory(model="7B", offload="all", zero_stage=2),
        "`offload` 'all' needs ZeRO. Give `zero_stage` 2 for 'optimizer', 3 for 'all'.",
    ),
]


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_error_messages(call, message: str):
    with pytest.raises(ToolInputError) as error:
        call()
    assert str(error.value) == message
    assert error.value.text.zh


# One image: BF16 512 x 512 and 1024 x 1024 (sayakpaul/sample-datasets), FLUX.1 in 4 bit (HighCWu/FLUX.1-dev-4bit).
@pytest.mark.parametrize(
    ("model", "weight_format", "measured"),
    [("sd1.5", "BF16", 2.6), ("sdxl", "BF16", 10.0), ("flux.1-dev", "NF4", 11.0)],
)
def test_image_models_take_what_was_measured(model: str, weight_format: str, measured: float):
    result = inference_memory(model=model, weight_format=weight_format, gpu="RTX 4070")
    assert measured <= result.total_gb <= 1.4 * measured
    assert (result.fits, result.max_context_tokens) == (True, None)
    (note,) = (note for note in result.warnings if note.en.startswith(f"Measured: {measured:g} GB."))
    assert note.zh.startswith(f"实测：{measured:g} GB。") and " the " not in note.zh and "image" not in note.zh


def test_room_of_a_card():
    # By hand: ((24 - 1) / 1.05 - 16.06) GB / 131,072 B.
    result = inference_memory(model="llama-3-8b", gpu="RTX 4090")
    assert result.max_context_tokens == int(((24 - 1) / 1.05 - 16.06) * 1e9 / 131_072)
    assert result.max_batch_size == int(((24 - 1) / 1.05 - 16.06) * 1e9 / (131_072 * 4096))
    assert result.max_parameters_b == pytest.approx(((24 - 1) / 1.05 - 0.5369) / 2, rel=1e-4)
    small = inference_memory(model="llama-3-70b", gpu="RTX 4090")
    assert (small.fits, small.max_context_tokens, small.max_batch_size) == (False, 0, 0)
    training = training_memory(model="llama-2-7b", method="qlora", gpu="RTX 3090")
    assert training.fits
    assert training_memory(model="llama-2-7b", method="qlora", batch_size=training.max_batch_size or 0).per_gpu_gb <= 24
    assert (
        training_memory(model="llama-2-7b", method="qlora", batch_size=(training.max_batch_size or 0) + 1).per_gpu_gb
        > 24
    )


def test_a_compressed_cache_lies_on_every_card_of_a_tensor_split():
    layer, tensor = (
        inference_memory(model="deepseek-v3", weight_format="FP8", gpu_count=8, split=split, context_tokens=100_000)
        for split in ("layer", "tensor")
    )
    assert tensor.floor_gb - layer.floor_gb == pytest.approx(7 * layer.kv_cache_gb)


LLAMA_CONFIG = """{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
 "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192}"""
# deepseek-ai/DeepSeek-V3, config.json: 671e9 parameters, 37e9 active.
DEEPSEEK_CONFIG = """{"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432,
 "moe_intermediate_size": 2048, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
 "vocab_size": 129280, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8,
 "first_k_dense_replace": 3, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
 "qk_rope_head_dim": 64, "v_head_dim": 128}"""


def test_a_config_json_gives_the_shape():
    llama = find_model(LLAMA_CONFIG).model
    assert llama.parameters_b == pytest.approx(8.03, rel=1e-3)
    assert kv_cache(model=LLAMA_CONFIG, tokens=8192).kv_cache_gib == 1.0
    deepseek = find_model(DEEPSEEK_CONFIG).model
    assert deepseek.parameters_b == pytest.approx(671, rel=0.002)
    assert deepseek.active_parameters_b == pytest.approx(37.5, rel=0.02)
    assert kv_cache(model=DEEPSEEK_CONFIG, tokens=1).bytes_per_token == 70_272
    hybrid = (
        LLAMA_CONFIG[:-1] + ', "layer_types": [' + ", ".join(['"linear_attention"'] * 3 + ['"full_attention"']) + "]}"
    )
    assert find_model(hybrid).model.kv_layers == 1


def test_a_broken_config_json_says_what_is_missing():
    with pytest.raises(ToolInputError) as error:
        kv_cache(model='{"hidden_size": 4096}', tokens=1)
    assert str(error.value) == (
        "`model` looks like a config.json but has no num_hidden_layers or hidden_size. "
        "Give its whole text, or a name such as 'llama-3-8b'."
    )
