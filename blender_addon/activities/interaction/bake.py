"""The bake of tasks on level floor, by the interaction controller alone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ....core.control.interaction.place_rounding import rounded_object, rounded_places, rounded_task
from ....core.control.interaction.sequencer import InteractionSequencer
from ....core.control.interaction.task import require_known_actions
from ....core.control.performance import ObjectTrack, Performance
from ....core.control.refine.interaction_performance import interaction_performance
from ....core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ....core.control.shot.outcome import Act
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion.rotations import unroll
from ....core.motion.signals import Mask
from ....core.terrain.ground import Plane
from ...animation.shown_frame import shown_at
from ...rig.sole_height import floor_height
from .task_bake import TaskBake, standing_pose


class InteractionBake(TaskBake):
    """The bake of a character's tasks on the level floor below it.

    Args:
        armature: the character.
        context: the context.
        controller: the name of a controller and the controller, in place of the one that the settings name.
        seed_offset: added to the seed of the settings.
        again: whether the last bake keeps its frames.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
        seed_offset: int = 0,
        again: bool = False,
    ) -> None:
        super().__init__(armature, context, controller, again)
        settings, scene = armature.footfall, context.scene
        self.floor_height = self.start_height = floor_height(armature)
        self.performed: RefinedInteraction | None = None
        with shown_at(scene, self.begins):
            self.objects, numbers = self.read_objects(settings.interaction_tasks, scene)
            errands = [
                self.make_task(item, number, scene)
                for item, number in zip(settings.interaction_tasks, numbers, strict=True)
            ]
            place, yaw = standing_pose(armature, self.calibration.target)
        require_known_actions(errands, self.model.taught_goals, f"'{self.controller}'")
        self.sequencer = InteractionSequencer(
            self.model,
            [rounded_object(one.interaction_object) for one in self.objects],
            [rounded_task(errand) for errand in errands],
            rounded_places(place / self.scale),
            yaw,
            seed=settings.seed + seed_offset,
        )

    @property
    def fraction(self) -> float:
        """Approximate completed share: tasks done."""
        return min(self.sequencer.task_index / len(self.sequencer.tasks), 0.99)

    @property
    def ground(self) -> Plane:
        """The level floor."""
        return Plane(self.floor_height)

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false when all tasks are done."""
        return self.sequencer.advance(frames)

    def post_process(self) -> None:
        """Do the part of :meth:`finish` that does not change the file."""
        if self.performed is None:
            self.performed = refine_interaction(self.sequencer.recording, self.calibration, self.skin, self.rise)

    def performance(self) -> Performance:
        """Return the refined interaction on soles of usual height, with the objects that move."""
        performed = self._refined
        performance = interaction_performance(performed, self.floor_height).raised(-self.rise)
        return replace(performance, objects=tuple(self._object_tracks(performed)))

    def acts(self) -> Sequence[Act]:
        """Return all tasks as one."""
        return (Act(0, 0, tuple(range(len(self.objects))), self.sequencer.recording, self._refined),)

    @property
    def _refined(self) -> RefinedInteraction:
        self.post_process()
        assert self.performed is not None
        return self.performed

    def _object_tracks(self, interaction: RefinedInteraction) -> Iterator[ObjectTrack]:
        """Yield the motion of each object that moves."""
        states = interaction.objects
        for number, one in enumerate(self.objects):
            if all(frame[number] is states[0][number] for frame in states):
                continue
            places = [one.scene_matrix(frame[number]).decompose() for frame in states]
            positions, turns = (np.array([place[part][:] for place in places]) for part in (0, 1))
            track = ObjectTrack(one.name, positions, unroll(turns), self._is_held(number, len(states)))
            if track.moves:
                yield track

    def beat_spans(self) -> Iterator[tuple[int, int, int]]:
        """See :class:`.task_bake.TaskBake`."""
        for start, stop, number in self.sequencer.recording.task_intervals():
            yield number, start, stop - 1

    @property
    def skipped_tasks(self) -> list[int]:
        """The numbers, from 1, of the tasks that could not be done."""
        return [event.task_index + 1 for event in self.sequencer.events if event.kind == "gave up"]

    def skipped_messages(self) -> list[Message]:
        """Return a sentence for each of these."""
        return [
            Message("Beat {number} was skipped: the target cannot be reached", number=number)
            for number in self.skipped_tasks
        ]

    def _is_held(self, object_index: int, frames: int) -> Mask:
        """Return whether (F) an object is held in a hand at frames of the sequence, from the first on."""
        held = np.zeros(frames, dtype=bool)
        for event in self.sequencer.events:
            if event.kind in ("took", "put") and self.sequencer.tasks[event.task_index].object_index == object_index:
                held[event.frame :] = event.kind == "took"
        return held
