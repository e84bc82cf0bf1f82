"""Footprints: the outline of a foot on the ground for every step, and a ring at every other contact."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.motion import Clip
from ....core.motion.rotations import Array
from ..strip.layout import side_of
from ..strip.shown import StripLabels, StripSpan, merge_spans, spans_in_row

# A right foot's outline, starting at the heel: to its right and forward, in lengths from ankle to ball.
FOOT_OUTLINE: Final = np.array(
    [
        (0.00, -0.42), (0.16, -0.38), (0.25, -0.22), (0.25, 0.05), (0.24, 0.35), (0.30, 0.70), (0.36, 0.95),
        (0.34, 1.20), (0.26, 1.40), (0.12, 1.54), (-0.04, 1.60), (-0.18, 1.54), (-0.26, 1.36), (-0.29, 1.10),
        (-0.27, 0.85), (-0.20, 0.55), (-0.17, 0.25), (-0.21, 0.00), (-0.25, -0.20), (-0.16, -0.38),
    ]
)  # fmt: skip
BALL_HEIGHT_RATIO: Final = 0.18
"""Height of the ball's joint above the ground, in lengths from ankle to ball."""
ANKLE_RISE_RATIO: Final = 0.35
"""Height of the ankle's joint above the ball's on a flat foot, in the same lengths."""
RING_RADIUS_RATIO: Final = 0.06
"""A ring's radius in leg lengths."""
FADE_DURATION_S: Final = 0.7
"""Seconds from a step over which its print fades."""
MIN_OPACITY_RATIO: Final = 0.15


@dataclass(frozen=True, eq=False)
class Footprints:
    """N footprints in the order of their start, each an outline of V points.

    Attributes:
        outlines: (N, V, 3) outlines, meters, in the world.
        starts, ends: (N) scene frames, both included.
        confidence: (N) in [0, 1].
        sides: (N) each L, R, FL, FR or nothing.
        rate: frames a second.
    """

    outlines: Array
    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    confidence: Array
    sides: tuple[str, ...]
    rate: float

    def opacity(self, frame: int) -> Array:
        """Return the opacity (N) of each footprint at a frame: full during its contact, then fading out."""
        away = np.maximum(np.maximum(self.starts - frame, frame - self.ends), 0) / self.rate
        return self.confidence * (MIN_OPACITY_RATIO + (1.0 - MIN_OPACITY_RATIO) * np.exp(-away / FADE_DURATION_S))

    def outline_segments(self) -> Array:
        """Return the closed outlines as line segments: pairs of points (N, V, 2, 3)."""
        return np.stack([self.outlines, np.roll(self.outlines, -1, axis=1)], axis=2)


def compute_footprints(clip: Clip, strip_labels: StripLabels) -> Footprints:
    """Return the footprints of a labeled clip that begins at the labels' first frame.

    Contacts whose joint is missing are left out.
    """
    feet: dict[str, list[str]] = {}
    for joint, foot in strip_labels.contact_feet.items():
        feet.setdefault(foot or joint, []).append(joint)
    found: list[tuple[StripSpan, str, Array]] = []
    for joints in feet.values():
        is_foot = bool(strip_labels.contact_feet[joints[0]])
        for step in merge_spans(spans_in_row(strip_labels.spans, "CONTACT", tuple(joints))):
            frames = slice(
                max(step.start - strip_labels.first_frame, 0), min(step.end - strip_labels.first_frame + 1, len(clip))
            )
            if frames.start >= frames.stop:
                continue
            outline = _foot_outline(clip, joints[0], frames) if is_foot else None
            if outline is None:
                outline = _contact_ring(clip, joints[0], frames)
            if outline is not None:
                found.append((step, side_of(joints[0], strip_labels.contact_feet[joints[0]]), outline))
    found.sort(key=lambda step: step[0].start)
    spans = [span for span, _, _ in found]
    return Footprints(
        np.array([outline for _, _, outline in found]).reshape(len(found), -1, 3),
        np.array([span.start for span in spans], dtype=np.intp),
        np.array([span.end for span in spans], dtype=np.intp),
        np.array([span.confidence for span in spans]),
        tuple(side for _, side, _ in found),
        clip.rate,
    )


def _foot_outline(clip: Clip, joint: str, frames: slice) -> Array | None:
    """Return the outline (V, 3) of a foot at rest; ``None`` if there is no toe to give its direction."""
    roles = clip.skeleton.roles
    ends = joint.replace("toe", "foot"), joint.replace("foot", "toe")
    if ends[0] not in roles or ends[1] not in roles:
        return None
    ankle, ball = (np.median(clip.positions[frames, roles[end]], axis=0) for end in ends)
    along = (ball - ankle)[:2]
    length = float(np.hypot(*along))
    if length < 1e-6:
        return None
    ahead = along / length
    shape = FOOT_OUTLINE * (-1.0 if joint.endswith("L") else 1.0, 1.0)
    right = np.array([ahead[1], -ahead[0]])
    flat = ankle[:2] + length * (shape[:, :1] * right + shape[:, 1:] * ahead)
    # A step cut off by the clip may only have the heel down, with the ball high above.
    level = min(ball[2], ankle[2] - ANKLE_RISE_RATIO * length) - BALL_HEIGHT_RATIO * length
    return np.column_stack([flat, np.full(len(flat), level)])


def _contact_ring(clip: Clip, joint: str, frames: slice) -> Array | None:
    """Return a ring (V, 3) around a joint that is in contact."""
    if joint not in clip.skeleton.roles:
        return None
    centre = np.median(clip.positions[frames, clip.skeleton.roles[joint]], axis=0)
    angles = np.linspace(0.0, 2 * np.pi, len(FOOT_OUTLINE), endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
    return centre + RING_RADIUS_RATIO * clip.skeleton.leg_length * circle
