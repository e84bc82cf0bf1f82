"""The list of training presets: TOML files whose first comment is their description."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .bounded_files import ContentError, parse_toml, read_bytes

_PRESETS_FOLDER: Final = Path(__file__).parents[2] / "presets"
SHIPPED_PRESETS_FOLDERS: Final = (_PRESETS_FOLDER / "training", _PRESETS_FOLDER / "interactions")
"""Folders of the shipped presets."""
FEATURED_PRESETS: Final = ("quick", "standard", "paper", "nsm")
"""Presets that come first in menus; the others are for research."""
TITLES: Final = {"nsm": "Interactions"}
"""Titles of presets that are named after a paper's network."""
MAX_DESCRIPTION_LENGTH: Final = 100
"""Longest description, characters; a longer sentence ends at its colon."""
ACRONYMS: Final = frozenset({"erd", "gp", "lmp", "lstm", "mann", "moe", "nsm", "pfgp", "pfnn"})
"""Words in file names that are capitalized entirely."""


@dataclass(frozen=True, slots=True)
class TrainingPreset:
    """One training preset.

    Attributes:
        path: its file.
        title: its name in menus.
        description: its purpose in one line; empty if the file has no comment.
        is_of_interactions: whether it trains an interaction controller, on takes made from the clips.
    """

    path: Path
    title: str
    description: str = ""
    is_of_interactions: bool = False

    @property
    def name(self) -> str:
        """Name of the preset: its file name without the extension."""
        return self.path.stem


def shipped_presets() -> list[TrainingPreset]:
    """Return the training presets that Footfall ships, in the order of menus."""
    return _presets_in(SHIPPED_PRESETS_FOLDERS)


def presets_in(folder: Path) -> list[TrainingPreset]:
    """Return the presets in a folder, featured ones first; empty if the folder is missing."""
    return _presets_in([folder])


def _presets_in(folders: Sequence[Path]) -> list[TrainingPreset]:
    """Return the presets in several folders, featured ones first."""
    files = [file for folder in folders for file in folder.glob("*.toml")]
    files.sort(key=lambda file: (_featured_rank(file.stem), file.stem.casefold()))
    texts = {file: _read_text(file) for file in files}
    return [
        TrainingPreset(file, title_of(file.stem), description_of(text), _is_of_interactions(text))
        for file, text in texts.items()
    ]


def _is_of_interactions(text: str) -> bool:
    """Return whether a preset trains an interaction controller, given its TOML text.

    The result is false for invalid TOML, which the trainer reports.
    """
    try:
        return composes_interactions(parse_toml(text))
    except ContentError:
        return False


def composes_interactions(settings: Mapping[str, Any]) -> bool:
    """Return whether a training with these settings makes takes of interactions from its clips; false for animals."""
    return bool(settings.get("takes", 0)) and settings.get("body", "biped") == "biped"


def _featured_rank(stem: str) -> int:
    """Return the sort key of a preset's file name, which puts featured presets first."""
    return FEATURED_PRESETS.index(stem) if stem in FEATURED_PRESETS else len(FEATURED_PRESETS)


def title_of(stem: str) -> str:
    """Return the title in menus of a preset, given its file's name without extension.

    >>> title_of("auto_lstm"), title_of("quick"), title_of("nsm")
    ('Auto LSTM', 'Quick', 'Interactions')
    """
    if stem in TITLES:
        return TITLES[stem]
    words = [word.upper() if word.lower() in ACRONYMS else word for word in re.split(r"[_\s]+", stem)]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def description_of(text: str) -> str:
    r"""Return the first sentence of the comment at the beginning of a preset's text; empty if there is none.

    >>> description_of("# Trains fast (Holden et al. 2017). For tests.\nhidden = 8")
    'Trains fast (Holden et al. 2017)'
    """
    lines: list[str] = []
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            break
        lines.append(line.lstrip().lstrip("#").strip())
    sentence = re.split(r"(?<=\S)\.(?:\s+(?=[A-Z])|\s*$)", " ".join(lines).strip(), maxsplit=1)[0]
    return sentence if len(sentence) <= MAX_DESCRIPTION_LENGTH else re.split(r"[:;]\s", sentence, maxsplit=1)[0]


def _read_text(file: Path) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return read_bytes(file).decode("utf-8-sig", "replace")
    except (OSError, ContentError):
        return ""
