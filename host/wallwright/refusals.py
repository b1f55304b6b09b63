"""What a person does about each reason for which a table refuses something."""

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
    "forbidden": words("bring what is in the way where it has to be first"),
}
_UNKNOWN = words("this program does not know that reason; bring program and firmware to the same release")


def what_to_do(refusal: str) -> Words:
    """Return what to do about a name of names.REFUSALS, or about a reason that this program does not know."""
    return _WHAT_TO_DO.get(refusal, _UNKNOWN)
