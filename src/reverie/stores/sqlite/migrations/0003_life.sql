-- What life does to a memory. A memory without a standing stands at the beginning.

-- data: every field that is not at its default, as JSON; state: once more, to be read by column.
CREATE TABLE standing (memory INTEGER PRIMARY KEY, state TEXT NOT NULL, data TEXT NOT NULL);

-- Which memories were formed from an episode; not for the episode's own.
CREATE TABLE source (
  scope INTEGER NOT NULL,
  episode TEXT NOT NULL,
  memory INTEGER NOT NULL,
  PRIMARY KEY (scope, episode, memory)
) WITHOUT ROWID;
CREATE INDEX source_memory ON source (memory);

CREATE TABLE relation (
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  kind TEXT NOT NULL,
  confidence REAL NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (source, target, kind)
) WITHOUT ROWID;
CREATE INDEX relation_target ON relation (target);

-- Formed memories that were recalled together.
CREATE TABLE companion (
  first INTEGER NOT NULL,
  second INTEGER NOT NULL,
  count INTEGER NOT NULL,
  since INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (first, second)
) WITHOUT ROWID;
CREATE INDEX companion_second ON companion (second);

-- The events that change what is there, few beside those that only add.
DROP INDEX event_change;
CREATE INDEX event_change ON event (scope, seq) WHERE action NOT IN ('remember', 'recall');

-- Memories that were accessed often: the hot tier is looked for among them.
CREATE INDEX access_often ON access (memory) WHERE count >= 10;
