"""Terrain under labeled actions: the patch database and the patches fitted to a clip."""
