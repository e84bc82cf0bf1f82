"""Code shared by every room of the add-on: operator bases, translations, preferences and panel parts."""
