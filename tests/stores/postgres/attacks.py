"""What somebody may try who can run any SQL in a session of one tenant, to get at another's; see ``Attacker``.

A try is a few statements that prepare, and one that would show the other tenant's rows, or its texts in whatever comes
back: rows, copies, notices, the words of errors. ``{table}``, ``{part}``, ``{own}``, ``{other}``, ``{scope}`` (the
number of the other's scope), ``{mine}`` (the session's login) and ``{them}`` (the other's) are filled in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

TABLES = (
    *("setting", "model", "scope", "event", "memory", "access", "vector", "lacking", "source", "relation", "companion"),
    *("touch", "record"),
)
PARTED = ("event", "memory", "access", "vector")
SECRET = "Kümbetaltı"
"""Stands in every text of the other tenant."""

NAMING = (
    ("SET reverie.tenant = {other}",),
    ("SELECT set_config('reverie.tenant', '{other}', false)",),
    ("BEGIN", "SET LOCAL reverie.tenant = {other}"),
    ("ALTER ROLE {mine} SET reverie.tenant = {other}", "RESET ALL"),
    ("PREPARE shown AS SELECT * FROM {table}", "EXECUTE shown", "SET reverie.tenant = {other}", "EXECUTE shown"),
    ("BEGIN", "DECLARE held CURSOR FOR SELECT * FROM {table}", "SET reverie.tenant = {other}", "FETCH ALL FROM held"),
    ("DO $$ BEGIN PERFORM set_config('reverie.tenant', '{other}', false); END $$",),
)
"""Ways to name the other tenant: closed to a tenant's own login; the application's role may do so by design."""
PREPARING = (
    (),
    ("SET ROLE reverie_owner",),
    ("SET ROLE postgres",),
    ("SET ROLE {them}",),
    ("SET SESSION AUTHORIZATION {them}",),
    ("SET SESSION AUTHORIZATION reverie_owner",),
    ("GRANT reverie_owner TO {mine}", "SET ROLE reverie_owner"),
    ("SET row_security = off",),
    ("SET search_path = pg_temp, pg_catalog, reverie",),
    ("SET session_replication_role = replica",),
    ("ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",),
    ("ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY",),
    ("ALTER TABLE {table} OWNER TO {mine}",),
    ("DROP POLICY own ON {table}",),
    ("CREATE POLICY mine ON {table} USING (true)",),
    ("ALTER POLICY own ON {table} USING (true)",),
    ("GRANT SELECT ON {table} TO PUBLIC",),
    ("GRANT SELECT ON {part} TO {mine}",),
    ("ALTER ROLE {mine} BYPASSRLS",),
    ("ALTER ROLE {mine} SUPERUSER",),
    ("CREATE EXTENSION dblink",),
    ("CREATE EXTENSION file_fdw",),
    ("CREATE SCHEMA mine", "CREATE VIEW mine.shown AS SELECT * FROM {table}", "SELECT * FROM mine.shown"),
    ("CREATE VIEW shown AS SELECT * FROM {table}", "SELECT * FROM shown"),
    ("CREATE TEMP VIEW shown AS SELECT * FROM {table}", "SELECT * FROM shown"),
    ("CREATE TEMP TABLE shown AS SELECT * FROM {table}", "SELECT * FROM shown"),
    ("CREATE RULE shown AS ON SELECT TO {table} DO INSTEAD SELECT 1",),
    ("CREATE TRIGGER shown AFTER INSERT ON {table} EXECUTE FUNCTION tenant_named('x')",),
    ("SELECT admit('{mine}', {other})",),
    (
        "CREATE FUNCTION pg_temp.opened() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN"
        " EXECUTE 'ALTER TABLE reverie.{table} NO FORCE ROW LEVEL SECURITY';"
        " EXECUTE 'ALTER TABLE reverie.{table} DISABLE ROW LEVEL SECURITY'; RETURN {other}; END $$",
        "CREATE TEMP VIEW tenant AS SELECT pg_temp.opened() AS id, ''::bytea AS name",
        "GRANT SELECT ON pg_temp.tenant TO PUBLIC",
        "SELECT reverie.tenant_named('')",
    ),
    (
        "CREATE FUNCTION pg_temp.equal(bytea, bytea) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN"
        " EXECUTE 'GRANT SELECT ON ALL TABLES IN SCHEMA reverie TO PUBLIC'; RETURN true; END $$",
        "CREATE OPERATOR pg_temp.= (FUNCTION = pg_temp.equal, LEFTARG = bytea, RIGHTARG = bytea)",
        "SELECT reverie.tenant_named('')",
    ),
)
"""Ways to get more rights, or a view from elsewhere; most are refused, and none may open what the probes look at."""
PROBES = (
    "SELECT * FROM {table} WHERE tenant = {other}",
    "SELECT * FROM {table} WHERE tenant <> {own}",
    "SELECT * FROM {table} t WHERE NOT t.tenant = {own} FOR UPDATE",
    "SELECT * FROM {table} TABLESAMPLE SYSTEM (100) WHERE tenant <> {own}",
    "SELECT * FROM {table} WHERE ctid = '(0,1)' AND tenant <> {own}",
    "SELECT o.* FROM {table} m LEFT JOIN {table} o ON o.tenant = {other} WHERE o.tenant IS NOT NULL",
    "SELECT * FROM (VALUES (1)) v (x), LATERAL (SELECT * FROM {table} WHERE tenant = {other} AND x = 1) s",
    "WITH RECURSIVE e AS (SELECT * FROM {table} UNION SELECT * FROM {table}) SELECT * FROM e WHERE tenant <> {own}",
    "SELECT 1 FROM {table} WHERE tenant = {other} HAVING count(*) > 0",
    "DELETE FROM {table} WHERE tenant = {other} RETURNING *",
    "UPDATE {table} SET tenant = {own} WHERE tenant = {other} RETURNING *",
    "UPDATE {table} SET tenant = {other} RETURNING *",
    "SELECT * FROM {part} WHERE tenant <> {own}",
    "SELECT * FROM ONLY {part}",
    "SELECT 1 FROM {table} WHERE 1 / (CASE WHEN tenant = {other} THEN 0 ELSE 1 END) < 0",
    "SELECT 1 FROM {table} WHERE tenant = {other} AND current_setting(tenant::text) = 'x'",
    "SELECT 1 FROM {table} t WHERE t.tenant = {other} AND t::text::integer = 0",
    "SELECT * FROM pg_stats WHERE schemaname = 'reverie' AND tablename = '{table}' AND most_common_vals IS NOT NULL",
    "SELECT * FROM pg_statistic",
    "SELECT query_to_xml('SELECT * FROM {table} WHERE tenant <> {own}', false, true, '')::text LIKE '%<row%' OR NULL",
    "SELECT pg_read_file('base/1/PG_VERSION')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT * FROM pg_authid",
    "SELECT * FROM tenant",
    "TRUNCATE {table}",
    "COPY {part} TO STDOUT",
    "COPY (SELECT * FROM {table} WHERE tenant <> {own}) TO STDOUT",
    "COPY {table} TO PROGRAM 'cat'",
    "COPY {table} TO 'base/reverie-shown'",
    "INSERT INTO setting (tenant, name, value) VALUES ({other}, 'analyzer', 'x') RETURNING *",
    "INSERT INTO setting (tenant, name, value) VALUES ({other}, 'analyzer', 'x') ON CONFLICT (tenant, name)"
    " DO UPDATE SET value = setting.value || '!' RETURNING *",
    "MERGE INTO setting s USING (SELECT 1) v ON s.tenant = {other} WHEN MATCHED THEN UPDATE SET value = 'x'"
    " WHEN NOT MATCHED THEN DO NOTHING",
    "SELECT * FROM memory WHERE scope = {scope}",
    "SELECT * FROM event WHERE scope = {scope} AND seq = 1",
    "SELECT convert_from(text, 'UTF8')::integer FROM memory WHERE scope = {scope}",
)
"""Each brings nothing, or an error that says nothing."""
LOOKS = (
    "SELECT * FROM {table}",
    "COPY (SELECT * FROM {table}) TO STDOUT",
    "SELECT table_to_xml('{table}', false, false, '')",
    "SELECT json_agg(t)::text FROM {table} t",
    "EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM {table} WHERE tenant = {other}",
    "SELECT * FROM pg_stat_activity",
    "SELECT * FROM pg_prepared_statements",
    "SELECT * FROM pg_stat_user_tables WHERE schemaname = 'reverie'",
    "CREATE FUNCTION pg_temp.told(x bytea) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS $$ BEGIN"
    " RAISE NOTICE '%', convert_from(x, 'UTF8'); RETURN true; END $$; SELECT 1 FROM memory WHERE pg_temp.told(text)",
    "CREATE FUNCTION pg_temp.told(x bytea) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS $$ BEGIN"
    " RAISE NOTICE '%', convert_from(x, 'UTF8'); RETURN true; END $$; SELECT 1 FROM event WHERE pg_temp.told(payload)",
    "DO $$ DECLARE one record; BEGIN FOR one IN SELECT * FROM {table} LOOP RAISE NOTICE '%', one; END LOOP; END $$",
)
"""Each may bring the session's own rows, and never the other's texts."""
_PROBES_EACH = 4
_BROKEN = 3  # psycopg's INERROR


@dataclass
class Attacker:
    """A session that tries; ``leaks`` are the tries that brought something."""

    connection: Any
    words: dict[str, object]
    naming: bool
    leaks: list[str] = field(default_factory=list)
    tries: int = 0
    refused: int = 0
    notices: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection.prepare_threshold = None  # each try forgets what was prepared
        self.connection.add_notice_handler(lambda diagnosis: self.notices.append(str(diagnosis.message_primary)))

    def attack(self, chance: Random) -> None:
        """Prepare in one way, and make a few tries."""
        before = chance.choice(PREPARING + (NAMING if self.naming else ()))
        table, number = chance.choice(TABLES), chance.randrange(32)
        words = self.words | {"table": table, "part": f"{table if table in PARTED else 'memory'}_{number}"}
        prepared = [_filled(sql, words) for sql in before]
        for sql in prepared:
            self._saw(self._run(sql), sql)
        for probe in chance.sample(PROBES + LOOKS, _PROBES_EACH):
            sql = _filled(probe, words)
            found = self._run(sql)
            self._saw(found, f"{prepared}: {sql}")
            if probe in PROBES and found:
                self.leaks.append(f"{prepared}: {sql} brought {str(found)[:200]}")
            self.tries += 1
            if self.connection.info.transaction_status == _BROKEN:
                self._run("ROLLBACK")
        if self.connection.info.transaction_status:
            self._run("ROLLBACK")
        self._run("DISCARD ALL")

    def _saw(self, found: list[object], how: str) -> None:
        if SECRET in str([*found, *self.notices]):
            self.leaks.append(f"{how} showed a text")
        self.notices.clear()

    def _run(self, sql: str) -> list[object]:
        """Return what a statement brings, bytes read as text; an error's words are looked at too, and bring nothing."""
        import psycopg

        try:
            if sql.startswith("COPY"):
                with self.connection.cursor().copy(sql) as copy:
                    return [bytes(row).decode(errors="replace") + _unhexed(bytes(row)) for row in copy]
            cursor = self.connection.execute(sql)
            rows = cursor.fetchall() if cursor.description else []
            return [_readable(row) for row in rows if row != (None,)]
        except psycopg.errors.DivisionByZero:
            self.leaks.append(f"{sql} was evaluated for another's row")
        except psycopg.Error as error:
            self.refused += 1
            told = [error.diag.message_primary, error.diag.message_detail, error.diag.message_hint, error.diag.context]
            self._saw([str(error), *told], sql)
        return []


def _filled(sql: str, words: dict[str, object]) -> str:
    for name, value in words.items():
        sql = sql.replace(f"{{{name}}}", str(value))
    return sql


def _readable(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(
        bytes(value).decode(errors="replace") if isinstance(value, bytes | memoryview) else value for value in row
    )


def _unhexed(row: bytes) -> str:
    """What stands in the fields that a copy writes in hexadecimal."""
    found = [field[3:] for field in row.rstrip(b"\n").split(b"\t") if field.startswith(b"\\\\x")]
    return b" ".join(bytes.fromhex(field.decode()) for field in found).decode(errors="replace")
