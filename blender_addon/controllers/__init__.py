"""The controllers that ship with the add-on and those that users have trained."""
