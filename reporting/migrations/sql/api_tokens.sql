-- Tokens of programs (docs/decisions/0076): made and used in the name of their owner, revoked once, never changed.
SELECT bind_to_acting_person('reporting_apitoken', 'account_id', 'revoked_by_id');
SELECT bind_to_acting_person('reporting_apianswer', 'account_id');

CREATE TRIGGER reporting_apitoken_revoked_once BEFORE UPDATE ON reporting_apitoken FOR EACH ROW
    WHEN (OLD.revoked_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_apitoken ENABLE ALWAYS TRIGGER reporting_apitoken_revoked_once;
REVOKE UPDATE, DELETE ON reporting_apitoken FROM app_web, app_worker;
GRANT UPDATE (last_used_on, revoked_at, revoked_by_id) ON reporting_apitoken TO app_web, app_worker;

-- An answer stays as it was given; the worker deletes old ones.
REVOKE UPDATE, DELETE ON reporting_apianswer FROM app_web;
REVOKE UPDATE ON reporting_apianswer FROM app_worker;

-- As in acting_person.sql; whose refused token it was is known before anyone acts.
CREATE OR REPLACE FUNCTION refuse_event_of_others() RETURNS trigger
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
