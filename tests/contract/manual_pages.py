"""In Blender: help opens the pages of the manual that the extension has. Argument: the folder with these pages."""

import sys
from pathlib import Path

from footfall.blender_addon.ui import manual_links

PAGES = Path(sys.argv[1])

for _, topic in manual_links.TOPICS:
    file = manual_links.manual_file(topic, PAGES)
    assert file is not None and file.suffix == ".html", topic
waypoints = manual_links.manual_file("directing#waypoints", PAGES)
assert waypoints == PAGES / "at/directing-waypoints.html" and "../directing.html#waypoints" in waypoints.read_text()
assert manual_links.manual_file("directing#waypoints", PAGES / "nowhere") is None
