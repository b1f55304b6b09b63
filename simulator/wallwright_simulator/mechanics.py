"""The figures of the modelled machine, a typical four-mouth table of the Chengdu kind: times in ms, counts in tiles.

They restate what makers and technicians give for such machines: a build of 108 tiles in 18 to 35 s with the last tiles
coming by chance, a lid that takes 1.5 s, lifts 2.5 s up and 2 s down, a stroke of the stacking head 0.5 s. Where no
figure is known (the drum's probabilities above all) the value is fitted, so that builds take what they take on healthy
tables: half of them less than about 24 s, fewer than two in a thousand outside 18 to 35 s.
"""

VARIATION_PERCENT = 3
"""Each travel and cycle time of one machine differs from the figure here by up to this much. Estimate."""

RING_SLOT_MS = 345
"""A magnet of the ring passes a given mouth this often. Fitted."""
RING_MAGNETS = 9
"""So the ring makes some 20 turns a minute. Estimate."""
DISC_TURN_MS = 1500
"""The disc makes 40 turns a minute; makers give 30 to 50."""
VANE_PERCENT = 10
"""The vanes of disc and ring are in their slots for this part of a turn."""
CATCH_LIMIT = 0.86
"""The share of magnets that bring a tile when the drum is crowded. Fitted."""
CATCH_HALF = 2.2
"""With this many tiles in the drum, half of that share. Fitted: it makes the last tiles slow."""
REPELLED_FLIPS = 0.9
"""A face-up tile that a magnet repels turns over with this probability. Fitted."""
WEAK_CATCH = 0.05
"""A magnet that meets a tile of weak magnet brings it with this probability. Estimate."""

BELT_TRAVEL_MS = 600
"""A tile rides this long from the mouth to the gate."""
TILE_SPACING_MS = 100
"""Tiles that queue at the gate stand this far apart, in ms of belt, which so has room for six."""
BELT_EYE_FILTER_MS = 200
"""The belt-full eye changes when what it sees has lasted this long, so that tiles riding past do not show."""
EYE_DARK_MS = 80
"""A tile darkens the count eye for this long while the belt carries it through the gate."""
GATE_PERIOD_MS = 130
"""Two tiles enter the gate at least this far apart."""
BIGGER_DARK_MS = 130
SMALLER_DARK_MS = 45
"""A tile of another size darkens the count eye for this long."""

MOUTH_LEAD_MS = 130
"""On a ring that sorts, a magnet comes to the mouth so long after it has come before the mouth's reader: a read, a
decision and a solenoid fit in. It is shorter than a slot, for one tile at a time is between the two. A choice of
construction, as are the next two."""
LINE_LEAD_MS = 160
"""The same where reader and solenoids are on the line of nodes, which takes its time both ways."""
MOUTH_READER_MS = 100
"""The reader of a lane with a flap, or with nothing else, stands so far behind the mouth, in ms of belt, and sees a
tile for MOUTH_ANTENNA_MS. Choices of construction; an antenna of 40 mm is passed in about 60 ms (estimate)."""
MOUTH_ANTENNA_MS = 60
FLAP_LEAD_MS = 120
"""The flap stands so far behind the place at which the reader begins to see a tile, in ms of belt: read, decision,
solenoid."""
STORE_MS = 60
"""A holding place takes so long to open or to push its tile out. Estimate: a solenoid's stroke."""
SOLENOID_MS = 50
SOLENOID_BACK_MS = 60
"""A solenoid with a stroke of 10 mm takes 40 to 60 ms, its spring a little longer. Estimate from data sheets of such
solenoids; none has been measured in a table."""
SOLENOID_BOUNCE_MS = 40
"""One that bounces comes to rest so much later. Estimate."""
BOUNCES_PERMILLE = 500
SLOW_SOLENOID = 4
"""A worn one bounces at so many of its arrivals, a slow one takes so many times as long. Estimates."""

HEAD_CYCLE_MS = 500
"""One turn of the stacking head's cam, home to home."""
HEAD_LEAVES_HOME_MS = 30
"""The cam has left the home vane this far into its turn."""
HEAD_PUSHES_MS = 230
"""The push vane is reached and the stack is in the carrier this far into the turn."""
HEAD_PULLS_BACK_MS = 290
"""The push vane is left again this far into the turn."""

LIFT_UP_MS = 2500
LIFT_DOWN_MS = 2000
LID_MS = 1500
"""The lid takes this long either way."""
SINKS_SLOWER = 10
"""A lift whose brake does not hold sinks this many times slower than it is lowered. Estimate."""
OBSTACLE_AT = 3
"""What lies in the lid's way stops it when this part of the way, one third, is left. Estimate."""
SWITCH_PLAY_MS = 40
"""A limit switch stays pressed until lift or lid has moved away from it for this long."""
BOUNCE_MS = 3
"""Contacts chatter for up to this long. Typical of microswitches; eyes and vanes do not."""
KEY_PRESS_MS = 200
"""How long a person presses a key."""
COVER_MS = 300
"""How long a person holds a hand before an eye."""

DRUM_RADIUS_CM = 30
"""The disc is some 60 cm across. Trade sources."""
DRUM_D = 5.0
"""How fast tiles mix on the turning disc, in cm2/s: the constant of their diffusion. Nobody has measured it. Dense
granular flow (Campbell, Journal of Fluid Mechanics, 1997) lets expect some 2 for the disc alone; paddles and collisions
raise it; 2 to 30 is plausible."""
DRUM_F = 1.0
"""How strictly the tiles that fall first lie outermost, 0 to 1. Estimate, the worst case."""
DRUM_RIM = 40
"""A magnet can only meet one of so many outermost tiles. Estimate."""
DRUM_SLIP = 0.3
"""The part of the disc's turning by which tiles at its centre lag behind those at its rim. Estimate."""
FALL_ANGLE = 0.5
"""Radians: how far from the middle of the side that pushes it a tile falls, as a standard deviation. Estimate."""
FALL_NOISE = 0.15
"""How far from where its rank lets it fall, as a part of the radius. Estimate."""
STIR_STEP_MS = 500
"""Places are drawn anew in such steps of the time for which the disc has turned."""
