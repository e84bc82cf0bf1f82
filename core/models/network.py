"""The interface of all families of networks: their task, execution and description.

A network maps an input x to an output y, frame by frame. Some carry a memory from frame to frame. Only this package and
``training/networks`` know the family.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..features.layout import Layout
from ..motion.roles import contact_roles

Float32 = NDArray[np.float32]
Memory = tuple[Float32, ...]
Tensors = Mapping[str, Float32]
Shapes = dict[str, tuple[int, ...]]

CACHE_LIMIT_BYTES: Final = 24 << 20
"""Size of a layer stack above which its weights come from memory, not from caches, and are multiplied row by row. BLAS
processes several rows of a matrix together, which memory delivers at half its speed or less; dot products of one row
after the other run at full speed. For weights that fit the caches, BLAS is faster, in one product of a vector and a
matrix.
"""
MAX_UNITS: Final = 1 << 14
"""Largest accepted number of units of a layer."""


@dataclass(frozen=True, slots=True)
class Task:
    """Layouts, foot joints and rate of a network's task.

    Attributes:
        inputs: layout of x (n).
        outputs: layout of y (m).
        foot_joints: indices of feet and toes among the joints of the pose groups, left first.
        rate: frames per second.
    """

    inputs: Layout
    outputs: Layout
    foot_joints: tuple[int, ...]
    rate: float

    @staticmethod
    def from_names(
        inputs: Layout, outputs: Layout, joints: Sequence[str], joint_names_by_role: Mapping[str, str], rate: float
    ) -> "Task":
        """Create a task, finding the foot joints among the names of the pose joints.

        Args:
            inputs: layout of x.
            outputs: layout of y.
            joints: names of the pose joints, in order.
            joint_names_by_role: joint names by role, to identify feet and toes.
            rate: frames per second.
        """
        feet = [joint_names_by_role.get(role) for role in contact_roles(joint_names_by_role)]
        return Task(inputs, outputs, tuple(joints.index(name) for name in feet if name in joints), rate)


class Network(Protocol):
    """A trained network, ready to be called with normalized inputs."""

    def begin(self, count: int) -> Memory:
        """Return the network's memory before the first frame, for ``count`` characters: arrays with first axis B."""
        ...

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """Compute the outputs of one frame for B characters.

        Args:
            x: normalized inputs (B, n).
            phase: (B) phase, cycles.
            memory: memory that the previous frame returned.

        Returns:
            Normalized outputs (B, m), and the memory for the next frame.
        """
        ...


class StatelessNetwork(ABC):
    """A :class:`Network` whose output depends only on the current frame's input."""

    @abstractmethod
    def __call__(self, x: NDArray[np.floating], phase: ArrayLike) -> Float32:
        """Return normalized outputs (m) or (B, m) for normalized inputs (n) or (B, n) and phases () or (B), cycles."""

    def begin(self, count: int) -> Memory:
        """Return an empty tuple, since the network has no memory."""
        return ()

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """Return outputs (B, m) for normalized inputs x (B, n) and phases (B), cycles, and the empty memory."""
        return self(x, phase), memory


def architecture_setting(
    default: Any, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """Return a dataclass field for an :class:`Architecture`: a number or flag with limits, or one of several texts.

    Args:
        default: default value, with the setting's type.
        low: smallest value of a number.
        high: largest value of a number.
        choices: all values of a text.
    """
    return field(default=default, metadata={"low": low, "high": high, "choices": choices})


@dataclass(frozen=True, slots=True)
class Architecture(ABC):
    """The sizes and choices that, together with weights, define a network of one family."""

    family: ClassVar[str]

    @abstractmethod
    def shapes(self, task: Task) -> Shapes:
        """Return the shapes of the network's float32 tensors, by name.

        Raises:
            ValueError: the task does not suit the network.
        """

    @abstractmethod
    def network(self, tensors: Tensors, task: Task) -> Network:
        """Return the runnable network with the given tensors, which have the names and shapes of :meth:`shapes`."""

    def to_json(self) -> dict[str, Any]:
        """Return the architecture as plain data for a model file's header."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Create the architecture from the untrusted data of a model file's header, as :meth:`to_json` wrote them.

        Raises:
            ValueError: the data do not describe such an architecture.
        """
        if not isinstance(data, dict) or set(data) != {one.name for one in fields(cls)}:
            raise ValueError(f"the description of a network of the family {cls.family} has other settings")
        return cls(
            **{one.name: _checked_setting(one.name, data[one.name], one.default, one.metadata) for one in fields(cls)}
        )


def _checked_setting(name: str, value: object, default: object, limits: Mapping[str, Any]) -> object:
    """Convert an untrusted value to the type of the default; raise ``ValueError`` if it is beyond its limits."""
    kind = type(default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ValueError(f"the setting '{name}' is not of the type {kind.__name__}")
    if limits["choices"] and value not in limits["choices"]:
        raise ValueError(f"the setting '{name}' is not one of {', '.join(limits['choices'])}")
    if isinstance(value, int | float) and limits["low"] is not None and not limits["low"] <= value <= limits["high"]:
        raise ValueError(f"the setting '{name}' is not from {limits['low']} to {limits['high']}")
    return value


def elu(x: Float32) -> None:
    """Replace x, in place, with its exponential linear unit (PFNN eq. 6)."""
    negative = np.minimum(x, 0.0)
    np.expm1(negative, out=negative)
    # exp(x) - 1 is nowhere below x, and the clamped value is 0 for positive x.
    np.maximum(x, negative, out=x)


def multiply_row_by_row(weights: Float32, x: Float32) -> Float32:
    """Return the products (..., h) of matrices (..., h, n) with a vector (n), row by row to fit the cache."""
    return np.matmul(weights[..., None, :], x[:, None])[..., 0, 0]
