"""The method: motion, labels, features, networks' forward passes, control and evaluation.

Arrays in, arrays out. Imports numpy and scipy only: never ``bpy``, never ``torch``.
"""
