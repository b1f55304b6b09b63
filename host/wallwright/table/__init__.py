"""One table, as a program uses it: its commands, its life cycle, and which walls it builds next."""
