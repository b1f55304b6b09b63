"""Cases for verifiers of proofs, written from docs/proofs.md and sharing no code with the verifiers."""

from functools import cache

from tests.proofs import day_forms, day_odd, day_rows, keys, page_forms, page_odd, page_results
from tests.proofs.world import Json

_MODULES = {"page": (page_results, page_forms, page_odd), "day": (day_rows, day_forms, day_odd), "keys": (keys,)}


@cache
def all_cases() -> list[Json]:
    """Every case with its name and the fields of the verdict that it has."""
    return [
        {"name": f"{topic}: {name}", "case": case, "verdict": verdict}
        for topic, modules in _MODULES.items()
        for module in modules
        for name, case, verdict in module.cases()
    ]
