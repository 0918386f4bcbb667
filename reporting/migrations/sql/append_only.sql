-- Rows that are written once: what was sent in, what was answered, who did what.
CREATE FUNCTION refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER reporting_logentry_append_only
    BEFORE UPDATE OR DELETE ON reporting_logentry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_logentry_no_truncate
    BEFORE TRUNCATE ON reporting_logentry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_reportversion_append_only
    BEFORE UPDATE OR DELETE ON reporting_reportversion FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_reportversion_no_truncate
    BEFORE TRUNCATE ON reporting_reportversion FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_warninganswer_append_only
    BEFORE UPDATE OR DELETE ON reporting_warninganswer FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_warninganswer_no_truncate
    BEFORE TRUNCATE ON reporting_warninganswer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE reporting_logentry ENABLE ALWAYS TRIGGER reporting_logentry_append_only;
ALTER TABLE reporting_logentry ENABLE ALWAYS TRIGGER reporting_logentry_no_truncate;
ALTER TABLE reporting_reportversion ENABLE ALWAYS TRIGGER reporting_reportversion_append_only;
ALTER TABLE reporting_reportversion ENABLE ALWAYS TRIGGER reporting_reportversion_no_truncate;
ALTER TABLE reporting_warninganswer ENABLE ALWAYS TRIGGER reporting_warninganswer_append_only;
ALTER TABLE reporting_warninganswer ENABLE ALWAYS TRIGGER reporting_warninganswer_no_truncate;

REVOKE UPDATE, DELETE ON reporting_logentry, reporting_reportversion, reporting_warninganswer FROM app_web, app_worker;
