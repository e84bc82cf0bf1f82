"""BVH files: what the dialects mean, what damaged ones get, and that nothing is lost on the way out and back."""

import csv
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from footfall.core.motion import bvh_parser
from footfall.core.motion.bvh import MotionFileError, read_bvh, write_bvh
from footfall.core.motion.clip import Clip
from footfall.core.motion.rotations import from_axis_angle, inverse, log, multiply
from footfall.tests.support.properties import examples

# A person of 170 units: hips at 90, one leg chain on each side; %s are the root's OFFSET and the frames.
PERSON = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -45 0
      CHANNELS 1 Xrotation
      JOINT LeftFoot
      {
        OFFSET 0 -45 0
        CHANNELS 3 Yrotation Xrotation Zrotation
        End Site
        {
          OFFSET 0 -5 15
        }
      }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -10 0 0
    JOINT RightLeg
    {
      OFFSET 0 -45 0
      JOINT RightFoot
      {
        OFFSET 0 -45 0
      }
    }
  }
  JOINT Head
  {
    OFFSET 0 70 0
    CHANNELS 2 Yrotation Xrotation
  }
}
MOTION
Frames: 2
Frame Time: 0.0083333
1 90 2 0 0 0  0 0 0  0  0 0 0  0 0
1 90 3 0 0 90  10 20 30  40  50 60 70  80 -10
"""

Bvh = Callable[..., Path]


@pytest.fixture
def file(tmp_path: Path) -> Bvh:
    """Writes a text, PERSON unless given, with replacements, as a file."""

    def write(*replacements: tuple[str, str], text: str | bytes = PERSON) -> Path:
        path = tmp_path / "clip.bvh"
        if isinstance(text, str):
            for old, new in replacements:
                assert old in text
                text = text.replace(old, new)
            text = text.encode()
        path.write_bytes(text)
        return path

    return write


def about(axis: str, degrees: float) -> np.ndarray:
    """A turn about an axis of a Y-up file, in Blender's world: its Y is our Z, its Z our -Y."""
    world = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 0.0, 1.0), "Z": (0.0, -1.0, 0.0)}[axis]
    return from_axis_angle(world, np.deg2rad(degrees))


def product(*turns: np.ndarray) -> np.ndarray:
    result = turns[0]
    for turn in turns[1:]:
        result = multiply(result, turn)
    return result


def angle_between(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(log(multiply(inverse(a), b)), axis=-1).max())


def test_positions_are_meters_in_blenders_world(file: Bvh) -> None:
    clip = read_bvh(file())
    assert clip.name == "clip"
    assert clip.rate == 120.0
    np.testing.assert_allclose(clip.root_positions, [[0.01, -0.02, 0.9], [0.01, -0.03, 0.9]])
    left_foot = clip.skeleton.joint("foot.L")
    np.testing.assert_allclose(clip.positions[0, left_foot], [0.11, -0.02, 0.0], atol=1e-12)
    np.testing.assert_allclose(clip.skeleton.tips[left_foot], [0.0, -0.15, -0.05])


def test_channels_are_read_in_each_joints_own_order(file: Bvh) -> None:
    clip = read_bvh(file())
    expected = {
        "Hips": about("Y", 90),
        "LeftUpLeg": product(about("Z", 10), about("X", 20), about("Y", 30)),
        "LeftLeg": about("X", 40),
        "LeftFoot": product(about("Y", 50), about("X", 60), about("Z", 70)),
        "Head": product(about("Y", 80), about("X", -10)),
        "RightFoot": about("X", 0),
    }
    for name, rotation in expected.items():
        assert angle_between(clip.rotations[1, clip.skeleton.names.index(name)], rotation) < 1e-12


@pytest.mark.parametrize(
    ("meters", "size"),
    [(0.01, 1.0), (1.0, 0.01), (0.001, 10.0), (0.0254, 1 / 2.54), (0.0254 / 0.45, 0.45 / 2.54)],
    ids=["centimeters", "meters", "millimeters", "inches", "CMU units"],
)
def test_the_unit_is_found_from_the_bodys_size(tmp_path: Path, clip: Clip, meters: float, size: float) -> None:
    big = Clip(clip.skeleton.scaled(size), clip.rate, clip.root_positions * size, clip.rotations)
    write_bvh(tmp_path / "clip.bvh", big)
    np.testing.assert_allclose(read_bvh(tmp_path / "clip.bvh").skeleton.offsets, clip.skeleton.offsets, atol=1e-6)
    assert read_bvh(tmp_path / "clip.bvh", unit=meters).skeleton.leg_length == pytest.approx(0.8, abs=1e-6)


def test_z_up_files_are_taken_as_they_are(file: Bvh) -> None:
    turned = [
        ("OFFSET 0 -45 0", "OFFSET 0 0 -45"),
        ("OFFSET 0 70 0", "OFFSET 0 0 70"),
        ("1 90 2", "1 -2 90"),
        ("1 90 3", "1 -3 90"),
    ]
    clip = read_bvh(file(*turned))
    np.testing.assert_allclose(clip.root_positions, [[0.01, -0.02, 0.9], [0.01, -0.03, 0.9]])
    np.testing.assert_allclose(clip.positions[0, clip.skeleton.joint("foot.L")], [0.11, -0.02, 0.0], atol=1e-12)
    forced = read_bvh(file(*turned), up="Y")
    np.testing.assert_allclose(forced.root_positions[0], [0.01, -0.9, -0.02])


def test_root_channels_are_absolute_unless_the_offset_is_missing_from_them(file: Bvh) -> None:
    root = "ROOT Hips\n{\n  OFFSET 0 %s 0"
    absolute = read_bvh(file((root % 0, root % 88)))
    np.testing.assert_allclose(absolute.root_positions[0], [0.01, -0.02, 0.9])
    relative = read_bvh(file((root % 0, root % 88), ("1 90 2", "1 2 2"), ("1 90 3", "1 2 3")))
    np.testing.assert_allclose(relative.root_positions[0], [0.01, -0.02, 0.9])


def test_other_joints_positions_become_constant_offsets(file: Bvh) -> None:
    head = ("CHANNELS 2 Yrotation Xrotation", "CHANNELS 5 Xposition Yposition Zposition Yrotation Xrotation")
    moving = read_bvh(file(head, ("0 0 0  0 0\n", "0 0 0  0 71 0 0 0\n"), ("80 -10", "0 73 0 80 -10")))
    np.testing.assert_allclose(moving.skeleton.offsets[moving.skeleton.joint("head")], [0.0, 0.0, 0.72], atol=1e-12)
    relative = read_bvh(file(head, ("0 0 0  0 0\n", "0 0 0  0 1 0 0 0\n"), ("80 -10", "0 3 0 80 -10")))
    np.testing.assert_allclose(relative.skeleton.offsets[relative.skeleton.joint("head")], [0.0, 0.0, 0.72], atol=1e-12)


def test_a_bone_above_the_hips_is_folded_into_them(file: Bvh) -> None:
    above = "ROOT Reference\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\nJOINT Prop\n{\nOFFSET 1 2 3\n}\nJOINT Hips"
    folded = read_bvh(
        file(("ROOT Hips", above), ("}\nMOTION", "}\n}\nMOTION"), ("1 90 2", "0 1 90 2"), ("1 90 3", "90 1 90 3"))
    )
    plain = read_bvh(file())
    assert folded.skeleton.names == plain.skeleton.names
    # The bone above turns by 90 degrees in the second frame, and the hips keep their own way on it.
    assert angle_between(folded.rotations[1, 0], product(about("Y", 90), about("Y", 90))) < 1e-12
    np.testing.assert_allclose(folded.root_positions[1], [0.03, 0.01, 0.9], atol=1e-12)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_and_tabs_do_not_matter(file: Bvh, ending: str) -> None:
    same = read_bvh(file(text="\ufeff" + PERSON.replace("  ", "\t").replace("\n", ending)))
    np.testing.assert_array_equal(same.rotations, read_bvh(file()).rotations)


def test_names_may_hold_spaces_and_repeat(file: Bvh) -> None:
    clip = read_bvh(file(("JOINT RightFoot", "JOINT Hips.001"), ("JOINT Head", "JOINT Hips"), ("Right", "Right ")))
    assert clip.skeleton.names[4:] == ("Right UpLeg", "Right Leg", "Hips.001", "Hips.002")


FRAMES = PERSON.partition("Frame Time: 0.0083333\n")[2]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("HIERARCHY", "HEADER", 1, "'HEADER' where 'HIERARCHY' is expected"),
        ("ROOT Hips", "ROOT", 2, "no name"),
        ("OFFSET 10 0 0", "OFFSET ten 0 0", 8, "'ten' is not a usable number"),
        ("OFFSET 10 0 0", "OFFSET 1e300 0 0", 8, "not a usable number"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation", 14, "'JOINT' is not a position or rotation channel"),
        ("CHANNELS 1 Xrotation", "CHANNELS 999999999 Xrotation", 13, "0 to 6 are possible"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation Xrotation", 13, "twice"),
        ("CHANNELS 1 Xrotation", "CHANNELS 1 Wrotation", 13, "not a position or rotation channel"),
        ("MOTION", "}\nMOTION", 43, "'MOTION', 'Frames: n' and 'Frame Time: t' are expected"),
        ("MOTION", "ROOT Second\n{\n}\nMOTION", 43, "several ROOTs"),
        ("Frames: 2", "Frames: 0", 44, "not a number of frames"),
        ("Frames: 2", "Frames: -2", 44, "not a number of frames"),
        ("Frames: 2", "Frames: 99999999999", 44, "truncated"),
        ("Frames: 2", "Frames: 4", 47, "4 frames are declared but 2 are there, so the file is truncated"),
        ("Frames: 2", "Frames: 5", 47, "5 frames are declared but 2 are there, so the file is truncated"),
        ("0.0083333", "0", 45, "frame time of '0'"),
        ("0.0083333", "-1", 45, "impossible"),
        ("0.0083333", "nan", 45, "impossible"),
        ("80 -10", "80", 47, "14 numbers where 15 are expected"),
        ("80 -10", "80 -10 5", 47, "16 numbers where 15 are expected"),
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
    assert str(caught.value).startswith(f"Motion file {path}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("declared", [1, 3])
def test_a_count_of_frames_that_is_one_off_is_read(file: Bvh, declared: int) -> None:
    clip = read_bvh(file(("Frames: 2", f"Frames: {declared}")))
    assert [str(note.text) for note in clip.notes] == [
        f"The file says {declared} frames, but has 2: these were read",
    ]
    np.testing.assert_array_equal(clip.rotations, read_bvh(file()).rotations)


@pytest.mark.parametrize(
    ("mended", "word"),
    [
        (("80 -10", "80-10"), "Blanks are missing before minus signs"),
        (("OFFSET -10 0 0", "OFFSET -10-0-0"), "Blanks are missing before minus signs"),
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
    assert sorted(note.text.split()[0] for note in clip.notes) == ["Blanks", "Its"]
    np.testing.assert_array_equal(clip.rotations, expected.rotations)
    np.testing.assert_array_equal(clip.skeleton.offsets, expected.skeleton.offsets)


def test_commas_between_numbers_are_named(file: Bvh) -> None:
    with pytest.raises(MotionFileError, match="there are commas: write decimal points, and blanks between"):
        read_bvh(file(("1 90 3", "1.5, 90.5, 3.0")))


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
    with pytest.raises(MotionFileError, match="more than are read at once"):
        read_bvh(file(text=text))


@pytest.mark.parametrize(("joints", "frames", "is_read"), [(5, 90_000, True), (700, 700, True), (700, 1000, False)])
def test_joints_without_channels_take_time_by_the_size_of_the_file(
    file: Bvh, joints: int, frames: int, is_read: bool
) -> None:
    """A file of 40 KB took thirteen seconds and 0.6 GB: such joints cost no text."""
    tree = "".join(f"JOINT j{n}\n{{\n}}\n" for n in range(joints - 1))
    head = f"HIERARCHY\nROOT a\n{{\nCHANNELS 1 Xrotation\n{tree}}}\nMOTION\nFrames: {frames}\nFrame Time: 0.01\n"
    path = file(text=head + "0\n" * frames)
    if is_read:
        assert read_bvh(path).rotations.shape == (frames, joints, 4)
    else:
        with pytest.raises(MotionFileError, match=r"too many for its size, .* remove joints that do not move"):
            read_bvh(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bvh")
    with pytest.raises(MotionFileError, match="it is a device or pipe, so name a file"):
        read_bvh(tmp_path / "pipe.bvh")


def test_folders_missing_files_and_huge_ones_are_refused(
    tmp_path: Path, file: Bvh, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MotionFileError, match="it is a folder"):
        read_bvh(tmp_path)
    with pytest.raises(MotionFileError, match="no such file"):
        read_bvh(tmp_path / "none.bvh")
    with pytest.raises(MotionFileError, match="null"):
        read_bvh("a\0b.bvh")
    monkeypatch.setattr(bvh_parser, "MAX_BYTES", 10)
    with pytest.raises(MotionFileError, match="at most"):
        read_bvh(file())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_is_refused(file: Bvh) -> None:
    path = file()
    path.chmod(0)
    with pytest.raises(MotionFileError, match="permission denied"):
        read_bvh(path)


def test_the_error_survives_the_way_between_processes() -> None:
    error = pickle.loads(pickle.dumps(MotionFileError(Path("a.bvh"), 3, "it is damaged")))
    assert str(error) == "Motion file a.bvh, line 3: it is damaged"


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


def test_a_written_clip_reads_back_as_it_was(tmp_path: Path, clip: Clip) -> None:
    write_bvh(tmp_path / "clip.bvh", clip)
    again = read_bvh(tmp_path / "clip.bvh")
    assert again.rate == clip.rate
    assert again.skeleton.names == clip.skeleton.names
    assert again.skeleton.parents == clip.skeleton.parents
    np.testing.assert_allclose(again.root_positions, clip.root_positions, atol=1e-6)
    np.testing.assert_allclose(again.skeleton.offsets, clip.skeleton.offsets, atol=1e-6)
    np.testing.assert_allclose(again.skeleton.tips, clip.skeleton.tips, atol=1e-6)
    assert angle_between(again.rotations, clip.rotations) < 1e-5
    assert [path.name for path in tmp_path.iterdir()] == ["clip.bvh"]


def test_a_clip_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, clip: Clip) -> None:
    with pytest.raises(MotionFileError, match="cannot be written"):
        write_bvh(tmp_path / "missing" / "clip.bvh", clip)
    assert not list(tmp_path.iterdir())


SOURCES = {
    "accad_male1": 0.01,
    "cmu_asfamc": 0.01,
    "hdm05_asfamc": 0.01,
    "cmu_ccbase": 0.01,
    "cmu_daz": 0.01,
    "cmu_3dsmax": 0.0254 / 0.45,
    "cmu_expmap": 0.01,
    "cmu_deepmimic": 0.01,
    "animated_drawings": 0.0254,
    "kaykit_cc0": 0.01,
    "quaternius_animals_cc0": 0.01,
}


@pytest.mark.parametrize("source", SOURCES)
def test_real_clips_stand_upright_in_meters(shared_data: Path, tmp_path: Path, source: str) -> None:
    folder = shared_data / "mocap" / source
    with (folder / "INDEX.csv").open(newline="") as file:
        row = next(csv.DictReader(file))
    clip = read_bvh(folder / row["file"])
    assert len(clip) == int(row["frames"])
    assert clip.rate == pytest.approx(float(row["fps"]), rel=2e-4)
    z = clip.positions[..., 2]
    height = np.median(z[:, 0] - z.min(axis=1))
    if source == "animated_drawings":
        row["root_height_median"] = "23"  # a small person, Z up; the index has measured along Y
    assert height == pytest.approx(float(row["root_height_median"]) * SOURCES[source], abs=0.02)
    write_bvh(tmp_path / "again.bvh", clip)
    again = read_bvh(tmp_path / "again.bvh", unit=0.01, up="Y")
    np.testing.assert_allclose(again.root_positions, clip.root_positions, atol=1e-6)
    assert angle_between(again.rotations, clip.rotations) < 1e-5


def test_a_clip_with_a_root_bone_matches_its_siblings(shared_data: Path) -> None:
    folder = shared_data / "mocap" / "cmu_ccbase" / "walk"
    odd, usual = read_bvh(folder / "07_01.bvh"), read_bvh(folder / "07_02.bvh")
    assert odd.skeleton.matches(usual.skeleton)
    assert odd.root_positions[:, 2].mean() == pytest.approx(usual.root_positions[:, 2].mean(), abs=0.1)
