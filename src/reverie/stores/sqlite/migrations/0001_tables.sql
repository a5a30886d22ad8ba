-- The first schema. Moments are microseconds since the epoch; text that is no valid UTF-8 stands as a blob.
-- key = scope << 32 | place in the scope's order of writing: a scope's memories lie together, no key is used twice.

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- version: the last event that changed content; stamp: how often everything derived was made anew; top: the last key.
CREATE TABLE scope (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  user TEXT NOT NULL,
  project TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  stamp INTEGER NOT NULL DEFAULT 0,
  top INTEGER NOT NULL DEFAULT 0,
  memories INTEGER NOT NULL DEFAULT 0,
  events INTEGER NOT NULL DEFAULT 0,
  UNIQUE (agent, user, project)
);

-- The journal: the truth. Everything below can be rebuilt from it.
CREATE TABLE event (
  seq INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  why TEXT NOT NULL,
  payload BLOB,
  salt BLOB,
  digest BLOB NOT NULL,
  previous BLOB NOT NULL,
  hash BLOB NOT NULL
);
CREATE INDEX event_change ON event (scope, seq) WHERE action IN ('forget', 'erase');

CREATE TABLE episode (
  event INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  scope INTEGER NOT NULL,
  session TEXT NOT NULL,
  place INTEGER NOT NULL,
  speaker TEXT NOT NULL,
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  message_id TEXT
);
CREATE INDEX episode_place ON episode (scope, session, place);
CREATE UNIQUE INDEX episode_message ON episode (scope, message_id) WHERE message_id IS NOT NULL;

-- text NULL: the episode's; tokens: the index terms; length and words: what the search index knows of it; lists: sources, entities and
-- keywords as JSON, NULL when all are empty.
CREATE TABLE memory (
  key INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  event INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  session TEXT NOT NULL,
  place INTEGER NOT NULL,
  speaker TEXT NOT NULL,
  role TEXT NOT NULL,
  valid_until INTEGER,
  length INTEGER NOT NULL,
  words INTEGER NOT NULL,
  lists TEXT,
  text TEXT,
  tokens TEXT NOT NULL
);
CREATE UNIQUE INDEX memory_id ON memory (scope, id);

-- Narrow and without further indexes: every recall writes here.
CREATE TABLE access (memory INTEGER PRIMARY KEY, count INTEGER NOT NULL, last_at INTEGER NOT NULL);

CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  revision TEXT NOT NULL,
  dims INTEGER NOT NULL
);

-- key = model << 56 | memory's key: the vectors of one model and scope lie together. float16, little-endian.
CREATE TABLE vector (key INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The index of the memories' tokens, each prefixed with its scope's number. Small leaves: adding one memory to leaves
-- that fill their pages moves three pages, to small ones two fewer.
CREATE VIRTUAL TABLE lexical USING fts5 (
  tokens, content = 'memory', content_rowid = 'key', tokenize = 'ascii', columnsize = 0
);
INSERT INTO lexical (lexical, rank) VALUES ('pgsz', 1000);
