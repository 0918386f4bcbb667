-- Rows that are written once: what was commented, remarked, noted and decided, who did what. Versions of reports: reports.sql.
CREATE FUNCTION refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

DO $$
DECLARE
    written text;
BEGIN
    FOREACH written IN ARRAY ARRAY['reporting_logentry', 'reporting_warningcomment', 'reporting_reviewremark',
        'reporting_requestentry', 'reporting_lookalikedecision', 'reporting_reportnote', 'reporting_reportstep',
        'reporting_tournamentdecision', 'reporting_registerchange', 'reporting_membershiptable',
        'reporting_clubmembership'] LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
            written || '_append_only', written);
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            written || '_no_truncate', written);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_append_only');
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_no_truncate');
        EXECUTE format('REVOKE UPDATE, DELETE ON %I FROM app_web, app_worker', written);
    END LOOP;
END
$$;

-- A message stays as it was written: the web adds rows, the worker marks them as sent.
REVOKE UPDATE, DELETE ON reporting_message FROM app_web, app_worker;
GRANT UPDATE (due_at, attempts, sent_at) ON reporting_message TO app_worker;

-- A request stays as it was sent; its state changes, and its sender can be erased.
REVOKE UPDATE, DELETE ON reporting_correctionrequest FROM app_web, app_worker;
GRANT UPDATE (state, waiting_since, taken_by_id, confirmed_at, answered_at, reopened_at, name, email, erased_at)
    ON reporting_correctionrequest TO app_web, app_worker;
