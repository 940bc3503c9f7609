"""Jobs of the maintainers."""
