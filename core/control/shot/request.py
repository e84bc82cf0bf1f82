"""The request of a shot: a character's beats and their scene."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from ...body.skin_thickness import SkinThickness
from ...models.control_generator import ControlGenerator
from ...motion.rotations import Array
from ...retarget.calibration import Calibration
from ...scene.interaction_object import InteractionObject
from ...terrain.walk_scene import WalkScene
from ..ball.ball_plan import in_order
from ..interaction.place_rounding import rounded_object, rounded_places
from ..runtime.response_bias import DEFAULT_RESPONSIVENESS
from .balls import BallState
from .beats import Beat, WalkBeat, rounded_beat


@dataclass(frozen=True, slots=True, eq=False)
class Manner:
    """Settings of a character's walk that hold for all walks of its shot.

    Attributes:
        performer: one of the controller's performers; empty for the first.
        performer_share: share of another performer, drawn by the seed, from 0 to 1.
        variation: how much the generator varies the control series, from 0 to 1.
        generator: the generative control model; ``None`` for no variation.
        responsiveness: how strongly the command determines the trajectory ahead, from 0 to 1.
    """

    performer: str = ""
    performer_share: float = 1.0
    variation: float = 0.0
    generator: ControlGenerator | None = None
    responsiveness: float = DEFAULT_RESPONSIVENESS


@dataclass(frozen=True, slots=True, eq=False)
class ShotRequest:
    """All requested beats of a character, in world meters.

    Attributes:
        beats: beats in order.
        position: (3) first root of the character on the ground, world.
        yaw: first facing, radians; zero faces +Y.
        scene: the ground and the obstacles.
        objects: objects used by tasks, in meters at the controllers' scale, like the tasks.
        target: calibration from the controllers' body to the animated one; ``None`` to animate the controllers' own.
        skin: skin thickness of the body; by default it follows from the body's proportions.
        rise: height by which the finished motion is raised to put the body's own soles on the ground, meters.
        seed: chooses the random variation.
        manner: settings of the character's walks.
        scene_key: key that is equal for equal ground and obstacles; ``None`` if they may have changed.
        balls: the balls that beats play with, as they are at first.
        dribble_target: calibration from the controller that dribbles to the animated body; computed by default.
        strike_target: calibration from the controller that strikes to the animated body, with fingers and weapons.
    """

    beats: Sequence[Beat]
    position: Array
    yaw: float = 0.0
    scene: WalkScene | None = None
    objects: Sequence[InteractionObject] = ()
    target: Calibration | None = None
    skin: SkinThickness | None = None
    rise: float = 0.0
    seed: int = 0
    manner: Manner = field(default_factory=Manner)
    scene_key: Hashable = None
    balls: Sequence[BallState] = ()
    dribble_target: Calibration | None = None
    strike_target: Calibration | None = None

    @property
    def brought_balls(self) -> list[BallState]:
        """The balls at the start; a ball that another character throws first is on its path in the thrower's hands."""
        found = list[BallState]()
        for index, ball in enumerate(self.balls):
            own = [one for one in self.beats if isinstance(one, WalkBeat) and one.ball == index]
            found.append(ball.brought(in_order(own[0].cues.balls)) if own else ball)
        return found

    def rounded(self) -> "ShotRequest":
        """Return the request with all positions rounded, so that numerical noise does not change the checksum."""
        return replace(
            self,
            beats=[rounded_beat(beat) for beat in self.beats],
            position=rounded_places(self.position),
            objects=[rounded_object(one) for one in self.objects],
            balls=[replace(one, places=rounded_places(one.places)) for one in self.balls],
        )
