"""A rehearsal of everything that can fail at once: a simulated hall, its real host in processes that are killed.

`schedule` says what fails when, `tables` has boards, players and bad networks, `hosts` runs and breaks the host's
processes, `phones` declares results as a scorer would, `check` compares the journal with what really happened, and
`rehearsal` plays it all.
"""
