"""A fictional federation for the demonstration: pure Python, the same bytes for the same seed and day."""
