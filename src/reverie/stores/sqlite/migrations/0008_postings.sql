-- The text index, by blocks of a scope's memories: key / 4096 within the scope. A block of which all keys are taken has its
-- terms here, in 64 parts by the term's CRC-32; the terms of the newest, and of a block that changed, are read from the
-- memories' own rows. Everything here is derived and may be deleted at any time.

DROP TABLE lexical;

CREATE TABLE posting (
  scope INTEGER NOT NULL,
  part INTEGER NOT NULL,
  block INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (scope, part, block)
) WITHOUT ROWID;

-- Which blocks have their terms in the index; columns: what a recall loads of the block's memories.
CREATE TABLE block (
  scope INTEGER NOT NULL,
  block INTEGER NOT NULL,
  columns BLOB NOT NULL,
  PRIMARY KEY (scope, block)
) WITHOUT ROWID;

-- A store that was always written with secure_delete needs no VACUUM after an erasure.
INSERT OR IGNORE INTO meta SELECT 'overwriting', '' WHERE NOT EXISTS (SELECT 1 FROM event);
