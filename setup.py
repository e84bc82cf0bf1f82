"""The repository root is the package `footfall`; its sub-packages are found here, so that none needs listing."""

from setuptools import find_packages, setup

ROOMS = ["blender_addon*", "benchmarks*", "cli*", "core*", "tools*", "training*"]

setup(packages=["footfall", *(f"footfall.{name}" for name in find_packages(include=ROOMS))])
