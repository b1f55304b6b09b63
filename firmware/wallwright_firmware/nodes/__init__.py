"""What runs on a node of the line: a second Pico a side, with its tile readers, display, lamps and claim key."""
