"""Wheels of the extension's zips, checked for other systems than this machine's."""
