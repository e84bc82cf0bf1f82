"""Takes of each kind of interaction, and of locomotion."""
