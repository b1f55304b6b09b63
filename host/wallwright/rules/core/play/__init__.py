"""The turns of games whose wall has two ends: flowers, exchanges, draws, claims, kongs, until somebody wins.

`deal` is what is used from outside; `rules` is what a game has to say about its turns.
"""
