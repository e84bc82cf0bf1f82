"""Training of a walking controller from clips with the quick preset: duration and quality."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from ..core.errors import FootfallError
from ..core.evaluation import COURSE_NAMES
from ..core.models.model_file import load_model
from .courses import NOTES, detail_table, measure_course, path_table
from .mocap import measure_mocap
from .setup import Setup
from .tables import Part, table

TITLE = "Quick training"


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    clips = list(setup.clips("walk", "run", "turn", split="train"))
    with TemporaryDirectory() as folder:
        model_path, seconds = train(clips, Path(folder) / "run")
        model = load_model(model_path)
    mocap = measure_mocap(setup, model)
    walks = {name: measure_course(model, name, mocap) for name in COURSE_NAMES}
    size, loss = model.provenance["samples"], model.provenance["metrics"]["validation_loss"]
    times = table(
        ["", "minutes, data set included", "clips", "samples", "validation loss"],
        [["this", seconds / 60, len(clips), size, loss], ["reach", 5, None, None, None]],
    )
    return [times, path_table(walks, mocap), detail_table(walks, mocap), NOTES]


def train(clips: list[Path], run: Path) -> tuple[Path, float]:
    """Run the command line's ``train --preset quick``; return the controller's file and the seconds.

    Raises:
        FootfallError: the command fails.
    """
    package = str(__package__).rpartition(".")[0]
    command = [sys.executable, "-m", package, "train", "--preset", "quick", "--run", str(run), "--json", "--clips"]
    start = perf_counter()
    child = subprocess.run([*command, *map(str, clips)], stdout=subprocess.DEVNULL)
    if child.returncode:
        raise FootfallError("The quick training failed: its own message is above.")
    return run / "model.safetensors", perf_counter() - start
