"""The ruleset of an event, as its journal keeps it (the key `ruleset` of the format of `event_created`)."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from wallwright.rules.core.game_rules import GameRules
from wallwright.rules.sichuan.ruleset import CHOSEN, Ruleset, load_ruleset


def read_rules(record: Mapping[str, Any]) -> Ruleset | GameRules:
    """Return the ruleset that was written: every field of a Sichuan ruleset, preset and options of another game's."""
    fields = dict(record)
    if "preset" in fields:
        return GameRules(**fields)
    name = fields.pop("name")
    return replace(load_ruleset("sichuan").with_changes(**fields), name=name)


def written_rules(rules: Ruleset | GameRules) -> dict[str, Any]:
    """Return what `read_rules` reads: every field, but those of duplicate deals where they say nothing."""
    record = asdict(rules)
    if isinstance(rules, Ruleset) and rules.forbidden_suit == CHOSEN and not rules.own_walls:
        # As every release has written it.
        del record["forbidden_suit"], record["own_walls"]
    return record
