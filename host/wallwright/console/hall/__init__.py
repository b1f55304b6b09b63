"""The hall in the console: its tables, what happens at them, who is called and who goes."""
