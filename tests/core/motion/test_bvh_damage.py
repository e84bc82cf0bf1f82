"""Damaged, foreign and huge BVH files: read with a note, or refused in a sentence."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from footfall.core.motion.bvh import MotionFileError, read_bvh, write_bvh
from footfall.core.motion.bvh_parser import MAX_BYTES
from footfall.core.motion.clip import Clip
from footfall.tests.support.properties import examples
from footfall.tests.support.small_bvh import PERSON, Bvh

FRAMES = PERSON.partition("Frame Time: 0.0083333\n")[2]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("HIERARCHY", "HEADER", 1, "'HEADER' was found instead of 'HIERARCHY'"),
        ("ROOT Hips", "ROOT", 2, "no name"),
        ("OFFSET 10 0 0", "OFFSET ten 0 0", 8, "'ten' is not a valid number"),
        ("OFFSET 10 0 0", "OFFSET 1e300 0 0", 8, "not a valid number"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation", 14, "'JOINT' is not a position or rotation channel"),
        ("CHANNELS 1 Xrotation", "CHANNELS 999999999 Xrotation", 13, "0 to 6 are possible"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation Xrotation", 13, "twice"),
        ("CHANNELS 1 Xrotation", "CHANNELS 1 Wrotation", 13, "not a position or rotation channel"),
        ("MOTION", "}\nMOTION", 43, "'MOTION', 'Frames: n' and 'Frame Time: t' are expected"),
        ("MOTION", "ROOT Second\n{\n}\nMOTION", 43, "several ROOTs"),
        ("Frames: 2", "Frames: 0", 44, "not a valid number of frames"),
        ("Frames: 2", "Frames: -2", 44, "not a valid number of frames"),
        ("Frames: 2", "Frames: 99999999999", 44, "truncated"),
        ("Frames: 2", "Frames: 4", 47, "4 frames are declared but 2 were found, so the file is truncated"),
        ("Frames: 2", "Frames: 5", 47, "5 frames are declared but 2 were found, so the file is truncated"),
        ("0.0083333", "0", 45, "frame time of '0'"),
        ("0.0083333", "-1", 45, "impossible"),
        ("0.0083333", "nan", 45, "impossible"),
        ("80 -10", "80", 47, "14 numbers were found instead of 15"),
        ("80 -10", "80 -10 5", 47, "16 numbers were found instead of 15"),
        ("80 -10", "80 nan", 47, "'nan' is not a finite number"),
        ("80 -10", "80 1e999", 47, "not a finite number"),
        ("80 -10", "80 1_0", 47, "not a finite number"),
        ("80 -10", "80 -", 47, "not a finite number"),
        ("80 -10", "80 1.2.3", 47, "not a finite number"),
        ("80 -10", "80 123456789012", None, "frame 2 has a number beyond"),
    ],
)
def test_damage_is_named_with_its_line(file: Bvh, old: str, new: str, line: int | None, reason: str) -> None:
    # Blanks keep the file long enough for one frame more.
    path = file((old, new), ("\n1 90 3", " " * 40 + "\n1 90 3"))
    with pytest.raises(MotionFileError) as caught:
        read_bvh(path)
    assert caught.value.file == path
    assert caught.value.line == line
    assert reason in caught.value.reason
    assert str(caught.value).startswith(f"Motion file '{path}'")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("declared", [1, 3])
def test_a_count_of_frames_that_is_one_off_is_read(file: Bvh, declared: int) -> None:
    clip = read_bvh(file(("Frames: 2", f"Frames: {declared}")))
    assert [str(note.text) for note in clip.notes] == [
        f"The file declares {declared} frames but contains 2: all frames were read",
    ]
    np.testing.assert_array_equal(clip.rotations, read_bvh(file()).rotations)


@pytest.mark.parametrize(
    ("mended", "word"),
    [
        (("80 -10", "80-10"), "Spaces are missing before minus signs"),
        (("OFFSET -10 0 0", "OFFSET -10-0-0"), "Spaces are missing before minus signs"),
    ],
)
def test_numbers_without_a_blank_before_the_minus_are_read(file: Bvh, mended: tuple[str, str], word: str) -> None:
    clip = read_bvh(file(mended))
    assert len(clip.notes) == 1 and clip.notes[0].text.startswith(word) and not clip.notes[0].is_question
    np.testing.assert_array_equal(clip.rotations, read_bvh(file()).rotations)
    np.testing.assert_array_equal(clip.skeleton.offsets, read_bvh(file()).skeleton.offsets)


def test_decimal_commas_are_read_with_a_word(file: Bvh) -> None:
    body, frames = PERSON.split("Frame Time: 0.0083333")
    text = body.replace(" 0 70 0", " 0,0 70,5 0,0") + "Frame Time: 0,0083333" + frames.replace("80 -10", "80,25-10,5")
    clip = read_bvh(file(text=text))
    expected = read_bvh(file(text=text.replace(",", ".").replace("25-10", "25 -10")))
    assert clip.rate == 120.0
    assert sorted(note.text.split()[0] for note in clip.notes) == ["Spaces", "The"]
    np.testing.assert_array_equal(clip.rotations, expected.rotations)
    np.testing.assert_array_equal(clip.skeleton.offsets, expected.skeleton.offsets)


@pytest.mark.parametrize(
    ("codec", "names"), [("utf-8", "左足 ボーン 首"), ("cp932", "左足 ボーン 首"), ("cp1252", "Hüfte Füße Kopf")]
)
def test_names_of_any_script_are_kept(file: Bvh, tmp_path: Path, codec: str, names: str) -> None:
    """A byte of one of these characters is a brace in Shift-JIS."""
    thigh, middle, head = names.split()
    wanted = [("LeftUpLeg", thigh), ("LeftLeg", f"{middle} {middle}"), ("Head", head)]
    text = PERSON
    for old, new in wanted:
        text = text.replace(old, new)
    clip = read_bvh(file(text=text.encode(codec)))
    assert [clip.skeleton.names[joint] for joint in (1, 2, 7)] == [new for _, new in wanted]
    write_bvh(tmp_path / "again.bvh", clip)
    assert read_bvh(tmp_path / "again.bvh").skeleton.names == clip.skeleton.names


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \r\n\t ", "empty"),
        (bytes(range(256)) * 50, "not an intact BVH file"),
        (PERSON[:300].encode(), "truncated"),
        (PERSON.partition("MOTION")[0].encode(), "truncated"),
        (PERSON.replace(FRAMES, "").encode(), "truncated"),
        (PERSON.partition("Frames")[0].encode(), "are expected here"),
        (b"HIERARCHY ROOT a { JOINT b { } }\nMOTION\nFrames: 5\nFrame Time: 1\n", "no joint has a channel"),
        (b"HIERARCHY\nROOT a {" + b"JOINT b\n{" * 1_000_000, "nested more than"),
        (b"HIERARCHY\nROOT a {" + b"JOINT b\n{}" * 1_000_000, "more than 4096 joints"),
    ],
    ids=["nothing", "blank", "binary", "cut", "no motion", "no frames", "no header", "no channels", "deep", "bomb"],
)
def test_what_is_no_whole_file_is_refused(file: Bvh, content: bytes, reason: str) -> None:
    with pytest.raises(MotionFileError, match=reason):
        read_bvh(file(text=content))


def test_a_few_bytes_cannot_ask_for_much_memory(file: Bvh) -> None:
    joints = "".join(f"JOINT j{n}\n{{\n}}\n" for n in range(4000))
    text = (
        f"HIERARCHY\nROOT a\n{{\nCHANNELS 1 Xrotation\n{joints}}}\nMOTION\nFrames: 20000\nFrame Time: 1\n"
        + "0\n" * 20000
    )
    with pytest.raises(MotionFileError, match="joints are too many to read at once, so split the file"):
        read_bvh(file(text=text))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bvh")
    with pytest.raises(MotionFileError, match="the file is a device or pipe, so give a file"):
        read_bvh(tmp_path / "pipe.bvh")


def test_folders_missing_files_and_huge_ones_are_refused(tmp_path: Path, file: Bvh) -> None:
    with pytest.raises(MotionFileError, match="the path is a folder"):
        read_bvh(tmp_path)
    with pytest.raises(MotionFileError, match="no such file"):
        read_bvh(tmp_path / "none.bvh")
    with pytest.raises(MotionFileError, match="null"):
        read_bvh("a\0b.bvh")
    huge = file()
    os.truncate(huge, MAX_BYTES + 1)
    with pytest.raises(MotionFileError, match="at most"):
        read_bvh(huge)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_is_refused(file: Bvh) -> None:
    path = file()
    path.chmod(0)
    with pytest.raises(MotionFileError, match="permission denied"):
        read_bvh(path)


TOKENS = [
    b"{",
    b"}",
    b"JOINT",
    b"CHANNELS",
    b"End Site",
    b"MOTION",
    b"ROOT x",
    b"nan",
    b"-inf",
    b"1e308",
    b"-1e7",
    b"9" * 400,
]
TOKENS += [
    b"0",
    b"-1",
    b"1e-320",
    b"Frames:",
    b"",
    b"\0",
    b"\xff\xfe",
    b"\n",
    b"\r",
    b"6",
    b"Xposition",
    b"0x10",
    b"1_0",
    b"+-1",
]
Mutation = tuple[str, float, bytes]


def mutate(data: bytes, mutations: list[Mutation]) -> bytes:
    """Applies mutations, each at a place given as a share of the length."""
    for kind, share, payload in mutations:
        place = int(share * len(data))
        if kind == "cut":
            data = data[:place]
        elif kind == "flip":
            data = (
                data[:place] + bytes([data[place] ^ (payload[0] if payload else 1)]) + data[place + 1 :]
                if data
                else data
            )
        elif kind == "insert":
            data = data[:place] + payload + data[place:]
        else:
            tokens = data.split(b" ")
            tokens[int(share * len(tokens))] = payload
            data = b" ".join(tokens)
    return data


payloads = st.one_of(
    st.sampled_from(TOKENS), st.binary(min_size=1, max_size=4), st.floats().map(lambda x: repr(x).encode())
)
shares = st.floats(0.0, 1.0, exclude_max=True)
mutations = st.lists(
    st.tuples(st.sampled_from(["cut", "flip", "insert", "token"]), shares, payloads), min_size=1, max_size=4
)


@pytest.mark.filterwarnings("error")
@settings(max_examples=examples(400), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutations)
@example([("cut", 0.0, b"")])
@example([("token", 0.5, b"9" * 400)])
def test_nothing_but_a_motion_file_error_escapes_from_damage(
    tmp_path: Path, clip: Clip, changes: list[Mutation]
) -> None:
    sound = tmp_path / "sound.bvh"
    if not sound.exists():
        write_bvh(sound, clip.cut(0, 4))
    damaged = tmp_path / "damaged.bvh"
    damaged.write_bytes(mutate(sound.read_bytes(), changes))
    try:
        survivor = read_bvh(damaged)
    except MotionFileError as error:
        assert error.reason
    else:
        assert np.isfinite(survivor.root_positions).all()
        assert np.isfinite(survivor.rotations).all()
