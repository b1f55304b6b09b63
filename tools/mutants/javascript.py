"""Draws small changes of a script in JavaScript, each within a line: operators, numbers, and conditions taken away.

It reads no grammar. It knows comments, texts and patterns from code, and changes what stands in code; what is then no
JavaScript any more changes nothing, since whoever runs it finds out at once.
"""

import re
from collections.abc import Iterator

from tools.mutants.draw import Mutant

_OTHER = {
    "===": ("!==",), "!==": ("===",), "<=": ("<",), ">=": (">",), "<": ("<=", ">="), ">": (">=", "<="),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("*",),
    "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",), ">>>": ("<<",),
    # The operand before, then the one behind, counts for nothing.
    "&&": ("||", "| true &&", "&& true |"), "||": ("&&", "& false ||", "|| false &"),
    "true": ("false",), "false": ("true",), ".every": (".some",), ".some": (".every",),
}  # fmt: skip
"""By what is written: what stands in its place."""
_TOKEN = re.compile(
    # A division has a space behind it, and a pattern has none.
    r"""(?P<text>//.*|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|/(?! )(?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/\w*)"""
    r"""|(?P<number>\b\d+n?\b)"""
    r"""|(?P<skip>=>|\.\.\.|\?\.|\+\+|--|\*\*|[-+*/%&|^]=)"""
    r"""|(?P<operator>===|!==|<=|>=|<<|>>>|>>|&&|\|\||[-+*/%<>&|^]|\btrue\b|\bfalse\b|\.every\b|\.some\b)"""
)
_NEED = re.compile(r"^\s*(return )?(?P<call>need\(.*\));$")
_IF = re.compile(r"\bif \((?P<condition>.+?)\) (?=\{|return|continue|throw|found|[a-z\[])")
_NOT = re.compile(r"(?<=[ (])!(?=[\w(])")


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """Every mutant of a script, each within a line."""
    for number, row in enumerate(text.splitlines(), 1):
        if found := _NEED.match(row):
            yield Mutant(path, number, *found.span("call"), "undefined")
        for found in _IF.finditer(row):
            for value in ("true", "false"):
                yield Mutant(path, number, *found.span("condition"), value)
        for found in _NOT.finditer(row):
            yield Mutant(path, number, *found.span(), "")
        for found in _TOKEN.finditer(row):
            if found["number"]:
                digits = found["number"].rstrip("n")
                yield Mutant(path, number, *found.span(), found["number"].replace(digits, str(int(digits) + 1)))
            elif found["operator"]:
                for other in _OTHER[found["operator"]]:
                    yield Mutant(path, number, *found.span(), other)
