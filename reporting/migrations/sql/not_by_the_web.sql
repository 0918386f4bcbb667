-- What the web never writes: acts and reports in the name of commands or of closed accounts, and acts of another
-- moment than this one. Visitors have no account: an account of commands stands for them. Whose request it is the
-- database can't know (docs/decisions/0031-roles-by-two-administrators.md).
CREATE FUNCTION refuse_log_entry_of_others() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF current_user = 'app_web' AND (
        NEW.by_command OR NEW.at <> statement_timestamp()
        OR NOT EXISTS (SELECT FROM public.reporting_user u WHERE u.id = NEW.actor_id AND u.is_active
                       AND (NOT u.acts_by_command OR u.email = 'visitor@office.invalid'))
    ) THEN
        RAISE EXCEPTION 'the web writes acts of open accounts alone, when they are done'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION refuse_report_of_commands() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF current_user = 'app_web' AND NOT EXISTS (
        SELECT FROM public.reporting_user u WHERE u.id = NEW.submitted_by_id AND u.is_active AND NOT u.acts_by_command
    ) THEN
        RAISE EXCEPTION 'the web begins reports of open accounts alone' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER reporting_logentry_own_name
    BEFORE INSERT ON reporting_logentry FOR EACH ROW EXECUTE FUNCTION refuse_log_entry_of_others();
CREATE TRIGGER reporting_report_own_name
    BEFORE INSERT ON reporting_report FOR EACH ROW EXECUTE FUNCTION refuse_report_of_commands();
ALTER TABLE reporting_logentry ENABLE ALWAYS TRIGGER reporting_logentry_own_name;
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_own_name;

-- Neither web nor worker writes which migrations were applied, nor another submitter of a report.
REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM app_web, app_worker;
CREATE TRIGGER reporting_report_submitter_once BEFORE UPDATE ON reporting_report FOR EACH ROW
    WHEN (OLD.submitted_by_id IS DISTINCT FROM NEW.submitted_by_id) EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_submitter_once;
