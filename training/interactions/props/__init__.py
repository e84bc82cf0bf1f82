"""Furniture of given dimensions, as closed meshes."""
