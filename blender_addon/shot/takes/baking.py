"""Several bakes of a character, each with its own seed."""

from typing import Final, Protocol

import bpy

from ....core.message import Message
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from ...ui.operator_base import require_armature
from ..bake_result import BakeResult
from .store import keep_take, use_take

SLICE_FRAMES: Final = 4
ROLLOUT_SHARE: Final = 0.7
"""Share of the work for the roll-out of all takes; writing them is the rest."""


class SeededBake(Protocol):
    """A bake in slices that varies with a seed; the file is not changed before :meth:`finish`."""

    @property
    def fraction(self) -> float:
        """Share of the frames that are done, 0 to 1."""
        ...

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false once all are done."""
        ...

    def post_process(self) -> None:
        """Do the part of :meth:`finish` that makes no changes to the file."""
        ...

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Write the motion and measure it; return the result."""
        ...


class TakesOperator(ModalWorkOperator):
    """A mix-in for operators that bake takes of the active character."""

    count: bpy.props.IntProperty(name="Takes", description="Number of takes to bake", default=3, min=1, max=20)

    def make_bake(self, context: bpy.types.Context, seed_offset: int) -> SeededBake:
        """Return a bake whose seed is that of the settings plus an offset."""
        raise NotImplementedError

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.output.destination != "ACTION":
            return "Each take needs its own action: set Output to New Action"
        return reason

    def work(self, context: bpy.types.Context) -> WorkSteps:
        armature = require_armature(context)
        settings = armature.footfall
        seeds = [max(settings.seed, 1) + number for number in range(self.count)]
        bakes = [self.make_bake(context, seed - settings.seed) for seed in seeds]
        for number, bake in enumerate(bakes):
            while bake.advance(SLICE_FRAMES):
                yield ROLLOUT_SHARE * (number + bake.fraction) / self.count, Message("Baking")
        for number, bake in enumerate(bakes):
            bake.post_process()
            yield ROLLOUT_SHARE + (1 - ROLLOUT_SHARE) * number / self.count, Message("Planting the feet")
        # Writing happens in one step, so that nothing is changed if the user cancels. The first take is the character's
        # bake.
        first = len(settings.takes)
        for _ in seeds:
            settings.takes.add()
        for number in reversed(range(self.count)):
            made = bakes[number].finish(context.scene).action
            keep_take(armature, settings.takes[first + number], made, seeds[number])
        settings.active_take = first
        use_take(armature, settings.takes[first])
        return Message("Baked {count} takes: mark your favorites with a star, and press Use Take", count=self.count)
