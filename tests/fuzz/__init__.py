"""A campaign of damaged and hostile files against everything that reads a file.

``python build.py fuzz --minutes 10`` runs it; ``python -m footfall.tests.fuzz --reader bvh --input FILE`` runs one
input again. A reader may return, or refuse with a :class:`FootfallError`; all else is an escape.
"""
