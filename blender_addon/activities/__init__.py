"""The activities of a character, one room each."""
