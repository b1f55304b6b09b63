"""What the tracker believes of readers and players, as costs: -100 ln(probability), so that smaller is likelier.

Costs are integers, add up over a deal, and mean something only in comparison: 230 more is ten times less likely.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """What each thing that should not be costs an explanation.

    `missed`: a tile lay in a zone and its reader did not see it; `silent`: the same where the reader has told nothing
    in the whole deal. `ghost`: a reader saw a tile that lay elsewhere, or a tile went where the rules know no way.
    `late`: a tile was seen in its zone only after play had gone on. `gone`: a tile that should still lie where it was
    is not read there any more. `misdrawn`: a tile drawn is not the one that the sealed wall has at that place.
    `illegal`: an action against the rules. `false_hu`: a Hu with a hand that is not complete. `passed_hu`: a complete
    hand was not declared. `unlikely`: a legal way that players seldom take. `silent_claim`: a claim on a table with
    claim keys, and nobody pressed. `still_read`: a tile is laid down of which its hand's reader has not yet told that
    it is gone.
    """

    missed: int = 400
    silent: int = 100
    ghost: int = 800
    late: int = 450
    gone: int = 700
    misdrawn: int = 900
    illegal: int = 700
    false_hu: int = 900
    passed_hu: int = 500
    unlikely: int = 200
    silent_claim: int = 300
    still_read: int = 100
    # Explanations dearer than the best by `range` are dropped. So many are kept at first; where that leaves out any
    # that might matter, the next number is tried.
    range: int = 2000
    widths: tuple[int, ...] = (24, 96, 240)
    # How much dearer the next different explanation must be for the best one to be taken without a question.
    margin: int = 450
    # With more reads than these taken to be wrong, no explanation is believed.
    strange: int = 5
