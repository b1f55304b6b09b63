"""The words of the fault catalogue: what each fault of `codes.py` means, and what the person at the table does.

For host and documents; the board has no use for the sentences and does not load this file.
"""

from .codes import LAMP_PATTERNS, LANE, NOTICE, SEVERITIES, TABLE
from .names import FAULTS

SEVERITY_WORDS = {NOTICE: "notice", LANE: "stops this lane", TABLE: "stops the table"}

WORDS = {
    "none": ("No fault.", "Nothing to do."),
    "side_short": (
        "This side lacks stacks: its lane gets no tiles, while the other sides are whole.",
        "Look into the mouth and along the belt of this side for a tile that lies across, free it, then continue.",
    ),
    "side_over": (
        "The counting eye of this side saw more tiles than were due.",
        "Open the stacking head of this side, take all tiles out and drop them into the drum, then continue.",
    ),
    "tile_missing": (
        "A few tiles did not come; the count names the side that lacks the most.",
        "Look on the floor, on chairs and in sleeves, then in the drum; put the tiles in, then continue. If they still "
        "lack, the next fault names the side whose stacking head to look into.",
    ),
    "tile_too_many": (
        "The walls are whole and a tile is left over in the drum.",
        "Open the lid and take the tile out of the drum. If it has the back of the set that was built, a tile of "
        "another set stands for it in the walls: exchange the two when the walls are up.",
    ),
    "foreign_tile": (
        "A tile of another size passed the counting eye of this side.",
        "Open the stacking head of this side, take all tiles out, drop those of this set into the drum, then continue.",
    ),
    "lane_jam": (
        "Tiles stand on the belt of this side and none enters the head, though the belt was run back and forth.",
        "Free the tile at the gate of this side, or clean its counting eye if none sticks there; take all tiles out of "
        "its head and drop them into the drum, then continue; the stacks built so far stay.",
    ),
    "head_jam": (
        "The stacking head of this side did not come home from its stroke, though it tried again, or its home vane did "
        "not tell.",
        "Open the head of this side, take all tiles out and drop them into the drum, turn it home and clean its "
        "home vane, then continue.",
    ),
    "push_without_count": (
        "The head of this side pushed without having counted two tiles.",
        "Take all tiles out of the carrier and the head of this side, drop them into the drum, then continue.",
    ),
    "count_without_push": (
        "The head of this side came home and its push was not seen.",
        "Clean the vanes of this head, take all tiles out of it and out of the carrier of this side, drop them into "
        "the drum, then continue.",
    ),
    "eye_blocked": (
        "The counting eye of this side was dark for longer than a tile takes, or stays dark.",
        "Take the tile or the dirt out of the gate of this side, empty its head into the drum, then continue.",
    ),
    "eye_dead": (
        "The counting eye of this side sees none of the tiles that stand before it, or has missed one: then it stands "
        "in the head, and the build lacks it though nobody finds it.",
        "Free the tile at the gate of this side, or clean or replace its counting eye if none sticks there; take all "
        "tiles out of its head and drop them into the drum, then continue.",
    ),
    "belt_full_stuck": (
        "The belt-full eye of this side stays dark though the belt was emptied.",
        "Clean the belt-full eye of this side; the table goes on without it.",
    ),
    "face_up_stuck": (
        "Several sides lack tiles, and none has come for long, though the drum was shaken.",
        "Open the lid and look for tiles that lie face up and do not turn; stir them by hand, then continue.",
    ),
    "slow_build": (
        "The build ran out of time while tiles were still coming.",
        "Continue the build; if it happens again, clean the magnet ring and look at the belts.",
    ),
    "disc_stalled": (
        "The disc of the drum does not turn, though it was started again.",
        "Open the lid, take out what blocks the disc, then continue.",
    ),
    "ring_stalled": (
        "The magnet ring does not turn, though it was started again.",
        "Open the lid, take out what blocks the ring, then continue.",
    ),
    "lift_stall": (
        "The lift of this side did not reach its switch in time, though it tried again.",
        "Take what blocks the lift away, then clear the fault and press the key again.",
    ),
    "lift_sinking": (
        "The lift of this side left its place without being driven.",
        "Keep hands away and have the lift's brake looked at; do not play on this table.",
    ),
    "lift_limits": (
        "The switches of this side's lift say what cannot be: it is at both ends, came there too soon, or left without "
        "being driven.",
        "Have the lift switches of this side and their cable looked at.",
    ),
    "lid_obstructed": (
        "The lid did not reach its switch in time, though it went back and tried again: something is in its way, "
        "perhaps a hand. It has gone back a little and stands.",
        "Take your hands off and away what lies in the lid's way, then clear the fault and press the key again: the "
        "lid opens first.",
    ),
    "lid_limits": (
        "The lid's switches say what cannot be: it is at both ends, came there too soon, or left without being driven.",
        "Close the lid by hand and look at its switches and their cable.",
    ),
    "emergency_stop": (
        "The emergency stop is pressed.",
        "Make sure that nobody is in danger, release the emergency stop, then clear the fault.",
    ),
    "stopped": (
        "The table was stopped by the host.",
        "Clear the fault when it is safe to move again.",
    ),
    "run_limit": (
        "An output was on for longer than it ever needs.",
        "Look for a sensor that does not answer on this side, then clear the fault.",
    ),
    "interlock": (
        "A motion was asked for that its interlock forbids.",
        "Look whether lid, lifts and stacking heads stand where they should, then clear the fault.",
    ),
    "plan_impossible": (
        "The plan of stacks cannot be built with this set of tiles, or the table lacks lanes.",
        "Send a plan whose stacks add up to half of the tiles, 19 a side at the most.",
    ),
    "brown_out": (
        "The board started again after its supply had sagged.",
        "Look at the power supply and its plug if it happens again.",
    ),
    "watchdog_reset": (
        "The board started again because its program had stopped.",
        "Keep the service file and report it.",
    ),
    "random_failed": (
        "The hardware random source does not deliver or is not random; dice are refused.",
        "Roll dice by hand; clear the fault to test the source again, and have the board replaced if it fails.",
    ),
    "store_corrupt": (
        "What the board had kept over the power loss cannot be read.",
        "Take all stacks out of the carriers and all tiles out of the heads through the service door, drop them into "
        "the drum, then clear the fault; deals count from 0 again.",
    ),
    "host_silent": (
        "The host has not been heard for ten seconds; the table goes on alone.",
        "Look at the cable and the host; nothing is lost, the table keeps its events.",
    ),
    "store_failed": (
        "The board cannot store what must survive a power loss.",
        "Have the board replaced; until then play on another table.",
    ),
    "walls_unknown": (
        "Nobody knows what the carriers hold: the power failed, a belt brought a tile in service, or a prescribed "
        "build was given up.",
        "Empty carriers and heads by the service door into the drum; if the lid has opened since prescribed walls "
        "were whole, push the last deal's tiles in and lay these on the table. Then clear the fault and start the "
        "build.",
    ),
    "reader_silent": (
        "The tile reader of this side's stacking head reads no tags, though tiles pass it, or a reader of this side's "
        "node does not work any more.",
        "Look at the reader's antenna and cable; walls are built and counted all the same, but what stands in "
        "this one is not known.",
    ),
    "crashed": (
        "The board started again because its program had failed.",
        "Keep the service file and report it; it names the place in the program.",
    ),
    "crash_loop": (
        "The board's program failed three times within a minute; nothing moves any more.",
        "Keep the service file, have a technician bring the firmware to a release that is mended, and clear the fault "
        "from the host; a key does not clear it.",
    ),
    "node_silent": (
        "The node of this side, whose address is the side's number, does not answer, or not in this release's way; its "
        "tile readers, display, lamps and claim key are out.",
        "Look at the node's supply and at the cable of the line, and give it the node image of this release; the table "
        "goes on without it, and takes it up again by itself.",
    ),
    "node_doubled": (
        "Two nodes have the address of this side, so that neither can be asked.",
        "Set the address bridges of the nodes whose displays show dashes as their sides say.",
    ),
    "line_disturbed": (
        "Somebody sends on the line of readers and displays without being asked: the node of this side, or one that "
        "cannot be told.",
        "Take this node off the line; if no side is named, one after the other until the displays work again.",
    ),
    "wiring_unknown": (
        "The board does not know how it is wired: nothing is connected and no output is on. The displays show NO MAP.",
        "Give it this table's map with `wallwright doctor map` (--standard for the wiring of the reference carrier), "
        "or find it with `wallwright doctor wire`. A map that it still has is used again when the fault is cleared.",
    ),
    "key_stuck": (
        "A key of this side has been pressed for half a minute without a break; until it is released it does nothing.",
        "Take away what presses a key of this side, or have that key cleaned or replaced; the table goes on without "
        "it.",
    ),
    "wrong_set": (
        "The set in the drum has another size than the table is set to: just as many tiles came as another size has, "
        "or several are left over.",
        "Take all stacks and tiles out of carriers and heads through the service door; drop in a set of the table's "
        "size, or set the table to this one's (`wallwright table setup`); then clear the fault.",
    ),
    "wash_cut": (
        "Somebody had the walls built before the tiles were mixed for as long as the table is set to.",
        "Nothing; how long they were mixed is in the record of these walls.",
    ),
    "foreign_tag": (
        "A tile that is not of the set below came to the mouth of this side while a prescribed wall was built.",
        "Open the lid and take the strange tile out at the mouth of this side, and put in what lacks; then clear the "
        "fault and continue the build.",
    ),
    "sorter_stuck": (
        "The scraper, the knock-off or the flap at the mouth of this side is not where it was sent.",
        "Open the lid and free what blocks it at the mouth of this side, then clear the fault and continue the build.",
    ),
    "wall_differs": (
        "The walls below are not the prescribed ones, so they cannot rise.",
        "Take all stacks out of the carriers and all tiles out of the heads through the service door, drop them into "
        "the drum, then clear the fault and start the build: the prescribed walls are built once more.",
    ),
    "prescribed_late": (
        "The prescribed walls were not whole after eight minutes.",
        "Look for a tile that lacks or whose tag cannot be read, then clear the fault and continue the build. If it "
        "does not help, the director replaces the deal at all tables (`event deals replace`).",
    ),
    "drum_unchecked": (
        "The lid or a lift was moved before the table had looked whether a tile is left over in the drum.",
        "Look at the backs of these walls when they are up. If a tile of the other set stands in them, one of these is "
        "in the drum: exchange the two.",
    ),
    "drum_empty": (
        "No tile at all has come since the build began, though the drum was shaken: it seems to be empty.",
        "Clear the fault with a lift key; two lift keys at once open the lid. Push in the tiles that were "
        "played; new walls on the table stay there. A lift key then closes the lid and builds. If the drum "
        "has tiles, look whether ring and disc carry them.",
    ),
    "walls_undrawn": (
        "A head stopped at a full carrier: the walls that came up last seem to have gone down again undrawn.",
        "Through the service door take out the undrawn walls, foremost with the other set's back, and stand "
        "them on the table; leave the stacks behind them. Drop the tiles of the heads into the drum, turn the"
        " heads home, continue.",
    ),
    "two_sets": (
        "The walls are whole, and tiles are left over at several sides: both sets seem to be in the drum.",
        "Take all tiles out of carriers, heads and drum and part the sets by their backs. Put one into the "
        "drum, the other one on the table, then clear the fault. If all have one back, set the table to the "
        "set's size (`wallwright table setup`).",
    ),
    "lane_unplugged": (
        "Nothing at all has come to this side, neither a tile to its eyes nor a movement of its head, while other "
        "sides are whole: a plug of its lane seems to be out, or its belt stands.",
        "Look whether the plugs of this lane are in and its belt runs, then along the belt and into its mouth for a "
        "tile that lies across; then continue.",
    ),
    "drive_runs": (
        "A drive runs that nobody has switched on. The displays name it: DISC, RING, LID, or its side with C (belt), "
        "B (belt backwards), H (head), U or D (lift up or down).",
        "Keep hands away. Have its relay or transistor and its wires looked at, and without sensing its vane, which a "
        "hand may have turned; then clear the fault and press START.",
    ),
    "drive_dead": (
        "A drive was switched on and has no voltage. The displays name it as drive_runs says.",
        "If other drives have none either, press START. Else have the fuse, the relay and the plug of this drive "
        "looked at, then clear the fault.",
    ),
    "no_supply": (
        "Motors were switched on and none has voltage: they have no supply.",
        "Press START, then clear the fault and go on. If that does not help, look at the motors' supply and its fuse.",
    ),
    "output_flipped": (
        "The stored bit of an output was another than the board had written, for the second time within an hour or "
        "two; it has been put right.",
        "Have the supply and the wires of the output registers looked at, and replace the register if it goes on.",
    ),
    "input_stuck": (
        "Two inputs of one plug have always changed in the same moment, as if their wires touched: neither can be "
        "believed.",
        "Have the plug and the cables of the two inputs that the record names looked at; then clear the fault.",
    ),
    "lid_switches": (
        "The two switches of the lid do not agree: by the table's own the lid is open and the interlock has not cut "
        "the supply below it, or it is closed and the interlock has.",
        "Do not reach below the lid while motors have supply. Have both switches, the contactor K3 and the wire of its "
        "report looked at; then clear the fault.",
    ),
    "self_test_failed": (
        "A self-test of the board has failed: its program, memory, store, clocks or interlocks are not as they should "
        "be.",
        "Do not play on this table; have somebody ask it by `wallwright doctor selftest` which test that was, and have "
        "the board replaced if it fails again.",
    ),
}
"""Fault name -> (what it means, what to do), in the order of the list."""
UNKNOWN_FAULT = (
    "This program does not know this fault.",
    "Follow the table's panels, and bring program and firmware to the same release.",
)
"""Likewise of a number that the list does not have."""


def pattern(lamps: int) -> str:
    """Return a lamp pattern as eight characters, `*` for lit, a quarter of a second each."""
    return "".join("*" if lamps >> step & 1 else "." for step in range(8))


def catalogue() -> list[dict[str, object]]:
    """Return every fault as code, name, severity, lamps, meaning and what to do, in this order."""
    return [
        {
            "code": code,
            "name": name,
            "severity": SEVERITY_WORDS[SEVERITIES[code]],
            "lamps": pattern(LAMP_PATTERNS[code]),
            "meaning": WORDS[name][0],
            "what_to_do": WORDS[name][1],
        }
        for code, name in enumerate(FAULTS)
        if code
    ]
