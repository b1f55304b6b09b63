"""Port schemes that pyserial finds by this package's name."""
