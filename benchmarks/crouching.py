"""Commanded crouched walking: depth and steps of the network, and the effect of ceilings."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.passes import duck
from ..core.control.path.path import Path
from ..core.control.path.velocity_profile import CROUCH
from ..core.control.walk.crouch_trial import crouch_response
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, WalkRollout, batch_walks
from ..core.control.walk.plan import WalkRequest, plan_walk
from ..core.errors import FootfallError
from ..core.evaluation.bending import flexion_angles, hinge_axes
from ..core.evaluation.path_error import cross_track_error
from ..core.evaluation.posture import trunk_lean
from ..core.features.crouch import crouch_depth
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.rotations import Array
from ..core.terrain.ground import Plane
from ..core.terrain.walk_scene import WalkScene
from .baking import straight
from .captured import captured_clip
from .measures.extremes import joint_speed_percentile
from .setup import Setup
from .tables import Part, table

TITLE = "Crouching"
CAPTURED: Final = "o3de_rin/crouch/Crouching1"
SPEEDS: Final = (0.5, 0.8, 1.0, 1.3)
WEIGHTS: Final = (0.0, 0.02, 0.1, 0.25, 0.3, 0.6, 1.0)
LENGTH_M: Final = 12.0
SETTLING_S: Final = 3.0
"""Unmeasured time at both ends."""
CROUCHED_DEPTH: Final = 0.1
"""Depth above which captured frames count as crouched."""
MIN_CAPTURED_SPEED_M_S: Final = 0.3
"""Speed above which captured frames count as walking."""
ROOF_M: Final = (4.0, 8.0)
"""Start and end of the roof on the way."""
HEIGHTS_M: Final = (1.75, 1.65, 1.5, 1.4, 1.3, 1.2)

NOTES = """\
The network by itself, no foot held and nothing ducked, 12 m straight on; what is behind the slashes is at 0.5, 0.8,
1.0 and 1.3 m/s."""
LEARNED = """\
**Learned** is crouched walking with the head {shallowest:.0f} to {deepest:.0f} cm lower, at weights of {first:g} to
{last:g}: the trial before the first walk that needs it keeps those at which feet are lifted by at least 0.75 of what
they are upright. The style *crouch* has a weight of {style:.2f}. Deeper, the network slides on bent legs: hardly
anybody walks there in its clips, and it is never commanded."""


@dataclass(frozen=True, slots=True)
class Roof(Plane):
    """Level ground with a roof over a part of the way to +X."""

    underside: float = 2.0

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`..core.terrain.ground.Ground`."""
        x, z = np.asarray(points)[..., 0], np.asarray(points)[..., 2]
        return np.where((x > ROOF_M[0]) & (x < ROOF_M[1]) & (z < self.underside), self.underside, np.inf)


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = setup.model()
    response = crouch_response(model)
    if not response.is_learned:
        raise FootfallError("This controller never learned to walk crouched.")
    parts = [table(["weight", "depth", "head m", "knees deg", "lift cm", "skate cm/s", "path cm"], _weight_rows(setup))]
    first, last = (float(response.weights[end]) for end in (0, -1))
    drops = 100 * response.head_drops
    learned = LEARNED.format(
        shallowest=drops[0], deepest=drops[-1], first=first, last=last, style=response.style_weight
    )
    head = ["roof", "way", "sunk cm", "speed m/s", "hips m", "knees deg", "trunk leans deg", "joints rad/s"]
    roofs = [_roof_row(model, height, crouches) for height in HEIGHTS_M for crouches in (False, True)]
    return [*parts, NOTES, learned, table(head, roofs)]


def _roll_out(model: ControllerModel, commands: list[tuple[float, float]]) -> list[WalkRollout]:
    """Return roll-outs at speeds, m/s, and weights of crouching."""
    walks = []
    for speed, weight in commands:
        plan = plan_walk(WalkRequest(Path(straight(LENGTH_M)), speed), model)
        styles = plan.timing.style_weights.copy()
        styles[:, model.gaits.index(CROUCH)] = weight
        walks.append(WalkRollout(model, replace(plan, timing=replace(plan.timing, style_weights=styles))))
    batch_walks(walks)
    while walks[0].advance(ADVANCE_CHUNK_FRAMES):
        pass
    return walks


def _weight_rows(setup: Setup) -> list[list[object]]:
    """Return a row for each weight, and one of captured crouching."""
    model = setup.model()
    rows: list[list[object]] = []
    for weight in WEIGHTS:
        walks = _roll_out(model, [(speed, weight) for speed in SPEEDS])
        cells = [_walk_cells(walk, model) for walk in walks]
        columns = [" / ".join(parts) for parts in zip(*cells, strict=True)]
        rows.append([f"{weight:g}", *columns])
    clip = captured_clip(setup.data, CAPTURED, model.skeleton, model.rate)
    roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
    speeds = np.linalg.norm(np.gradient(roots, axis=0), axis=-1) * clip.rate
    walking = (crouch_depth(clip) > CROUCHED_DEPTH) & (speeds > MIN_CAPTURED_SPEED_M_S)
    depths, heads, knees, lift = _posture(clip, walking)
    middle = f"{np.median(speeds[walking]):.2f} m/s"
    rows.append([f"captured, {middle}", f"{depths:.2f}", f"{heads:.2f}", f"{knees:.0f}", f"{lift:.0f}", None, None])
    return rows


def _walk_cells(walk: WalkRollout, model: ControllerModel) -> list[str]:
    """Return the cells of a roll-out: depth, head, knees, lift, skate and path."""
    clip = walk.decode_walk()
    edge = round(SETTLING_S * clip.rate)
    inside = np.zeros(len(clip), dtype=bool)
    inside[edge:-edge] = True
    depth, head, knees, lift = _posture(clip, inside)
    frames = walk.trace.frames
    touching = frames.contacts[inside] > CONTACT_THRESHOLD
    joints = [clip.skeleton.joint(f"{part}.{side}") for side in "LR" for part in ("foot", "toe")]
    speeds = np.linalg.norm(np.gradient(clip.positions[:, joints, :2], axis=0), axis=-1)[inside] * clip.rate
    skate = 100 * float(speeds[touching].mean()) if touching.any() else float("nan")
    error = 100 * float(cross_track_error(frames.position[inside], straight(LENGTH_M)).mean())
    return [f"{depth:.2f}", f"{head:.2f}", f"{knees:.0f}", f"{lift:.0f}", f"{skate:.0f}", f"{error:.1f}"]


def _posture(clip: Clip, frames: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    """Return mean crouch depth, head height, m, and knee flexion, degrees, and the ankles' lift, cm, of frames (F)."""
    ankles = clip.positions[:, [clip.skeleton.joint(f"foot.{side}") for side in "LR"], 2][frames]
    low, high = np.percentile(ankles, [2, 98], axis=0)
    knees = flexion_angles(clip, hinge_axes(clip))["knee"][frames]
    head = clip.positions[frames, clip.skeleton.joint("head"), 2]
    return (
        float(crouch_depth(clip)[frames].mean()),
        float(head.mean()),
        float(knees.mean()),
        100 * float((high - low).mean()),
    )


def _roof_row(model: ControllerModel, height: float, crouches: bool) -> list[object]:
    """Return the row of a roof, with or without the command to crouch."""
    plan = plan_walk(WalkRequest(Path(straight(LENGTH_M)), walk_scene=WalkScene(Roof(underside=height))), model)
    if not crouches:
        none = np.zeros_like(plan.timing.style_weights)
        plan = replace(plan, timing=replace(plan.timing, style_weights=none))
    walk = WalkRollout(model, plan)
    while walk.advance(ADVANCE_CHUNK_FRAMES):
        pass
    loose, clip = walk.decode_walk(), walk.finish().clip
    head = loose.positions[:, loose.skeleton.joint("head")]
    top = head[:, 2] + duck.TUNING.head_top * loose.skeleton.leg_length
    is_under = (head[:, 0] > ROOF_M[0]) & (head[:, 0] < ROOF_M[1])
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    inside = (hips[:, 0] > ROOF_M[0] + 0.5) & (hips[:, 0] < ROOF_M[1] - 0.5)
    return [
        f"{height:g} m",
        "crouching" if crouches else "ducking alone",
        f"{100 * max(float(top[is_under].max()) - height, 0.0):.0f}",
        float(np.gradient(hips[:, 0])[inside].mean() * clip.rate),
        float(hips[inside, 2].mean()),
        float(flexion_angles(clip, hinge_axes(clip))["knee"][inside].mean()),
        float(trunk_lean(clip)[inside].mean()),
        joint_speed_percentile(clip),
    ]
