"""Adding a gait to a controller: its network gets the input columns of one more gait."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from ...core.errors import FootfallError
from ...core.features.layout import Layout
from ...core.features.locomotion import input_layout, phase_channel_count
from ...core.models.model_file import ControllerModel
from ...core.models.network import Float32, Task
from ..networks.families import NETWORK_FACTORIES

GAIT_GROUP: Final = "trajectory.gait"
TEMPLATE_GAIT: Final = "walk"
"""Gait whose weights initialize a new gait."""
PROBE_COUNT: Final = 64
"""Number of random inputs with which the columns' gradients are probed."""

IndexArray = NDArray[np.intp]


def add_gait(model: ControllerModel, gait: str) -> ControllerModel:
    """Return the controller with a gait appended, which at first moves like *walk*; the other gaits are unchanged.

    Function-preserving widening (cf. Net2Net, Chen, Goodfellow and Shlens 2016).

    Raises:
        FootfallError: the network has no separate inputs for gaits, so that none can be added.
    """
    gaits = (*model.gaits, gait)
    layout = input_layout(model.joints, gaits, phase_channel_count(model.input_layout), len(model.performers))
    columns_of_gaits = layout.view(np.arange(layout.size), GAIT_GROUP)
    new, like = (
        columns_of_gaits[:, -1],
        columns_of_gaits[:, gaits.index(TEMPLATE_GAIT) if TEMPLATE_GAIT in gaits else 0],
    )
    x_mean, x_std = np.zeros(layout.size, dtype=np.float32), np.ones(layout.size, dtype=np.float32)
    old = map_columns(layout, model.input_layout)
    x_mean[old], x_std[old] = model.x_mean, model.x_std
    x_std[new] = x_std[like]
    larger = replace(model, gaits=gaits, input_layout=layout, x_mean=x_mean, x_std=x_std)
    return replace(larger, tensors=_widen_tensors(model, larger.task, new, like))


def map_columns(layout: Layout, original: Layout) -> IndexArray:
    """Return the indices (n), in ``layout`` with more gaits, of the n columns of the ``original`` layout."""
    places = np.arange(layout.size)
    kept = [layout.view(places, group.name) for group in original]
    return np.concatenate(
        [places[..., : group.shape[-1]].ravel() for places, group in zip(kept, original.groups, strict=True)]
    )


def _widen_tensors(
    model: ControllerModel, task: Task, new_columns: IndexArray, template_columns: IndexArray
) -> Mapping[str, Float32]:
    """Return the network's tensors for the larger input; weights of new columns are copied from template columns."""
    shapes = model.architecture.shapes(task)
    added, known = (
        _columns_without_gradient(model, task, new_columns),
        _columns_without_gradient(model, task, template_columns),
    )
    result: dict[str, Float32] = {}
    for name, tensor in model.tensors.items():
        if tensor.shape == shapes[name]:
            result[name] = tensor
            continue
        places, same = (found.get(name, np.zeros(0, dtype=np.intp)) for found in (added, known))
        wide = np.zeros(shapes[name], dtype=np.float32)
        kept = np.setdiff1d(np.arange(wide.shape[-1]), places)
        if len(places) != len(same) or (*wide.shape[:-1], len(kept)) != tensor.shape:
            raise FootfallError(
                "A controller of the family '{family}' with these settings cannot learn a new style: fine-tune "
                "it without a new style",
                family=model.architecture.family,
            )
        wide[..., kept] = tensor
        wide[..., places] = wide[..., same]
        result[name] = wide
    return result


def _columns_without_gradient(model: ControllerModel, task: Task, zeroed_columns: IndexArray) -> dict[str, IndexArray]:
    """Return the columns of each tensor that have no gradient, because only zeroed inputs use them.

    Gradients reveal which inputs each weight uses, so that network families do not have to declare it.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network = NETWORK_FACTORIES[model.architecture.family](model.architecture, task, 0.0).eval()
        x = torch.rand(PROBE_COUNT, task.inputs.size) + 0.5
        x[:, zeroed_columns] = 0.0
        y = network.forward_sequence(x[:, None], torch.rand(PROBE_COUNT, 1))
        (y * torch.rand_like(y)).sum().backward()
    found = {}
    for name, weight in network.named_parameters():
        if weight.grad is not None and weight.ndim > 1:
            still = weight.grad.flatten(0, -2).abs().amax(dim=0) == 0.0
            found[name] = np.flatnonzero(still.numpy())
    return found
