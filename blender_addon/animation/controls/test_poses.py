"""Some frames tried out on the stage: what is not as reckoned, and where limbs that Blender solves really bend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion.rotations import Array
from .channels import Keyed
from .constraint_conflicts import fighting
from .control import Control
from .control_response import Found
from .control_spaces import SAME_PLACE, SAME_TURN, apart, rigid
from .poles import Bend
from .rig_sandbox import Stage
from .solving import carriers_first, pose_frame

SAMPLES: Final = 6


@dataclass(frozen=True, eq=False)
class Trial:
    """What Blender made of some frames.

    Attributes:
        frames: which ones (S).
        heads: where the watched bones were (S, 3), armature space, by bone.
        unlike: the keyed bones that are not measured from what was reckoned.
        fights: the keyed bones that are not where their keys put them; with each the bone and the constraint that
            moves it, where they are known.
    """

    frames: tuple[int, ...]
    heads: Mapping[str, Array]
    unlike: frozenset[str]
    fights: Mapping[str, tuple[str, str] | None]


def sample_frames(count: int, bends: Sequence[Bend]) -> tuple[int, ...]:
    """Frames, of ``count``, that show most of a motion: some from start to end, and where limbs bend most."""
    spread = np.linspace(0, count - 1, min(SAMPLES, count)).round().astype(int)
    return tuple(sorted({*map(int, spread), *(int(np.argmax(bend.amount)) for bend in bends)}))


def try_out(
    stage: Stage,
    found: Found,
    controls: Sequence[Control],
    made: Mapping[str, Keyed],
    frames: Sequence[int],
    watched: Sequence[str],
    size: float,
) -> Trial:
    """Poses the controls that are made as in some frames.

    Args:
        stage: where.
        found: how they are built.
        controls: the keyed bones.
        made: their channels over all frames.
        frames: which ones.
        watched: bones whose heads are noted.
        size: the armature's, in its own units.
    """
    tried = [control for control in carriers_first(found, controls) if control.bone in made]
    ways = {control.bone: found.ways[control.bone] for control in tried}
    heads: dict[str, list[Array]] = {bone: [] for bone in watched}
    unlike: set[str] = set()
    fights: dict[str, tuple[str, str] | None] = {}
    elsewhere: set[str] = set()
    for frame in frames:
        pose_frame(stage, made, frame)
        stage.update()
        spaces, poses = stage.spaces(ways), stage.matrices({*ways, *watched})
        for control in tried:
            bone = control.bone
            channels = made[bone].location[frame], made[bone].rotation[frame]
            posed = found.space(bone, spaces[bone], *channels, poses[bone]).posed(*channels)
            # What hangs on a bone that is elsewhere is elsewhere for no reason of its own.
            if any(other in elsewhere for other in found.carriers(bone)):
                elsewhere.add(bone)
            elif _differ(posed, made[bone].pose[frame], size, control):
                unlike.add(bone)
                elsewhere.add(bone)
                continue
            if _differ(rigid(poses[bone]), posed, size, control):
                elsewhere.add(bone)
                fights.setdefault(bone, fighting(stage.posed, bone))
        for bone in watched:
            heads[bone].append(poses[bone][:3, 3])
    return Trial(tuple(frames), {bone: np.array(at) for bone, at in heads.items()}, frozenset(unlike), fights)


def _differ(one: Array, other: Array, size: float, control: Control) -> bool:
    """Whether a control's poses (4, 4) differ in what is keyed of it."""
    turned, moved = apart(one, other)
    return (control.turns and turned > SAME_TURN) or (control.moves and moved > SAME_PLACE * size)
