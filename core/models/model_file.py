"""Controllers as files: one ``.safetensors`` each, whose metadata hold one JSON text under the key ``footfall``.

A file may come from an untrusted source, so reading it executes nothing: sizes are limited before memory is allocated,
and every tensor's type, shape and values are checked against the layouts before use.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeGuard

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_safetensors

from ..errors import ModelFileError
from ..features import interaction, locomotion, strikes
from ..features.layout import Layout
from ..features.phase_system import PhaseSystem, is_phase_system
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import open_regular
from ..message import Message
from ..motion.roles import FOOT_CONTACTS
from ..motion.skeleton import Skeleton
from .controller_model import ControllerModel
from .families import FAMILIES
from .network import Float32, Task
from .value_bounds import MIN_BONES_M, MIN_DEVIATION, largest_value

__all__ = ["ControllerModel", "ModelFileError", "load_model", "save_model"]

FORMAT_VERSION: Final = 1
"""Version of the controller file format."""
METADATA_KEY: Final = "footfall"
"""Metadata key of the controller's description."""
MAX_BYTES: Final = 1 << 29
"""Largest accepted size of a controller file, bytes."""
MAX_HEADER_BYTES: Final = 1 << 22
"""Largest accepted size of a file's header, bytes."""
MAX_JOINTS: Final = 4096
"""Largest accepted number of joints of a controller's skeleton."""
MAX_PHASE_CHANNELS: Final = 64
"""Largest accepted number of phase channels."""
MAX_IDLE_FRAMES: Final = 36_000
_UNIT_QUATERNION_TOLERANCE: Final = 1e-3


def save_model(path: str | os.PathLike[str], model: ControllerModel) -> None:
    """Write a controller to a file, which appears completely or not at all.

    Raises:
        ModelFileError: the model is inconsistent, or the file cannot be written.
    """
    path = Path(path)
    tensors = _tensors_of(model)
    described = {
        "format_version": FORMAT_VERSION,
        "family": model.architecture.family,
        "network": model.architecture.to_json(),
        "rate": model.rate,
        "gaits": list(model.gaits),
        "joints": list(model.joints),
        "input_layout": model.input_layout.to_json(),
        "output_layout": model.output_layout.to_json(),
        "skeleton": {
            "names": list(model.skeleton.names),
            "parents": list(model.skeleton.parents),
            "roles": dict(model.skeleton.roles),
        },
        "provenance": dict(model.provenance),
        **({"performers": list(model.performers)} if model.performers else {}),
        **({"sensors": list(model.sensors)} if model.sensors else {}),
    }
    # A model that could not be loaded again must not be saved.
    _DescriptionValidator(path, described, {name: tensor.shape for name, tensor in tensors.items()}).model(tensors)
    data = to_safetensors(tensors, {METADATA_KEY: json.dumps(described, allow_nan=False)})
    try:
        write_atomically(path, data)
    except OSError as error:
        raise ModelFileError(path, Message("the file cannot be written ({error})", error=error.strerror)) from error


def load_model(path: str | os.PathLike[str]) -> ControllerModel:
    """Read a controller from a file.

    Raises:
        ModelFileError: the file is missing, damaged, of another kind, of a newer format, or does not fit this program.
    """
    path = Path(path)
    _check_size(path)
    try:
        with safe_open(path, framework="np") as file:
            described = _read_description(path, file.metadata())
            pieces = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 - no mapping
            odd = next((name for name, piece in pieces.items() if piece.get_dtype() != "F32"), None)
            if odd is not None:
                raise ModelFileError(
                    path,
                    Message(
                        "the tensor {name} is not of type F32, so the file is damaged",
                        name=_quote_foreign_text(odd),
                    ),
                )
            shapes = {name: tuple(piece.get_shape()) for name, piece in pieces.items()}
            validator = _DescriptionValidator(path, described, shapes)
            return validator.model({name: file.get_tensor(name) for name in validator.shapes})
    except SafetensorError as error:
        raise ModelFileError(
            path, "the file is damaged or not a safetensors file, so copy or export it again"
        ) from error
    except OSError as error:
        raise ModelFileError(
            path, Message("the file cannot be read ({error})", error=error.strerror or "input/output error")
        ) from error


def _check_size(path: Path) -> None:
    """Raise an error unless a path names a readable file of plausible size with a plausible header."""
    try:
        if path.is_dir():
            raise ModelFileError(path, "the path is a folder, so choose a .safetensors file in the folder")
        size = path.stat().st_size
        with open_regular(path) as file:
            header = int.from_bytes(file.read(8), "little")
    except OSError as error:
        raise ModelFileError(path, Message("the file cannot be read ({error})", error=error.strerror)) from error
    except ValueError as error:  # also for a pipe or device
        raise ModelFileError(path, Message("the file cannot be read ({error})", error=error)) from error
    if size < 8:
        raise ModelFileError(path, "the file is empty or truncated, so copy or export the controller again")
    if size > MAX_BYTES:
        raise ModelFileError(
            path,
            Message("the file has {size} MB, more than any controller, so it is not a Footfall file", size=size >> 20),
        )
    if header > min(size - 8, MAX_HEADER_BYTES):
        raise ModelFileError(
            path, "the header of the file is larger than possible, so the file is truncated or not a safetensors file"
        )


def _read_description(path: Path, metadata: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the description that a file's metadata contain, converted to the current format."""
    text = (metadata or {}).get(METADATA_KEY)
    if text is None:
        raise ModelFileError(path, "the file is a safetensors file but not a Footfall controller")
    try:
        described = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(path, "the description is not JSON text, so the file is damaged") from error
    if not isinstance(described, dict):
        raise ModelFileError(path, "the description is not a JSON object, so the file is damaged")
    version = described.get("format_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelFileError(path, "the file has no format version, so it is damaged")
    if version > FORMAT_VERSION:
        reason = Message(
            "the file has format {version}, but this version of Footfall reads only formats up to {newest}, so "
            "update Footfall",
            version=version,
            newest=FORMAT_VERSION,
        )
        raise ModelFileError(path, reason)
    return described


def _tensors_of(model: ControllerModel) -> dict[str, Float32]:
    """Return a model's arrays by name, as float32 tensors for a file."""
    tensors: dict[str, NDArray[Any]] = {f"weights.{name}": tensor for name, tensor in model.tensors.items()}
    tensors |= {name: getattr(model, name) for name in ("x_mean", "x_std", "y_mean", "y_std", "reference_rotations")}
    tensors |= {"skeleton.offsets": model.skeleton.offsets, "skeleton.tips": model.skeleton.tips}
    tensors |= {f"start.{name}": np.asarray(value) for name, value in model.start.items()}
    return {name: np.array(tensor, dtype=np.float32, order="C") for name, tensor in tensors.items()}


class _DescriptionValidator:
    """Validation of a description against the tensors' shapes, which are in ``shapes``."""

    def __init__(self, path: Path, description: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> None:
        self.path = path
        self.description = description
        self.family = self._text("family")
        if self.family not in FAMILIES:
            raise self.error(
                Message(
                    "the file contains a network of the family {family}, which this version of Footfall does not have",
                    family=_quote_foreign_text(self.family),
                )
            )
        rate = description.get("rate")
        if not isinstance(rate, int | float) or isinstance(rate, bool) or not 1 <= rate <= 1000:
            raise self.error("the frame rate is not a number from 1 to 1000")
        self.rate = float(rate)
        self.joints, self.gaits = self._names(description, "joints"), self._names(description, "gaits")
        self.performers = self._names(description, "performers") if "performers" in description else ()
        self.names, self.parents, self.roles = self._skeleton()
        if not set(self.joints) <= set(self.names):
            raise self.error("the pose has joints that the skeleton lacks")
        inputs, outputs = self._layout("input_layout"), self._layout("output_layout")
        channels = min(locomotion.phase_channel_count(inputs), MAX_PHASE_CHANNELS)
        self.sensors: tuple[str, ...] = ()
        if interaction.has_goals(inputs):
            if not interaction.are_known_actions(self.gaits):
                raise ModelFileError(
                    path, "the file has actions that this version of Footfall does not know, so update Footfall"
                )
            self.input_layout = interaction.input_layout(
                self.joints, self.gaits, rotations=interaction.ROTATION_GROUP in inputs.slices
            )
            self.output_layout = interaction.output_layout(self.joints, self.gaits)
        elif is_phase_system(inputs):
            self.sensors = self._sensors()
            system = PhaseSystem.of(inputs, self.joints, self.gaits, self.sensors)
            system = replace(system, performers=len(self.performers))
            self.input_layout, self.output_layout = system.input_layout(), system.output_layout()
        else:
            self.input_layout = locomotion.input_layout(self.joints, self.gaits, channels, len(self.performers))
            if strikes.has_targets(inputs):
                self.input_layout = strikes.input_layout(self.joints, channels)
            self.output_layout = locomotion.output_layout(self.joints, channels)
        self._compare("input_layout", inputs, self.input_layout)
        self._compare("output_layout", outputs, self.output_layout)
        self.provenance = description.get("provenance", {})
        if not isinstance(self.provenance, dict):
            raise self.error("the provenance is not a JSON object")
        self.shapes = self._shapes(shapes)

    def error(self, reason: str) -> ModelFileError:
        """Return an error that names the file, and gives ``reason`` as its fault."""
        return ModelFileError(
            self.path, Message("{reason}, so the file is damaged or not a Footfall file", reason=reason)
        )

    def _text(self, key: str) -> str:
        value = self.description.get(key)
        if not isinstance(value, str):
            raise self.error(Message("the '{key}' is not text", key=key))
        return value

    def _names(self, source: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """Return the list of names at ``key`` in ``source``; raise an error unless they are distinct."""
        names = source.get(key)
        if not isinstance(names, list) or not all(isinstance(name, str) and name.isprintable() for name in names):
            raise self.error(Message("the '{key}' are not a list of names", key=key))
        if not 1 <= len(names) <= MAX_JOINTS or len(set(names)) != len(names):
            raise self.error(Message("the list of '{key}' is empty, too long or has duplicates", key=key))
        return tuple(names)

    def _sensors(self) -> tuple[str, ...]:
        """Return the names of the sensors, which begin with heels and balls."""
        sensors = self._names(self.description, "sensors")
        if sensors[: len(FOOT_CONTACTS)] != FOOT_CONTACTS or len(sensors) > MAX_PHASE_CHANNELS:
            raise self.error("the contact points do not begin with heels and balls of the feet, or are too many")
        return sensors

    def _skeleton(self) -> tuple[tuple[str, ...], tuple[int, ...], dict[str, int]]:
        """Return the skeleton's names, parents and roles."""
        skeleton = self.description.get("skeleton")
        if not isinstance(skeleton, dict):
            raise self.error("the skeleton is not a JSON object")
        names = self._names(skeleton, "names")
        parents, roles = skeleton.get("parents"), skeleton.get("roles")
        if (
            not _are_indices(parents, len(names), -1)
            or len(parents) != len(names)
            or parents[0] != -1
            or any(not 0 <= parent < joint for joint, parent in enumerate(parents) if joint)
        ):
            raise self.error("the skeleton's joints do not form a tree")
        if not isinstance(roles, dict) or not _are_indices(list(roles.values()), len(names), 0):
            raise self.error("the body parts of the skeleton do not match its joints")
        return names, tuple(parents), roles

    def _layout(self, key: str) -> Layout:
        """Return the layout at ``key`` in the description; it may differ from the current one."""
        try:
            return Layout.from_json(self.description[key])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise self.error(Message("the '{key}' is not a list of groups", key=key)) from error

    def _compare(self, key: str, found: Layout, expected: Layout) -> None:
        """Raise an error if a layout differs from the one that the current code uses for this controller."""
        difference = found.difference(expected)
        if difference is not None:
            raise ModelFileError(
                self.path,
                Message(
                    "the {key} differs from that of this version of Footfall: {difference}",
                    key=key,
                    difference=_quote_foreign_text(difference, 300),
                ),
            )

    def _shapes(self, found: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
        """Return the shapes that all tensors of such a controller have; raise an error if the file's differ."""
        inputs, outputs, pose = self.input_layout.size, self.output_layout.size, len(self.joints)
        bones = {role: self.names[joint] for role, joint in self.roles.items()}
        task = Task.from_names(self.input_layout, self.output_layout, self.joints, bones, self.rate)
        try:
            self.architecture = FAMILIES[self.family].from_json(self.description.get("network"))
            network = self.architecture.shapes(task)
        except ValueError as error:
            raise self.error(_quote_foreign_text(str(error), 300)) from error
        needed = {f"weights.{name}": shape for name, shape in network.items()}
        needed |= {"x_mean": (inputs,), "x_std": (inputs,), "y_mean": (outputs,), "y_std": (outputs,)}
        needed |= {"skeleton.offsets": (len(self.names), 3), "skeleton.tips": (len(self.names), 3)}
        needed |= {"reference_rotations": (pose, 4), "start.position": (pose, 3), "start.velocity": (pose, 3)}
        needed |= {"start.phase": ()}
        if channels := locomotion.phase_channel_count(self.input_layout):
            needed |= {"start.vector": (channels, 2), "start.frequency": (channels,)}
        if "start.rotation" in found:
            needed["start.rotation"] = (pose, 4)
        if "start.idle" in found:
            needed["start.idle"] = (min(found["start.idle"][0], MAX_IDLE_FRAMES) if found["start.idle"] else 1, pose, 3)
        for name, shape in needed.items():
            if name not in found:
                raise self.error(Message("the tensor '{name}' is missing", name=name))
            if found[name] != shape:
                raise self.error(
                    Message(
                        "the tensor '{name}' has the shape {found} instead of {shape}",
                        name=name,
                        found=found[name],
                        shape=shape,
                    )
                )
        if len(found) > len(needed):
            odd = min(set(found) - set(needed))
            raise self.error(
                Message(
                    "the file has a tensor {name} that no controller has",
                    name=_quote_foreign_text(odd),
                )
            )
        return needed

    def model(self, tensors: Mapping[str, Float32]) -> ControllerModel:
        """Return the controller with the described layouts and ``tensors``, after a check of their values."""
        for name, tensor in tensors.items():
            if not np.isfinite(tensor).all():
                raise self.error(Message("the tensor '{name}' has values that are not finite numbers", name=name))
            if tensor.size and np.abs(tensor).max() > largest_value(name):
                raise self.error(Message("the tensor '{name}' has values that are too large", name=name))
        if np.linalg.norm(tensors["skeleton.offsets"][1:], axis=1).sum() < MIN_BONES_M:
            raise self.error("the skeleton is smaller than that of any animal")
        for name in ("x_std", "y_std"):
            if not (tensors[name] > MIN_DEVIATION).all():
                raise self.error(Message("the '{name}' has values that are not above zero", name=name))
        for name in ("reference_rotations", "start.rotation"):
            if name in tensors and not np.allclose(
                np.linalg.norm(tensors[name], axis=-1), 1.0, atol=_UNIT_QUATERNION_TOLERANCE
            ):
                raise self.error(Message("the '{name}' are not unit quaternions", name=name))
        weights = {name.removeprefix("weights."): tensors[name] for name in self.shapes if name.startswith("weights.")}
        offsets, tips = (tensors[f"skeleton.{name}"].astype(float) for name in ("offsets", "tips"))
        start = {name.removeprefix("start."): tensors[name] for name in self.shapes if name.startswith("start.")}
        model = ControllerModel(
            architecture=self.architecture,
            tensors=weights,
            input_layout=self.input_layout,
            output_layout=self.output_layout,
            x_mean=tensors["x_mean"],
            x_std=tensors["x_std"],
            y_mean=tensors["y_mean"],
            y_std=tensors["y_std"],
            skeleton=Skeleton(self.names, self.parents, offsets, tips, self.roles),
            joints=self.joints,
            reference_rotations=tensors["reference_rotations"],
            gaits=self.gaits,
            rate=self.rate,
            start=start,
            provenance=self.provenance,
            performers=self.performers,
            sensors=self.sensors,
        )
        try:
            model.network()
        except ValueError as error:
            raise self.error(_quote_foreign_text(str(error), 300)) from error
        return model


def _are_indices(values: object, count: int, lowest: int) -> TypeGuard[list[int]]:
    """Return whether ``values`` is a list of whole numbers from ``lowest`` to below ``count``."""
    return isinstance(values, list) and all(
        isinstance(value, int) and not isinstance(value, bool) and lowest <= value < count for value in values
    )


def _quote_foreign_text(text: str, length: int = 50) -> str:
    """Return an untrusted text in quotes, escaped and cut to ``length`` characters."""
    return ascii(text if len(text) <= length else f"{text[:length]}...")
