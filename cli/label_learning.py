"""Refitting of a labeling preset to a folder of corrected label files."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..core.labelling.learning import CorrectedClip
    from ..core.labelling.presets import LabellingPreset
    from ..core.labelling.sensors import Sensor

LABELS_SUFFIX: Final = ".labels.npz"
SENSOR_SETTING_UNITS: Final = {"speed": "m/s", "height": "m", "sharpness": "", "shortest": "s"}
"""Units of the fitted settings of :class:`.core.labelling.sensors.Sensor`."""


def learn_preset(
    preset: "LabellingPreset", folder: Path, clips: Sequence[tuple[Path, Path]], save: Path | None
) -> tuple["LabellingPreset", dict[str, Any]]:
    """Fit a preset to corrected label files; return it with a description of the changes, and save it if requested.

    Args:
        preset: the initial preset.
        folder: folder of corrected label files.
        clips: clips of the command line with their relative paths, for label files without a clip beside them.
        save: the TOML file to write; ``None`` to write none.

    Raises:
        FootfallError: no label file has corrections, or the clip of a label file is missing.
    """
    from ..core.labelling.learning import refit_preset
    from ..core.labelling.presets import format_preset

    examples = _load_examples(folder, {below.with_suffix(""): clip for clip, below in clips})
    fitted = refit_preset(preset, examples)
    changes = {
        old.name: _describe_change(old, new)
        for old, new in zip(preset.sensors, fitted.sensors, strict=True)
        if old != new
    }
    if save is not None:
        save.parent.mkdir(parents=True, exist_ok=True)
        save.write_text(format_preset(fitted), encoding="utf-8")
    learned = {"from": [example.clip.name for example in examples], "changes": changes}
    return fitted, {**learned, "preset": str(save) if save else None}


def _load_examples(folder: Path, clips: dict[Path, Path]) -> list["CorrectedClip"]:
    """Return the corrected label files, each loaded with its clip."""
    from ..core.errors import FootfallError
    from ..core.jobs.found_files import files_below
    from ..core.labelling import Labels
    from ..core.labelling.learning import CorrectedClip
    from ..core.motion.bvh import read_bvh

    files = [file for file in files_below(folder, (".npz",)) if file.name.endswith(LABELS_SUFFIX)]
    loaded = ((file, Labels.load(file)) for file in files)
    corrected = [(file, labels) for file, labels in loaded if labels.has_corrections]
    if not corrected:
        raise FootfallError(
            "None of the {count} label files in '{folder}' has corrections: correct some labels in Blender, "
            "and save them to that folder",
            count=len(files),
            folder=folder,
        )
    return [CorrectedClip.of(read_bvh(_find_clip(file, folder, clips)), labels) for file, labels in corrected]


def _find_clip(file: Path, folder: Path, clips: dict[Path, Path]) -> Path:
    """Return the clip of a label file: the one beside it, else the named clip at the same relative path."""
    from ..core.errors import FootfallError

    stem = file.name.removesuffix(LABELS_SUFFIX)
    beside = (other for other in sorted(file.parent.iterdir()) if other.suffix.lower() == ".bvh" and other.stem == stem)
    clip = next(beside, None) or clips.get(file.relative_to(folder).with_name(stem))
    if clip is None:
        raise FootfallError(
            "The clip '{clip}.bvh' of the label file '{file}' is neither beside it nor among the named clips: "
            "put it beside the label file",
            file=file,
            clip=stem,
        )
    return clip


def _describe_change(old: "Sensor", new: "Sensor") -> str:
    """Return a description in words of how the settings of a sensor have changed."""
    parts = [
        f"{name} {getattr(old, name):.3g} -> {getattr(new, name):.3g} {unit}".rstrip()
        for name, unit in SENSOR_SETTING_UNITS.items()
        if getattr(old, name) != getattr(new, name)
    ]
    return ", ".join(parts)
