"""Object augmentation: windows of takes with other objects than their own (NSM section 5.2)."""
