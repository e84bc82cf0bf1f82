"""Reader of the act beats in a shot file: clips that a character plays."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..core.errors import FootfallError
from ..core.message import Message
from ..core.motion import Clip
from ..core.motion.rotations import Array
from ..core.rig.clip_file import read_clip
from .scene_file import SceneReader

if TYPE_CHECKING:
    from ..core.control.shot.beats import ActBeat, BeatTime
    from ..core.models.model_file import ControllerModel
    from ..core.retarget.calibration import Calibration

ACT: Final = "act"
ACT_FIELDS: Final = {
    "action": str,
    "clip": str,
    "first_frame": int,
    "last_frame": int,
    "place": list[float],
    "direction": float,
}


@dataclass(frozen=True, slots=True, eq=False)
class ActEntry:
    """A clip to play, as given in the file.

    Attributes:
        clip: the whole clip of its actor.
        first: first frame that is played.
        last: last frame that is played.
        place: (2) place at which it begins, meters, world; ``None`` for the end of the previous beat.
        yaw: direction to face there, radians; ``None`` for the direction of arrival.
        action: always ``act``.
    """

    clip: Clip
    first: int
    last: int
    place: Array | None
    yaw: float | None
    action: str = ACT

    def beat(self, model: "ControllerModel", calibration: "Calibration | None", time: "BeatTime") -> "ActBeat":
        """Return the beat of a character.

        Args:
            model: a controller of the character.
            calibration: calibration from the controller to the character's body; ``None`` for the controller's own.
            time: times set for the beat.

        Raises:
            FootfallError: the clip does not fit the body, or is too short or without motion.
        """
        from ..core.control.shot.act_clip import fit_act_clip
        from ..core.control.shot.beats import ActBeat
        from ..core.motion.root_frame import facing_direction
        from ..core.retarget.calibration import calibrate
        from ..core.retarget.rest_pose_from_motion import Stance

        body = model.skeleton if calibration is None else calibration.target
        stance = Stance.of(self.clip).pose
        side = "TARGET" if calibration is None else None
        fit = calibrate(self.clip.skeleton, body, source_stance=stance, controller=side)
        clip = fit_act_clip(self.clip.cut(self.first, self.last + 1), fit, model.rate)
        direction = None if self.yaw is None else facing_direction(np.array(self.yaw))
        return ActBeat(clip, self.place, direction, time)


def read_act(reader: SceneReader, entry: Mapping[str, Any], where: Message) -> ActEntry:
    """Return the act beat that an entry of a shot file describes, with its clip; ``where`` names the entry in errors.

    Raises:
        FootfallError: a field is invalid, or the clip is missing, cannot be read, has no legs, or cannot be played.
    """
    from ..core.control.shot.act_clip import require_playable
    from ..core.retarget.legs import require_legs

    reader.check_fields(entry, ACT_FIELDS, where)
    if not entry.get("clip"):
        raise reader.error(where, Message("'{action}' needs '{name}'", action=ACT, name="clip"))
    if "direction" in entry and "place" not in entry:
        raise reader.error(where, Message("'direction' needs 'place'"))
    try:
        clip = read_clip(reader.beside(entry["clip"]))
        first, last = entry.get("first_frame", 0), entry.get("last_frame", len(clip) - 1)
        require_legs(clip.skeleton)
        if 0 <= first < last < len(clip):
            require_playable(clip.cut(first, last + 1))
    except FootfallError as error:
        raise reader.error(where, Message("{reason}", reason=error)) from error
    if not 0 <= first < last < len(clip):
        reason = Message("the frames are not between 0 and {most}, the first before the last", most=len(clip) - 1)
        raise reader.error(where, reason)
    place = None if "place" not in entry else reader.point(entry["place"], where)[:2]
    yaw = float(np.radians(entry["direction"])) if "direction" in entry else None
    return ActEntry(clip, first, last, place, yaw)
