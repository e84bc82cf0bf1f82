"""Variants of a clip: the copies of it that are learned beside it, at other paces, along curves, and other ways."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.jobs.clip_tags import ClipTags
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from .pace_scaling import scale_steps
from .upright_copy import stand_up


@dataclass(frozen=True, slots=True)
class Variant:
    """A copy of a clip.

    Attributes:
        speed: time scale.
        pace: speed of the walk as a ratio of the captured one, by the length and the rate of its steps.
        slant: way to the right, meters, for each meter of the way.
        is_backward: whether time is reversed.
        is_upright: whether crouched frames stand up.
        bends: curvatures, 1/m, of the copies of this copy.
    """

    speed: float = 1.0
    pace: float = 1.0
    slant: float = 0.0
    is_backward: bool = False
    is_upright: bool = False
    bends: tuple[float, ...] = (0.0,)

    @property
    def tempo(self) -> float:
        """Factor of the rate of steps."""
        return self.speed * float(np.sqrt(self.pace))

    def name(self, curvature: float) -> str:
        """Return the copy's name with a bend, 1/m."""
        words = [f"speed {self.speed:g}", f"bend {curvature:g}"]
        words += [f"pace {self.pace:g}"] if self.pace != 1.0 else []
        words += [f"slant {self.slant:g}"] if self.slant else []
        words += ["backward"] if self.is_backward else []
        return ", ".join([*words, "upright"] if self.is_upright else words)

    def stepped(self, fitted: Clip, held: FootContacts) -> Clip:
        """Return a clip, already at the variant's tempo, with the variant's posture and steps, held feet in place."""
        if self.is_upright:
            fitted = stand_up(fitted, held)
        if self.pace == 1.0 and not self.slant:
            return fitted
        return scale_steps(fitted, held, float(np.sqrt(self.pace)), self.slant)


def variants_of(tags: ClipTags, speeds: Sequence[float], bends: tuple[float, ...]) -> Iterator[Variant]:
    """Yield the variants of a clip.

    Backward, upright and slanted copies are not bent.

    Args:
        tags: the clip's tags.
        speeds: time scales of all clips.
        bends: curvatures, 1/m, of clips without their own.
    """
    own = tags.bends or bends
    yield from (Variant(speed, bends=own) for speed in speeds)
    yield from (Variant(pace=pace, bends=own) for pace in tags.paces)
    yield from (Variant(pace=pace, is_upright=True) for pace in tags.upright)
    backward = [Variant(pace=pace, is_backward=True) for pace in tags.backward]
    yield from backward
    for slant in tags.slants:
        yield from (Variant(pace=pace, slant=slant) for pace in tags.paces or (1.0,))
        yield from (replace(each, slant=slant) for each in backward)


def reversed_in_time(clip: Clip) -> Clip:
    """Return a clip that ends where it began."""
    return replace(clip, root_positions=clip.root_positions[::-1].copy(), rotations=clip.rotations[::-1].copy())
