-- Fewer pages for each message: how many memories lack a vector of a model changes rarely where how many have one changed
-- each time, and the timeline holds what growth is counted from.

CREATE TABLE lacking (
  scope INTEGER NOT NULL,
  model INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (scope, model)
) WITHOUT ROWID;
INSERT INTO lacking (scope, model, count)
  SELECT c.scope, c.model, s.memories - c.count FROM coverage c JOIN scope s ON s.id = c.scope;
DROP TABLE coverage;
CREATE VIEW coverage AS
  SELECT l.scope, l.model, s.memories - l.count AS count FROM lacking l JOIN scope s ON s.id = l.scope;

DROP INDEX memory_growth;
DROP INDEX memory_timeline;
CREATE INDEX memory_timeline ON memory (scope, at, place, session, kind, recorded_at);
