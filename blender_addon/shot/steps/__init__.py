"""Steps of a bake edited: footprints that are moved, contacts that are held longer, stretches that are retimed."""
