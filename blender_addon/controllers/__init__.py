"""The controllers shipped with the add-on, and those trained by users."""
