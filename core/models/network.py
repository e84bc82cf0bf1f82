"""What all families of networks have in common: what they map to what, how they are run, and how they are described.

A network answers an input x with an output y, frame by frame. Some carry a memory from frame to frame; those that do
not are given none. Nothing outside this package and ``training/networks`` knows which family runs.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..features.layout import Layout

Float32 = NDArray[np.float32]
Memory = tuple[Float32, ...]
Tensors = Mapping[str, Float32]
Shapes = dict[str, tuple[int, ...]]

BIG: Final = 24 << 20
"""Bytes of weights from which on they come from memory, not from caches, and are multiplied row by row.

BLAS goes through several rows of a matrix at once, which memory delivers at half its speed and less; dots of one row
after the other run at all of it. What the caches hold is quicker by BLAS, in one product of a vector and a matrix.
"""
MAX_UNITS: Final = 1 << 14
"""No layer of a controller is wider."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a network is to learn.

    Attributes:
        inputs, outputs: layouts of x (n) and y (m).
        feet: where feet and toes are among the joints of the pose groups, left ones first.
        rate: frames a second.
    """

    inputs: Layout
    outputs: Layout
    foot_joints: tuple[int, ...]
    rate: float

    @staticmethod
    def from_names(
        inputs: Layout, outputs: Layout, joints: Sequence[str], joint_names_by_role: Mapping[str, str], rate: float
    ) -> "Task":
        """Return the task of pose joints by name, of which ``joint_names_by_role`` says by role who they are."""
        wanted = [joint_names_by_role.get(f"{part}.{side}") for side in "LR" for part in ("foot", "toe")]
        return Task(inputs, outputs, tuple(joints.index(name) for name in wanted if name in joints), rate)


class Network(Protocol):
    """A trained network, ready to be called with normalised inputs."""

    def begin(self, count: int) -> Memory:
        """What ``count`` characters (B) remember that have just begun: arrays whose first axis is B."""
        ...

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """One frame of B characters.

        Args:
            x: normalised inputs (B, n).
            phase: cycles (B).
            memory: of the frame before.

        Returns:
            Normalised outputs (B, m), and the memory for the frame after.
        """
        ...


class StatelessNetwork(ABC):
    """A :class:`Network` whose answer depends on this frame's input alone."""

    @abstractmethod
    def __call__(self, x: NDArray[np.floating], phase: ArrayLike) -> Float32:
        """Normalised outputs (m) or (B, m) of normalised inputs (n) or (B, n) at phases in cycles, () or (B)."""

    def begin(self, count: int) -> Memory:
        """Nothing."""
        return ()

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """See :meth:`Network.step`."""
        return self(x, phase), memory


def architecture_setting(
    default: Any, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """Return a field of an :class:`Architecture`: an int, float or bool within limits, or one of some words."""
    return field(default=default, metadata={"low": low, "high": high, "choices": choices})


@dataclass(frozen=True, slots=True)
class Architecture(ABC):
    """The sizes and choices that make a network of one family; with its tensors, the whole network."""

    family: ClassVar[str]

    @abstractmethod
    def shapes(self, task: Task) -> Shapes:
        """Names and shapes of the network's float32 tensors; raises ``ValueError`` where the task does not suit it."""

    @abstractmethod
    def network(self, tensors: Tensors, task: Task) -> Network:
        """Return the network with such tensors."""

    def to_json(self) -> dict[str, Any]:
        """Plain data for a model file's header."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Return the inverse of :meth:`to_json`, of foreign data; raises ``ValueError``."""
        if not isinstance(data, dict) or set(data) != {one.name for one in fields(cls)}:
            raise ValueError(f"a network of family {cls.family} is described by other settings")
        return cls(
            **{one.name: _checked_setting(one.name, data[one.name], one.default, one.metadata) for one in fields(cls)}
        )


def _checked_setting(name: str, value: object, default: object, limits: Mapping[str, Any]) -> object:
    kind = type(default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ValueError(f"its '{name}' is no {kind.__name__}")
    if limits["choices"] and value not in limits["choices"]:
        raise ValueError(f"its '{name}' is none of {', '.join(limits['choices'])}")
    if isinstance(value, int | float) and limits["low"] is not None and not limits["low"] <= value <= limits["high"]:
        raise ValueError(f"its '{name}' is not from {limits['low']} to {limits['high']}")
    return value


def elu(x: Float32) -> None:
    """Return the exponential linear unit (PFNN eq. 6), in place."""
    negative = np.minimum(x, 0.0)
    np.expm1(negative, out=negative)
    # Nowhere is exp(x) - 1 below x, and it is 0 where x is above 0.
    np.maximum(x, negative, out=x)


def multiply_row_by_row(weights: Float32, x: Float32) -> Float32:
    """Matrices (..., h, n) times a vector (n): (..., h); see :data:`BIG`."""
    return np.matmul(weights[..., None, :], x[:, None])[..., 0, 0]
