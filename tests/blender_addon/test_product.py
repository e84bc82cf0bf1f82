"""What is around labelling, training and directing: see in_blender/product_*.py."""

import os
from pathlib import Path

from footfall.manual.render import render

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_panels_read_like_blenders_own(blender) -> None:
    blender(IN_BLENDER / "product_audit.py")


def test_presets_are_kept_and_the_users_own(blender) -> None:
    blender(IN_BLENDER / "product_presets.py", "save")
    blender(IN_BLENDER / "product_presets.py", "find again")


def test_help_opens_the_page_about_it(blender, tmp_path: Path) -> None:
    opened = tmp_path / "opened.txt"
    browser = tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{opened}"\n')
    browser.chmod(0o755)
    render(tmp_path / "docs")
    blender(IN_BLENDER / "product_help.py", opened, tmp_path / "docs", BROWSER=f"{browser} %s")


def test_preferences(blender, tmp_path: Path) -> None:
    shown = tmp_path / "shown.txt"
    program = tmp_path / "xdg-open"  # the system's file browser
    program.write_text(f'#!/bin/sh\necho "$1" >> "{shown}"\n')
    program.chmod(0o755)
    blender(IN_BLENDER / "product_preferences.py", shown, PATH=f"{tmp_path}:{os.environ['PATH']}")


def test_everything_can_be_said_in_another_language(blender) -> None:
    print(blender(IN_BLENDER / "product_translations.py").stdout)
