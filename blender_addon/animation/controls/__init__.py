"""From a clip to the bones that an animator keys: FK controls, or feet, hands and torso with their poles.

Every control moves rigidly with one joint of the body, so its target pose is known. The reference of its channels is
not: bones depend on mechanisms of constraints and drivers. Therefore the keyed bones are posed several times on a copy
of the armature, which reveals which of them carry which; the rest is arithmetic over all frames.
"""

from .control import LimbMode
from .control_tracks import ControlTracks, solve_control_tracks

__all__ = ["ControlTracks", "LimbMode", "solve_control_tracks"]
