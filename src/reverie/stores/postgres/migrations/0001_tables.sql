-- The first schema. Strings that a caller chose are bytea: PostgreSQL's text refuses NUL and lone surrogates. Moments are
-- microseconds since the epoch. ord: a memory's place in the order of writing of its scope, from 1, never used twice.

CREATE TABLE tenant (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name bytea NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'open'
);

CREATE TABLE setting (tenant integer NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (tenant, name));

CREATE TABLE model (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant integer NOT NULL,
  key bytea NOT NULL,
  name bytea NOT NULL,
  revision bytea NOT NULL,
  dims integer NOT NULL,
  UNIQUE (tenant, key)
);

-- seq and head: the last event; version: the last event that changed content; stamp: how often everything derived was
-- made anew; top: the last ord; did: how many events of each action there were; key: the scope's key, wrapped.
CREATE TABLE scope (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant integer NOT NULL,
  agent text NOT NULL,
  usr text NOT NULL,
  project text NOT NULL,
  seq bigint NOT NULL DEFAULT 0,
  head bytea NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  stamp bigint NOT NULL DEFAULT 0,
  top bigint NOT NULL DEFAULT 0,
  memories bigint NOT NULL DEFAULT 0,
  did bigint[] NOT NULL,
  key bytea,
  UNIQUE (tenant, agent, usr, project)
) WITH (fillfactor = 50);

-- The journal: the truth. session, place, message_id: those of a message, to find it by. note: which reason the engine
-- itself gave, to count by.
CREATE TABLE event (
  scope bigint NOT NULL,
  seq bigint NOT NULL,
  tenant integer NOT NULL,
  at bigint NOT NULL,
  actor bytea NOT NULL,
  action text NOT NULL,
  why bytea NOT NULL,
  note smallint NOT NULL,
  payload bytea,
  salt bytea,
  digest bytea NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  session bytea,
  place bigint,
  message_id bytea,
  PRIMARY KEY (scope, seq)
) PARTITION BY HASH (scope);
CREATE UNIQUE INDEX event_message ON event (scope, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX event_place ON event (scope, session, place) WHERE session IS NOT NULL;
CREATE INDEX event_few ON event (scope, seq) WHERE action NOT IN ('remember', 'recall');
CREATE INDEX event_recall ON event (scope, seq) WHERE action = 'recall';

-- lists: sources, entities and keywords; standing: the Lifecycle state, both JSON, NULL where all are at their default;
-- began: since when it is true; terms: the indexed terms, as a line.
CREATE TABLE memory (
  scope bigint NOT NULL,
  ord bigint NOT NULL,
  tenant integer NOT NULL,
  event bigint NOT NULL,
  id bytea NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  at bigint NOT NULL,
  began bigint NOT NULL,
  recorded_at bigint NOT NULL,
  session bytea NOT NULL,
  place bigint NOT NULL,
  speaker bytea NOT NULL,
  role text NOT NULL,
  valid_until bigint,
  length integer NOT NULL,
  words bigint NOT NULL,
  lists bytea,
  text bytea NOT NULL,
  standing bytea,
  terms bytea NOT NULL,
  PRIMARY KEY (scope, ord)
) PARTITION BY HASH (scope);
CREATE UNIQUE INDEX memory_id ON memory (scope, id);
CREATE INDEX memory_event ON memory (scope, event);
CREATE INDEX memory_place ON memory (scope, session, place, ord);
CREATE INDEX memory_timeline ON memory (scope, at, place, ord);
CREATE INDEX memory_formed ON memory (scope, ord) WHERE kind <> 'episode';

-- Narrow: every recall writes here.
CREATE TABLE access (
  scope bigint NOT NULL,
  ord bigint NOT NULL,
  tenant integer NOT NULL,
  n bigint NOT NULL,
  last bigint,
  PRIMARY KEY (scope, ord)
) PARTITION BY HASH (scope);

-- v: float16, little-endian.
CREATE TABLE vector (
  scope bigint NOT NULL,
  model integer NOT NULL,
  ord bigint NOT NULL,
  tenant integer NOT NULL,
  v bytea NOT NULL,
  PRIMARY KEY (scope, model, ord)
) PARTITION BY HASH (scope);

DO $$
DECLARE
  name text;
  part integer;
BEGIN
  FOREACH name IN ARRAY ARRAY['event', 'memory', 'access', 'vector'] LOOP
    FOR part IN 0..31 LOOP
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 32, REMAINDER %s) %s', name || '_' || part, name, part,
        CASE name WHEN 'access' THEN 'WITH (fillfactor = 70)' ELSE '' END);
    END LOOP;
  END LOOP;
END $$;

-- How many memories of a scope have no vector of a model; no row: none has one.
CREATE TABLE lacking (
  scope bigint NOT NULL,
  model integer NOT NULL,
  tenant integer NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (scope, model)
);

-- Which memories were formed from an episode; not for the episode's own.
CREATE TABLE source (
  scope bigint NOT NULL,
  episode bytea NOT NULL,
  ord bigint NOT NULL,
  tenant integer NOT NULL,
  PRIMARY KEY (scope, episode, ord)
);
CREATE INDEX source_memory ON source (scope, ord);

CREATE TABLE relation (
  scope bigint NOT NULL,
  source bigint NOT NULL,
  target bigint NOT NULL,
  kind text NOT NULL,
  tenant integer NOT NULL,
  confidence double precision NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (scope, source, target, kind)
);
CREATE INDEX relation_target ON relation (scope, target);

-- Formed memories that were recalled together.
CREATE TABLE companion (
  scope bigint NOT NULL,
  first bigint NOT NULL,
  second bigint NOT NULL,
  tenant integer NOT NULL,
  n bigint NOT NULL,
  since bigint NOT NULL,
  last bigint NOT NULL,
  PRIMARY KEY (scope, first, second)
);
CREATE INDEX companion_second ON companion (scope, second);

-- Which events affected a memory after the one that wrote it; recalls are not among them.
CREATE TABLE touch (
  scope bigint NOT NULL,
  ord bigint NOT NULL,
  event bigint NOT NULL,
  tenant integer NOT NULL,
  PRIMARY KEY (scope, ord, event)
);
CREATE INDEX touch_event ON touch (scope, event);

-- What a scope keeps besides its memories: who may read of it, and what its policies allow.
CREATE TABLE record (
  scope bigint NOT NULL,
  sort bytea NOT NULL,
  name bytea NOT NULL,
  tenant integer NOT NULL,
  about bytea NOT NULL,
  body bytea NOT NULL,
  event bigint NOT NULL,
  PRIMARY KEY (scope, sort, name)
);
CREATE INDEX record_about ON record (tenant, sort, about);

-- A tenant sees its own rows alone; a session that has not said which it is gets an error, not an empty answer. Nothing is
-- granted on the partitions, so they are reached through their tables, whose policies then hold.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['setting', 'model', 'scope', 'event', 'memory', 'access', 'vector', 'lacking', 'source',
                              'relation', 'companion', 'touch', 'record'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own ON %I USING (tenant = (SELECT current_setting(''reverie.tenant'')::integer)) '
      'WITH CHECK (tenant = (SELECT current_setting(''reverie.tenant'')::integer))', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO reverie_app', name);
  END LOOP;
END $$;

-- The only thing a session may know of tenants: the number of the one it names.
CREATE FUNCTION tenant_named(wanted bytea) RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path FROM CURRENT AS 'SELECT id FROM tenant WHERE name = wanted';
REVOKE ALL ON FUNCTION tenant_named(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenant_named(bytea) TO reverie_app;
