"""Normalized vectors in training, divided into the groups of their layout.

In back-propagation, reading or writing a slice costs as much as the whole vector, and inputs of interaction networks
have thousands of components. A vector that is split once and joined once costs twice its size, however many groups are
used.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...core.features.layout import Layout


class GroupScaling:
    """Conversion of the groups of normalized vectors (B, n) to their units.

    Args:
        layout: layout of n numbers.
        mean, std: (n) mean and divisor of the normalization.
        device: the device of the vectors.
    """

    def __init__(
        self, layout: Layout, mean: NDArray[np.float32], std: NDArray[np.float32], device: torch.device
    ) -> None:
        self.shapes = {group.name: group.shape for group in layout}
        self.sizes = [layout.slices[name].stop - layout.slices[name].start for name in self.shapes]
        self._mean, self._std = (self._by_group(torch.as_tensor(values, device=device)) for values in (mean, std))

    def split(self, vectors: Tensor) -> "GroupTensors":
        """Return vectors (B, n) split into their groups."""
        return GroupTensors(self, self._by_group(vectors))

    def to_units(self, name: str, values: Tensor) -> Tensor:
        """Return normalized values (B, k) of a group in the group's unit and shape, (B, *shape)."""
        return torch.addcmul(self._mean[name], values, self._std[name]).unflatten(1, self.shapes[name])

    def normalize(self, name: str, values: Tensor) -> Tensor:
        """Return values (B, *shape) of a group, given in the group's unit, normalized and flattened to (B, k)."""
        return (values.flatten(1) - self._mean[name]) / self._std[name]

    def _by_group(self, vectors: Tensor) -> dict[str, Tensor]:
        """Return the parts of vectors (..., n), by the names of their groups."""
        return dict(zip(self.shapes, vectors.split(self.sizes, dim=-1), strict=True))


class GroupTensors:
    """Normalized vectors (B, n) split into groups, which can be read and replaced in their units.

    Args:
        scaling: conversion of the groups to their units.
        parts: normalized values (B, k) by group, in the layout's order.
    """

    def __init__(self, scaling: GroupScaling, parts: dict[str, Tensor]) -> None:
        self._scaling, self._parts = scaling, parts

    def normalized(self, name: str) -> Tensor:
        """Return the normalized values (B, k) of a group."""
        return self._parts[name]

    def read(self, name: str) -> Tensor:
        """Return the values (B, *shape) of a group in the group's unit."""
        return self._scaling.to_units(name, self._parts[name])

    def replace(self, name: str, values: Tensor) -> None:
        """Replace the values of a group with ``values`` (B, *shape), in its unit."""
        self._parts[name] = self._scaling.normalize(name, values)

    def replace_normalized(self, name: str, values: Tensor) -> None:
        """Replace the normalized values of a group with ``values`` (B, k)."""
        self._parts[name] = values

    def joined(self) -> Tensor:
        """Return the groups joined into vectors (B, n)."""
        return torch.cat(list(self._parts.values()), dim=1)
