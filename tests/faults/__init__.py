"""Faults at every write of the commands: killed, a full disk, a disk that is read-only, a link in the way.

``python -m footfall.tests.faults`` tries them all and prints a table: nothing that was there before may be lost or
half-written, and what cannot be written is told in one sentence.
"""
