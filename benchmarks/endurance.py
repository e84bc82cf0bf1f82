"""Ten minutes of random commands: whether the shipped controller stalls, collapses or becomes non-finite."""

import numpy as np

from .free_rollout import RolloutCommands, roll_out_commands, standing_runtime
from .setup import Setup
from .tables import Part, table

TITLE = "Endurance"
MINUTES = 10
SEEDS = 20
RATE = 60.0

NOTES = """\
Twenty characters of the shipped controller are told something new every one to four seconds: to stand, walk or run,
straight on or in curves; nothing draws them back. A row is what all did in one minute."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = setup.model()
    crowd, start = standing_runtime(model, SEEDS), model.start["position"]
    rows: list[list[object]] = []
    for minute in range(MINUTES):
        wishes = RolloutCommands.sample(SEEDS, 60.0, RATE, seed=minute)
        track = roll_out_commands(model, wishes, crowd)
        alive = int((track.survival_times(start, model.task.foot_joints, RATE, wishes.speeds > 0.5) >= 60.0).sum())
        finite = bool(np.isfinite(track.joint_positions).all() and np.isfinite(track.positions).all())
        farthest = float(np.linalg.norm(track.joint_positions - start, axis=-1).max())
        pace = float(np.linalg.norm(track.joint_velocities, axis=-1).mean())
        skate = 100 * track.foot_skate(model.task.foot_joints)
        rows.append([minute + 1, f"{alive} of {SEEDS}", "yes" if finite else "no", farthest, pace, skate])
    head = ["minute", "alive", "all numbers", "farthest m", "pace of joints m/s", "skate cm/s"]
    return [table(head, rows), NOTES]
