-- A merge keeps what was merged and why; it can be undone, once. A record belongs to merges at one end only, so that
-- the surviving record is found in one step: the service holds a lock, and this trigger checks it.
CREATE FUNCTION guard_player_merge() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.undone_at IS NULL AND EXISTS (
            SELECT FROM public.reporting_playermerge
            WHERE undone_at IS NULL AND (duplicate_id = NEW.surviving_id OR surviving_id = NEW.duplicate_id)
        ) THEN
            RAISE EXCEPTION 'a record of another merge can not be merged: refused'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL
        AND to_jsonb(NEW) - '{undone_at,undone_by_id,undone_reason}'::text[]
            = to_jsonb(OLD) - '{undone_at,undone_by_id,undone_reason}'::text[] THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a merge is not changed, only undone once: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER reporting_playermerge_guard BEFORE INSERT OR UPDATE OR DELETE ON reporting_playermerge
    FOR EACH ROW EXECUTE FUNCTION guard_player_merge();
CREATE TRIGGER reporting_playermerge_no_truncate BEFORE TRUNCATE ON reporting_playermerge
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_playermerge ENABLE ALWAYS TRIGGER reporting_playermerge_guard;
ALTER TABLE reporting_playermerge ENABLE ALWAYS TRIGGER reporting_playermerge_no_truncate;
REVOKE DELETE ON reporting_playermerge FROM app_web, app_worker;
