"""Check that clips show interactions, before a run that composes takes of them."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.jobs.found_files import files_below
from ...core.labelling import Labels, label_clip
from ...core.labelling.presets import find_preset
from ...core.labelling.shown_interactions import shown_interactions
from ...core.message import Message
from ...core.rig.clip_file import read_clip

INTERACTION_PRESET: Final = "interaction"
"""Labelling preset that looks for interactions."""
LABEL_FILE_SUFFIX: Final = ".labels.npz"


def require_interactions(places: Sequence[Path]) -> Generator[tuple[float, str], None, None]:
    """Check that some clip shows an interaction, yielding the share done and the current activity.

    Labels beside a clip are checked first, since detection takes longer.

    Args:
        places: files and folders for the trainer.

    Raises:
        FootfallError: no clip shows an interaction.
    """
    files = [file for place in places for file in (files_below(place, (".bvh",)) if place.is_dir() else [place])]
    labeled = [file for file in files if _labels_of(file).exists()]
    others = [file for file in files if file not in set(labeled)]
    for number, file in enumerate([*labeled, *labeled, *others]):
        yield number / max(len(files) + len(labeled), 1), Message("Analyzing the clip '{name}'", name=file.name)
        if _shows_interaction(file, detect=number >= len(labeled)):
            return
    raise FootfallError(
        "None of the {count} training clips shows sitting, carrying, lying or climbing: label such frames, add "
        "other clips, or choose another preset",
        count=len(files),
    )


def _labels_of(file: Path) -> Path:
    """Return the path of the label file beside a clip."""
    return file.with_suffix(LABEL_FILE_SUFFIX)


def _shows_interaction(file: Path, detect: bool) -> bool:
    """Return whether a clip shows an interaction; false if it is unreadable, which the trainer reports.

    Args:
        file: the clip.
        detect: whether to detect interactions in the motion, instead of reading the labels beside the clip.
    """
    try:
        if detect:
            return bool(shown_interactions(label_clip(read_clip(file), find_preset(INTERACTION_PRESET))))
        return bool(shown_interactions(Labels.load(_labels_of(file))))
    except FootfallError:
        return False
