"""A fifth game for tests, "high tile", in a folder as an installer leaves it: nothing else knows of it."""

from pathlib import Path

TOY = '''
"""High tile: the hand with the highest tile wins a point of each other player."""

from random import Random

from wallwright.rules.core.form import ALWAYS, WINNER, Form, part, when
from wallwright.rules.core.form_parts import HU, hand_parts, keys
from wallwright.rules.core.game import CUT, TableSetup, Throw
from wallwright.rules.core.records import seat_of, text_of
from wallwright.rules.core.ruleset import Option, Rulebook
from wallwright.rules.core.tiles import parse_tiles, tile_name
from wallwright.rules.core.walls import break_record, check_dice, counted_side, wall_order
from wallwright.words import Seat, words

BOOK = Rulebook("high_tile", ("high-tile",), {"stake": Option("TOY-1", range(1, 10))}, dict)


class HighTile:
    name = "high_tile"
    rulesets = BOOK.presets

    def score(self, record):
        rules = BOOK.load(text_of(record, "ruleset"), record.get("options"))
        return {"points": rules["stake"] * max(parse_tiles(text_of(record, "standing")))}

    def waits(self, record):
        return {"waits": [tile_name(41)]}

    def settle(self, record):
        if record["winner"] is None:
            return {"points": [0, 0, 0, 0], "next_dealer": seat_of(record, "dealer")}
        winner = seat_of(record, "winner")
        return {"points": [3 if seat == winner else -1 for seat in range(4)], "next_dealer": winner}

    def explain(self, record):
        if record["winner"] is None:
            return (words("Nobody has the highest tile (TOY-2)."),)
        return (words("{seat} has the highest tile (TOY-2).", seat=Seat(seat_of(record, "winner"), True)),)

    def break_wall(self, record):
        (die,) = check_dice(record.get("dice"), 1, "TOY-3")
        return break_record(wall_order((18, 18, 18, 18), counted_side(seat_of(record, "dealer"), die), die))

    def table(self, record):
        return TableSetup(144, 1)

    def plan(self, record, tiles, dealer):
        return (18, 18, 18, 18) if tiles == 144 else None

    def dealer_to_come(self, record):
        return None

    def dice_for_east(self, record):
        return 0

    def throw(self, record, thrown):
        return None if thrown else Throw(CUT, seat_of(record, "dealer"), 1)

    def begin(self, record, thrown, plan):
        dealer, ((die,),) = seat_of(record, "dealer"), thrown
        return {"dealer": dealer}, wall_order(plan, counted_side(dealer, die), die)

    def options(self, ruleset):
        return {"stake": BOOK.load(ruleset)["stake"]}

    def next_deal(self, record, settled):
        return {"dealer": 0 if settled is None else settled["next_dealer"]}

    def winners(self, record):
        return () if record["winner"] is None else (seat_of(record, "winner"),)

    def form(self, record):
        return Form(
            ways=("hu", "end"),
            parts={
                "way": part(when(editing=False), closed={"hu": (when(over=True),)}),
                "end": part(when(way="end", over=False), needs="how"),
                "third": part(when(way="end", over=True)),
                "seat": part(HU, needs="who"),
                **hand_parts((HU,), at_end=False),
                "dealer": part(*ALWAYS),
            },
            tiles=keys(flowers=True),
            sets={},
            hand=1,
            winners=1,
            over="win",
            winners_leave=True,
            hands_at=(),
            own=("self_drawn",),
            parts_nothing=(),
            items={},
            implied=(),
            worth=(),
            by=("self_drawn",),
            ends=("wall",),
            so_far="wall",
            given={},
            record=WINNER,
            value_key="points",
            labels={
                "way.hu": words("High tile"),
                "note.hu": words("Note the tile"),
                "hu": words("high tile"),
                "third": words("The highest tile is there."),
            },
            notices=(words("The highest of two tiles wins (TOY-2)."),),
        )

    def sums_to_zero(self, record):
        return record["options"]["stake"] == 1

    def deals(self, ruleset, bots, seed):
        rng = Random(seed)
        while True:
            yield {"winner": rng.randrange(4), "stake": BOOK.load(ruleset)["stake"]}


GAME = HighTile()
'''


def toy_game(folder: Path) -> Path:
    """Install the game into a folder, with its entry point; return what has to be on the path."""
    package = folder / "high_tile"
    (package / "rulesets").mkdir(parents=True)
    (package / "__init__.py").write_text('"""A game."""\n')
    (package / "game.py").write_text(TOY)
    (package / "rulesets" / "high-tile.toml").write_text("stake = 1\n")
    info = folder / "high_tile-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: high-tile\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[wallwright.games]\nhigh_tile = high_tile.game:GAME\n")
    return folder
