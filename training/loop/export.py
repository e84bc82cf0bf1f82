"""Export of a trained network as a controller file for Blender."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ...core.jobs.version import footfall_version
from ...core.models.model_file import ControllerModel, load_model, save_model
from ...core.models.network import Architecture, Tensors
from ..config.run_config import RunConfig
from ..data.dataset import Dataset
from ..fine_tuning.fine_tuning import dataset_for_run, inherit_provenance
from ..fitted.families import FIT_FUNCTIONS
from ..interactions.prompter_turn import with_prompter_turn
from ..losses.stages import stages_of
from ..networks.families import NETWORK_FACTORIES, architecture_of
from ..networks.network import TrainedNetwork
from ..phases.phase_conditioning import condition_on_phases
from . import checkpoint
from .checkpoint import BestNetwork


def export_model(run: RunFolder, out: Path) -> Path:
    """Write the controller of a run's best network so far; the run may still be in progress.

    Args:
        run: the run.
        out: the ``.safetensors`` file.

    Raises:
        FootfallError: there is no such run, or the run has no network yet.
    """
    config, cpu = RunConfig.from_run(run), torch.device("cpu")
    if config.training.family in FIT_FUNCTIONS:
        return _export_fitted(run, out)
    best = checkpoint.read_best(run, cpu)
    dataset = best and condition_on_phases(run, Dataset.open(config.dataset_path(run)), config.training, cpu)
    if best is None or dataset is None:
        raise FootfallError(
            "The run '{path}' has no network to export yet: wait until it has saved its first one", path=run.path
        )
    write_model(out, dataset_for_run(run, config, dataset), config, best)
    return out


def _export_fitted(run: RunFolder, out: Path) -> Path:
    """Write the controller of a run of a fitted family, which exists only after the run has ended."""
    if not run.model_path.exists():
        raise FootfallError(
            "The run '{path}' has no controller to export yet: wait for the end of the run, or resume it", path=run.path
        )
    save_model(out, load_model(run.model_path))
    return out


def write_model(path: Path, dataset: Dataset, config: RunConfig, best: BestNetwork) -> None:
    """Write the best network of a run as a controller file.

    Args:
        path: the ``.safetensors`` file.
        dataset: the data set, with all inputs of the network.
        config: the run's configuration.
        best: the trained network, with its step and scores.

    Raises:
        OSError: the disk is full.
    """
    network = build_network(dataset, config, 0.0, best.network)
    provenance = make_provenance(dataset, config, best)
    write_controller(path, dataset, architecture_of(config.training), tensors_of(network), provenance)


def write_controller(
    path: Path, dataset: Dataset, architecture: Architecture, tensors: Tensors, provenance: Mapping[str, Any]
) -> None:
    """Write a controller file for a network given by its architecture and tensors.

    Args:
        path: the ``.safetensors`` file.
        dataset: the data set, with all inputs of the network.
        architecture: family, sizes and choices of the network.
        tensors: weights of the network, by name.
        provenance: record of sources, settings and metrics.

    Raises:
        OSError: the disk is full.
    """
    save_model(path, with_prompter_turn(build_controller(dataset, architecture, tensors, provenance)))


def build_controller(
    dataset: Dataset, architecture: Architecture, tensors: Tensors, provenance: Mapping[str, Any] | None = None
) -> ControllerModel:
    """Return the controller, in memory, of a network given by its architecture and tensors.

    Args:
        dataset: the data set, with all inputs of the network.
        architecture: family, sizes and choices of the network.
        tensors: weights of the network, by name.
        provenance: record of sources, settings and metrics; empty by default.
    """
    norm = dataset.normalization
    return ControllerModel(
        architecture=architecture,
        tensors=tensors,
        input_layout=dataset.input_layout,
        output_layout=dataset.output_layout,
        x_mean=norm.x_mean,
        x_std=norm.x_std,
        y_mean=norm.y_mean,
        y_std=norm.y_std,
        skeleton=dataset.skeleton,
        joints=dataset.joints,
        reference_rotations=dataset.reference_rotations,
        gaits=dataset.gaits,
        rate=dataset.rate,
        start=dataset.start,
        performers=dataset.performers,
        sensors=dataset.sensors,
        provenance=provenance or {},
    )


def tensors_of(network: TrainedNetwork) -> Tensors:
    """Return a network's weights as float32 arrays, by name."""
    return {name: tensor.to("cpu", torch.float32).numpy() for name, tensor in network.state_dict().items()}


def build_network(
    dataset: Dataset, config: RunConfig, dropout: float, state: Mapping[str, Tensor] | None = None
) -> TrainedNetwork:
    """Build the network that a configuration describes for a data set.

    Args:
        dataset: the data set, with all inputs of the network.
        config: the run's configuration.
        dropout: share of units dropped in training.
        state: weights to load; new random ones by default.

    Raises:
        CheckpointError: the weights belong to a network of another size.
        FootfallError: the data set lacks inputs that the network needs.
    """
    architecture = architecture_of(config.training)
    try:
        network = NETWORK_FACTORIES[architecture.family](architecture, dataset.task, dropout)
    except ValueError as error:
        raise FootfallError(
            "The network cannot be trained on these clips ({error}): set another family, gating or phases", error=error
        ) from error
    if state is not None:
        try:
            network.load_state_dict(dict(state))
        except RuntimeError as error:
            raise checkpoint.CheckpointError(
                "The network in the checkpoint of the run does not have the size given in the settings: start a new run"
            ) from error
    return network


def make_provenance(dataset: Dataset, config: RunConfig, best: BestNetwork) -> dict[str, Any]:
    """Return the provenance of a run's controller: sources, settings and metrics, without machine or user folders."""
    sources: dict[str, dict[str, Any]] = {}
    for clip in dataset.clips:
        entry = sources.setdefault(
            clip.source,
            {"name": clip.source, "licence": clip.licence, "credit": clip.credit, "clips": 0, "minutes": 0.0},
        )
        entry["clips"] += 1
        entry["minutes"] = round(entry["minutes"] + clip.minutes, 3)
    provenance = {
        "family": config.training.family,
        "footfall": footfall_version(),
        "torch": torch.__version__,
        "sources": list(sources.values()),
        "clips": len(dataset.clips),
        "minutes": round(sum(clip.minutes for clip in dataset.clips), 3),
        "samples": sum(clip.samples for clip in dataset.clips),
        "settings": {name: value for name, value in config.training.to_mapping().items() if name != "patches"},
        "terrain": dataset.manifest["settings"]["terrain"],
        "stages": [stage.name for stage in stages_of(config.training)[: best.stage + 1]],
        "steps": best.total_steps,
        "metrics": {"loss": best.loss, "validation_loss": best.validation_loss, "rollout": best.rollout},
    }
    origin = dataset.manifest.get("origin")
    return provenance if origin is None else inherit_provenance(provenance, origin)
