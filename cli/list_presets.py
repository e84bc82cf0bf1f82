"""``list-presets``: list the presets and controllers that options of other commands accept."""

import argparse
from pathlib import Path
from typing import Any, Final

HELP = "List the shipped presets for training and labeling, and the shipped controllers"
EXAMPLES = """\
examples:
  python -m footfall list-presets
  python -m footfall list-presets --json

Use training presets with `train --preset`, labeling presets with `label --preset`, controllers with `--controller`."""

PRESETS: Final = Path(__file__).parent.parent / "presets"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Do nothing: the command has no arguments."""


def run(options: argparse.Namespace) -> int:
    """Print the names of the presets and the controllers, and return the exit code."""
    from ..core.jobs.training_preset import shipped_presets as training_presets
    from ..core.labelling.presets import load_preset
    from ..core.labelling.presets import shipped_presets as labeling_presets
    from .output import print_result

    files = sorted(file for folder in ("controllers", "strikes", "dances") for file in _controllers(PRESETS / folder))
    document: dict[str, dict[str, Any]] = {
        "training": {preset.name: preset.description for preset in training_presets()},
        "labeling": {name: load_preset(file).description for name, file in labeling_presets().items()},
        "controllers": {file.stem: str(file) for file in files},
    }
    if options.json:
        print_result(document, options.json)
        return 0
    for title, entries in document.items():
        print(f"{title}:")
        print_result({f"  {name}": text for name, text in entries.items()}, None)
    return 0


def _controllers(folder: Path) -> list[Path]:
    """Return the controller files in a folder and its subfolders."""
    return list(folder.rglob("*.safetensors"))
