"""The mixture of experts, forward pass only: a gating network weights the outputs of K expert networks.

Jacobs et al. 1991; MANN, Zhang et al. 2018; NSM, Starke et al. 2019, section 3; local motion phases, Starke et al.
2020, section 4.

The papers blend the experts' weights, then multiply. As the product is linear in the weights, the experts are
multiplied here and their outputs are blended: the function is the same, and weights are read once and never written.
Experts with negligible weights are not read at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .dense import Dense, append_phase, dense_shapes
from .gating import GATING_KINDS, GATING_ONLY_GROUPS, GatingInput
from .network import (
    CACHE_LIMIT_BYTES,
    MAX_UNITS,
    Architecture,
    Float32,
    Shapes,
    StatelessNetwork,
    Task,
    Tensors,
    architecture_setting,
    elu,
    multiply_row_by_row,
)

NEGLIGIBLE_WEIGHT_RATIO: Final = 0.005
"""Blending weight, relative to the largest one, below which an expert is skipped.

In walks of the four presets' networks, trained for two minutes, this value moves joints by 0.1 mm on average and by 5
mm at most, and skips up to 15 % of the experts; a value ten times larger moves them by 1 mm and by 40 mm.
"""
ENCODER_GROUPS: Final = {
    "frame": ("trajectory", "root", "pose", "contact", "performer"),
    "goal": ("goal", "target", "strike"),
    "environment": ("terrain", "environment"),
    "interaction": ("interaction", "ball", "opponent"),
}
"""The parts of the input with separate encoders (NSM eq. 2), each with the prefixes of its groups' names in x."""


@dataclass(frozen=True, slots=True)
class ExpertsArchitecture(Architecture):
    """Architecture of a mixture of experts.

    Attributes:
        experts: number of experts, K; 8 or 10 in NSM, 4 or 8 in MANN.
        hidden: units of both hidden layers of an expert; 512 in the papers.
        gating: kind of the gate's input, one of :data:`.gating.GATING_KINDS`.
        gating_hidden: units of both hidden layers of the gate.
        encoder: units of both layers of an encoder; 0 for experts without encoders. The encoder of the goal has a
            quarter of these units (NSM: 512 and 128).
        interaction_encoder: units of both layers of the object's encoder (NSM: 256); 0 for as many as ``encoder``.
    """

    family: ClassVar[str] = "experts"

    experts: int = architecture_setting(8, 1, 64)
    hidden: int = architecture_setting(512, 1, MAX_UNITS)
    gating: str = architecture_setting("velocity", choices=GATING_KINDS)
    gating_hidden: int = architecture_setting(128, 1, MAX_UNITS)
    encoder: int = architecture_setting(0, 0, MAX_UNITS)
    interaction_encoder: int = architecture_setting(0, 0, MAX_UNITS)

    def shapes(self, task: Task) -> Shapes:
        """Return the shapes of the tensors of gate, encoders and experts, by name.

        The experts' tensors are ``W0``, ... (K, outputs, inputs) and ``b0``, ... (K, outputs).
        """
        gating = GatingInput.of(self.gating, task).size
        result = dense_shapes("gate", (gating, self.gating_hidden, self.gating_hidden, self.experts))
        inputs = 0
        for part, columns in self.encoder_columns(task).items():
            widths = self.encoder_widths(part, len(columns))
            result |= dense_shapes(f"encoders.{part}", widths)
            inputs += widths[-1]
        for layer, (before, after) in enumerate(pairwise((inputs, self.hidden, self.hidden, task.outputs.size))):
            result |= {f"W{layer}": (self.experts, after, before), f"b{layer}": (self.experts, after)}
        return result

    def network(self, tensors: Tensors, task: Task) -> "ExpertMixture":
        """Return the runnable network with the given weights; it skips experts of negligible blending weight."""
        return ExpertMixture(self, tensors, task)

    def encoder_columns(self, task: Task) -> Mapping[str, NDArray[np.intp]]:
        """Return the columns of x that each encoder takes, by part of the input, a key of :data:`ENCODER_GROUPS`."""
        found: dict[str, list[NDArray[np.intp]]] = {}
        for group in task.inputs:
            if group.name not in GATING_ONLY_GROUPS:
                columns = task.inputs.slices[group.name]
                found.setdefault(_encoder_of(group.name), []).append(np.arange(columns.start, columns.stop))
        return {part: np.concatenate(columns) for part, columns in found.items()}

    def encoder_widths(self, part: str, size: int) -> tuple[int, ...]:
        """Return the layer widths of the encoder of one part of the input, from its input to its output.

        Args:
            part: a key of :data:`ENCODER_GROUPS`.
            size: number of columns of x in this part.
        """
        own = {"goal": max(self.encoder // 4, 1), "interaction": self.interaction_encoder or self.encoder}
        units = own.get(part, self.encoder)
        return (size, units, units) if self.encoder else (size,)


def _encoder_of(name: str) -> str:
    """Return the part of the input, a key of :data:`ENCODER_GROUPS`, to which a group of x belongs."""
    word = name.partition(".")[0]
    for part, words in ENCODER_GROUPS.items():
        if word in words:
            return part
    raise ValueError(f"the network has an unknown group of inputs, '{name}'")


def _as_slice(columns: NDArray[np.intp]) -> slice | NDArray[np.intp]:
    """Return columns that follow each other as a slice, which needs no copy."""
    follow = bool((np.diff(columns) == 1).all())
    return slice(int(columns[0]), int(columns[-1]) + 1) if follow else columns


class ExpertMixture(StatelessNetwork):
    """A trained mixture of experts, ready to be called with normalized inputs.

    Args:
        architecture: sizes and choices of the network.
        tensors: weights and biases by name, of the shapes that ``architecture.shapes`` returns.
        task: layouts of x and y.
        negligible_ratio: blending weight, relative to the largest one, below which an expert is skipped; from twice
            this ratio on, an expert has its full weight. 0 skips no expert.
    """

    def __init__(
        self,
        architecture: ExpertsArchitecture,
        tensors: Tensors,
        task: Task,
        negligible_ratio: float = NEGLIGIBLE_WEIGHT_RATIO,
    ) -> None:
        self._negligible_ratio = negligible_ratio
        self._gating = GatingInput.of(architecture.gating, task)
        self._gate = Dense(tensors, "gate", linear_output=True)
        self._encoders = [
            (_as_slice(columns), Dense(tensors, f"encoders.{part}", linear_output=False))
            for part, columns in architecture.encoder_columns(task).items()
        ]
        self._layers = [(tensors[f"W{layer}"], tensors[f"b{layer}"]) for layer in range(3)]
        # For weights that fit the caches, one product of a vector and a matrix of all experts is fastest.
        self._exceeds_cache = sum(weight.nbytes for weight, _ in self._layers) > CACHE_LIMIT_BYTES
        layers = () if self._exceeds_cache else self._layers
        self._stacked_weights = [np.ascontiguousarray(weight.reshape(-1, weight.shape[-1]).T) for weight, _ in layers]

    def __call__(self, x: NDArray[np.floating], phase: ArrayLike) -> Float32:
        """Return normalized outputs (m) or (B, m) for normalized inputs (n) or (B, n) and phases () or (B), cycles.

        The phase is used only if the gate takes it as an input.
        """
        rows = np.asarray(x, dtype=np.float32)
        if rows.ndim == 1:
            return self(rows[None], phase)[0]
        weights = self._drop_negligible(self.blending_weights(rows, phase))
        encoded = np.concatenate([encoder(rows[:, columns]) for columns, encoder in self._encoders], axis=1)
        if len(rows) == 1:
            return self._forward_one(encoded[0], weights[0])[None]
        outputs = self._forward_batch(np.ascontiguousarray(encoded.T), np.ascontiguousarray(weights.T))
        return np.ascontiguousarray(outputs.T)

    def _forward_one(self, x: Float32, shares: Float32) -> Float32:
        """Return the outputs (m) for encoded inputs (n) and blending weights (K) of one character."""
        used = np.flatnonzero(shares)
        for layer, (weight, bias) in enumerate(self._layers):
            if layer:
                elu(x)
            if not self._exceeds_cache:
                x = np.matmul(shares, (x @ self._stacked_weights[layer]).reshape(bias.shape) + bias)
                continue
            every = len(used) == len(weight)
            products = (
                multiply_row_by_row(weight, x)
                if every
                else np.stack([multiply_row_by_row(weight[one], x) for one in used])
            )
            x = np.matmul(shares[used], products) + shares @ bias
        return x

    def _forward_batch(self, x: Float32, shares: Float32) -> Float32:
        """Return the outputs (m, B) for encoded inputs (n, B) and blending weights (K, B) of B characters.

        Characters are columns, with weights on the left, which for few characters is far faster than the transposed
        product; each expert is evaluated only for characters with a significant weight.
        """
        used = [(expert, np.flatnonzero(shares[expert])) for expert in np.flatnonzero(shares.any(axis=1))]
        for layer, (weight, bias) in enumerate(self._layers):
            if layer:
                elu(x)
            result = bias.T @ shares
            for expert, rows in used:
                if len(rows) == x.shape[1]:
                    result += (weight[expert] @ x) * shares[expert]
                else:
                    result[:, rows] += (weight[expert] @ x[:, rows]) * shares[expert, rows]
            x = result
        return x

    def blending_weights(self, x: Float32, phase: ArrayLike) -> Float32:
        """Return the experts' blending weights (B, K), summing to 1, for x (B, n) and phases (B) (NSM eq. 8)."""
        gating = self._gating(x)
        logits = self._gate(append_phase(gating, phase) if self._gating.phase else gating)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def _drop_negligible(self, shares: Float32) -> Float32:
        """Remove negligible blending weights from (B, K); weights fade out before, so that outputs do not jump."""
        if self._negligible_ratio == 0.0:
            return shares
        times = shares / (self._negligible_ratio * shares.max(axis=1, keepdims=True))
        kept = shares * np.clip(times - np.float32(1), 0, 1)
        return kept / kept.sum(axis=1, keepdims=True)
