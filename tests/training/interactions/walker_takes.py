"""Takes of a procedural walker among things, made without any clip."""

import numpy as np

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.labelling import label_clip
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import from_axis_angle
from footfall.core.scene.collider import Collider
from footfall.core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from footfall.tests.support.walker import Walker, person
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.data.sources import ClipSource
from footfall.training.interactions.take import InteractionTake, TakeObject, frame_origins

JOINTS = person().names
BODY = NetworkSkeleton(
    person(), JOINTS, np.tile(from_axis_angle([0.0, 0.0, 1.0], np.pi), (len(JOINTS), 1)), {}, ("stand",)
)
SOURCE = ClipSource("Procedural", "CC0", "nobody", "procedural")
STILL = np.array([1.0, 0.0, 0.0, 0.0])
STOOL = Collider(np.array([[-0.2, -0.2, 0.0]]), np.array([[0.2, 0.2, 0.45]]))


def walker_take(number: int) -> InteractionTake:
    """Somebody who walks towards a stool, and from the middle on past it."""
    clip = Walker(speed=0.9 + 0.05 * (number % 5), turn=0.1 * (number % 3), seconds=3.0).clip()
    count, track = len(clip), root_track(clip)
    actions, wanted = np.zeros((count, len(ACTIONS))), np.zeros((count, len(GOAL_ACTIONS)))
    actions[:, ACTIONS.index("walk")] = 1.0
    middle = count // 2
    wanted[:middle, GOAL_ACTIONS.index("sit")] = wanted[middle:, GOAL_ACTIONS.index("walk")] = 1.0
    ahead = np.minimum(np.arange(count) + 60, count - 1)
    stool = np.append(track.positions[-1] + [0.6, 0.0], 0.0)
    return InteractionTake(
        name="walk by a stool",
        clip=clip,
        actions=actions,
        goal_actions=wanted,
        goal_positions=np.column_stack([track.positions[ahead], np.zeros(count)]),
        goal_directions=facing_direction(track.yaws[ahead]),
        goal_object=np.where(np.arange(count) < middle, 0, -1),
        contacts=np.zeros((count, 5)),
        phase=label_clip(clip).phase,
        objects=(TakeObject("stool", "seat", STOOL, np.tile(stool, (count, 1)), np.tile(STILL, (count, 1))),),
        seed=number,
        source=SOURCE,
        origins=frame_origins(count, composed=[range(count // 3)]),
    )


def carried_take(number: int) -> InteractionTake:
    """The same with a box that lies, is lifted and carried before the chest from a third of the way, and put down."""
    take = walker_take(number)
    count, track = len(take.clip), root_track(take.clip)
    lifted, put = count // 3, 2 * count // 3
    chest = np.column_stack([track.positions + 0.4 * facing_direction(track.yaws), np.full(count, 1.0)])
    places = chest[np.clip(np.arange(count), lifted, put)]
    box = TakeObject("box", "box", STOOL, places, np.tile(STILL, (count, 1)))
    wanted = np.zeros((count, len(GOAL_ACTIONS)))
    wanted[:, GOAL_ACTIONS.index("carry")] = 1.0
    fields = {**vars(take), "name": "carry a box", "objects": (box,), "goal_object": np.zeros(count, dtype=int)}
    return InteractionTake(**{**fields, "goal_actions": wanted})


STANDING_M, SUNK_M, BACK_M = 1.0, 0.42, 0.25
"""Height of the standing hips over the ground, their sink, and how far they move back for it, meters."""
SEATED = slice(115, 245)
"""Frames of a seated take in which the hips rest on the stool."""


def seated_take(number: int) -> InteractionTake:
    """A character that stands before a stool, facing -Y, sits down on it for two seconds, and stands up again."""
    frames = np.arange(360)
    sunk = np.interp(frames, [60, 110, 250, 300], [0.0, 1.0, 1.0, 0.0])
    hips = np.column_stack([0.0 * sunk, BACK_M * sunk, STANDING_M - SUNK_M * sunk])
    stands = Clip(person(), 60.0, np.tile([0.0, 0.0, STANDING_M], (360, 1)), np.tile(STILL, (360, len(JOINTS), 1)))
    clip = solve_full_body_ik(stands, [EffectorGoal("hips", hips, np.ones(360))])
    actions, wanted = np.zeros((360, len(ACTIONS))), np.zeros((360, len(GOAL_ACTIONS)))
    actions[:, ACTIONS.index("sit")], actions[:, ACTIONS.index("idle")] = sunk, 1.0 - sunk
    wanted[:200, GOAL_ACTIONS.index("sit")] = wanted[200:, GOAL_ACTIONS.index("idle")] = 1.0
    track, contacts = root_track(clip), np.zeros((360, 5))
    contacts[SEATED, 0] = 1.0
    stool, turned = np.array([0.0, BACK_M, 0.0]), from_axis_angle([0.0, 0.0, 1.0], np.pi)
    own = TakeObject("stool", "seat", STOOL, np.tile(stool, (360, 1)), np.tile(turned, (360, 1)))
    crate = TakeObject("crate", "obstacle", STOOL, np.tile([2.0, 0.0, 0.0], (360, 1)), np.tile(STILL, (360, 1)))
    return InteractionTake(
        name="sit on a stool",
        clip=clip,
        actions=actions,
        goal_actions=wanted,
        goal_positions=np.column_stack([track.positions, np.zeros(360)]),
        goal_directions=facing_direction(track.yaws),
        goal_object=np.where(frames < 200, 0, -1),
        contacts=contacts,
        phase=0.4 * sunk,
        objects=(own, crate),
        seed=number,
        source=SOURCE,
        origins=frame_origins(360, composed=[range(360)]),
    )


def held_take(number: int) -> InteractionTake:
    """A carried take whose hands hold the box while it moves."""
    take = carried_take(number)
    count = len(take.clip)
    contacts, actions = np.zeros((count, 5)), take.actions.copy()
    contacts[count // 3 : 2 * count // 3, 1:3] = actions[count // 3 : 2 * count // 3, ACTIONS.index("carry")] = 1.0
    return InteractionTake(**{**vars(take), "contacts": contacts, "actions": actions})
