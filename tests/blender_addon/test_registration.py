"""See in_blender/registration.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_registration(blender) -> None:
    blender(IN_BLENDER / "registration.py")
