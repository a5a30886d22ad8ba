-- What a tenant's jobs are to do, and how far they are. Whether one waits, runs or has ended says the queue, whose row
-- "number" is. body: arguments, key, who asked and why it failed, sealed as a scope's words are; same: of the key.
CREATE TABLE job (
  tenant integer NOT NULL,
  id text NOT NULL,
  number bigint NOT NULL REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
  agent text NOT NULL,
  usr text NOT NULL,
  project text NOT NULL,
  kind text NOT NULL,
  same text,
  body bytea NOT NULL,
  reason bytea,
  attempts integer NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  total bigint NOT NULL DEFAULT 0,
  enqueued_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX job_number ON job (number);
CREATE INDEX job_scope ON job (tenant, agent, usr, project, id);

-- Of the queue's own tables a tenant sees its own rows alone, too. A worker is of the session's tenant.
ALTER TABLE procrastinate_workers ADD COLUMN tenant integer DEFAULT current_setting('reverie.tenant', true)::integer;
DO $$
DECLARE
  name text;
  own text;
BEGIN
  FOREACH name IN ARRAY ARRAY['job', 'procrastinate_workers', 'procrastinate_jobs', 'procrastinate_events',
                              'procrastinate_periodic_defers'] LOOP
    own := CASE name
      WHEN 'procrastinate_jobs' THEN 'queue_name = (SELECT current_setting(''reverie.tenant''))'
      WHEN 'procrastinate_events' THEN 'EXISTS (SELECT 1 FROM procrastinate_jobs j WHERE j.id = job_id)'
      WHEN 'procrastinate_periodic_defers' THEN 'EXISTS (SELECT 1 FROM procrastinate_jobs j WHERE j.id = job_id)'
      ELSE 'tenant = (SELECT current_setting(''reverie.tenant'')::integer)' END;
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I USING (%s) WITH CHECK (%s)', name, own, own);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO reverie_app', name);
  END LOOP;
END $$;
GRANT USAGE ON SEQUENCE procrastinate_jobs_id_seq, procrastinate_events_id_seq TO reverie_app;
