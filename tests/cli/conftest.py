"""The command line as a user runs it: in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller as find_shipped_controller
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.rotations import from_axis_angle

Run = Callable[..., subprocess.CompletedProcess[str]]

BODY = {
    "Hips": (-1, [0, 0, 0.92]),
    "LeftUpLeg": (0, [-0.1, 0, 0]),
    "LeftLeg": (1, [0, 0, -0.42]),
    "LeftFoot": (2, [0, 0, -0.42]),
    "LeftToeBase": (3, [0, 0.14, -0.06]),
    "RightUpLeg": (0, [0.1, 0, 0]),
    "RightLeg": (5, [0, 0, -0.42]),
    "RightFoot": (6, [0, 0, -0.42]),
    "RightToeBase": (7, [0, 0.14, -0.06]),
    "Spine": (0, [0, 0, 0.25]),
    "Neck": (9, [0, 0, 0.25]),
    "Head": (10, [0, 0, 0.15]),
}


@pytest.fixture
def footfall() -> Run:
    """Runs ``python -m footfall`` with arguments; gives its exit code and both outputs."""

    def run(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "footfall", *map(str, arguments)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        return subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment, **options)

    return run


@pytest.fixture
def marching() -> Clip:
    """Four seconds at 60 Hz of a simple body that walks along +Y at 1 m/s with legs swinging once a second."""
    time = np.arange(240) / 60
    names, parents, offsets = list(BODY), [parent for parent, _ in BODY.values()], [at for _, at in BODY.values()]
    offsets = np.array(offsets, dtype=float)
    offsets[0] = 0.0
    tips = np.zeros_like(offsets)
    tips[[4, 8]], tips[11] = [0, 0.05, 0], [0, 0, 0.2]
    rotations = np.zeros((240, len(names), 4))
    rotations[..., 0] = 1.0
    for joint, start in ((1, 0.0), (5, np.pi)):
        swing = np.sin(2 * np.pi * time + start)
        rotations[:, joint] = from_axis_angle([1.0, 0.0, 0.0], 0.5 * swing)
        rotations[:, joint + 1] = from_axis_angle([1.0, 0.0, 0.0], -0.4 * (1 + np.cos(2 * np.pi * time + start)))
    roots = np.column_stack([np.zeros(240), time, np.full(240, 0.92)])
    return Clip(Skeleton(tuple(names), tuple(parents), offsets, tips), 60.0, roots, rotations, "marching")


@pytest.fixture
def marching_bvh(marching: Clip, tmp_path: Path) -> Path:
    """The marching clip as a file."""
    path = tmp_path / "clips" / "marching.bvh"
    path.parent.mkdir()
    write_bvh(path, marching)
    return path


@pytest.fixture
def shipped_controller() -> Path:
    """The controller that ``walk`` takes by itself."""
    try:
        return find_shipped_controller()
    except FootfallError as error:
        pytest.skip(str(error))
