"""Phases: of gaits, of quadrupeds, of single actions and of single limbs."""
