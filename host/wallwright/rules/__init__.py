"""The rules of the games. No input or output, no clock, nothing of the table.

`core` has what games share and how one is found by its ruleset; each other folder is one game. Points are integers,
and every value is frozen.
"""
