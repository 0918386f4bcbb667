-- The days of a period are chosen while it is open, and its freeze is written once, when it happens: after its last day,
-- in the demonstration on it.
CREATE FUNCTION guard_period() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (TG_OP = 'INSERT' OR OLD.state = 'open') AND NOT public.is_acting_as(ARRAY['rating_officer']) THEN
        RAISE EXCEPTION 'a rating officer opens periods, chooses their days and freezes them'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'open' OR NEW.frozen_at IS NOT NULL THEN
            RAISE EXCEPTION 'a period begins open' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (OLD.state, NEW.state) NOT IN (('open', 'open'), ('open', 'frozen'), ('frozen', 'frozen'), ('frozen', 'published'),
        ('published', 'published'), ('published', 'correcting'), ('correcting', 'correcting'), ('correcting', 'published'))
        OR NEW.pool_id <> OLD.pool_id THEN
        RAISE EXCEPTION 'a period does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state = 'open' THEN
        NEW.frozen_at := CASE NEW.state WHEN 'frozen' THEN statement_timestamp() END;
        IF NEW.state = 'frozen' AND NEW.played_before > statement_timestamp() + interval '25 hours' THEN
            RAISE EXCEPTION 'a period is frozen once it is over' USING ERRCODE = 'restrict_violation';
        END IF;
    ELSIF to_jsonb(NEW) - 'state' <> to_jsonb(OLD) - 'state' THEN
        RAISE EXCEPTION 'a frozen period stays as it was frozen' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_period_guard BEFORE INSERT OR UPDATE ON ratings_period
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_period();
ALTER TABLE ratings_period ENABLE ALWAYS TRIGGER ratings_period_guard;
REVOKE DELETE ON ratings_period, ratings_calculationrun FROM app_web, app_worker;

-- A pool's row is locked by the web, which needs the right to update it; only migrations write it.
REVOKE INSERT, DELETE ON ratings_pool FROM app_web;
CREATE TRIGGER ratings_pool_not_by_the_web BEFORE UPDATE ON ratings_pool
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_pool ENABLE ALWAYS TRIGGER ratings_pool_not_by_the_web;
