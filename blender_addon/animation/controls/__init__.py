"""From a clip to the bones that an animator keys: FK controls, or feet, hands and torso with their poles.

Every control moves rigidly with one joint of the body, so where it shall be is known at once. What its channels are
measured from is another matter: bones hang on mechanisms of constraints and drivers. So the keyed bones are posed on a
copy of the armature a few times, which shows which of them carry which; the rest is arithmetic over all frames.
"""

from .control import LimbMode
from .control_tracks import ControlTracks, solve_control_tracks

__all__ = ["ControlTracks", "LimbMode", "solve_control_tracks"]
