"""Settings of Sphinx for the manual as a website: `python build.py docs`. Its search also works from a folder."""

project = "Footfall"
extensions = ["myst_parser"]
root_doc = "manual/README"
exclude_patterns = ["images"]
myst_heading_anchors = 4
suppress_warnings = [
    "myst.xref_missing",  # links out of the manual, such as to the change log
    "toc.not_included",  # the start page lists the pages in tables
    "misc.highlighting_failure",
]
html_theme = "alabaster"
html_theme_options = {
    "description": "Draw a path in Blender, and your character walks it",
    "page_width": "1100px",
    "show_powered_by": False,
}
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"**": ["about.html", "localtoc.html", "searchbox.html"]}
