"""Parser of BVH text: hierarchy and motion table, with limits, repairs and errors that name the line."""

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..message import Message
from .bvh_repairs import split_glued, with_decimal_points, with_readable_names
from .decimals import TableError, parse_table
from .reading_note import ReadingNote
from .rotations import Array

MAX_BYTES: Final = 1 << 29
MAX_JOINTS: Final = 4096
MAX_DEPTH: Final = 256
MAX_ROTATIONS: Final = 50_000_000
"""Largest accepted number of frames times joints: 1.6 GB of quaternions."""
FREE_ROTATIONS: Final = 500_000
"""Frames times joints that are accepted whatever the size of the file."""
MAX_ROTATIONS_PER_BYTE: Final = 2
"""Frames times joints accepted per byte of the motion table, in addition to :data:`FREE_ROTATIONS`."""
MAX_MAGNITUDE: Final = 1e7
"""Largest offset, position or angle, so that nothing computed from them overflows."""
FRAME_TIME_RANGE_S: Final = (1e-5, 100.0)
"""Smallest and largest accepted frame time."""

MAX_FRAME_MISCOUNT: Final = 1
"""Largest difference between the declared number of frames and the rows of numbers at which a file is still read."""

GLUED_TEXT: Final = Message("Spaces are missing before minus signs: the numbers were read as if spaces separated them")
COMMA_TEXT: Final = Message("The numbers have decimal commas instead of points: they were read as decimals")

MAX_NAME_CHARACTERS: Final = 200
"""Largest number of characters of a joint's name; the rest is cut off."""
MAX_TOKEN_BYTES: Final = 100
"""Largest length of a word of the file that an error message quotes."""

AXES: Final = "XYZ"
_TOKEN: Final = re.compile(rb"[{}]|[^\s{}]+")
_NAME: Final = re.compile(rb"[ \t]*([^\r\n{}]*)")
_MOTION: Final = re.compile(
    rb"\s*MOTION\s+Frames\s*:\s*(\S+)\s+Frame\s+Time\s*:\s*(\S+)[ \t\r]*(?:\n|$)", re.IGNORECASE
)
_CHANNEL: Final = re.compile(r"([XYZ])(position|rotation)", re.IGNORECASE)
_GLUED_NUMBER: Final = re.compile(r"[-+]?[0-9.]+(?=-)")


class MotionFileError(FootfallError):
    """A motion file that cannot be used.

    Attributes:
        file: path of the file.
        line: number of the faulty line, from 1; ``None`` if the fault is not in a single line.
        reason: the fault and its remedy, worded as part of a sentence.
    """

    def __init__(self, file: Path, line: int | None, reason: str) -> None:
        fields = {"file": file, "reason": Message(reason)}
        if line is None:
            super().__init__("Motion file '{file}': {reason}", **fields)
        else:
            super().__init__("Motion file '{file}', line {line}: {reason}", line=line, **fields)
        self.file, self.line, self.reason = file, line, reason


@dataclass
class BvhJoint:
    """A joint of a BVH hierarchy: its rest offset, and its channels' columns in the motion table."""

    name: str
    parent: int
    offset: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    tip: list[float] | None = None
    first_column: int = 0
    channels: list[tuple[str, str]] = field(default_factory=list)
    """Axis letter and ``"position"`` or ``"rotation"``, in the file's order."""

    def columns(self, kind: str) -> dict[str, int]:
        """Return the table's column of each ``"position"`` or ``"rotation"`` channel, by axis letter, in file order."""
        return {axis: self.first_column + n for n, (axis, what) in enumerate(self.channels) if what == kind}


def read_file(path: Path) -> bytes:
    """Return a file's bytes, without a byte order mark and with line feeds as line ends.

    Raises:
        MotionFileError: the file is missing, unreadable, empty or too large.
    """
    try:
        if path.is_dir():
            raise MotionFileError(path, None, "the path is a folder, so choose a .bvh file in the folder")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise MotionFileError(path, None, "the file is a device or pipe, so give a file")
        size = found.st_size
        if size > MAX_BYTES:
            raise MotionFileError(
                path,
                None,
                Message(
                    "the file is {size} MB large, but at most {most} can be read, so split the file",
                    size=size >> 20,
                    most=MAX_BYTES >> 20,
                ),
            )
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise MotionFileError(path, None, f"{reason or 'it cannot be opened'}".lower()) from error
    if not data.strip():
        raise MotionFileError(path, None, "the file is empty")
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data if b"\n" in data else data.replace(b"\r", b"\n")


class BvhParser:
    """Parser that reads a file's text in one pass.

    Attributes:
        position: byte position after the last token.
        notes: notes on repairs.
    """

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data, self.position = path, with_readable_names(data), 0
        self.notes: list[ReadingNote] = []

    def _note(self, text: Message) -> None:
        """Add a note on a repair, unless it is already there."""
        if text not in [note.text for note in self.notes]:
            self.notes.append(ReadingNote(text))

    def error(self, reason: str, position: int | None = None) -> MotionFileError:
        """Return an error that names the line at a byte position; by default, at the parser's current position."""
        place = self.position if position is None else position
        return MotionFileError(self.path, self.data.count(b"\n", 0, place) + 1, reason)

    def token(self) -> str:
        """Consume and return the next token of the text: a brace or a word."""
        match = _TOKEN.search(self.data, self.position)
        if match is None:
            self.position = len(self.data)
            raise self.error("the file ends within the hierarchy, so it is truncated: export it again")
        self.position = match.end()
        return match.group()[:MAX_TOKEN_BYTES].decode("utf-8", "backslashreplace")

    def name(self) -> str:
        """Consume and return a joint's name: the rest of the line, up to a brace if there is one."""
        match = _NAME.match(self.data, self.position)
        assert match is not None
        self.position = match.end()
        name = match.group(1)[: 4 * MAX_NAME_CHARACTERS].decode("utf-8", "backslashreplace")
        return name[:MAX_NAME_CHARACTERS].strip()

    def expect(self, expected: str) -> None:
        """Consume the next token, and raise an error if it is not ``expected``."""
        found = self.token()
        if found.upper() != expected.upper():
            raise self.error(
                Message(
                    "'{found}' was found instead of '{expected}', so this is not an intact BVH file",
                    found=found,
                    expected=expected,
                )
            )

    def number(self) -> float:
        """Consume the next token and return it as a number; raise an error if it is not one or too large."""
        word = self.token()
        glued = _GLUED_NUMBER.match(word)
        if glued and word.isascii() and len(word) < MAX_TOKEN_BYTES:
            self.position -= len(word) - glued.end()
            word = glued.group()
            self._note(GLUED_TEXT)
        if word.count(",") == 1 and "." not in word:
            word = word.replace(",", ".")
            self._note(COMMA_TEXT)
        try:
            value = float(word.replace("_", "?"))
        except ValueError:
            value = float("nan")
        if not abs(value) <= MAX_MAGNITUDE:
            raise self.error(Message("'{word}' is not a valid number", word=word))
        return value

    def hierarchy(self) -> list[BvhJoint]:
        """Parse the HIERARCHY section and return its joints, parents before children."""
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
                        raise self.error(Message("joints are nested more than {most} deep", most=MAX_DEPTH))
                    open_joints.append(self._open_joint(joints, open_joints[-1]))
                case "END":
                    tip = self._end_site()
                    joint.tip = joint.tip or tip
                case "}":
                    open_joints.pop()
                case _:
                    raise self.error(
                        Message("'{word}' was found instead of OFFSET, CHANNELS, JOINT, End Site or '}}'", word=word)
                    )
        return joints

    def _open_joint(self, joints: list[BvhJoint], parent: int) -> int:
        """Parse a joint's name and opening brace, add the joint and return its index."""
        if len(joints) >= MAX_JOINTS:
            raise self.error(Message("the file has more than {most} joints", most=MAX_JOINTS))
        name = self.name()
        if not name:
            raise self.error("a joint has no name")
        self.expect("{")
        joints.append(BvhJoint(name, parent))
        return len(joints) - 1

    def _channels(self, joint: BvhJoint) -> list[tuple[str, str]]:
        """Return the axis letter and kind of each of a joint's channels."""
        if joint.channels:
            raise self.error(Message("joint '{name}' has CHANNELS twice", name=joint.name))
        count = self.token()
        if count not in ("0", "1", "2", "3", "4", "5", "6"):
            raise self.error(
                Message(
                    "joint '{name}' has '{count}' channels, but only 0 to 6 are possible", name=joint.name, count=count
                )
            )
        channels: list[tuple[str, str]] = []
        for _ in range(int(count)):
            word = self.token()
            match = _CHANNEL.fullmatch(word)
            if match is None:
                raise self.error(
                    Message(
                        "'{word}' is not a position or rotation channel of joint '{name}'", word=word, name=joint.name
                    )
                )
            channel = (match.group(1).upper(), match.group(2).lower())
            if channel in channels:
                raise self.error(Message("joint '{name}' has the channel {word} twice", name=joint.name, word=word))
            channels.append(channel)
        return channels

    def _end_site(self) -> list[float]:
        """Return the offset of an end site."""
        self.name()
        self.expect("{")
        self.expect("OFFSET")
        offset = [self.number() for _ in AXES]
        self.expect("}")
        return offset

    def motion(self, joints: list[BvhJoint]) -> tuple[float, Array]:
        """Parse the MOTION section; return the frame rate, Hz, and the values (F, C) of the channels as in the file."""
        columns = sum(len(joint.channels) for joint in joints)
        match = _MOTION.match(self.data, self.position)
        if match is None:
            following = _TOKEN.search(self.data, self.position)
            if following is None:
                raise self.error("the file ends before MOTION, so it is truncated: export it again", len(self.data))
            if following.group().upper() == b"ROOT":
                raise self.error("the file has several ROOTs, so export one character per file", following.start())
            raise self.error("'MOTION', 'Frames: n' and 'Frame Time: t' are expected here", following.start())
        frames = self._frames(match, len(joints), columns)
        rate = self._rate(match)
        table = self._table(match.end(), columns)
        if len(table) == 0 or abs(len(table) - frames) > MAX_FRAME_MISCOUNT:
            line = self.data.rstrip().count(b"\n") + 1
            hint = Message("the file is truncated" if len(table) < frames else "the number of frames is wrong")
            raise MotionFileError(
                self.path,
                line,
                Message(
                    "{frames} frames are declared but {found} were found, so {conclusion}",
                    frames=frames,
                    found=len(table),
                    conclusion=hint,
                ),
            )
        if len(table) != frames:
            counts = {"frames": frames, "rows": len(table)}
            self.notes.append(
                ReadingNote(
                    Message("The file declares {frames} frames but contains {rows}: all frames were read", **counts)
                )
            )
        if max(table.max(), -table.min()) > MAX_MAGNITUDE:
            row = int(np.argmax(np.abs(table).max(axis=1)))
            raise MotionFileError(
                self.path,
                None,
                Message("frame {frame} has a number beyond {most}", frame=row + 1, most=f"{MAX_MAGNITUDE:.0e}"),
            )
        return rate, table

    def _table(self, start: int, columns: int) -> Array:
        """Return the numbers (F, C) of the table that starts at a byte, inserting missing blanks and decimal points.

        Raises:
            MotionFileError: a row cannot be parsed; the error describes the file as it was before repairs.
        """
        text = self.data[start:]
        try:
            return parse_table(text, columns)
        except TableError as error:
            fault = error
        for mended, words in _mended_tables(text):
            try:
                table = parse_table(mended, columns)
            except TableError:
                continue
            for word in words:
                self._note(word)
            return table
        reason = fault.reason
        if b"," in text:
            reason = Message(
                "{reason}, and the line contains commas: write decimal points, and separate numbers with spaces",
                reason=reason,
            )
        raise MotionFileError(self.path, self.data.count(b"\n", 0, start) + 1 + fault.line, reason) from fault

    def _frames(self, match: re.Match[bytes], joints: int, columns: int) -> int:
        """Return the declared number of frames, if the rest of the file is large enough for it."""
        word = match.group(1)
        if not re.fullmatch(rb"\d{1,12}", word) or int(word) == 0:
            shown = word[:20].decode("ascii", "backslashreplace")
            raise self.error(
                Message("'{text}' is not a valid number of frames: at least one is needed", text=shown),
                match.start(1),
            )
        frames = int(word)
        if columns == 0:
            raise self.error("no joint has a channel, so the file contains no motion", match.start(1))
        if max(frames - MAX_FRAME_MISCOUNT, 1) * columns * 2 - 1 > len(self.data) - match.end():
            reason = Message(
                "{frames} frames of {columns} channels are declared but the file is too short, so it is truncated",
                frames=frames,
                columns=columns,
            )
            raise self.error(reason, match.start(1))
        if frames * joints > MAX_ROTATIONS:
            raise self.error(
                Message(
                    "{frames} frames of {joints} joints are too many to read at once, so split the file",
                    frames=frames,
                    joints=joints,
                ),
                match.start(1),
            )
        if frames * joints > FREE_ROTATIONS + MAX_ROTATIONS_PER_BYTE * (len(self.data) - match.end()):
            raise self.error(
                Message(
                    "{frames} frames of {joints} joints are too many for the size of the file, since most "
                    "joints have no channels, so remove joints that do not move",
                    frames=frames,
                    joints=joints,
                ),
                match.start(1),
            )
        return frames

    def _rate(self, match: re.Match[bytes]) -> float:
        """Return the frames per second, rounded where the frame time is the inverse of a whole number to few digits."""
        try:
            seconds = float(match.group(2).replace(b",", b"."))
        except ValueError:
            seconds = float("nan")
        if not FRAME_TIME_RANGE_S[0] <= seconds <= FRAME_TIME_RANGE_S[1]:
            shown = match.group(2)[:20].decode("ascii", "backslashreplace")
            raise self.error(Message("a frame time of '{text}' seconds is impossible", text=shown), match.start(2))
        rate = 1.0 / seconds
        return float(round(rate)) if abs(rate - round(rate)) < 2e-4 * rate else rate


def _mended_tables(text: bytes) -> Iterator[tuple[bytes, tuple[Message, ...]]]:
    """Yield a table's text with repairs and their notes: first glued numbers split, then decimal commas, then both."""
    if (split := split_glued(text)) != text:
        yield split, (GLUED_TEXT,)
    if (pointed := with_decimal_points(text)) is not None:
        yield pointed, (COMMA_TEXT,)
        if (split := split_glued(pointed)) != pointed:
            yield split, (COMMA_TEXT, GLUED_TEXT)
