"""Walking through doors in walls, until the character has walked off on the other side."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.collision_mask import HANDLING_ROLES
from ..core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.models.model_file import ControllerModel
from ..core.scene.body_capsules import BodyCapsules
from ..core.scene.collider import Collider
from ..core.scene.collider_pose import AnimatedCollider
from ..core.scene.object_fitting import palm_positions
from ..training.interactions.props.doors import Door
from .interaction_measures import penetration_depths
from .interaction_motion import WALK_OFF_M, has_given_up, measure_motion, motion_row, motion_table
from .interactions import interacting
from .rooms import walled
from .setup import Setup
from .tables import Part, table

TITLE = "Going through doors"
TRIALS: Final = {"from the front": range(1, 20, 2), "from the back": range(0, 20, 2), "pulled": range(20, 30)}
"""Numbers of the trials: odd ones from the front, even ones from the back."""
START_M: Final = 2.2
"""Initial distance of a character from a door, meters."""
LATERAL_M: Final = 0.5
"""Largest distance beside and before that place."""
LONGEST: Final = 5000
ON_HANDLE_M: Final = 0.03
"""Largest distance of a palm from its handle that counts as holding, meters."""
MIN_OPENING_DEG_S: Final = 3.0
"""Speed above which a leaf opens, degrees per second."""
SHUT_RAD: Final = np.radians(1.0)
"""Angle below which a leaf counts as shut."""
LEAF_M: Final = Door().thickness

NOTES = """\
Doors of 82 to 100 cm, hinged left or right, from 2.2 m before them, facing anywhere, standing. Twenty are pushed,
from the front and from the back; ten open toward the character alone and are *pulled*."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = interacting(setup)
    rows, motion = [], []
    for name, starts in TRIALS.items():
        plays = [_play(model, start) for start in starts]
        refined = [refine_interaction(play.recording) for play in plays]
        deep = [float(penetration_depths(part, play).max()) for part, play in zip(refined, plays, strict=True)]
        done = sum(play.done and not has_given_up(play.recording) for play in plays)
        seconds = [len(play.frames) / model.rate for play in plays]
        leaves = [_measure_leaf(part, play) for part, play in zip(refined, plays, strict=True)]
        said, means = f"{done} of {len(plays)}", [float(np.mean(part)) for part in (seconds, 100 * np.array(deep))]
        held = f"{100 * float(np.mean([leaf.held for leaf in leaves])):.0f} %"
        through = 100 * max(leaf.through for leaf in leaves)
        rows.append([name, said, *means, max(leaf.speed for leaf in leaves), held, through])
        motion.append(motion_row(name, [measure_motion(part.clip) for part in refined]))
    rows.append(["reach", None, None, None, 150, "90 %", 0])
    head = ["door", "done", "seconds", "deep cm", "leaf deg/s", "hand on handle", "through shut leaf cm"]
    return [table(head, rows), motion_table(motion, []), NOTES]


def _play(model: ControllerModel, start: int) -> InteractionSequencer:
    """Have a standing character go through a door and walk off."""
    play = to_open(model, start)
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    return play


def to_open(model: ControllerModel, start: int, assistance: Assistance = FULL_ASSISTANCE) -> InteractionSequencer:
    """Return a standing character with the command to go through a door and to walk off.

    Args:
        model: the controller.
        start: number of the trial.
        assistance: as in the sequencer.
    """
    generator = np.random.default_rng([start, 19])
    things, tasks, _ = walled(generator)
    side = 1 if start % 2 else -1
    if start in TRIALS["pulled"]:
        leaf = things[0]
        assert leaf.handle is not None
        things[0] = replace(leaf, handle=replace(leaf.handle, opens_toward=np.array([0.0, side])))
    ahead = things[0].front_direction * side
    place = START_M * ahead + generator.uniform(-LATERAL_M, LATERAL_M, 2)
    off = InteractionTask("walk", position=np.append(-WALK_OFF_M * ahead, 0.0))
    yaw = float(generator.uniform(-np.pi, np.pi))
    return InteractionSequencer(model, things, [*tasks, off], place, yaw, assistance=assistance)


@dataclass(frozen=True, slots=True)
class LeafMeasures:
    """Measures of an opened leaf.

    Attributes:
        speed: largest turning speed, degrees per second.
        held: share of opening frames with a palm on its handle.
        through: the largest depth of an arm in the shut leaf, meters.
    """

    speed: float
    held: float
    through: float


def _measure_leaf(refined: RefinedInteraction, play: InteractionSequencer) -> LeafMeasures:
    """Return the measures of the leaf of a room in the solved bake."""
    clip, shut, side = refined.clip, play.objects[0], play.recording.approach_sides[0]
    leaves = [state[0] for state in refined.objects]
    rotations = np.stack([leaf.rotation for leaf in leaves])
    turned = 2 * np.arccos(np.clip(np.abs(np.sum(rotations * shut.rotation, axis=-1)), 0.0, 1.0))
    speeds = np.degrees(np.diff(turned, prepend=turned[0])) * clip.rate
    handle = shut.facing_side(side).handle
    assert handle is not None
    handles = np.stack([leaf.facing_side(side).posed_collider.to_world(handle.position[None])[0] for leaf in leaves])
    hand = handle.pulling_hand if handle.is_pulled else handle.pushing_hand
    palm = palm_positions(clip)["LR".index(hand)]
    is_held = np.linalg.norm(palm - handles, axis=-1) < ON_HANDLE_M
    opens = speeds > MIN_OPENING_DEG_S
    # The collider of a leaf includes its handles, which hands hold.
    lower, upper = shut.collider.bounds
    slab = np.array([[lower[0], -LEAF_M / 2, lower[2]], [upper[0], LEAF_M / 2, upper[2]]])
    body = BodyCapsules.from_skeleton(clip.skeleton)
    placed = AnimatedCollider(Collider(slab[:1], slab[1:]), np.stack([leaf.position for leaf in leaves]), rotations)
    arms = [number for number, role in enumerate(body.roles) if role.partition(".")[0] in HANDLING_ROLES]
    depths = body.bone_penetrations(clip, placed)[turned < SHUT_RAD][:, arms]
    return LeafMeasures(
        float(np.abs(speeds).max()), float(is_held[opens].mean()) if opens.any() else 0.0, float(depths.max())
    )
