"""The controller of a run as a file: the one that it has written, else its best network so far."""

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
"""The trainer's working folder: a run's folder may be from another user, and no Python in it is to run."""
BEST_MODEL_FILE: Final = "best.safetensors"
"""In the run's folder, the controller of its best network, where that was asked for while the run was at work."""
EXPORT_WORK_SHARE: Final = 0.2
"""Of the work that wants the controller."""


def footfall_environment() -> dict[str, str]:
    """Give the environment in which another Python finds this package, and nothing of the folder it works in."""
    return clean_environment(PYTHONPATH=str(PACKAGE_FOLDER.parent), PYTHONSAFEPATH="1", PYTHONUNBUFFERED="1")


def start_footfall(command: Sequence[str | Path], log: Path) -> Child:
    """Start a command of :func:`footfall_command`; raises as :class:`Child` does."""
    return Child(command, log, footfall_environment(), NEUTRAL_FOLDER)


def footfall_command(python: Path, *arguments: str | Path) -> list[str | Path]:
    """Return a command of ``python -m footfall``, whatever the package is called here."""
    return [python, "-m", PACKAGE_FOLDER.name, *arguments]


def export_controller(run: RunFolder) -> Generator[tuple[float, str], None, Path]:
    """Give a run's controller; yields how far that is, and what it is at, while the trainer's Python writes it.

    A run that was stopped or finished has written it; of one that is at work, or that was killed, it is the best
    network.

    Raises:
        FootfallError: the run has none yet, or no Python could write it.
    """
    best = _modified_time(run.best_checkpoint)
    out = max(run.model_path, run.path / BEST_MODEL_FILE, key=_modified_time)
    if _modified_time(out) >= best and out.is_file():
        return out
    if not best:
        raise FootfallError("'{name}' has no network yet: wait for the end of its first epoch.", name=run.path.name)
    out, share = run.path / BEST_MODEL_FILE, 0.0
    with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
        command = footfall_command(require_training_python(), "export", run.path, "--out", out)
        child = start_footfall(command, Path(folder) / "said.txt")
        try:
            while (code := child.wait_briefly()) is None:
                share += 0.02 * (EXPORT_WORK_SHARE - share)
                yield share, Message("exports the network")
            said = child.last_output_line()
        finally:
            child.terminate()
    if code != 0:
        ours = said.startswith("footfall: ")
        raise FootfallError(
            said.removeprefix("footfall: ")
            if ours
            else Message("The network of '{name}' could not be exported: {said}.", name=run.path.name, said=said)
        )
    return out


def _modified_time(file: Path) -> float:
    """Return when a file was written; 0 where it is not there."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
