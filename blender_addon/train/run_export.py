"""The controller of a run as a file: the finished one, else an export of its best network so far."""

import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.jobs.child import Child, clean_environment
from ...core.jobs.run_folder import RunFolder
from ...core.message import Message
from .environment import require_training_python

PACKAGE_FOLDER: Final = Path(__file__).parents[2]
NEUTRAL_FOLDER: Final = Path(PACKAGE_FOLDER.anchor)
"""The trainer's working folder: Python files in a run's folder, maybe from another user, must not be run."""
BEST_MODEL_FILE: Final = "best.safetensors"
"""File in the run's folder with the controller of its best network, exported during the run."""
EXPORT_WORK_SHARE: Final = 0.2
"""Share of the export in the work of a caller."""


def footfall_environment() -> dict[str, str]:
    """Return environment variables with which another Python finds this package from any working folder."""
    return clean_environment(PYTHONPATH=str(PACKAGE_FOLDER.parent), PYTHONSAFEPATH="1", PYTHONUNBUFFERED="1")


def start_footfall(command: Sequence[str | Path], log: Path) -> Child:
    """Start a command from :func:`footfall_command`; raise the same errors as :class:`Child`."""
    return Child(command, log, footfall_environment(), NEUTRAL_FOLDER)


def footfall_command(python: Path, *arguments: str | Path) -> list[str | Path]:
    """Return the command ``python -m footfall``; it works whatever this package is called inside Blender."""
    return [python, "-m", PACKAGE_FOLDER.name, *arguments]


def export_controller(run: RunFolder) -> Generator[tuple[float, str], None, Path]:
    """Export a run's controller, yielding progress and activity while the trainer's Python works; return its path.

    A stopped or finished run has already written it; for a current or killed run, it is made from the best network.

    Raises:
        FootfallError: the run has no network yet, or no Python could export it.
    """
    best = _modified_time(run.best_checkpoint)
    out = max(run.model_path, run.path / BEST_MODEL_FILE, key=_modified_time)
    if _modified_time(out) >= best and out.is_file():
        return out
    if not best:
        raise FootfallError(
            "The training run '{name}' has no network yet: wait until it has saved its first one", name=run.path.name
        )
    out, share = run.path / BEST_MODEL_FILE, 0.0
    with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
        command = footfall_command(require_training_python(), "export", run.path, "--out", out)
        child = start_footfall(command, Path(folder) / "said.txt")
        try:
            while (code := child.wait_briefly()) is None:
                share += 0.02 * (EXPORT_WORK_SHARE - share)
                yield share, Message("Exporting the network")
            said = child.last_output_line()
        finally:
            child.terminate()
    if code != 0:
        ours = said.startswith("footfall: ")
        raise FootfallError(
            said.removeprefix("footfall: ")
            if ours
            else Message(
                "The network of the training run '{name}' could not be exported: {reason}",
                name=run.path.name,
                reason=said,
            )
        )
    return out


def _modified_time(file: Path) -> float:
    """Return the time at which a file was last changed; 0 if it does not exist."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
