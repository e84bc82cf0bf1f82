"""Response time of every family to commands (NSM Table 2), and the time until its motion fails."""

import numpy as np

from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from .free_rollout import FreeRollout, RolloutCommands, roll_out_commands
from .laboratory import Trained, trained
from .setup import Setup
from .tables import Part, table

TITLE = "Families of networks: response and stability"
WALK, RUN = 1.3, 3.2
SECONDS = 60.0
SEEDS = 20
REACHED = 0.9
RATE = 60.0
CHANGES = {
    "stand to walk": (0.0, WALK),
    "stand to run": (0.0, RUN),
    "walk to run": (WALK, RUN),
    "run to walk": (RUN, WALK),
}

NOTES = """\
Steered alone, nothing draws it back. *Response*: seconds until the root's speed, over half a second, has gone nine
tenths of the way from 0, 1.3 or 3.2 m/s to another of them; the median of 20 phases; - where it never does."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    wishes = RolloutCommands.sample(SEEDS, SECONDS, RATE)
    rows: list[list[object]] = []
    for one in trained(setup):
        responses = [response_seconds(one.model, before, after) for before, after in CHANGES.values()]
        track = roll_out_commands(one.model, wishes)
        told = wishes.speeds > 0.5
        alive = track.survival_times(one.model.start["position"], one.model.task.foot_joints, RATE, told)
        paper = one.entrant.response
        said = f"{paper[0]:g} / {paper[1]:g}" if paper else None
        whole = int((alive >= SECONDS).sum())
        rows.append([one.entrant.title, *responses, said, f"{whole} of {SEEDS}", float(alive.min()), _speed(one)])
    head = ["network", *(f"{name} s" for name in CHANGES), "NSM s", "alive", "shortest s", "speed at 1.3 m/s"]
    return [table(head, rows), NOTES]


def response_seconds(model: ControllerModel, before: float, after: float) -> float | None:
    """Return the median seconds of a network between two speeds, m/s; ``None`` if it fails."""
    speeds = _speeds(roll_out_commands(model, _changing(before, after)))[round(3 * RATE) :]
    reached = (speeds - before) / (after - before) >= REACHED
    times = np.where(reached.any(axis=0), reached.argmax(axis=0) / RATE, np.inf)
    median = float(np.median(times))
    return median if np.isfinite(median) else None


def _changing(before: float, after: float) -> RolloutCommands:
    """Return commands of three seconds at one speed and four at another, straight ahead."""
    speeds = np.repeat([before, after], [round(3 * RATE), round(4 * RATE)])
    return RolloutCommands(np.repeat(speeds[:, None], SEEDS, axis=1), np.zeros((len(speeds), SEEDS)))


def _speed(one: Trained) -> float:
    return float(_speeds(roll_out_commands(one.model, _changing(0.0, WALK)))[-round(2 * RATE) :].mean())


def _speeds(track: FreeRollout) -> Array:
    """Return the speeds (F, B), m/s, of roots over half a second."""
    half = round(RATE / 4)
    positions = np.pad(track.positions, ((half, half), (0, 0), (0, 0)), mode="edge")
    return np.linalg.norm(positions[2 * half :] - positions[: -2 * half], axis=-1) * RATE / (2 * half)
