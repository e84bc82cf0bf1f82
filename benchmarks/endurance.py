"""Ten minutes of random commands: does the motion of the shipped controller stall, collapse or become non-finite?"""

import numpy as np

from .document import table
from .free_rollout import RolloutCommands, roll_out_commands, standing_runtime
from .setup import Setup

TITLE = "Endurance"
MINUTES = 10
SEEDS = 20
RATE = 60.0

NOTES = """\
Twenty characters of the shipped controller are told something new every one to four seconds: to stand, walk or run,
straight on or in curves; nothing draws them back. A row is what all did in one minute. *Alive*: whose pose has not
come apart (a joint 1.2 m from where it is in the standing pose), is all numbers, and whose feet have not hardly moved
for two seconds though told to walk. *Farthest*: of any joint from where it is in the standing pose. *Pace*: mean
speed of all joints over the ground; it falls where a motion dies out. Reach: all alive."""


def measure(setup: Setup) -> str:
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
    return f"{table(head, rows)}\n\n{NOTES}"
