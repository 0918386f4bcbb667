-- Who chose to be named on the public page of a federation (docs/decisions/0077): a row is made only by the person named,
-- is never changed, and is deleted once the account is closed or gets another federation.
SELECT bind_to_acting_person('reporting_namedofficial', 'account_id');
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
