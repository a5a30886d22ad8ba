-- What a scope keeps besides its memories: who may read of it, and what its policies allow.

CREATE TABLE record (
  scope INTEGER NOT NULL,
  sort TEXT NOT NULL,
  name TEXT NOT NULL,
  about TEXT NOT NULL,
  body TEXT NOT NULL,
  event INTEGER NOT NULL,
  PRIMARY KEY (scope, sort, name)
) WITHOUT ROWID;
CREATE INDEX record_about ON record (sort, about);
