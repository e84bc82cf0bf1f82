"""A demonstration from nothing: a character, a drawn path, a baked walk, and pictures of it."""
