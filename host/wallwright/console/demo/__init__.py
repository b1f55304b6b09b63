"""The hall of `wallwright serve --demo`: simulated tables, bots at them, and a small tournament."""
