-- The web never writes acts in the name of commands or of closed accounts, nor acts of another moment than this one.
-- Visitors have no account: an account of commands stands for them (docs/decisions/0031-roles-by-two-administrators.md).
CREATE FUNCTION refuse_log_entry_of_others() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF current_user = 'app_web' AND (
        NEW.by_command OR NEW.at <> statement_timestamp()
        OR NOT EXISTS (SELECT FROM public.reporting_user u WHERE u.id = NEW.actor_id AND u.is_active
                       AND (NOT u.acts_by_command
                            OR u.email = 'visitor@office.invalid' AND NEW.action LIKE 'request.%'))
    ) THEN
        RAISE EXCEPTION 'the web writes acts of open accounts alone, when they are done'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_logentry_own_name
    BEFORE INSERT ON reporting_logentry FOR EACH ROW EXECUTE FUNCTION refuse_log_entry_of_others();
ALTER TABLE reporting_logentry ENABLE ALWAYS TRIGGER reporting_logentry_own_name;

-- The security log: written once and never changed; what is older than a year may be forgotten, by the worker alone.
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

-- Attempts are written before it is known who makes them, whose refused token it was too. An administrator removes the lost factor of another person.
CREATE FUNCTION refuse_event_of_others() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.account_id IS NULL OR NEW.kind IN ('password_refused', 'code_refused', 'token_refused', 'too_many')
        OR public.is_acting(NEW.account_id)
        OR NEW.kind = 'factor_removed' AND public.holds_role(public.acting_person(), 'administrator') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the web writes % only in the name of the person who acts', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER reporting_securityevent_proven
    BEFORE INSERT ON reporting_securityevent FOR EACH ROW
    WHEN (session_user = 'app_web') EXECUTE FUNCTION refuse_event_of_others();
ALTER TABLE reporting_securityevent ENABLE ALWAYS TRIGGER reporting_securityevent_proven;
