"""Generators of control series as files: one ``.safetensors`` each, described in its metadata.

Like controllers, a file may come from an untrusted source: reading it executes nothing, and sizes, types, shapes and
values are checked before use.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_safetensors

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import ContentError, open_regular
from ..message import Message
from .control_generator import HIDDEN_UNITS, ControlGenerator, generator_shapes, latent_size, series_size
from .generator_kinds import DENOISER, KINDS
from .network import Float32

FORMAT_VERSION: Final = 1
METADATA_KEY: Final = "footfall_generator"
"""Metadata key of the description, different from that of a controller's file."""
MAX_BYTES: Final = 1 << 24
"""Largest accepted size of a generator file, bytes."""
MAX_HEADER_BYTES: Final = 1 << 20
MAX_ACTIONS: Final = 32


class GeneratorFileError(FootfallError):
    """A generator file that cannot be used."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__("Generator file '{file}': {reason}", file=file, reason=Message(reason))
        self.file, self.reason = file, reason


def save_generator(path: str | os.PathLike[str], generator: ControlGenerator) -> None:
    """Write a generator to a file, which appears completely or not at all.

    Raises:
        GeneratorFileError: the file cannot be written, or the generator is inconsistent.
    """
    path = Path(path)
    description = {
        "format_version": FORMAT_VERSION,
        "kind": generator.kind,
        "actions": list(generator.actions),
        "provenance": dict(generator.provenance),
    }
    tensors = dict(generator.tensors)
    tensors |= {name: getattr(generator, name) for name in ("mean", "deviation", "noise_deviation")}
    tensors = {name: np.array(tensor, dtype=np.float32, order="C") for name, tensor in tensors.items()}
    _generator_of(path, description, tensors)  # a generator that could not be loaded again must not be saved
    try:
        write_atomically(path, to_safetensors(tensors, {METADATA_KEY: json.dumps(description, allow_nan=False)}))
    except OSError as error:
        raise GeneratorFileError(path, Message("the file cannot be written ({error})", error=error.strerror)) from error


def load_generator(path: str | os.PathLike[str]) -> ControlGenerator:
    """Read a generator from a file.

    Raises:
        GeneratorFileError: the file is missing, damaged, of another kind or of a newer format.
    """
    path = Path(path)
    try:
        _check_size(path)
        with safe_open(path, framework="np") as file:
            description = _read_description(path, file.metadata())
            names = list(file.keys())
            if any(file.get_slice(name).get_dtype() != "F32" for name in names):
                raise GeneratorFileError(path, "the file has tensors that are not of type F32, so it is damaged")
            return _generator_of(path, description, {name: file.get_tensor(name) for name in names})
    except SafetensorError as error:
        raise GeneratorFileError(
            path, "the file is damaged or not a safetensors file, so copy or train the generator again"
        ) from error
    except OSError as error:
        reason = Message("the file cannot be read ({error})", error=error.strerror or "input/output error")
        raise GeneratorFileError(path, reason) from error


def _check_size(path: Path) -> None:
    """Raise an error unless a path names a file of plausible size with a plausible header."""
    if path.is_dir():
        raise GeneratorFileError(path, "the path is a folder, so choose a .safetensors file in the folder")
    size = path.stat().st_size
    try:
        with open_regular(path) as file:
            header = int.from_bytes(file.read(8), "little")
    except ContentError as error:
        raise GeneratorFileError(path, Message("the file cannot be read ({error})", error=error)) from error
    if size < 8 or header > min(size - 8, MAX_HEADER_BYTES):
        raise GeneratorFileError(
            path, "the file is truncated or not a safetensors file, so copy or train the generator again"
        )
    if size > MAX_BYTES:
        raise GeneratorFileError(path, "the file is larger than any generator, so it is not a Footfall file")


def _read_description(path: Path, metadata: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the description that a file's metadata contain."""
    text = (metadata or {}).get(METADATA_KEY)
    if text is None:
        raise GeneratorFileError(path, "the file is a safetensors file, but not a generator of Footfall")
    try:
        description = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GeneratorFileError(path, "the description is not JSON text, so the file is damaged") from error
    if not isinstance(description, dict) or type(description.get("format_version")) is not int:
        raise GeneratorFileError(path, "the description has no format version, so the file is damaged")
    if description["format_version"] > FORMAT_VERSION:
        raise GeneratorFileError(path, "the file is of a newer format, so update Footfall")
    return description


def _generator_of(path: Path, description: Mapping[str, Any], tensors: Mapping[str, Float32]) -> ControlGenerator:
    """Validate a description and tensors, and return the generator that they make."""
    kind, actions = description.get("kind"), description.get("actions")
    if kind not in KINDS:
        raise GeneratorFileError(path, "the file is of a kind that this Footfall lacks, so update Footfall")
    if not isinstance(actions, list) or not all(isinstance(name, str) and name.isprintable() for name in actions):
        raise GeneratorFileError(path, "the actions are not a list of names, so the file is damaged")
    if not 1 <= len(actions) <= MAX_ACTIONS or len(set(actions)) != len(actions) or "stand" not in actions:
        raise GeneratorFileError(path, "the list of actions is empty or too long, or has duplicates, or lacks standing")
    size = series_size(tuple(actions))
    noise = size if kind == DENOISER else latent_size(size)
    shapes = generator_shapes(kind, size, HIDDEN_UNITS)
    shapes |= {"mean": (size,), "deviation": (size,), "noise_deviation": (noise,)}
    if {name: tensor.shape for name, tensor in tensors.items()} != shapes:
        raise GeneratorFileError(
            path, "the tensors do not match a generator, so the file is damaged or not a Footfall file"
        )
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise GeneratorFileError(path, "the file has values that are not finite numbers, so it is damaged")
    if not (tensors["deviation"] > 0).all() or (tensors["noise_deviation"] < 0).any():
        raise GeneratorFileError(path, "the file has deviations below zero, so it is damaged")
    provenance = description.get("provenance", {})
    if not isinstance(provenance, dict):
        raise GeneratorFileError(path, "the provenance is not a JSON object, so the file is damaged")
    own = ("mean", "deviation", "noise_deviation")
    weights = {name: tensor for name, tensor in tensors.items() if name not in own}
    scales = {name: tensors[name] for name in own}
    return ControlGenerator(kind, tuple(actions), weights, provenance=provenance, **scales)
