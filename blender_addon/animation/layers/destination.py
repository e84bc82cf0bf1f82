"""The destination of a bake."""

from dataclasses import dataclass
from typing import Literal

from ....core.errors import FootfallError

DestinationKind = Literal["ACTION", "STRIP", "RANGE"]


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a bake.

    Attributes:
        kind: ``"ACTION"``, a new assigned action; ``"STRIP"``, a new action in an NLA strip on a new track, above the
            armature's own action; ``"RANGE"``, frames of the assigned action.
        blend_in, blend_out: number of frames of the blends of a strip or range; an action has none.
        first, last: the range's first and last frame in the scene; all baked frames by default.
    """

    kind: DestinationKind = "ACTION"
    blend_in: int = 0
    blend_out: int = 0
    first: int | None = None
    last: int | None = None

    def frame_range(self, start_frame: int, frame_count: int) -> tuple[int, int]:
        """Return the first and last frame that a bake of ``frame_count`` frames from ``start_frame`` changes.

        Raises:
            FootfallError: the range has less than two frames, or was not baked completely.
        """
        end = start_frame + frame_count - 1
        if self.kind != "RANGE":
            return start_frame, end
        first = start_frame if self.first is None else self.first
        last = end if self.last is None else self.last
        if last <= first:
            raise FootfallError(
                "The frames {first} to {last} are not a valid range: choose an end after the start",
                first=first,
                last=last,
            )
        if first < start_frame or last > end:
            raise FootfallError(
                "The chosen range is frame {first} to {last}, but the bake is frame {start} to {end}: choose a "
                "range inside the bake",
                first=first,
                last=last,
                start=start_frame,
                end=end,
            )
        return first, last
