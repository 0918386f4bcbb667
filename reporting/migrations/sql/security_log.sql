-- Written once and never changed; what is older than a year may be forgotten, by the worker alone.
CREATE FUNCTION keep_security_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.at < now() - interval '365 days' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER reporting_securityevent_append_only
    BEFORE UPDATE OR DELETE ON reporting_securityevent FOR EACH ROW EXECUTE FUNCTION keep_security_event();
CREATE TRIGGER reporting_securityevent_no_truncate
    BEFORE TRUNCATE ON reporting_securityevent FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_securityevent ENABLE ALWAYS TRIGGER reporting_securityevent_append_only;
ALTER TABLE reporting_securityevent ENABLE ALWAYS TRIGGER reporting_securityevent_no_truncate;

REVOKE UPDATE, DELETE ON reporting_securityevent FROM app_web;
REVOKE UPDATE ON reporting_securityevent FROM app_worker;
