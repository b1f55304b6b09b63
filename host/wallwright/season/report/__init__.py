"""How halls report to a season by themselves: checkpoints during play, the extract at the end; both sides of it.

`signing` and `door` say who speaks, `uploads` keeps files that come in parts, `receiving` does what the organiser would
do with them, and `waiting` has what the organiser is to decide. `sender` is the hall's side, `during_play` lets it go
on by itself. What was seen during play is in `season.seen`.
"""
