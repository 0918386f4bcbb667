-- A declaration stays as it was recorded; it can be withdrawn, once.
CREATE FUNCTION guard_world_cup_declaration() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL
        AND to_jsonb(NEW) - '{withdrawn_at,withdrawn_by_id,withdrawal_reason}'::text[]
            = to_jsonb(OLD) - '{withdrawn_at,withdrawn_by_id,withdrawal_reason}'::text[] THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a declaration is not changed, only withdrawn once: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER fmjd_titles_worldcupdeclaration_guard BEFORE UPDATE OR DELETE ON fmjd_titles_worldcupdeclaration
    FOR EACH ROW EXECUTE FUNCTION guard_world_cup_declaration();
CREATE TRIGGER fmjd_titles_worldcupdeclaration_no_truncate BEFORE TRUNCATE ON fmjd_titles_worldcupdeclaration
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE fmjd_titles_worldcupdeclaration ENABLE ALWAYS TRIGGER fmjd_titles_worldcupdeclaration_guard;
ALTER TABLE fmjd_titles_worldcupdeclaration ENABLE ALWAYS TRIGGER fmjd_titles_worldcupdeclaration_no_truncate;
REVOKE UPDATE, DELETE ON fmjd_titles_worldcupdeclaration FROM app_web, app_worker;
GRANT UPDATE (withdrawn_at, withdrawn_by_id, withdrawal_reason) ON fmjd_titles_worldcupdeclaration TO app_web, app_worker;

SELECT bind_to_acting_person('fmjd_titles_worldcupdeclaration', 'by_id', 'withdrawn_by_id');
SELECT bind_to_roles('fmjd_titles_worldcupdeclaration', 'national_official', 'rating_officer', 'tournament_director');
SELECT bind_to_moment('fmjd_titles_worldcupdeclaration', 'at');

-- National officials record; the office alone withdraws.
CREATE TRIGGER fmjd_titles_worldcupdeclaration_withdrawn_by BEFORE UPDATE ON fmjd_titles_worldcupdeclaration
    FOR EACH STATEMENT WHEN (session_user = 'app_web')
    EXECUTE FUNCTION refuse_without_role('rating_officer', 'tournament_director');
ALTER TABLE fmjd_titles_worldcupdeclaration ENABLE ALWAYS TRIGGER fmjd_titles_worldcupdeclaration_withdrawn_by;
