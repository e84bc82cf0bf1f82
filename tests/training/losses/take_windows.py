"""Windows of procedural takes for tests, and reading and writing of groups of their inputs."""

import torch

from footfall.training.data.dataset import Dataset

CPU = torch.device("cpu")
FRAMES = 40


def read_inputs(dataset: Dataset, x: torch.Tensor, name: str) -> torch.Tensor:
    """A group (B, ...) of normalized inputs x (B, n)."""
    layout, norm = dataset.input_layout, dataset.normalization
    at = layout.slices[name]
    values = x[:, at] * torch.from_numpy(norm.x_std[at]) + torch.from_numpy(norm.x_mean[at])
    return values.unflatten(1, next(group.shape for group in layout if group.name == name))


def write_inputs(dataset: Dataset, x: torch.Tensor, name: str, values: torch.Tensor) -> None:
    """Write a group (B, ...) into normalized inputs x (B, n)."""
    layout, norm = dataset.input_layout, dataset.normalization
    at = layout.slices[name]
    x[:, at] = (values.flatten(1) - torch.from_numpy(norm.x_mean[at])) / torch.from_numpy(norm.x_std[at])
