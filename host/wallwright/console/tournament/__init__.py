"""The tournament in the console: before it, while it is played, and what is left of it."""
