"""The shot of a character: its walk and its beats, previewed, baked and updated by one button each."""
