"""The curves of the active training run, drawn into a corner of the 3D viewport."""

from ...ui.overlay import Overlay
from . import drawing

__all__ = ["register", "unregister"]

_overlay = Overlay("plot", [(drawing.draw, "POST_PIXEL")], free=drawing.free_gpu_resources)
register, unregister = _overlay.start, _overlay.stop
