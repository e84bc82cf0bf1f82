"""Furniture made to measure, as closed meshes."""
