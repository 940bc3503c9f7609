"""The work in a language model's step: bytes read and operations done, mixtures of experts included."""

from __future__ import annotations

from tools._catalog import Model
from tools._efficiency import coefficient
from tools._formats import embedding_parameters_b, weights_of


def active_parameters_b(model: Model) -> float:
    """Return the parameters that work on a token [1e9]."""
    return model.active_parameters_b or model.parameters_b


def is_mixture(model: Model) -> bool:
    """Whether only some of the weights work on a token."""
    return active_parameters_b(model) < model.parameters_b


def weights_read_gb(model: Model, weight_format: str, sequences: int) -> float:
    """Return the weights that one step reads [GB]: all but the input embedding, of a mixture the experts in use.

    With several sequences more experts are in use: each draws its own, so a share s of the experts becomes
    1 - (1 - s)^sequences.
    """
    whole, _ = weights_of(model, weight_format)
    if not is_mixture(model):
        one = (model.vocab_size or 0) * (model.hidden_size or 0) / 1e9
        return whole * (1 - max(0.0, embedding_parameters_b(model) - one) / model.parameters_b)
    share = min(1.0, active_parameters_b(model) / model.parameters_b * coefficient("decode.moe_read_factor"))
    return whole * (1 - (1 - share) ** sequences)


def prompt_operations(model: Model, tokens: int, sequences: int) -> float:
    """Return the operations of reading prompts [1e12]: two a weight and token, and causal attention."""
    one = (model.vocab_size or 0) * (model.hidden_size or 0) / 1e9
    looked_up = max(0.0, embedding_parameters_b(model) - one)
    matrix = 2e-3 * (active_parameters_b(model) - looked_up) * tokens * sequences
    return matrix + 2e-12 * (model.layers or 0) * (model.hidden_size or 0) * tokens**2 * sequences
