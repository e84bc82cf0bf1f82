"""Close combat: strikes of a character at targets on chosen frames."""
