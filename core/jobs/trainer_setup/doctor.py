"""Checks of the machine for training, with remedies in plain words."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ...errors import FootfallError
from ...message import Message
from . import machine
from .environment import MIN_PYTHON_VERSION, TrainerEnvironment
from .probe import REQUIRED_MODULES, PythonReport, probe_python
from .requirements import TRAINING_REQUIREMENTS, pinned_versions

Level = Literal["fine", "note", "warning", "error"]

BYTES_PER_GB: Final = 1e9
"""Bytes in a gigabyte."""
MEMORY_LIMITS_GB: Final = (2.0, 6.0)
"""Memory below which training fails, and below which only small data sets work."""
DISK_LIMITS_GB: Final = (0.5, 5.0)
"""The same limits for free space on the disk of the runs."""
ENVIRONMENT_DISK_GB: Final = 8.0
"""Disk space needed for the installation of an environment with CUDA."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        level: ``"error"`` if training is impossible, ``"warning"`` if it would be poor.
        text: the result, as a sentence.
        remedy: the next step; empty if none is needed.
    """

    level: Level
    text: str
    remedy: str = ""


def examine(
    python: Path | None, runs: Path, environment: TrainerEnvironment | None = None
) -> Generator[None, None, list[Finding]]:
    """Check whether the machine can train, and return the findings, the worst first; yield while a Python is queried.

    Args:
        python: path of the Python for training; ``None`` if none is chosen.
        runs: the folder of the runs.
        environment: virtual environment that Footfall installed, if any.
    """
    found: list[Finding] = []
    if python is None:
        found += check_environment(environment)
    else:
        try:
            answer = yield from probe_python(python)
        except FootfallError as error:
            found.append(Finding("error", str(error), MAKE_ENVIRONMENT_REMEDY))
        else:
            found += [*check_python(python, answer), *check_packages(answer)]
            found += check_device(answer, machine.has_nvidia_driver())
        if environment is not None and environment.python == python and environment.state() == "outdated":
            found.append(
                Finding(
                    "warning",
                    Message("The training environment belongs to another version of Footfall"),
                    Message("Install the training environment again"),
                )
            )
    found += check_memory(machine.total_memory())
    found += check_disk(runs, machine.free_space(runs))
    for folder in (runs, *([environment.folder] if environment else ())):
        found += check_folder(folder, machine.write_error(folder))
    order = ("error", "warning", "note", "fine")
    return sorted(found, key=lambda finding: order.index(finding.level))


MAKE_ENVIRONMENT_REMEDY: Final = Message("Press Install Environment, or choose a Python with PyTorch")
"""Remedy for a missing or unusable Python."""


def check_environment(environment: TrainerEnvironment | None) -> Iterator[Finding]:
    """Yield findings about the virtual environment that Footfall installed, or about its lack if it is ``None``."""
    state = environment.state() if environment else "missing"
    if environment is None or state == "missing":
        yield Finding("error", Message("No Python for training is installed"), MAKE_ENVIRONMENT_REMEDY)
    elif state == "making":
        yield Finding(
            "warning",
            Message("The training environment is being installed"),
            Message("Wait until the installation is done"),
        )
    elif state == "unfinished":
        yield Finding(
            "error",
            Message("The training environment '{folder}' is incomplete", folder=environment.folder),
            Message("Press Install Environment again"),
        )
    if environment is not None and state in ("missing", "unfinished"):
        free = machine.free_space(environment.folder)
        if free is not None and free < ENVIRONMENT_DISK_GB * BYTES_PER_GB:
            yield Finding(
                "warning",
                Message(
                    "{free} GB of disk space are free, but a training environment with graphics card support "
                    "takes up to {most} GB",
                    free=f"{free / BYTES_PER_GB:.1f}",
                    most=f"{ENVIRONMENT_DISK_GB:g}",
                ),
                Message("Free space on the disk of Blender's user folder, or choose a PyTorch Index for the CPU"),
            )


def check_python(python: Path, answer: PythonReport) -> Iterator[Finding]:
    """Yield findings about the version of the chosen Python."""
    version = ".".join(map(str, answer.version))
    if answer.version < MIN_PYTHON_VERSION:
        needed = ".".join(map(str, MIN_PYTHON_VERSION))
        yield Finding(
            "error",
            Message(
                "'{python}' is Python {version}, but training needs {needed} or newer",
                python=python,
                version=version,
                needed=needed,
            ),
            MAKE_ENVIRONMENT_REMEDY,
        )
    else:
        yield Finding("fine", Message("Python {version} ('{python}')", version=version, python=python))


def check_packages(answer: PythonReport) -> Iterator[Finding]:
    """Yield findings about the packages that training imports, and their versions."""
    missing = [name for name in REQUIRED_MODULES if "ModuleNotFoundError" in answer.broken.get(name, "")]
    pins = pinned_versions(TRAINING_REQUIREMENTS)
    if missing:
        commanded = " ".join(f"{name}=={pins[name]}" if name in pins else name for name in missing)
        yield Finding(
            "error",
            Message("The Python for training lacks these packages: {packages}", packages=", ".join(missing)),
            Message("Press Install Environment, or install the packages: pip install {packages}", packages=commanded),
        )
    for name, why in answer.broken.items():
        if name not in missing:
            yield Finding(
                "error",
                Message("The package {name} is installed but does not work ({error})", name=name, error=why),
                Message("Install the package again. {remedy}", remedy=MAKE_ENVIRONMENT_REMEDY),
            )
    torch, pinned = answer.packages.get("torch", ""), pins.get("torch", "")
    if torch and torch.partition("+")[0] != pinned:
        yield Finding(
            "note",
            Message(
                "PyTorch {version} is installed, but Footfall is tested with {tested}", version=torch, tested=pinned
            ),
        )
    if answer.can_train:
        yield Finding(
            "fine", Message("PyTorch {version} and all other packages for training are installed", version=torch)
        )


def check_device(answer: PythonReport, nvidia: bool) -> Iterator[Finding]:
    """Yield findings about the training device.

    Args:
        answer: the Python's report.
        nvidia: whether a driver for NVIDIA cards is installed.
    """
    if "torch" not in answer.packages:
        return
    if answer.trouble:
        yield Finding(
            "warning",
            Message("PyTorch cannot look for a graphics card ({error})", error=answer.trouble),
            Message("Update the driver of the graphics card"),
        )
    if answer.device:
        gigabytes = f"{answer.device_memory / BYTES_PER_GB:.0f}"
        yield Finding(
            "fine",
            Message("Training runs on {device} with {gigabytes} GB", device=answer.device, gigabytes=gigabytes)
            if answer.device_memory
            else Message("Training runs on {device}", device=answer.device),
        )
        return
    cores = Message("1 processor core") if answer.cores == 1 else Message("{cores} processor cores", cores=answer.cores)
    if nvidia and not answer.built_for:
        yield Finding(
            "warning",
            Message(
                "There is an NVIDIA graphics card, but this PyTorch was built without CUDA: training runs on {cores}",
                cores=cores,
            ),
            Message("Remove the environment and install it again with the PyTorch Index of a CUDA build"),
        )
    elif nvidia:
        yield Finding(
            "warning",
            Message(
                "PyTorch was built for CUDA {version} but finds no graphics card: training runs on {cores}",
                version=answer.built_for,
                cores=cores,
            ),
            Message("Update the driver of the graphics card, and restart the computer"),
        )
    else:
        yield Finding(
            "note",
            Message("PyTorch finds no graphics card: training runs on {cores}", cores=cores),
            Message("The presets Quick and Standard are made for training without a graphics card"),
        )


def check_memory(total: int | None) -> Iterator[Finding]:
    """Yield findings about the machine's memory; ``total`` is its size, bytes, ``None`` if unknown."""
    if total is None:
        return
    gigabytes, (least, little) = total / BYTES_PER_GB, MEMORY_LIMITS_GB
    if gigabytes < little:
        yield Finding(
            "error" if gigabytes < least else "warning",
            Message(
                "The computer has {gigabytes} GB of memory, but training on a hundred clips takes about {needed} GB",
                gigabytes=f"{gigabytes:.1f}",
                needed=f"{little:g}",
            ),
            Message("Close other programs, train on fewer clips, or train on another computer"),
        )
    else:
        yield Finding("fine", Message("The computer has {gigabytes} GB of memory", gigabytes=f"{gigabytes:.0f}"))


def check_disk(runs: Path, free: int | None) -> Iterator[Finding]:
    """Yield findings about the disk of the folder ``runs``; ``free`` is its free space, bytes, ``None`` if unknown."""
    if free is None:
        return
    gigabytes, (least, little) = free / BYTES_PER_GB, DISK_LIMITS_GB
    if gigabytes < little:
        yield Finding(
            "error" if gigabytes < least else "warning",
            Message(
                "{gigabytes} GB of disk space are free for training runs in '{folder}', but a data set takes "
                "up to {needed} GB",
                gigabytes=f"{gigabytes:.1f}",
                folder=runs,
                needed=f"{little:g}",
            ),
            Message("Free disk space, or choose another Runs Folder in the preferences"),
        )
    else:
        yield Finding(
            "fine", Message("{gigabytes} GB of disk space are free for training runs", gigabytes=f"{gigabytes:.0f}")
        )


def check_folder(folder: Path, write_error: str | None) -> Iterator[Finding]:
    """Yield a finding if a folder cannot be written, with the reason ``write_error``; ``None`` if it can."""
    if write_error is not None:
        yield Finding(
            "error",
            Message("The folder '{folder}' cannot be written to ({error})", folder=folder, error=write_error),
            Message("Choose another folder in the preferences, or change its permissions"),
        )


def summarize_findings(findings: Iterable[Finding]) -> str:
    """Return a sentence that summarizes findings: the number of errors, else of warnings.

    >>> summarize_findings([Finding("fine", "Python 3.13."), Finding("note", "No graphics card.")])
    'Everything that training needs is installed'
    """
    levels = [finding.level for finding in findings]
    errors, warnings = levels.count("error"), levels.count("warning")
    if errors:
        return (
            Message("Training cannot work yet, because of 1 problem")
            if errors == 1
            else Message("Training cannot work yet, because of {count} problems", count=errors)
        )
    if warnings:
        return (
            Message("Training works, with 1 warning")
            if warnings == 1
            else Message("Training works, with {count} warnings", count=warnings)
        )
    return Message("Everything that training needs is installed")
