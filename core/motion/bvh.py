"""Biovision hierarchy (BVH) files: read from any of the common dialects, written as the CMU clips are.

What a file leaves open is decided here, once:

- Unit and up axis: see :mod:`.conventions`.
- Position channels are the joint's place relative to its parent, as Blender's importer reads them; or they are
  relative to OFFSET, as the CMU clips on the CC_Base rig have them. For the root the reading is taken that brings the
  lowest joint closer to the ground plane on average, absolute in doubt; both agree for the usual OFFSET of zero.
  For other joints it is the reading whose mean is closer to OFFSET.
- Bones do not stretch: other joints' position channels become the bone's offset by their median.
- Where the hips are not the root but all that is known of the body hangs on them, they become the root and what is
  above is folded into them.
"""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from .clip import Clip
from .conventions import CENTIMETRE_M, UpAxis, find_unit, find_up_axis
from .decimals import TableError, format_table, parse_table
from .kinematics import forward_kinematics
from .rotations import Array, from_euler, to_euler
from .skeleton import Skeleton

MAX_BYTES: Final = 1 << 29
MAX_JOINTS: Final = 4096
MAX_DEPTH: Final = 256
MAX_ROTATIONS: Final = 50_000_000
"""Frames times joints: 1.6 GB of quaternions."""
MAX_MAGNITUDE: Final = 1e7
"""Largest offset, position or angle, so that nothing that is computed from them overflows."""
FRAME_TIME_RANGE_S: Final = (1e-5, 100.0)

MIN_SAMPLED_FRAMES: Final = 30
"""Frames, at least, from which the up axis and the ground are found."""
WRITTEN_DECIMALS: Final = 6
"""Digits after the point in written files: centimetres and degrees."""

_AXES: Final = "XYZ"
_TOKEN: Final = re.compile(rb"[{}]|[^\s{}]+")
_NAME: Final = re.compile(rb"[ \t]*([^\r\n{}]*)")
_MOTION: Final = re.compile(
    rb"\s*MOTION\s+Frames\s*:\s*(\S+)\s+Frame\s+Time\s*:\s*(\S+)[ \t\r]*(?:\n|$)", re.IGNORECASE
)
_CHANNEL: Final = re.compile(r"([XYZ])(position|rotation)", re.IGNORECASE)


class MotionFileError(FootfallError):
    """A motion file that cannot be used.

    Attributes:
        file: its path.
        line: the line, from 1, where the trouble is; ``None`` where it is in no line.
        reason: what is wrong and what to do.
    """

    def __init__(self, file: Path, line: int | None, reason: str) -> None:
        super().__init__(file, line, reason)
        self.file, self.line, self.reason = file, line, reason

    def __str__(self) -> str:
        place = f", line {self.line}" if self.line is not None else ""
        return f"Motion file {self.file}{place}: {self.reason}."


def read_bvh(path: str | os.PathLike[str], *, unit: float | None = None, up: UpAxis | None = None) -> Clip:
    """Read a clip: metres, Blender's world, one rotation per joint relative to its parent.

    Args:
        path: the file.
        unit: metres in one of the file's units; found from the body's size where not given.
        up: the file's up axis; found from the body's posture where not given.

    Raises:
        MotionFileError: the file is missing, unreadable, damaged or unreasonably large.
    """
    path = Path(path)
    parser = _Parser(path, _read_bytes(path))
    joints = parser.hierarchy()
    rate, table = parser.motion(joints)
    _replace_position_channels(joints, table)
    skeleton = _skeleton(joints)
    rotations = _rotations(joints, table)
    roots = _root_positions(joints[0], table)
    step = max(len(roots) // MIN_SAMPLED_FRAMES, 1)
    sample = forward_kinematics(skeleton, roots[::step], rotations[::step])[0]
    axis = up or find_up_axis(skeleton, sample)
    if _root_is_relative(joints[0], sample[..., _AXES.index(axis)], joints[0].offset[_AXES.index(axis)]):
        roots = roots + skeleton.offsets[0]
    skeleton, roots, rotations = _reroot_at_hips(skeleton, roots, rotations)
    metres = unit or find_unit(skeleton)
    offsets, tips = skeleton.offsets.copy(), skeleton.tips
    offsets[0] = 0.0
    if axis == "Y":
        offsets, tips, roots, rotations = (
            _to_z_up(offsets),
            _to_z_up(tips),
            _to_z_up(roots),
            _rotations_to_z_up(rotations),
        )
    skeleton = Skeleton(skeleton.names, skeleton.parents, offsets * metres, tips * metres)
    return Clip(skeleton, rate, roots * metres, rotations, path.stem)


@dataclass
class _Joint:
    name: str
    parent: int
    offset: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    tip: list[float] | None = None
    first_column: int = 0
    channels: list[tuple[str, str]] = field(default_factory=list)
    """Axis letter and ``"position"`` or ``"rotation"``, in the file's order."""

    def columns(self, kind: str) -> dict[str, int]:
        """Axis letter to the table's column, for the channels of a kind, in the file's order."""
        return {axis: self.first_column + n for n, (axis, what) in enumerate(self.channels) if what == kind}


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise MotionFileError(path, None, "it is a folder, so choose a .bvh file in it")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise MotionFileError(
                path, None, f"it has {size >> 20} MB and at most {MAX_BYTES >> 20} are read, so split it"
            )
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise MotionFileError(path, None, f"{reason or 'it cannot be opened'}".lower()) from error
    if not data.strip():
        raise MotionFileError(path, None, "it is empty")
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data if b"\n" in data else data.replace(b"\r", b"\n")


class _Parser:
    """Goes through a file's text once; ``position`` is the byte after the last token."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data, self.position = path, data, 0

    def error(self, reason: str, position: int | None = None) -> MotionFileError:
        place = self.position if position is None else position
        return MotionFileError(self.path, self.data.count(b"\n", 0, place) + 1, reason)

    def token(self) -> str:
        match = _TOKEN.search(self.data, self.position)
        if match is None:
            self.position = len(self.data)
            raise self.error("the file ends within the hierarchy, so it is truncated: export it again")
        self.position = match.end()
        return match.group()[:100].decode("utf-8", "backslashreplace")

    def name(self) -> str:
        match = _NAME.match(self.data, self.position)
        assert match is not None
        self.position = match.end()
        return match.group(1)[:200].decode("utf-8", "backslashreplace").strip()

    def expect(self, expected: str) -> None:
        found = self.token()
        if found.upper() != expected.upper():
            raise self.error(f"'{found}' where '{expected}' is expected, so this is no intact BVH file")

    def number(self) -> float:
        word = self.token()
        try:
            value = float(word.replace("_", "?"))
        except ValueError:
            value = float("nan")
        if not abs(value) <= MAX_MAGNITUDE:
            raise self.error(f"'{word}' is no usable number")
        return value

    def hierarchy(self) -> list[_Joint]:
        """Return the joints, parents before children."""
        self.expect("HIERARCHY")
        self.expect("ROOT")
        joints: list[_Joint] = []
        open_joints = [self._open_joint(joints, -1)]
        columns = 0
        while open_joints:
            joint = joints[open_joints[-1]]
            word = self.token()
            match word.upper():
                case "OFFSET":
                    joint.offset = [self.number() for _ in _AXES]
                case "CHANNELS":
                    joint.first_column, joint.channels = columns, self._channels(joint)
                    columns += len(joint.channels)
                case "JOINT":
                    if len(open_joints) >= MAX_DEPTH:
                        raise self.error(f"joints are nested more than {MAX_DEPTH} deep")
                    open_joints.append(self._open_joint(joints, open_joints[-1]))
                case "END":
                    tip = self._end_site()
                    joint.tip = joint.tip or tip
                case "}":
                    open_joints.pop()
                case _:
                    raise self.error(f"'{word}' where OFFSET, CHANNELS, JOINT, End Site or '}}' is expected")
        return joints

    def _open_joint(self, joints: list[_Joint], parent: int) -> int:
        if len(joints) >= MAX_JOINTS:
            raise self.error(f"it has more than {MAX_JOINTS} joints")
        name = self.name()
        if not name:
            raise self.error("a joint has no name")
        self.expect("{")
        joints.append(_Joint(name, parent))
        return len(joints) - 1

    def _channels(self, joint: _Joint) -> list[tuple[str, str]]:
        if joint.channels:
            raise self.error(f"joint '{joint.name}' has CHANNELS twice")
        count = self.token()
        if count not in ("0", "1", "2", "3", "4", "5", "6"):
            raise self.error(f"joint '{joint.name}' has '{count}' channels where 0 to 6 are possible")
        channels: list[tuple[str, str]] = []
        for _ in range(int(count)):
            word = self.token()
            match = _CHANNEL.fullmatch(word)
            if match is None:
                raise self.error(f"'{word}' is no position or rotation channel of joint '{joint.name}'")
            channel = (match.group(1).upper(), match.group(2).lower())
            if channel in channels:
                raise self.error(f"joint '{joint.name}' has the channel {word} twice")
            channels.append(channel)
        return channels

    def _end_site(self) -> list[float]:
        self.name()
        self.expect("{")
        self.expect("OFFSET")
        offset = [self.number() for _ in _AXES]
        self.expect("}")
        return offset

    def motion(self, joints: list[_Joint]) -> tuple[float, Array]:
        """Frames a second, and the channels' values (F, C) as they stand."""
        columns = sum(len(joint.channels) for joint in joints)
        match = _MOTION.match(self.data, self.position)
        if match is None:
            following = _TOKEN.search(self.data, self.position)
            if following is None:
                raise self.error("the file ends before MOTION, so it is truncated: export it again", len(self.data))
            if following.group().upper() == b"ROOT":
                raise self.error("it has several ROOTs, so export one character per file", following.start())
            raise self.error("'MOTION', 'Frames: n' and 'Frame Time: t' are expected here", following.start())
        frames = self._frames(match, len(joints), columns)
        rate = self._rate(match)
        first = self.data.count(b"\n", 0, match.end()) + 1
        try:
            table = parse_table(self.data[match.end() :], columns)
        except TableError as error:
            raise MotionFileError(self.path, first + error.line, error.reason) from error
        if len(table) != frames:
            line = self.data.rstrip().count(b"\n") + 1
            hint = "the file is truncated" if len(table) < frames else "the number of frames is wrong"
            raise MotionFileError(
                self.path, line, f"{frames} frames are declared but {len(table)} are there, so {hint}"
            )
        if max(table.max(), -table.min()) > MAX_MAGNITUDE:
            row = int(np.argmax(np.abs(table).max(axis=1)))
            raise MotionFileError(self.path, None, f"frame {row + 1} has a number beyond {MAX_MAGNITUDE:.0e}")
        return rate, table

    def _frames(self, match: re.Match[bytes], joints: int, columns: int) -> int:
        word = match.group(1)
        if not re.fullmatch(rb"\d{1,12}", word) or int(word) == 0:
            shown = word[:20].decode("ascii", "backslashreplace")
            raise self.error(f"'{shown}' is no number of frames, of which at least one is needed", match.start(1))
        frames = int(word)
        if columns == 0:
            raise self.error("no joint has a channel, so there is no motion in it", match.start(1))
        if frames * columns * 2 - 1 > len(self.data) - match.end():
            reason = f"{frames} frames of {columns} channels are declared but the file is too short, so it is truncated"
            raise self.error(reason, match.start(1))
        if frames * joints > MAX_ROTATIONS:
            raise self.error(
                f"{frames} frames of {joints} joints are more than are read at once, so split it", match.start(1)
            )
        return frames

    def _rate(self, match: re.Match[bytes]) -> float:
        try:
            seconds = float(match.group(2))
        except ValueError:
            seconds = float("nan")
        if not FRAME_TIME_RANGE_S[0] <= seconds <= FRAME_TIME_RANGE_S[1]:
            shown = match.group(2)[:20].decode("ascii", "backslashreplace")
            raise self.error(f"a frame time of '{shown}' seconds is impossible", match.start(2))
        rate = 1.0 / seconds
        # Frame times are written with few digits: 0.0083333 means 120 frames a second.
        return float(round(rate)) if abs(rate - round(rate)) < 2e-4 * rate else rate


def _skeleton(joints: list[_Joint]) -> Skeleton:
    return Skeleton(
        tuple(_unique_names([joint.name for joint in joints])),
        tuple(joint.parent for joint in joints),
        np.array([joint.offset for joint in joints]),
        np.array([joint.tip or [0.0, 0.0, 0.0] for joint in joints]),
    )


def _unique_names(names: list[str]) -> list[str]:
    """Return the names, of which those that repeat are numbered as Blender does."""
    taken = set(names)
    seen: dict[str, int] = {}
    result: list[str] = []
    for name in names:
        unique = name
        while name in seen and (unique == name or unique in taken):
            unique = f"{name}.{seen[name]:03d}"
            seen[name] += 1
        seen.setdefault(name, 1)
        result.append(unique)
    return result


def _replace_position_channels(joints: list[_Joint], table: Array) -> None:
    """Turn the position channels of all joints but the root into constant offsets."""
    for joint in joints[1:]:
        columns = joint.columns("position")
        if columns:
            place = np.array(joint.offset)
            axes = [_AXES.index(axis) for axis in columns]
            given = np.median(table[:, list(columns.values())], axis=0)
            absolute = np.linalg.norm(given - place[axes]) <= np.linalg.norm(given)
            place[axes] = given if absolute else place[axes] + given
            joint.offset = place.tolist()


def _root_positions(root: _Joint, table: Array) -> Array:
    positions = np.tile(np.array(root.offset), (len(table), 1))
    for axis, column in root.columns("position").items():
        positions[:, _AXES.index(axis)] = table[:, column]
    return positions


def _rotations(joints: list[_Joint], table: Array) -> Array:
    """Rotations (F, J, 4) in the file's axes; axes without a channel do not turn."""
    result = np.empty((len(table), len(joints), 4))
    groups: dict[str, list[int]] = {}
    for index, joint in enumerate(joints):
        groups.setdefault("".join(joint.columns("rotation")), []).append(index)
    for order, members in groups.items():
        full = order + "".join(axis for axis in _AXES if axis not in order)
        angles = np.zeros((3, len(table), len(members)))
        for place, axis in enumerate(order):
            angles[place] = table[:, [joints[index].columns("rotation")[axis] for index in members]]
        result[:, members] = from_euler(np.moveaxis(np.deg2rad(angles), 0, -1), full)
    return result


def _root_is_relative(root: _Joint, heights: Array, offset: float) -> bool:
    """Whether the root's position channels are relative to its OFFSET, by joint heights (F, J): see the top."""
    if not root.columns("position"):
        return False
    ground = heights.min(axis=1).mean()
    return bool(abs(ground + offset) < abs(ground))


def _reroot_at_hips(skeleton: Skeleton, roots: Array, rotations: Array) -> tuple[Skeleton, Array, Array]:
    """Make the hips the root where every joint with a role hangs on them; other branches (helpers) are dropped."""
    hips = skeleton.roles.get("hips", 0)
    kept = [hips]
    for joint, parent in enumerate(skeleton.parents):
        if parent in kept:
            kept.append(joint)
    if hips == 0 or len(skeleton.roles) < 2 or not set(skeleton.roles.values()) <= set(kept):
        return skeleton, roots, rotations
    chain = [hips]
    while chain[0]:
        chain.insert(0, skeleton.parents[chain[0]])
    above = Skeleton(
        tuple(skeleton.names[joint] for joint in chain),
        tuple(range(-1, len(chain) - 1)),
        skeleton.offsets[chain],
        skeleton.tips[chain],
    )
    positions, turned = forward_kinematics(above, roots, rotations[:, chain])
    rotations = rotations[:, kept]
    rotations[:, 0] = turned[:, -1]
    parents = tuple(-1 if joint == hips else kept.index(skeleton.parents[joint]) for joint in kept)
    names = tuple(skeleton.names[joint] for joint in kept)
    return Skeleton(names, parents, skeleton.offsets[kept], skeleton.tips[kept]), positions[:, -1], rotations


def _to_z_up(vectors: Array) -> Array:
    """Y-up vectors (..., 3) in Blender's world: (x, y, z) becomes (x, -z, y)."""
    return vectors[..., [0, 2, 1]] * np.array([1.0, -1.0, 1.0])


def _rotations_to_z_up(rotations: Array) -> Array:
    return rotations[..., [0, 1, 3, 2]] * np.array([1.0, 1.0, -1.0, 1.0])


def write_bvh(path: str | os.PathLike[str], clip: Clip) -> None:
    """Write a clip as the CMU files are: centimetres, Y up, channels Z Y X, OFFSET zero at the root.

    Joints come depth first, as the format wants it. The file appears whole or not at all.

    Raises:
        MotionFileError: the file cannot be written.
    """
    path = Path(path)
    order = _depth_first_order(clip.skeleton)
    roots = _to_y_up(clip.root_positions) / CENTIMETRE_M
    rotations = clip.rotations[:, order]
    rotations = rotations[..., [0, 1, 3, 2]] * np.array([1.0, 1.0, 1.0, -1.0])
    angles = np.unwrap(to_euler(rotations, "ZYX"), axis=0)
    table = np.concatenate([roots, np.rad2deg(angles).reshape(len(roots), 3 * len(order))], axis=1)
    head = f"{_hierarchy_text(clip.skeleton)}MOTION\nFrames: {len(clip)}\nFrame Time: {1 / clip.rate:.10f}\n"
    try:
        write_atomically(path, head.encode() + format_table(table, WRITTEN_DECIMALS))
    except OSError as error:
        raise MotionFileError(path, None, f"it cannot be written ({error.strerror})") from error


def _to_y_up(vectors: Array) -> Array:
    """Vectors (..., 3) of Blender's world in a Y-up file: (x, y, z) becomes (x, z, -y)."""
    return vectors[..., [0, 2, 1]] * np.array([1.0, 1.0, -1.0])


def _depth_first_order(skeleton: Skeleton) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting.extend(reversed(skeleton.children[joint]))
    return order


def _hierarchy_text(skeleton: Skeleton) -> str:
    offsets, tips = _to_y_up(skeleton.offsets) / CENTIMETRE_M, _to_y_up(skeleton.tips) / CENTIMETRE_M
    offsets[0] = 0.0
    lines = ["HIERARCHY"]
    open_joints: list[int] = []
    for joint in _depth_first_order(skeleton):
        while open_joints and open_joints[-1] != skeleton.parents[joint]:
            open_joints.pop()
            lines.append("  " * len(open_joints) + "}")
        indent = "  " * len(open_joints)
        name = re.sub(r"[\s{}]+", "_", skeleton.names[joint]) or "joint"
        place = "" if joint else "Xposition Yposition Zposition "
        lines += [
            f"{indent}{'JOINT' if joint else 'ROOT'} {name}",
            f"{indent}{{",
            f"{indent}  OFFSET {_vector_text(offsets[joint])}",
            f"{indent}  CHANNELS {3 if joint else 6} {place}Zrotation Yrotation Xrotation",
        ]
        if not skeleton.children[joint]:
            lines += [
                f"{indent}  End Site",
                f"{indent}  {{",
                f"{indent}    OFFSET {_vector_text(tips[joint])}",
                f"{indent}  }}",
            ]
        open_joints.append(joint)
    while open_joints:
        open_joints.pop()
        lines.append("  " * len(open_joints) + "}")
    return "\n".join(lines) + "\n"


def _vector_text(vector: Array) -> str:
    return " ".join(f"{value:.{WRITTEN_DECIMALS}f}" for value in vector)
