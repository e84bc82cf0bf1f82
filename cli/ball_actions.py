"""Parsing of ball actions on the command line: ``ACTION@M``, ``ACTION@M=X,Y,Z`` or ``ACTION@M=FILE``."""

import argparse
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast

if TYPE_CHECKING:
    from ..core.control.path.path_events import BallCue

ACTIONS: Final = {"hold": "hold", "pick-up": "pick_up", "pass": "pass", "catch": "catch", "shoot": "shoot"}
"""Ball actions by their names on the command line."""
EXCHANGES: Final = ("pass", "catch")
"""Ball actions in which another character takes part."""
NUMBER: Final = r"[-+]?[0-9]*\.?[0-9]+"
SYNTAX: Final = re.compile(
    rf"(?P<action>[a-z-]+)@(?P<start>{NUMBER})(?:-(?P<end>{NUMBER}))?"
    rf"(?:=(?:(?P<x>{NUMBER}),(?P<y>{NUMBER}),(?P<z>{NUMBER})|(?P<file>.+\.(?:bvh|fbx|glb|gltf))))?"
)


@dataclass(frozen=True, slots=True)
class BallAction:
    """A parsed action with a ball.

    Attributes:
        cue: the path event, still without the other character's motion.
        other: motion file of the character that receives or passes the ball, if any.
    """

    cue: "BallCue"
    other: Path | None = None

    def read_cue(self, rate: float) -> "BallCue":
        """Return the path event for a walk, with the other character's hands resampled to the walk's frames.

        Args:
            rate: frames per second of the walk; its first frame coincides with that of the other motion.

        Raises:
            FootfallError: the file of the other motion, or that of its ball, cannot be read, or the other character has
                no hands.
        """
        import numpy as np

        from ..core.ball.ball_track import ball_file, read_ball
        from ..core.ball.other_hands import ball_places, exchange_frames
        from ..core.rig.clip_file import read_clip

        if self.other is None:
            return self.cue
        clip = read_clip(self.other)
        contacts, ball, file = np.zeros((len(clip), 2), dtype=bool), None, ball_file(self.other)
        if file.is_file():
            track = read_ball(file, clip)
            contacts, ball = track.contacts, track.positions
        places = ball_places(clip, contacts, ball)
        at = np.arange(0.0, len(clip) - 1 + 1e-6, clip.rate / rate)
        target = np.column_stack([np.interp(at, np.arange(len(clip)), axis) for axis in places.T])
        exchanged = exchange_frames(contacts, cast(Literal["pass", "catch"], self.cue.action))
        meetings = tuple(frame / clip.rate for frame in exchanged if frame > 0)
        return replace(self.cue, target=target, with_other=True, meetings=meetings)


def ball_action(text: str) -> BallAction:
    """Parse the value of a command-line option as a ball action.

    Args:
        text: such as ``shoot@8=0,12,3.05``, ``hold@3-5`` from 3 to 5 m along the path, or ``pass@6=receiver.bvh``.
    """
    import numpy as np

    from ..core.control.path.path_events import BallCue

    found = SYNTAX.fullmatch(text)
    if found is None or found["action"] not in ACTIONS:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a ball action: write hold@3-5, pick-up@0=0,1,0.12, pass@6=2,9,1.3, catch@0=0,6,1.3, "
            "pass@6=receiver.bvh or shoot@8=0,12,3.05"
        )
    action, start, end = ACTIONS[found["action"]], float(found["start"]), float(found["end"] or 0.0)
    if start < 0.0 or (action == "hold") != (end > start):
        raise argparse.ArgumentTypeError(
            f"'{text}' needs a range for hold, as hold@3-5, and one distance for other actions"
        )
    if found["file"] and action not in EXCHANGES:
        raise argparse.ArgumentTypeError(f"'{text}' needs a point, =X,Y,Z: only pass and catch take a motion")
    target = np.array([[float(found[axis]) for axis in "xyz"]]) if found["x"] else None
    if target is None and not found["file"] and action in ("pass", "catch", "shoot"):
        raise argparse.ArgumentTypeError(f"'{text}' needs a point: append =X,Y,Z, in meters")
    other = Path(found["file"]) if found["file"] else None
    return BallAction(BallCue(action, start, end, target=target), other)  # type: ignore[arg-type]
