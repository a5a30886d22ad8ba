-- A login of one tenant's own. What a session of the role reverie_app says of its tenant can be said anew by whoever runs
-- SQL in it; the policies of such a login name its tenant once for all. So the first policies are reverie_app's alone.
DO $$
DECLARE
  named record;
BEGIN
  FOR named IN SELECT p.polrelid::regclass AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
               WHERE p.polname = 'own' AND c.relnamespace = current_schema()::regnamespace LOOP
    EXECUTE format('ALTER POLICY own ON %s TO reverie_app', named.name);
  END LOOP;
END $$;

-- A function with its owner's rights must not find a caller's temporary tables before its own.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION tenant_named(bytea) SET search_path = %I, pg_temp', current_schema());
END $$;

-- Give a role what reverie_app may do, in one tenant alone; again after each migration. The role must not be a member of
-- reverie_app, whose policies would then be its own too.
CREATE FUNCTION admit(login name, wanted integer) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  found record;
  rule text;
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), login);
  FOR found IN SELECT c.oid::regclass AS name, c.relkind, a.privilege_type AS may FROM pg_class c, aclexplode(c.relacl) a
               WHERE c.relnamespace = current_schema()::regnamespace AND a.grantee = 'reverie_app'::regrole LOOP
    EXECUTE format('GRANT %s ON %s %s TO %I', found.may, CASE found.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
                   found.name, login);
  END LOOP;
  FOR found IN SELECT p.oid::regprocedure AS name FROM pg_proc p, aclexplode(p.proacl) a
               WHERE p.pronamespace = current_schema()::regnamespace AND a.grantee = 'reverie_app'::regrole LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', found.name, login);
  END LOOP;
  FOR found IN SELECT p.polrelid::regclass AS name, pg_get_expr(p.polqual, p.polrelid) AS rule FROM pg_policy p
               JOIN pg_class c ON c.oid = p.polrelid
               WHERE p.polname = 'own' AND c.relnamespace = current_schema()::regnamespace LOOP
    rule := replace(found.rule, 'current_setting(''reverie.tenant''::text)', format('%L::text', wanted::text));
    EXECUTE format('DROP POLICY IF EXISTS %I ON %s', 'own_' || login, found.name);
    EXECUTE format('CREATE POLICY %I ON %s TO %I USING (%s) WITH CHECK (%s)',
                   'own_' || login, found.name, login, rule, rule);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION admit(name, integer) FROM PUBLIC;
