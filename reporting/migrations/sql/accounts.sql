-- Roles hold for open accounts, in their federation. An account is opened by its owner with the link of an invitation, or
-- by an administrator, and closed by either; its federation is that of its invitation until an administrator changes it.
CREATE FUNCTION guard_account() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    inviters CONSTANT text[] := ARRAY['administrator', 'rating_officer', 'tournament_director', 'national_official'];
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.acts_by_command
            OR NOT public.is_acting_as(CASE WHEN NEW.is_active THEN ARRAY['administrator'] ELSE inviters END) THEN
            RAISE EXCEPTION 'an account begins closed, by an invitation' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.acts_by_command = OLD.acts_by_command AND (
        public.is_acting_as(ARRAY['administrator'])
        OR NEW.federation_id IS NOT DISTINCT FROM OLD.federation_id AND public.is_acting(NEW.id)
        OR NEW.is_active = OLD.is_active AND public.never_opened(NEW.id) AND public.is_acting_as(inviters)) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'an account is opened, closed and moved by its owner or an administrator: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER reporting_user_begins BEFORE INSERT ON reporting_user
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_account();
CREATE TRIGGER reporting_user_standing BEFORE UPDATE ON reporting_user FOR EACH ROW
    WHEN (session_user = 'app_web' AND (OLD.is_active, OLD.acts_by_command) IS DISTINCT FROM (NEW.is_active, NEW.acts_by_command)
        OR session_user = 'app_web' AND OLD.federation_id IS DISTINCT FROM NEW.federation_id)
    EXECUTE FUNCTION guard_account();
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_begins;
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_standing;
-- An account of commands is known by its address: it stays as it is.
CREATE TRIGGER reporting_user_of_commands BEFORE UPDATE ON reporting_user FOR EACH ROW
    WHEN (session_user = 'app_web' AND OLD.acts_by_command) EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_of_commands;
REVOKE DELETE ON reporting_user FROM app_web, app_worker;

-- Who chose to be named on the public page of a federation (docs/decisions/0077): a row is made only by the person named,
-- is never changed, and is deleted once the account is closed or gets another federation.
REVOKE UPDATE ON reporting_namedofficial FROM app_web, app_worker;

CREATE FUNCTION end_public_name() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM public.reporting_namedofficial WHERE account_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER reporting_user_public_name_ends AFTER UPDATE ON reporting_user FOR EACH ROW
    WHEN (NOT NEW.is_active OR OLD.federation_id IS DISTINCT FROM NEW.federation_id)
    EXECUTE FUNCTION end_public_name();
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_public_name_ends;
REVOKE EXECUTE ON FUNCTION end_public_name() FROM PUBLIC;

-- Tokens of programs (docs/decisions/0076): made and used in the name of their owner, revoked once, never changed.
CREATE TRIGGER reporting_apitoken_revoked_once BEFORE UPDATE ON reporting_apitoken FOR EACH ROW
    WHEN (OLD.revoked_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_apitoken ENABLE ALWAYS TRIGGER reporting_apitoken_revoked_once;
REVOKE UPDATE, DELETE ON reporting_apitoken FROM app_web, app_worker;
GRANT UPDATE (last_used_on, revoked_at, revoked_by_id) ON reporting_apitoken TO app_web, app_worker;

-- An answer stays as it was given; the worker deletes old ones.
REVOKE UPDATE, DELETE ON reporting_apianswer FROM app_web;
REVOKE UPDATE ON reporting_apianswer FROM app_worker;
