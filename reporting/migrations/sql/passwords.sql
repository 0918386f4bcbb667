-- What opens an account is written by its owner alone, who acts in a page or by a link: its password and address. Others
-- only take a password away: an administrator who closes the account, and who invites an account that was never opened.
CREATE FUNCTION guard_password() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    inviters CONSTANT text[] := ARRAY['administrator', 'rating_officer', 'tournament_director', 'national_official'];
    none CONSTANT boolean := NEW.password LIKE '!%';
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF none OR public.is_acting(NEW.id) THEN
            RETURN NEW;
        END IF;
    ELSIF NEW.id = OLD.id AND (public.is_acting(OLD.id) OR none AND NEW.email = OLD.email AND (
            public.is_acting_as(ARRAY['administrator'])
            OR public.never_opened(OLD.id) AND public.is_acting_as(inviters))) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'password and address of an account are written by its owner: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER reporting_user_password_begins BEFORE INSERT ON reporting_user
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_password();
CREATE TRIGGER reporting_user_password BEFORE UPDATE ON reporting_user FOR EACH ROW
    WHEN (session_user = 'app_web' AND (OLD.id, OLD.email, OLD.password) IS DISTINCT FROM (NEW.id, NEW.email, NEW.password))
    EXECUTE FUNCTION guard_password();
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_password_begins;
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_password;
