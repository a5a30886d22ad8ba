-- How many memories of a scope have a vector of a model, so that nobody has to count vectors; and the timeline in order.

CREATE TABLE coverage (
  scope INTEGER NOT NULL,
  model INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (scope, model)
) WITHOUT ROWID;
INSERT INTO coverage (scope, model, count)
  SELECT key >> 32 & 16777215, key >> 56, count(*) FROM vector GROUP BY 1, 2;

CREATE INDEX memory_timeline ON memory (scope, at, place, session);
