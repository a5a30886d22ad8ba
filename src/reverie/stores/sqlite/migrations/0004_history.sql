-- Which events touched a memory after the one that wrote it: its history is read without the rest of the journal. Recalls
-- are not among them: there are many, each must stay cheap, and they are found by looking through them.
-- CROSS JOIN: from the event to what it names, and from there to the memory by its id; left to itself, SQLite reads all
-- memories of the scope for each event.

CREATE TABLE touch (memory INTEGER NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (memory, event)) WITHOUT ROWID;

INSERT OR IGNORE INTO touch
  SELECT m.key, e.seq FROM event e CROSS JOIN json_each(CAST(e.payload AS TEXT), '$.changes') j
    CROSS JOIN memory m ON m.scope = e.scope AND m.id = json_extract(j.value, '$.id') AND m.event < e.seq
    WHERE e.action = 'change' AND e.payload IS NOT NULL;
INSERT OR IGNORE INTO touch
  SELECT m.key, e.seq FROM event e CROSS JOIN json_each(CAST(e.payload AS TEXT)) l CROSS JOIN json_each(l.value) j
    CROSS JOIN memory m ON m.scope = e.scope AND m.event < e.seq
      AND m.id IN (json_extract(j.value, '$[0]'), json_extract(j.value, '$[1]'))
    WHERE e.action = 'relate' AND e.payload IS NOT NULL AND l.key IN ('added', 'removed');
INSERT OR IGNORE INTO touch
  SELECT m.key, e.seq FROM event e
    CROSS JOIN memory m ON m.scope = e.scope AND m.id = json_extract(CAST(e.payload AS TEXT), '$.memory') AND m.event < e.seq
    WHERE e.action = 'forget' AND e.payload IS NOT NULL;

CREATE INDEX event_recall ON event (scope, seq) WHERE action = 'recall';

-- The dreams of a scope, and its erasures: few events among many.
CREATE INDEX event_dream ON event (scope, seq) WHERE action IN ('dream', 'erase');

-- What the health of a scope is counted from: when memories came, which hold no longer, which messages were observed.
CREATE INDEX memory_growth ON memory (scope, kind, recorded_at / 86400000000);
CREATE INDEX memory_closed ON memory (scope, valid_until) WHERE valid_until IS NOT NULL;
CREATE INDEX standing_state ON standing (state, memory) WHERE state <> 'active';
CREATE INDEX event_observed ON event (scope, seq) WHERE action = 'remember' AND why = 'observed';
