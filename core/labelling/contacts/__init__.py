"""Contacts of feet and hands with the ground and with objects."""
