"""Directing: accuracy of waypoints, baking again after a change, and the preview during path editing."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import thread_time
from typing import Any, Final

import numpy as np

from ..core.control.path.path import Path as WalkPath
from ..core.control.path.path_events import Cues, CueSpan, Facing
from ..core.control.path.timed_waypoints import Waypoint, WaypointResult
from ..core.control.walk.finished_walk import Walk
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.errors import FootfallError
from ..core.evaluation import evaluate
from ..core.evaluation.path_error import cross_track_error
from ..core.labelling import label_clip
from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from ..tools.build.environments import BLENDERS, Environment, is_ready
from .setup import Setup
from .shots import begun_shot, shot
from .tables import Part, Table, table

TITLE = "Directing: waypoints, baking again, live preview"
IN_BLENDER: Final = Path(__file__).with_name("directing_in_blender.py")
WALKS: Final = 40
WAYPOINTS: Final = 3
"""Number of waypoints of each walk."""
SPEED: Final = 1.2
LENGTH: Final = 14.0
ASIDE: Final = 0.5
"""Largest distance of waypoints from the path, meters."""
PACES: Final = (0.75, 1.6)
"""Speeds between waypoints, m/s."""
TURNED: Final = 0.8
"""Largest angle between facing and path at a waypoint, radians."""
FAR: Final = 0.03
"""Largest distance from a waypoint that counts as met, meters."""
TOO_FAST: Final = 8.0
"""Speed beyond any human, meters per second."""
FACINGS: Final = (0, 45, 90, -90, 135, 180)
"""Facing offset, degrees to the left of the path."""
FACED: Final = (4.0, 10.0)
"""Range of the sideways or backward facing along the path, meters."""
FACING_WALKS: Final = 8
"""Number of walks for each of the angles."""
PACE: Final = 1.0
"""Speed of these walks, m/s."""
PREVIEWED: Final = (0, 4, 9)
"""Numbers of the random shots that are made as by the preview."""

NOTES = """\
40 walks at 1.2 m/s along winding paths of 14 m with 3 waypoints each; *met* is within 3 cm at the frame or one beside
it. *Again*: in Blender the last of the points of a path of 60 s is moved, and the walk is baked again. *Steps*: pieces
of work into which the preview divides a shot, in processor time."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = setup.model()
    ready = {version: environment for version, environment in BLENDERS.items() if is_ready(environment)}
    if not ready:
        raise FootfallError("No Blender is set up here: python build.py dev sets them up.")
    found = {version: in_blender(environment, setup.model_path()) for version, environment in ready.items()}
    again = table(
        ["Blender", "from nothing s", "again s", "share", "frames kept", "same before", "alike"],
        [[version, *(one["again"][name] for name in AGAIN)] for version, one in found.items()],
    )
    live = table(
        ["Blender", "point", "plan ms", "redraw ms", "slowest ms", "redraws / s"],
        [[version, *row] for version, one in found.items() for row in one["live"]],
    )
    return [waypoint_table(model), facing_table(model), again, live, preview_table(), NOTES]


AGAIN: Final = ("whole", "again", "share", "kept", "same", "alike")


def in_blender(blender: Environment, controller: Path) -> dict[str, Any]:
    """Return the measurements of the script with the same name."""
    command = [str(blender.python), "-P", str(IN_BLENDER), str(controller)]
    child = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if child.returncode:
        raise FootfallError(f"Directing in Blender failed: {child.stderr.strip()[-400:]}")
    return json.loads(child.stdout.strip().splitlines()[-1])


def preview_table() -> Table:
    """Return the table of the steps in which the preview makes shots."""
    steps_of(PREVIEWED[0])  # the first one imports what the others find
    rows = []
    for number in PREVIEWED:
        frames, steps = steps_of(number)
        rows.append([number, frames, len(steps), f"{np.percentile(steps, 95):.1f}", f"{steps.max():.1f}"])
    return table(["shot", "frames", "steps", "ms (95 %)", "slowest ms"], rows)


def steps_of(number: int) -> tuple[int, Array]:
    """Return the number of frames of a random shot, and the processor time of each step of making it, milliseconds."""
    rollout, times = begun_shot(shot(number)), [thread_time()]
    while rollout.advance():
        times.append(thread_time())
    return rollout.frames_done, 1000 * np.diff(times)


def waypoint_table(model: ControllerModel) -> Table:
    """Return the table of the accuracy of waypoints."""
    met, feet, skates = zip(*(one_walk(model, seed) for seed in range(WALKS)), strict=True)
    all_met, all_feet = [one for some in met for one in some], [one for some in feet for one in some]
    off = np.array([one.position_error for one in all_met])
    turned = np.degrees([one.yaw_error for one in all_met if one.yaw_error])
    named = [one.foot_planted for one, foot in zip(all_met, all_feet, strict=True) if foot]
    told = [bool(one.failure_reason) for seed in range(WALKS) for one in out_of_reach(model, seed)]
    head = ["waypoints", "met", "off mm (95 %)", "turned deg (95 %)", "foot", "skate cm/s", "without waypoints", "told"]
    cells = [
        len(all_met),
        f"{100 * np.mean(off <= FAR):.0f} %",
        f"{1000 * np.percentile(off, 95):.1f}",
        f"{np.percentile(turned, 95):.1f}",
        f"{100 * np.mean(named):.0f} %",
        *(f"{np.mean(ones):.2f}" for ones in zip(*skates, strict=True)),
        f"{sum(told)} of {len(told)}",
    ]
    return table(head, [cells])


def facing_table(model: ControllerModel) -> Table:
    """Return the table of path errors of walks that face sideways or backwards."""
    rows = []
    for degrees in FACINGS:
        cues = Cues((CueSpan(*FACED, facing=Facing(np.radians(degrees))),))
        ways = [winding(seed) for seed in range(FACING_WALKS)]
        walks = [make_walk(model, WalkRequest(way, PACE, cues=cues)) for way in ways]
        off = [100 * cross_track_error(hips(walk), way.points) for walk, way in zip(walks, ways, strict=True)]
        faced = [
            np.searchsorted(hips(walk)[:, 0], way.position_at(np.array(FACED))[:, 0])
            for walk, way in zip(walks, ways, strict=True)
        ]
        mean = np.mean([one[start:stop].mean() for one, (start, stop) in zip(off, faced, strict=True)])
        worst = max(float(one.max()) for one in off)
        rows.append([degrees, f"{mean:.1f}", f"{worst:.1f}", f"{np.mean([skate(walk) for walk in walks]):.2f}"])
    return table(["facing deg", "off mean cm", "off worst cm", "skate cm/s"], rows)


def hips(walk: Walk) -> Array:
    """Return the positions of the hips over the ground (F, 2), meters."""
    return walk.clip.positions[:, 0, :2]


def one_walk(model: ControllerModel, seed: int) -> tuple[tuple[WaypointResult, ...], list[str], tuple[float, float]]:
    """Return the results of a walk's waypoints, the foot named by each, and the skate with and without waypoints."""
    way = winding(seed)
    waypoints = list(some_waypoints(way, seed))
    walk, plain = (
        make_walk(model, WalkRequest(way, SPEED, waypoints=waypoints)),
        make_walk(model, WalkRequest(way, SPEED)),
    )
    return walk.waypoint_results, [waypoint.foot for waypoint in waypoints], (skate(walk), skate(plain))


def winding(seed: int) -> WalkPath:
    """Return a path with bends."""
    along = np.linspace(0.0, 1.0, 200)
    chance = np.random.default_rng(seed)
    aside = sum(chance.uniform(-1.2, 1.2) * np.sin(np.pi * number * along) for number in (1, 2, 3))
    return WalkPath(np.column_stack([LENGTH * along, np.asarray(aside)]))


def some_waypoints(way: WalkPath, seed: int) -> Iterator[Waypoint]:
    """Yield waypoints beside a path, within human capability."""
    chance = np.random.default_rng([seed, 1])
    seconds, before = 1.3, 0.0
    for number in range(WAYPOINTS):
        place = way.length * (number + 1) / (WAYPOINTS + 1) + chance.uniform(-0.5, 0.5)
        seconds += (place - before) / chance.uniform(*PACES)
        before = place
        yaw = float(way.yaw_at(place) + chance.uniform(-TURNED, TURNED)) if number % 2 else None
        yield Waypoint(seconds, way.position_at(place) + _aside(chance), yaw, ("", "L", "R")[(number + seed) % 3])


def _aside(chance: np.random.Generator) -> Array:
    angle = chance.uniform(0.0, 2 * np.pi)
    return chance.uniform(0.0, ASIDE) * np.array([np.cos(angle), np.sin(angle)])


def out_of_reach(model: ControllerModel, seed: int) -> tuple[WaypointResult, ...]:
    """Return the results of a waypoint that cannot be reached in time."""
    way = winding(seed)
    place = 0.7 * way.length
    return make_walk(
        model, WalkRequest(way, SPEED, waypoints=[Waypoint(0.5 + place / TOO_FAST, way.position_at(place))])
    ).waypoint_results


def skate(walk: Walk) -> float:
    """Return the mean horizontal speed of feet, cm/s, in detected contacts of the finished clip."""
    found = evaluate(walk.clip, walk.clip.positions[:, 0, :2], label_clip(walk.clip), speed=SPEED)["skate_mean_cm_s"]
    return float(found) if found is not None else 0.0
