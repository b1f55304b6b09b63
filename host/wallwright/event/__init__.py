"""A tournament run from the journal: whatever counts is an entry there, everything else is computed from the entries.

`state` folds entries, `desk` checks what somebody wants done against the state and appends it. No module here keeps
anything of its own between two commands.
"""
