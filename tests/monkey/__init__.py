"""A random walk over the add-on's operators, as of a user who tries everything: `python build.py monkey`."""
