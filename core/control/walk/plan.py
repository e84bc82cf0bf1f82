"""The plan of a walk, made from a request: path, terrain profile and timing, in meters of the controller."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...features.ball import BALL_PARTS
from ...features.phase_system import system_parts
from ...features.sensor_phases import sensor_joint
from ...models.control_generator import ControlGenerator
from ...models.model_file import ControllerModel
from ...motion import Skeleton
from ...motion.paws import require_four_legs
from ...motion.proportions import ADULT_LEG_LENGTH_M, scale_between
from ...motion.roles import has_front_legs, is_quadruped
from ...motion.rotations import Array
from ...retarget.calibration import Calibration
from ...terrain.ground import Plane
from ...terrain.walk_scene import WalkScene
from ..navigation.path_repair import repair_path
from ..path.crouch_response import CrouchResponse
from ..path.path import Path
from ..path.path_events import Cues, CueSpan, Jump
from ..path.terrain_profile import TerrainProfile
from ..path.timed_waypoints import Waypoint, retime_for_waypoints, warp_through_waypoints, waypoint_arc_lengths
from ..path.velocity_profile import CROUCH, Timing, plan_timing
from ..runtime.body_state import BodyState
from ..runtime.control_variation import ControlVariation
from ..runtime.controller_body import calibrate_controller
from ..runtime.response_bias import DEFAULT_RESPONSIVENESS
from .accompaniment import Accompaniment
from .crouch_trial import crouch_response
from .follower_plan import FollowerPlan
from .performers import performer_shares

# Height of the top of the head, relative to the height of the head joint.
HEAD_TOP_RATIO = 1.12
# From a shuffle to a sprint.
SPEED_RANGE_M_S = (0.3, 8.0)
JUMP: Final = "jump"
# Gaits that follow from speed, ground and path events; all other gaits are styles.
BASE_GAITS = ("stand", "walk", "run", JUMP)


@dataclass(frozen=True, slots=True, eq=False)
class WalkRequest:
    """The request for a walk, in world meters.

    Attributes:
        path: the drawn path.
        speed: commanded speed, m/s, above zero.
        walk_scene: ground and obstacles; by default level ground at `start_level`.
        start_level: approximate height of the path's start, meters, world.
        target: skeleton that walks, or the calibration of the controller's skeleton to it; by default the controller's
            own. Another skeleton walks the same path in steps of its own size.
        seed: selects the initial phase, the drawn performer and the noise of the variation, so that characters of a
            crowd differ and are out of step; 0 for the controller's own walk without variation.
        style: one of :func:`model_styles`; empty for plain walking and running.
        performer: one of the controller's performers; empty for the first one.
        performer_share: share of another performer, drawn by the seed, from 0 to 1.
        cues: path events, at arc lengths of the drawn path.
        waypoints: timed waypoints; the path is warped through them.
        variation: strength of the generator's variation of the control series, from 0 for none to 1.
        generator: generative control model of the variation; `None` for no variation. A quadruped is never varied,
            since generators are trained on people.
        responsiveness: how strongly the command determines the trajectory ahead, from 0 to 1 (PFNN eq. 9, LMP eq. 1).
        accompaniment: what accompanies the walk, such as a ball; `None` for nothing, so that path events with a ball
            are ignored.
        begin: state of a moving body at the path's start, meters at the controller's scale; `None` to start standing.
        via: points (2) of the path, meters, that detours do not cut off.
    """

    path: Path
    speed: float = 1.2
    walk_scene: WalkScene | None = None
    start_level: float = 0.0
    target: Skeleton | Calibration | None = None
    seed: int = 0
    style: str = ""
    cues: Cues = field(default_factory=Cues)
    waypoints: Sequence[Waypoint] = ()
    performer: str = ""
    performer_share: float = 1.0
    variation: float = 0.0
    generator: ControlGenerator | None = None
    responsiveness: float = DEFAULT_RESPONSIVENESS
    accompaniment: Accompaniment | None = None
    begin: BodyState | None = None
    via: Sequence[Array] = ()


@dataclass(frozen=True, slots=True, eq=False)
class WalkPlan(FollowerPlan):
    """The plan of a walk, in meters at the controller's scale unless noted.

    Attributes:
        waypoints: timed waypoints, in the order of their times.
        waypoint_lengths: (K) arc lengths of the waypoints, meters.
        failure_reasons: for each of K waypoints, the reason why it cannot be met; empty if it can.
        scale: world meters per meter at the controller's scale.
        body_scale: size of the controller's skeleton relative to an adult's.
        drawn_path: the requested path, warped through the waypoints, world meters.
        walk_scene: the scene, world meters.
        calibration: calibration to the target skeleton; `None` for the controller's own skeleton.
        warnings: differences from the request, in sentences.
        gazes: path events that turn the head to a target.
        crowd_warnings: differences from the request because of other walkers, in sentences.
    """

    waypoints: Sequence[Waypoint]
    waypoint_lengths: Array
    failure_reasons: Sequence[str]
    scale: float
    body_scale: float
    drawn_path: Path
    walk_scene: WalkScene
    calibration: Calibration | None
    warnings: tuple[str, ...]
    gazes: tuple[CueSpan, ...] = ()
    crowd_warnings: tuple[str, ...] = ()


def require_fitting_body(model: ControllerModel, body: Skeleton) -> None:
    """Raise :class:`FootfallError` if controller and body are not both a biped's or both a quadruped's."""
    if not is_quadruped(model.skeleton.roles):
        if has_front_legs(body.roles):
            raise FootfallError(
                "This controller walks on two legs, but the body has four: choose a controller for animals, "
                "such as Quadruped"
            )
        return
    if not has_front_legs(body.roles):
        raise FootfallError(
            "This controller walks on four legs, but the body has two: choose a controller for people, such as "
            "Locomotion"
        )
    require_four_legs(body)


def plan_walk(request: WalkRequest, model: ControllerModel) -> WalkPlan:
    """Return the plan of a walk made from its request.

    The path is warped through the waypoints and repaired in the world; everything is then scaled to the controller, and
    the timing is planned.

    Raises:
        FootfallError: a speed is out of range, the controller does not walk or lacks the style, or the target lacks
            bones that the controller requires.
    """
    _require_walkable(request, model)
    if request.target is not None:
        require_fitting_body(model, request.target if isinstance(request.target, Skeleton) else request.target.target)
    calibration = (
        calibrate_controller(model, request.target) if isinstance(request.target, Skeleton) else request.target
    )
    if calibration is not None:
        _require_sensor_bones(model, calibration.target)
    scale = scale_between(model.skeleton, calibration.target) if calibration else 1.0
    body_scale = model.skeleton.leg_length / ADULT_LEG_LENGTH_M
    walk_scene = request.walk_scene or WalkScene(Plane(request.start_level))
    waypoints = sorted(request.waypoints, key=lambda waypoint: waypoint.time)
    drawn = warp_through_waypoints(request.path, waypoints, request.speed) if waypoints else request.path
    repaired = repair_path(drawn, walk_scene, request.start_level, body_scale * scale, request.via)

    path, scene = repaired.path.scaled(1 / scale), walk_scene.scaled(1 / scale)
    speed, start_level = request.speed / scale, request.start_level / scale
    cues = request.cues.scaled(1 / scale).remapped(_drawn_to_walked(drawn, repaired.path, scale))
    waypoints = [waypoint.scaled(1 / scale) for waypoint in waypoints]

    profile = TerrainProfile.from_path(path, scene, start_level, body_scale)
    beside = request.accompaniment and request.accompaniment.resampled(model.rate)
    make_timing = partial(
        plan_timing,
        path,
        speed,
        model.rate,
        profile,
        upright_height(model),
        gaits=model.gaits,
        style=request.style,
        leg_length=model.skeleton.leg_length,
        crouch=_planned_crouch(request, model, profile),
        start_speed=0.0 if request.begin is None else float(np.linalg.norm(request.begin.velocity)),
        rises=request.begin is not None,
    )

    def timed_waypoints(placed: Cues) -> tuple[Cues, Array, Sequence[str]]:
        return _time_waypoints(make_timing, path, waypoints, placed, speed, model.rate)

    def time(placed: Cues) -> Timing:
        return make_timing(timed_waypoints(placed)[0])

    if beside is not None:
        cues = beside.placed(cues, path, profile, scale, model.rate, time)
    timed, lengths, reasons = timed_waypoints(cues)
    timing = make_timing(timed)
    if timed.jumps:
        profile = profile.with_jumps(_jump_place(jump, timing, model.rate) for jump in timed.jumps)
    return WalkPlan(
        path,
        profile,
        timing,
        float(cues.all_speeds(speed).min()),
        scene.ground,
        request.seed,
        performer_shares(model, request.performer, request.performer_share, request.seed),
        _control_variation(request, model),
        request.responsiveness,
        None if beside is None else beside.planned(timed, timing, profile, scale, model.rate),
        waypoints,
        lengths,
        reasons,
        scale,
        body_scale,
        drawn,
        walk_scene,
        calibration,
        repaired.notes,
        tuple(span for span in cues.spans if span.gaze is not None),
        begin=request.begin,
    )


def delay_waypoints(plan: WalkPlan, seconds: float) -> WalkPlan:
    """Return a plan whose waypoints are to be reached later by `seconds`."""
    waypoints = [replace(waypoint, time=waypoint.time + seconds) for waypoint in plan.waypoints]
    return replace(plan, waypoints=waypoints)


def upright_height(model: ControllerModel) -> float:
    """Return the height, meters, of the top of the head of a controller's skeleton in its standing pose."""
    return HEAD_TOP_RATIO * float(model.start["position"][:, 2].max())


def model_styles(model: ControllerModel) -> tuple[str, ...]:
    """Return the names of the styles of a controller, such as moods, in addition to plain walking and running."""
    return tuple(name for name in model.gaits if name not in BASE_GAITS)


def require_style(model: ControllerModel, style: str) -> None:
    """Raise :class:`FootfallError` unless a controller has a style; an empty style always passes.

    Raises:
        FootfallError: the controller has no such style.
    """
    known = model_styles(model)
    if style and style not in known:
        if not known:
            raise FootfallError("The controller has learned no styles: leave Style empty")
        raise FootfallError(
            "The controller has no style '{style}': choose one of {names}", style=style, names=", ".join(known)
        )


def _require_walkable(request: WalkRequest, model: ControllerModel) -> None:
    """Raise :class:`FootfallError` if a controller cannot walk as requested."""
    if model.is_interaction_controller:
        raise FootfallError("This controller is for interactions: choose one that walks along paths")
    if request.accompaniment is not None:
        request.accompaniment.require(model)
    if parts := [part for part in system_parts(model.input_layout) if part not in BALL_PARTS]:
        raise FootfallError(
            "This controller needs other input than a path ({parts}): choose one that walks along paths",
            parts=", ".join(parts),
        )
    if request.cues.jumps and JUMP not in model.gaits:
        raise FootfallError("This controller was not trained to jump: remove the jump, or choose another controller")
    spans = request.cues.spans
    for style in (request.style, *(span.style for span in spans if span.style)):
        require_style(model, style)
    for speed in (request.speed, *(span.speed for span in spans if span.speed is not None)):
        _require_speed(speed)


def _require_sensor_bones(model: ControllerModel, target: Skeleton) -> None:
    """Raise :class:`FootfallError` if a skeleton lacks bones whose contacts drive a controller with local phases."""
    known = [name for name in model.sensors if name in model.skeleton.roles]
    missing = [name for name in known if sensor_joint(target, name) is None]
    if missing:
        raise FootfallError(
            "This controller needs {body_parts}, but the rig has no bones for them: choose the bones in the "
            "panel Rig, or choose another controller",
            body_parts=", ".join(missing),
        )


def _planned_crouch(request: WalkRequest, model: ControllerModel, profile: TerrainProfile) -> CrouchResponse | None:
    """Return a controller's crouch response if a walk needs it, otherwise `None`.

    It is needed for crouching, low ceilings and uneven ground.

    Raises:
        FootfallError: the requested style is crouching, and the controller has never learned it.
    """
    is_style = CROUCH in (request.style, *(span.style for span in request.cues.spans))
    is_low = profile.duck_share_at(profile.arc_lengths, upright_height(model)).any()
    if not is_style and not is_low and profile.is_level:
        return None
    response = crouch_response(model)
    if is_style and not response.is_learned:
        raise FootfallError(
            "This controller was not trained to crouch: choose another controller, or train it with clips of "
            "crouched walking"
        )
    return response


def _jump_place(jump: Jump, timing: Timing, rate: float) -> tuple[float, float]:
    """Return the arc length, meters, of the highest point of a jump, and the planned speed at that point, m/s."""
    length = jump.start if jump.unit == "meters" else timing.distance_at_time(jump.start, rate)
    return length, float(np.interp(length, timing.distances, timing.speeds))


def _control_variation(request: WalkRequest, model: ControllerModel) -> ControlVariation | None:
    """Return the variation of a walk's control series; `None` if it is not varied, as on four legs."""
    if request.generator is None or request.seed == 0 or request.variation <= 0 or is_quadruped(model.skeleton.roles):
        return None
    return ControlVariation(request.generator, request.variation, request.seed)


def _require_speed(speed: float) -> None:
    """Raise :class:`FootfallError` if a speed, m/s, is out of range."""
    if not SPEED_RANGE_M_S[0] <= speed <= SPEED_RANGE_M_S[1]:
        raise FootfallError(
            "The speed is {speed} m/s: choose one from {least} to {most} m/s",
            speed=f"{speed:g}",
            least=f"{SPEED_RANGE_M_S[0]:g}",
            most=f"{SPEED_RANGE_M_S[1]:g}",
        )


def _drawn_to_walked(drawn: Path, walked: Path, scale: float) -> Callable[[float], float]:
    """Return a function that converts drawn arc lengths, world, to walked arc lengths, meters of the controller."""
    if walked is drawn:
        return lambda length: length / scale
    tree = scipy.spatial.KDTree(walked.points)

    def walked_length(length: float) -> float:
        index = int(tree.query(drawn.position_at(length))[1])
        return float(walked.arc_lengths[index]) / scale

    return walked_length


def _time_waypoints(
    make_timing: Callable[..., Timing], path: Path, waypoints: Sequence[Waypoint], cues: Cues, speed: float, rate: float
) -> tuple[Cues, Array, Sequence[str]]:
    """Return the cues of a walk that meets its waypoints, the waypoints' arc lengths (K), and failure reasons (K)."""
    if not waypoints:
        return cues, np.zeros(0), ()
    lengths = waypoint_arc_lengths(path, waypoints, speed)
    timed, reasons = retime_for_waypoints(
        lambda trial: make_timing(cues=trial), path, lengths, waypoints, cues, speed, rate
    )
    return timed, lengths, reasons
