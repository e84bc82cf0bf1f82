"""Actions with a ball on the command line: ``ACTION@M`` or ``ACTION@M=X,Y,Z``."""

import argparse
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..core.control.path.path_events import BallCue

ACTIONS: Final = {"hold": "hold", "pick-up": "pick_up", "pass": "pass", "catch": "catch", "shoot": "shoot"}
"""Actions by their names on the command line."""
NUMBER: Final = r"[-+]?[0-9]*\.?[0-9]+"
SYNTAX: Final = re.compile(
    rf"(?P<action>[a-z-]+)@(?P<start>{NUMBER})(?:-(?P<end>{NUMBER}))?(?:=(?P<x>{NUMBER}),(?P<y>{NUMBER}),(?P<z>{NUMBER}))?"
)


def ball_action(text: str) -> "BallCue":
    """Return the path event of an action, as an option's type.

    Args:
        text: such as ``shoot@8=0,12,3.05``, or ``hold@3-5`` from 3 to 5 m along the path.
    """
    import numpy as np

    from ..core.control.path.path_events import BallCue

    found = SYNTAX.fullmatch(text)
    if found is None or found["action"] not in ACTIONS:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no action with a ball: write hold@3-5, pick-up@0=0,1,0.12, pass@6=2,9,1.3, catch@0=0,6,1.3 "
            "or shoot@8=0,12,3.05"
        )
    action, start, end = ACTIONS[found["action"]], float(found["start"]), float(found["end"] or 0.0)
    if start < 0.0 or (action == "hold") != (end > start):
        raise argparse.ArgumentTypeError(f"'{text}' needs a stretch where it holds, as hold@3-5, and else one place")
    target = np.array([[float(found[axis]) for axis in "xyz"]]) if found["x"] else None
    if target is None and action in ("pass", "catch", "shoot"):
        raise argparse.ArgumentTypeError(f"'{text}' needs a point: append =X,Y,Z, in meters")
    return BallCue(action, start, end, target=target)  # type: ignore[arg-type]
