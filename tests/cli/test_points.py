from pathlib import Path

import numpy as np
import pytest

from footfall.cli.points import read_points
from footfall.core.errors import FootfallError


def write(folder: Path, text: str) -> Path:
    path = folder / "points.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    "text",
    ["0,0\n1,2.5\n", "x, y\n0, 0\n1, 2.5", "\ufeff0,0\r\n1,2.5\r\n", "# a path\n\n0,0 # start\n\n1e0,2.5\n"],
    ids=["plain", "header", "windows", "comments"],
)
def test_a_path_is_x_and_y_on_each_line(tmp_path: Path, text: str) -> None:
    np.testing.assert_array_equal(read_points(write(tmp_path, text)), [[0.0, 0.0], [1.0, 2.5]])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0,0\n1,nan\n", "line 2: 'nan' is not a number"),
        ("0,0\ninf,1\n", "line 2: 'inf' is not a number"),
        ("0,0\n\n1,a\n", "line 3: 'a' is not a number"),
        ("0,0\n1,2,3\n", "line 2: expected two columns, not 3"),
        ("0 0\n1 2\n", "line 1: expected two columns, not 1"),
        ("0,0\n1,\n", "line 2: '' is not a number"),
        ("0,0\n1e300,0\n", "line 2: 1e\\+300 m is farther than 100 km"),
        ("0,0\n", "line 1: a path needs at least two points"),
        ("1,2\n1,2\n1,2\n", "line 3: all points are the same"),
        ("", "has no points"),
        ("x,y\n", "has no points"),
        ("\x00\x01,\x02\n", "line 1|no points"),
    ],
)
def test_what_is_no_path_is_refused_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(FootfallError, match=complaint):
        read_points(write(tmp_path, text))


def test_a_file_of_millions_of_points_is_refused_unread(tmp_path: Path) -> None:
    with pytest.raises(FootfallError, match=r"points.csv' cannot be read: the file is larger than 4 MB"):
        read_points(write(tmp_path, "0,0\n" * (1 << 20) + "1,1\n"))
