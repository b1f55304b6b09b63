"""A march over memory, written in viper: `ptr32` is a name of that compiler; no other tool knows it."""

import micropython


@micropython.viper
def march(block: ptr32, words: int, background: int) -> int:
    """March C- with words of one background: return 0 when every cell has kept what was written.

    Up and down over all words: write 0; read 0, write 1; read 1, write 0; down again the same; read 0. It finds cells
    that stick, that cannot change, and that change with others (A. J. van de Goor, "Using march tests to test SRAMs",
    IEEE Design and Test of Computers 10, 1993). 0 is the background, 1 its inverse.
    """
    zero = background
    one = background ^ -1
    wrong = 0
    at = 0
    while at < words:
        block[at] = zero
        at += 1
    at = 0
    while at < words:
        wrong |= int(block[at]) ^ zero
        block[at] = one
        at += 1
    at = 0
    while at < words:
        wrong |= int(block[at]) ^ one
        block[at] = zero
        at += 1
    while at > 0:
        at -= 1
        wrong |= int(block[at]) ^ zero
        block[at] = one
    at = words
    while at > 0:
        at -= 1
        wrong |= int(block[at]) ^ one
        block[at] = zero
    at = 0
    while at < words:
        wrong |= int(block[at]) ^ zero
        at += 1
    return wrong
