"""Films of the first page and the gallery: each takes some seconds, built and baked from an empty file."""
