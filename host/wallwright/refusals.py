"""What a person does about each reason for which a table refuses something, and about a table that does not go on."""

from .words import Words, words

_WHAT_TO_DO = {
    "unknown_message": words("update the board's firmware"),
    "wrong_length": words("update the board's firmware"),
    "bad_argument": words("check the values"),
    "wrong_state": words("wait until the table has finished, or bring it into the right state first"),
    "fault_active": words("mend the fault, then clear it"),
    "no_random": words("roll dice by hand; clear the fault to have the random source tested again"),
    "not_ready": words("ask again in a moment"),
    "walls_below": words("counted stacks stand in the carriers; raise the walls or finish the build first"),
    "no_consent": words("press a lift key at the table, then ask again"),
    "unknown_session": words("this connection is over, and nothing was done; try again once the table is connected"),
    "version_mismatch": words("bring program and firmware to the same release"),
    "no_stop_wired": words("the map has no wire for the emergency stop; find it first"),
    "wired_twice": words("the map gives two meanings to one wire; correct it"),
    "no_end_wired": words("the map has a drive whose end switch has no wire; find that, or leave the drive out"),
    "no_sorter": words("use a table that sorts its tiles, and see that all its readers answer"),
    "no_director": words("give the board the directors' public key, in service"),
    "bad_prescription": words("send the prescription again, whole"),
    "impossible": words("correct the prescription: no set can make this wall"),
    "other_game": words("send a prescription for the set that this table is set to"),
    "other_table": words("send it to the table that it was signed for"),
    "other_set": words("wait until the set that it names is below, or have it signed for the other one"),
    "expired": words("have it signed again, for the next build of this table"),
    "not_enrolled": words("enrol the tiles of this table, and have it signed with that list"),
    "unsigned": words("have it signed by a director whose key this board has"),
    "prescribed_already": words("build the one that waits, or cancel it first"),
    "no_room": words("leave a side out with sets of 108 or 112 tiles only; three sides do not hold a larger set"),
    "all_sides": words("mend the side; a table that sorts its tiles builds on all four sides"),
    "is_out": words("put the side back in first: wallwright table sides --out none"),
    "stop_untested": words("press the emergency stop, release it and clear the fault; then ask again"),
    "forbidden": words("bring what is in the way where it has to be first"),
}
_UNKNOWN = words("this program does not know that reason; bring program and firmware to the same release")


def what_to_do(refusal: str) -> Words:
    """Return what to do about a name of names.REFUSALS, or about a reason that this program does not know."""
    return _WHAT_TO_DO.get(refusal, _UNKNOWN)


_WAITS_FOR = {
    "starting": "its board is starting; look at its supply if it stays so",
    "idle": "no walls are built; press a lift key, or have them built",
    "building": "it builds the walls; wait longer, or look whether tiles come on all sides",
    "ready": "its walls are ready; press a lift key, and if it does nothing look at the keys and their cable",
    "checking": "it looks whether a tile is left over in the drum; wait some seconds longer",
    "lid_opening": "its lid opens; look what holds the lid",
    "lid_open": "its lid is open; push the tiles in and press a lift key",
    "lid_closing": "its lid closes; look what holds the lid",
    "lifting": "its walls rise; look what holds a lift",
    "walls_up": "its walls are up; draw them in and press a dice key, or press a lift key to have the lifts lowered",
    "lowering": "its lifts go down; look what holds a lift",
    "shuffling": "it mixes the tiles; wait longer, or have the walls built now",
    "fault": "it has stopped with a fault, which `wallwright status` shows; mend that and clear it",
    "pausing": "it pauses its build; look what keeps the lid from opening",
    "stopped_raising": "it was stopped while its walls rose; press a lift key to go on",
    "stopped_lowering": "it was stopped while its lifts went down; press a lift key to go on",
    "service": "it is in service, where it begins nothing by itself; end the service first",
    "holding": "its last stacks wait for who deals next; declare the deal, or press the dice key of the next dealer",
    "asking": "it asks who deals next; press the dice key of the next dealer",
}


def what_it_waits_for(state: str) -> str:
    """Return what a table in a state of names.STATES does or waits for, and what to do when that takes too long."""
    return _WAITS_FOR.get(state, "look at the table, or wait longer")
