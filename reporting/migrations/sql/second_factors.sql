-- Second factors, recovery codes and further addresses are written by the owner of the account alone; an administrator
-- removes them. When a factor was used and when its codes were seen decides nothing.
CREATE FUNCTION guard_factor() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF public.is_acting(OLD.user_id) OR public.is_acting_as(ARRAY['administrator']) THEN
            RETURN OLD;
        END IF;
    ELSIF public.is_acting(NEW.user_id) AND (TG_OP = 'INSERT' OR public.is_acting(OLD.user_id)) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% of an account is written by its owner: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

DO $$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['mfa_authenticator', 'account_emailaddress'] LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR DELETE ON %I FOR EACH ROW WHEN (session_user = ''app_web'')'
            ' EXECUTE FUNCTION guard_factor()', guarded || '_owned', guarded);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', guarded, guarded || '_owned');
    END LOOP;
END
$$;
CREATE TRIGGER mfa_authenticator_changed BEFORE UPDATE ON mfa_authenticator FOR EACH ROW
    WHEN (session_user = 'app_web' AND
        (OLD.user_id, OLD.type, OLD.data - 'viewed_at') IS DISTINCT FROM (NEW.user_id, NEW.type, NEW.data - 'viewed_at'))
    EXECUTE FUNCTION guard_factor();
CREATE TRIGGER account_emailaddress_changed BEFORE UPDATE ON account_emailaddress FOR EACH ROW
    WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_factor();
ALTER TABLE mfa_authenticator ENABLE ALWAYS TRIGGER mfa_authenticator_changed;
ALTER TABLE account_emailaddress ENABLE ALWAYS TRIGGER account_emailaddress_changed;
