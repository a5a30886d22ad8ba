-- Each scope has a journal of its own: seq is an event's number in its scope. position is its place in the order of writing
-- of the whole file, which the other tables refer to. The rows are moved by code, which makes the hashes of the new chains.

ALTER TABLE event RENAME TO event_before;

CREATE TABLE event (
  position INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  seq INTEGER NOT NULL,
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

DROP TABLE event_before;

CREATE UNIQUE INDEX event_seq ON event (scope, seq);
CREATE INDEX event_change ON event (scope, position) WHERE action NOT IN ('remember', 'recall');
CREATE INDEX event_recall ON event (scope, position) WHERE action = 'recall';
CREATE INDEX event_dream ON event (scope, position) WHERE action IN ('dream', 'erase');
CREATE INDEX event_observed ON event (scope, position) WHERE action = 'remember' AND why = 'observed';
