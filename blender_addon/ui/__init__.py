"""Code that every room of the add-on shares: operator bases, translations, preferences and panel parts."""
