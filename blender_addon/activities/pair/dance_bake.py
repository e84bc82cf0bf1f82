"""The bake of a dance: both characters' motion along a path, fitted to both rigs and refined on them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.control.pair.choreography import compose_dance
from ....core.control.pair.dance_refinement import refine_in_steps
from ....core.control.pair.fitted_dance import fit_dance, pair_scale
from ....core.control.pair.joined_hands import palm_distances
from ....core.control.pair.partner_dance import Dance, PartnerDance
from ....core.control.path.path import Path
from ....core.control.walk.finished_walk import Walk
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.models.controller_model import ControllerModel
from ....core.motion import Clip
from ....core.motion.roles import is_quadruped
from ....core.motion.rotations import IDENTITY
from ....core.retarget.calibration import Calibration
from ....core.rig.rig_map.roles import role_phrase
from ....core.scene.body_overlap import deepest_overlap
from ....core.terrain.ground import Plane
from ...animation.layers import BakeSource
from ...animation.output import walk_start_frame
from ...controllers.dances import load_dance
from ...rig.sole_height import rise_after
from ...rig.store import calibrate_to_model, rig_map_of
from ...scene.path_reader import WorldPath, read_path
from ...shot.write import BakeJob
from ...ui.modal_operator import WorkSteps, part_of_work
from ...ui.operator_base import require_present
from .pair import Pair
from .written_walk import write_walk

SLICE_FRAMES: Final = 4
ARM_ROLES: Final = tuple(f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "hand"))
"""Roles that a dancer's rig needs in addition to those of walking."""
DANCE_WORK_SHARE, FIT_WORK_SHARE = 0.45, 0.5
"""Shares of the work that are done after the dance of both, and after its fit to the rigs."""
HELD_PERCENTILE: Final = 95
"""Reported percentile of the distance of palms that hold each other."""
MAX_TOLD_DEPTH_M: Final = 0.02
"""Depth of bodies in each other above which frames are reported."""


class DanceBake:
    """The bake of a dance for two armatures; the file is only changed at the end.

    Args:
        pair: the character that leads, and the one that follows.
        context: the context.
        from_edit_mode: whether to read the path during its editing.
        again: whether to keep the frames of an existing bake.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(
        self, pair: Pair, context: bpy.types.Context, from_edit_mode: bool = False, again: bool = False
    ) -> None:
        leader, _ = pair
        settings, scene = leader.footfall, context.scene
        if settings.path is None:
            raise FootfallError("The pair has no path: choose a curve for the middle of the pair to follow")
        require_free(pair)
        partner = settings.partner
        self.names = tuple(armature.name_full for armature in pair)
        self.dance_name, self.model, figures = load_dance(partner.dance, partner.dance_file)
        self.calibrations = _calibrate(pair[0], self.model), _calibrate(pair[1], self.model)
        self.rises = self._rise(pair[0], 0), self._rise(pair[1], 1)
        self.path: WorldPath = read_path(settings.path, from_edit_mode)
        self.path_name = settings.path.name
        self.source = BakeSource("DANCE", settings.path.name_full)
        self.start_frame = walk_start_frame(leader, scene, self.source if again else None)
        self.scale = pair_scale(self.calibrations)
        path, speed = Path(self.path.points).scaled(1 / self.scale), partner.speed / self.scale
        choreography = compose_dance(figures, path, speed, partner.seed, self.model.rate)
        self.rollout = PartnerDance(self.model, choreography, partner.seed)

    def _rise(self, armature: bpy.types.Object, number: int) -> float:
        """Return how much higher, meters, a rig's feet are than usual."""
        return rise_after(self.model.skeleton, self.calibrations[number].target, armature)

    def work(self, scene: bpy.types.Scene) -> WorkSteps:
        """Yield the share done and the current activity; write both motions at the end."""
        while self.rollout.advance(SLICE_FRAMES):
            yield DANCE_WORK_SHARE * self.rollout.frames_done / self.rollout.total_frames, Message("dances")
        yield DANCE_WORK_SHARE, Message("fits both rigs")
        refining = refine_in_steps(fit_dance(self.rollout.finish(), self.calibrations, self.rises))
        dance = yield from part_of_work(refining, FIT_WORK_SHARE, 1.0, Message("joins hands"))
        return self._write(dance, scene)

    def _write(self, dance: Dance, scene: bpy.types.Scene) -> str:
        """Write the motions of both partners; return the report."""
        armatures = [require_present(name, scene) for name in self.names]
        require_free((armatures[0], armatures[1]))
        floor, notes = self.path.mean_height, []
        clips = dance.leader.clip, dance.follower.clip
        for number, (armature, walk) in enumerate(zip(armatures, (dance.leader, dance.follower), strict=True)):
            job = BakeJob(
                self.source,
                f"{armature.name}_{self.dance_name}_{self.path_name}",
                self.start_frame,
                ground=Plane(floor),
                floor=floor,
                rig_map=rig_map_of(armature),
                rise=self.rises[number],
                calibration=self.calibrations[number],
                model=self.model,
            )
            notes += write_walk(armature, _raised(walk, floor), self.model.gaits, scene, job)
        return Message.joined(
            "; ",
            [
                Message("'{leader}' and '{follower}' dance", leader=armatures[0].name, follower=armatures[1].name),
                *_describe_hands(*clips, dance.holds),
                *_describe_depth(*clips, dance.holds),
                *self.path.warnings,
                *notes,
            ],
        )


def require_free(pair: Pair) -> None:
    """Check that the partner has no baked walk along its own path, which the dance would overwrite.

    Raises:
        FootfallError: the partner has such a bake.
    """
    leader, partner = (armature.footfall for armature in pair)
    own = partner.baked_action is not None and partner.baked_action != partner.partner.baked_action
    if own and partner.path is not None and partner.path != leader.path:
        raise FootfallError(
            "'{name}' was baked along its own path '{path}': undo that bake, or clear the path",
            name=pair[1].name,
            path=partner.path.name,
        )


def _calibrate(armature: bpy.types.Object, model: ControllerModel) -> Calibration:
    """Return the calibration of a rig; raise :class:`FootfallError` if it lacks two legs or two hands."""
    calibration = calibrate_to_model(armature, model)
    roles = calibration.target.roles
    if is_quadruped(roles):
        raise FootfallError("'{name}' has four legs: choose a character with two", name=armature.name)
    lacking = next((role for role in ARM_ROLES if role not in roles), None)
    if lacking is not None:
        raise FootfallError(
            "'{name}' has no bone mapped as {sentence_title}: choose one in the panel Rig",
            name=armature.name,
            sentence_title=role_phrase(lacking),
        )
    return calibration


def _raised(walk: Walk, floor: float) -> Walk:
    """Return a motion raised to ground at a given height, meters."""
    return replace(walk, clip=walk.clip.transformed(IDENTITY, np.array([0.0, 0.0, floor])))


def _describe_hands(first: Clip, second: Clip, holds: NDArray[np.bool_]) -> Iterator[str]:
    """Yield a sentence about the distance between palms that hold each other."""
    if holds.any():
        apart = 100 * float(np.percentile(palm_distances(first, second)[holds], HELD_PERCENTILE))
        yield Message("Held hands stay within {apart} cm, except for brief moments", apart=f"{apart:.1f}")


def _describe_depth(first: Clip, second: Clip, holds: NDArray[np.bool_]) -> Iterator[str]:
    """Yield a sentence about the number of frames in which the bodies overlap."""
    deep = 100 * float(np.mean(deepest_overlap(first, second, holds) > MAX_TOLD_DEPTH_M))
    if deep > 0:
        yield Message("the bodies touch each other in {deep} % of the frames", deep=f"{deep:.1f}")
