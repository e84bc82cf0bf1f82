"""Takes of a procedural walker among things, made without any clip."""

import numpy as np

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.labelling import label_clip
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import from_axis_angle
from footfall.core.scene.collider import Collider
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
