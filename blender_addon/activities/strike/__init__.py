"""Close combat: attacks of a character on targets at chosen frames."""
