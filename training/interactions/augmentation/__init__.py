"""Object augmentation: windows of takes with replaced objects (NSM section 5.2)."""
