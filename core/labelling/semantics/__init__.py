"""What a character does: gaits, actions and their goals."""
