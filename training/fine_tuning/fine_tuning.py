"""Fine-tuning: a run that starts from a base controller, with its skeleton, normalization and weights.

A few minutes of clips suffice for the new motion; rehearsal (``replay_share``) keeps old skills, which would otherwise
be forgotten within minutes.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.features.locomotion import phase_channel_count
from ...core.jobs.run_folder import RunFolder
from ...core.models.model_file import ControllerModel, load_model, save_model
from ...core.motion import Skeleton
from ..config.config import TrainingConfig
from ..config.origin import FineTuningOrigin
from ..config.run_config import RunConfig
from ..data.dataset import Dataset
from ..data.network_skeleton import require_rate
from ..data.styles import check_style
from ..networks.families import NETWORK_FACTORIES
from .style_column import add_gait

BODY_TOLERANCE: Final = 1e-3
"""Largest difference between the skeletons of base controller and clips: m, or half a rotation angle in rad."""
INHERITED_PROVENANCE: Final = ("family", "footfall", "sources", "clips", "minutes", "origin")
"""Provenance fields kept from the base controller."""


def starting_model(origin: FineTuningOrigin) -> ControllerModel:
    """Return the base controller of a run, with the run's new style added and its origin in the provenance.

    Raises:
        FootfallError: the file cannot be used, its network is not trained by gradients or runs at another rate, or the
            style cannot be added.
    """
    model = load_model(origin.controller)
    family = model.architecture.family
    if family not in NETWORK_FACTORIES:
        raise FootfallError(
            "The controller '{name}' is of the family '{family}', which cannot be fine-tuned: start from a "
            "controller of one of the families {families}",
            name=origin.controller.name,
            family=family,
            families=", ".join(NETWORK_FACTORIES),
        )
    require_rate(model)
    if model.sensors:
        raise FootfallError(
            "The controller '{name}' is gated by the local phases of {names} and cannot be fine-tuned: train a "
            "new controller on the old and new clips together",
            name=origin.controller.name,
            names=", ".join(model.sensors),
        )
    if origin.style:
        check_style(origin.style, model.gaits)
        model = add_gait(model, origin.style)
    known = {name: model.provenance[name] for name in INHERITED_PROVENANCE if name in model.provenance}
    digest = hashlib.sha256(origin.controller.read_bytes()).hexdigest()
    named = {"controller": origin.controller.name, "sha256": digest, **known}
    return replace(model, provenance={**model.provenance, "origin": named})


def merge_controller_settings(model: ControllerModel, config: TrainingConfig) -> TrainingConfig:
    """Return a run's configuration with the settings that its base controller fixes replaced by the controller's.

    Raises:
        FootfallError: the controller's phases cannot be computed for new clips.
    """
    settings = model.provenance.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    phases = settings.get("phases") if phase_channel_count(model.input_layout) else "none"
    if phases not in ("none", "global", "local"):
        raise FootfallError(
            "The controller uses phases learned from its own clips, which are not in its file: fine-tune a "
            "controller without phases, or with global or local phases"
        )
    weight = settings.get("joint_weight", config.joint_weight)
    described = {one.name: getattr(model.architecture, one.name) for one in fields(model.architecture)}
    family = model.architecture.family
    return TrainingConfig.from_mapping(
        {**config.to_mapping(), **described, "family": family, "phases": phases, "joint_weight": weight},
        "the controller",
    )


def save_origin(run: RunFolder, origin: FineTuningOrigin) -> ControllerModel:
    """Save the base controller, with the new style, to the run's folder unless it is there; return it."""
    if not run.origin_path.exists():
        save_model(run.origin_path, starting_model(origin))
    return load_model(run.origin_path)


def initial_weights(run: RunFolder) -> dict[str, Tensor]:
    """Return the weights, by name, of the base controller in a run's folder, with which the first stage starts."""
    return {name: torch.from_numpy(array.copy()) for name, array in load_model(run.origin_path).tensors.items()}


def dataset_for_run(run: RunFolder, config: RunConfig, dataset: Dataset) -> Dataset:
    """Return a run's data set, with normalization and start pose of the base controller if there is one.

    Args:
        run: the run.
        config: the run's configuration.
        dataset: the run's data set, with the phases that the network takes as inputs.

    Raises:
        FootfallError: the data set was built for another controller, or the old data set is missing.
    """
    if config.origin is None:
        return dataset
    found = adapt_to_controller(dataset, load_model(run.origin_path), config.dataset_path(run))
    if config.origin.rehearsal_dataset is None:
        return found
    origin = {**found.manifest["origin"], "replay": Dataset.open(config.origin.rehearsal_dataset).digest}
    return replace(found, manifest={**found.manifest, "origin": origin})


def adapt_to_controller(dataset: Dataset, model: ControllerModel, path: Path) -> Dataset:
    """Return a data set that uses a controller's normalization and start pose.

    Raises:
        FootfallError: the data set was built for another skeleton, or with other gaits.
    """
    manifest = dataset.manifest
    difference = _find_difference(dataset, model)
    if difference:
        raise FootfallError(
            "The data set '{path}' was not built for this controller ({difference}): name the clips with "
            "--clips, or build the data set with `footfall make-dataset --base`",
            path=path,
            difference=difference,
        )
    norm = {name: getattr(model, name).tolist() for name in ("x_mean", "x_std", "y_mean", "y_std")}
    start = {name: np.asarray(value).tolist() for name, value in model.start.items()}
    changed = {**manifest, "normalisation": norm, "start": start, "origin": model.provenance.get("origin", {})}
    if "phases" in manifest:
        changed["phases"] = {**manifest["phases"], "origin": changed["origin"].get("sha256")}
    return replace(dataset, manifest=changed)


def _find_difference(dataset: Dataset, model: ControllerModel) -> str | None:
    """Return a description of the first difference between a data set and a controller; ``None`` if they agree."""
    if dataset.rate != model.rate:
        return "its frame rate differs"
    if tuple(dataset.gaits) != tuple(model.gaits):
        return f"its gaits are {', '.join(dataset.gaits)}, but those of the controller are {', '.join(model.gaits)}"
    layouts = ((dataset.input_layout, model.input_layout), (dataset.output_layout, model.output_layout))
    for own, theirs in layouts:
        if (difference := own.difference(theirs)) is not None:
            return difference
    return None if _same_body(dataset, model) else "its skeleton differs"


def _same_body(dataset: Dataset, model: ControllerModel) -> bool:
    """Return whether the skeletons and reference rotations agree within :data:`BODY_TOLERANCE`."""
    own, theirs = dataset.skeleton, model.skeleton
    if (own.names, own.parents, dataset.joints) != (theirs.names, theirs.parents, tuple(model.joints)):
        return False
    turned = np.abs(np.sum(dataset.reference_rotations * model.reference_rotations, axis=-1))
    return _max_offset_difference(own, theirs) < BODY_TOLERANCE and bool((turned > np.cos(BODY_TOLERANCE)).all())


def _max_offset_difference(first: Skeleton, second: Skeleton) -> float:
    """Return the largest difference between the bone offsets of two skeletons, m."""
    return float(max(np.abs(first.offsets - second.offsets).max(), np.abs(first.tips - second.tips).max()))


def inherit_provenance(provenance: Mapping[str, Any], origin: Mapping[str, Any]) -> dict[str, Any]:
    """Return the provenance of a fine-tuned controller, with the base controller and its sources added.

    ``provenance`` is that of the new training, ``origin`` that of the base controller.
    """
    sources = origin.get("sources")
    theirs = [one for one in sources if isinstance(one, dict)] if isinstance(sources, list) else []
    return {**provenance, "sources": _merge_sources([*theirs, *provenance["sources"]]), "origin": dict(origin)}


def _merge_sources(sources: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the sources of several trainings without duplicates, adding up clips and minutes."""
    result: dict[str, dict[str, Any]] = {}
    for source in sources:
        entry = result.setdefault(str(source.get("name")), {**source, "clips": 0, "minutes": 0.0})
        for name in ("clips", "minutes"):
            count = source.get(name)
            entry[name] = round(entry[name] + (count if isinstance(count, int | float) else 0), 3)
    return list(result.values())
