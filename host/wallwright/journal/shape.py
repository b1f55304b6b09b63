"""What a journal's database is made of, compared as a whole with what this program makes; what is extra has its name.

An index, a trigger, a view, a rule or a policy of somebody else's can give other rows than were written, to some
programs or to all. A header that says another version can have a sound journal taken for an older one.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..errors import JournalDamaged, JournalError, NotAJournal
from .places import Place
from .schema import APPLICATION_ID, ENTRIES, POSTGRESQL_GUARD, REFUSAL, SCHEMA_VERSION, SQLITE_GUARDS, VERSION

FIRST_VERSION = 1
MEND = "undo that, or make a sound journal of its entries with `wallwright log copy`"


class Part(NamedTuple):
    """One part of a database: what it is, its name, and all that matters of how it was made."""

    kind: str
    name: str
    made: str


_SQLITE = """
SELECT 'number in the header', 'application_id', application_id FROM pragma_application_id
UNION ALL SELECT 'number in the header', 'user_version', user_version FROM pragma_user_version
UNION ALL SELECT 'word in the header', 'encoding', encoding FROM pragma_encoding
UNION ALL SELECT * FROM (
    SELECT type, substr(name, 1, 200), coalesce(substr(sql, 1, 2000), 'of ' || substr(tbl_name, 1, 200))
    FROM sqlite_master LIMIT 1000
)
"""
_MOST = 1000
"""Parts that anything like a journal has at the most; a database may have millions."""

# What lies in the journal's own schema, what hangs on its tables, and who comes before the server's own functions.
_POSTGRESQL = """
WITH home AS (
    SELECT relnamespace AS oid FROM pg_catalog.pg_class
    WHERE oid = coalesce(to_regclass('entries'), to_regclass('journal_version'))
), ours AS (
    SELECT c.* FROM pg_catalog.pg_class c JOIN home ON c.relnamespace = home.oid
    WHERE c.relname IN ('entries', 'journal_version')
)
SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
        WHEN 'f' THEN 'foreign table' WHEN 'S' THEN 'sequence' WHEN 'p' THEN 'partitioned table'
        WHEN 'c' THEN 'type' ELSE 'relation' END AS kind, relname::text AS name,
    concat_ws(' ', relpersistence, amname, CASE WHEN relrowsecurity THEN 'row security' END,
        CASE WHEN relforcerowsecurity THEN 'forced' END, CASE WHEN relispartition THEN 'partition' END) AS made
FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_am a ON a.oid = c.relam
WHERE relnamespace IN (SELECT oid FROM home) AND relkind NOT IN ('i', 'I', 't')
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
        WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
UNION ALL SELECT 'column', relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 'not null' END, 'default ' || pg_get_expr(adbin, adrelid),
        nullif(attgenerated::text, ''), nullif(attidentity::text, ''), 'collate ' || nullif(collname, 'default'))
    FROM pg_catalog.pg_attribute a JOIN ours ON ours.oid = attrelid
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
    LEFT JOIN pg_catalog.pg_collation l ON l.oid = attcollation
    WHERE attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(n.oid)
    FROM pg_catalog.pg_constraint n JOIN ours ON ours.oid IN (conrelid, confrelid) WHERE contype <> 'n'
UNION ALL SELECT 'index', i.relname, concat_ws(' ', pg_get_indexdef(indexrelid, 0, true),
        CASE WHEN NOT (indisvalid AND indisready) THEN 'out of use' END)
    FROM pg_catalog.pg_index x JOIN ours ON ours.oid = indrelid JOIN pg_catalog.pg_class i ON i.oid = indexrelid
UNION ALL SELECT 'trigger', tgname, concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid, true), lanname, prosrc,
        array_to_string(proconfig, ','))
    FROM pg_catalog.pg_trigger t JOIN ours ON ours.oid = tgrelid JOIN pg_catalog.pg_proc p ON p.oid = tgfoid
    JOIN pg_catalog.pg_language l ON l.oid = prolang
UNION ALL SELECT 'trigger', evtname, 'at every login'
    FROM pg_catalog.pg_event_trigger WHERE evtevent = 'login' AND evtenabled <> 'D'
UNION ALL SELECT 'rule', rulename, pg_get_ruledef(r.oid) FROM pg_catalog.pg_rewrite r JOIN ours ON ours.oid = ev_class
UNION ALL SELECT 'row-level policy', polname, pg_get_expr(polqual, polrelid)
    FROM pg_catalog.pg_policy JOIN ours ON ours.oid = polrelid
UNION ALL SELECT 'inheritance', inhrelid::regclass::text, inhparent::regclass::text
    FROM pg_catalog.pg_inherits JOIN ours ON ours.oid IN (inhrelid, inhparent)
UNION ALL SELECT 'setting', 'search_path', current_setting('search_path')
    WHERE left((current_schemas(true))[1], 3) <> 'pg_'
"""
_QUERIES = {"sqlite": _SQLITE, "postgresql": _POSTGRESQL}
_REVISIONS = f"SELECT version_num FROM {VERSION.name}"

_COLUMNS = {
    1: "id INTEGER NOT NULL, at_ms INTEGER NOT NULL, unit VARCHAR, boot_id INTEGER, seq INTEGER, "
    "kind VARCHAR NOT NULL, body VARCHAR NOT NULL",
    2: "id INTEGER NOT NULL, at_ms BIGINT NOT NULL, unit VARCHAR, boot_id BIGINT, seq BIGINT, "
    "kind VARCHAR NOT NULL, body VARCHAR NOT NULL, hash BLOB NOT NULL",
}
_APPLICATION = Part("number in the header", "application_id", str(APPLICATION_ID))
_STATED = {"user_version", VERSION.name}
"""Where a database states its version."""


def _sqlite(version: int) -> set[Part]:
    table = f"CREATE TABLE entries ( {_COLUMNS[version]}, PRIMARY KEY (id), UNIQUE (unit, boot_id, seq) )"
    found = {
        _APPLICATION,
        Part("number in the header", "user_version", str(version)),
        Part("word in the header", "encoding", "UTF-8"),
        Part("table", "entries", table),
        Part("index", "sqlite_autoindex_entries_1", "of entries"),
        *(Part("trigger", guard.split()[2], guard) for guard in SQLITE_GUARDS),
    }
    if version == 1:
        return found
    revisions = (
        "CREATE TABLE journal_version ( version_num VARCHAR(32) NOT NULL, "
        "CONSTRAINT journal_version_pkc PRIMARY KEY (version_num) )"
    )
    return found | {
        Part("table", "journal_version", revisions),
        Part("index", "sqlite_autoindex_journal_version_1", "of journal_version"),
        Part("row", "journal_version", f"{version:04d}"),
    }


def _postgresql() -> set[Part]:
    columns = {
        "entries.id": "bigint not null",
        "entries.at_ms": "bigint not null",
        "entries.unit": "character varying",
        "entries.boot_id": "bigint",
        "entries.seq": "bigint",
        "entries.kind": "character varying not null",
        "entries.body": "character varying not null",
        "entries.hash": "bytea not null",
        "journal_version.version_num": "character varying(32) not null",
    }
    keys = {
        "entries_pkey": ("entries", "PRIMARY KEY", "id"),
        "entries_unit_boot_id_seq_key": ("entries", "UNIQUE", "unit, boot_id, seq"),
        "journal_version_pkc": ("journal_version", "PRIMARY KEY", "version_num"),
    }
    return {
        Part("table", "entries", "p heap"),
        Part("table", "journal_version", "p heap"),
        *(Part("column", name, made) for name, made in columns.items()),
        *(Part("constraint", name, f"{kind} ({columns})") for name, (_, kind, columns) in keys.items()),
        *(
            Part("index", name, f"CREATE UNIQUE INDEX {name} ON {table} USING btree ({columns})")
            for name, (table, _, columns) in keys.items()
        ),
        Part("trigger", POSTGRESQL_GUARD.split()[2], f"O {POSTGRESQL_GUARD} plpgsql {REFUSAL.strip()}"),
        Part("row", "journal_version", f"{SCHEMA_VERSION:04d}"),
    }


MADE: Mapping[str, Mapping[int, frozenset[Part]]] = {
    "sqlite": {version: frozenset(_sqlite(version)) for version in (SCHEMA_VERSION, FIRST_VERSION)},
    "postgresql": {SCHEMA_VERSION: frozenset(_postgresql())},
}
"""By dialect and version, the newest first: what a journal is made of. There was no first version on servers."""


def version_of(place: Place) -> int:
    """Return the schema's version, of a journal that is made of what this program makes, and of nothing else.

    JournalDamaged names what is extra, missing or changed; NotAJournal when it is something else or too new;
    JournalError when there is none.
    """
    found = parts(place)
    version = _nearest(place, found)
    if problems := differences(found, MADE[place.dialect][version]):
        problem = f"it is not made as Wallwright makes one: {'; '.join(problems)}; {MEND}"
        raise JournalDamaged(str(place.path), problem)
    return version


def refuse_unsound(place: Place) -> None:
    """Refuse to read what was not made so, as `version_of` does, and the schema before the chain: JournalError."""
    _refuse_unchained(place, version_of(place))


def problems_of(place: Place) -> list[str]:
    """Return a clause for all that is extra, missing or changed. Raises what `refuse_unsound` does for the rest."""
    found = parts(place)
    version = _nearest(place, found)
    _refuse_unchained(place, version)
    return differences(found, MADE[place.dialect][version])


def parts(place: Place) -> frozenset[Part]:
    """Return what a place's database is made of. Raises JournalError."""
    place.look()
    rows = place.fetch(_QUERIES[place.dialect])
    if len(rows) >= _MOST:
        raise NotAJournal(str(place.path), "this is another program's and was left alone; choose another place")
    found = {Part(kind, name, " ".join(str(text).split())) for kind, name, text in rows}
    if VERSION.name in _tables(found):
        found |= {Part("row", VERSION.name, str(row[0])) for row in place.fetch(_REVISIONS)}
    return frozenset(found)


def differences(found: Iterable[Part], wanted: Iterable[Part]) -> list[str]:
    """Return a clause for everything that is extra, missing, or made in another way."""
    there, expected = _by_name(found), _by_name(wanted)
    problems = []
    for kind, name in sorted({*there, *expected}):
        now, then = there.get((kind, name)), expected.get((kind, name))
        what = f"the {kind} {name!r}"
        if then is None:
            problems.append(f"{what} was added")
        elif now is None:
            problems.append(f"{what} is missing")
        elif now != then:
            problems.append(f"{what} was changed (it is {', '.join(now)!r} and should be {', '.join(then)!r})")
    return problems


def _nearest(place: Place, found: frozenset[Part]) -> int:
    """Return the version whose entries these are. NotAJournal when they are somebody else's or too new."""
    known = MADE[place.dialect]
    tables = _tables(found)
    if place.dialect != "sqlite" and not tables & {ENTRIES.name, VERSION.name}:
        raise JournalError(str(place.path), "there is no journal in this database; check its name")
    stated = {int(part.made) for part in found if part.name in _STATED and part.made.isdecimal()}
    # A number alone makes no other version of it.
    is_newer = max(stated, default=0) > max(known)
    if is_newer and not any(_unstated(found) == _unstated(made) for made in known.values()):
        problem = f"it has version {max(stated)}, this program knows {SCHEMA_VERSION}; update Wallwright"
        raise NotAJournal(str(place.path), problem)
    for version, made in known.items():
        if all(part in found for part in made if part.name.partition(".")[0] == ENTRIES.name):
            return version
    if not (_APPLICATION in found if place.dialect == "sqlite" else VERSION.name in tables):
        raise NotAJournal(str(place.path), "this is another program's and was left alone; choose another place")
    return max(known)


def _tables(found: Iterable[Part]) -> set[str]:
    return {part.name for part in found if part.kind == "table"}


def _unstated(parts: Iterable[Part]) -> set[Part]:
    return {part for part in parts if part.kind == "table" or part.name not in _STATED}


def _refuse_unchained(place: Place, version: int) -> None:
    if version != SCHEMA_VERSION:
        problem = "it is of an older version, whose entries are not chained; chain them with `wallwright log migrate`"
        raise JournalError(str(place.path), problem)


def _by_name(parts: Iterable[Part]) -> dict[tuple[str, str], list[str]]:
    named: dict[tuple[str, str], list[str]] = {}
    for part in sorted(parts):
        named.setdefault(part[:2], []).append(part.made)
    return named
