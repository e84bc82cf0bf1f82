"""The text of BVH files: its grammar, limits and errors, and a parser of hierarchy and motion table."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import FootfallError
from .decimals import TableError, parse_table
from .rotations import Array

MAX_BYTES: Final = 1 << 29
MAX_JOINTS: Final = 4096
MAX_DEPTH: Final = 256
MAX_ROTATIONS: Final = 50_000_000
"""Frames times joints: 1.6 GB of quaternions."""
MAX_MAGNITUDE: Final = 1e7
"""Largest offset, position or angle, so that nothing that is computed from them overflows."""
FRAME_TIME_RANGE_S: Final = (1e-5, 100.0)

AXES: Final = "XYZ"
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


@dataclass
class BvhJoint:
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


def read_file(path: Path) -> bytes:
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


class BvhParser:
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

    def hierarchy(self) -> list[BvhJoint]:
        """Return the joints, parents before children."""
        self.expect("HIERARCHY")
        self.expect("ROOT")
        joints: list[BvhJoint] = []
        open_joints = [self._open_joint(joints, -1)]
        columns = 0
        while open_joints:
            joint = joints[open_joints[-1]]
            word = self.token()
            match word.upper():
                case "OFFSET":
                    joint.offset = [self.number() for _ in AXES]
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

    def _open_joint(self, joints: list[BvhJoint], parent: int) -> int:
        if len(joints) >= MAX_JOINTS:
            raise self.error(f"it has more than {MAX_JOINTS} joints")
        name = self.name()
        if not name:
            raise self.error("a joint has no name")
        self.expect("{")
        joints.append(BvhJoint(name, parent))
        return len(joints) - 1

    def _channels(self, joint: BvhJoint) -> list[tuple[str, str]]:
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
        offset = [self.number() for _ in AXES]
        self.expect("}")
        return offset

    def motion(self, joints: list[BvhJoint]) -> tuple[float, Array]:
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
