-- A proposal stays as it was made; only the decision is written, once. Stars never go down (Annex 18 condition 10).
REVOKE UPDATE, DELETE, TRUNCATE ON fmjd_reports_worldcupproposal FROM app_web, app_worker;
GRANT UPDATE (state, decided_by_id, decided_at, reason) ON fmjd_reports_worldcupproposal TO app_web, app_worker;

CREATE FUNCTION guard_world_cup_proposal() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' OR TG_OP = 'INSERT' AND NEW.state <> 'proposed'
        OR TG_OP = 'UPDATE' AND (
            (to_jsonb(NEW) - ARRAY['state', 'decided_by_id', 'decided_at', 'reason'])
                <> (to_jsonb(OLD) - ARRAY['state', 'decided_by_id', 'decided_at', 'reason'])
            OR NOT (OLD.state = 'proposed' AND NEW.state IN ('approved', 'returned', 'replaced')
                OR OLD.state = 'approved' AND NEW.state = 'replaced'
                    AND (NEW.decided_by_id, NEW.decided_at, NEW.reason)
                        = (OLD.decided_by_id, OLD.decided_at, OLD.reason))
            OR NEW.state = 'approved' AND EXISTS (
                SELECT FROM public.fmjd_reports_worldcupproposal earlier
                WHERE earlier.tournament_id = NEW.tournament_id AND earlier.id <> NEW.id
                    AND earlier.decided_by_id IS NOT NULL AND earlier.state = 'replaced' AND earlier.stars > NEW.stars)
            OR session_user = 'app_web' AND NEW.state IN ('approved', 'returned')
                AND NOT public.is_acting_as(ARRAY['tournament_director'])) THEN
        RAISE EXCEPTION 'a proposal for a World Cup event stays as it was made: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER fmjd_reports_worldcupproposal_guarded BEFORE INSERT OR UPDATE OR DELETE ON fmjd_reports_worldcupproposal
    FOR EACH ROW EXECUTE FUNCTION guard_world_cup_proposal();
CREATE TRIGGER fmjd_reports_worldcupproposal_no_truncate BEFORE TRUNCATE ON fmjd_reports_worldcupproposal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE fmjd_reports_worldcupproposal ENABLE ALWAYS TRIGGER fmjd_reports_worldcupproposal_guarded;
ALTER TABLE fmjd_reports_worldcupproposal ENABLE ALWAYS TRIGGER fmjd_reports_worldcupproposal_no_truncate;

SELECT bind_to_acting_person('fmjd_reports_worldcupproposal', 'proposed_by_id', 'decided_by_id');
SELECT bind_to_roles('fmjd_reports_worldcupproposal', 'national_official', 'rating_officer', 'tournament_director');
SELECT bind_to_moment('fmjd_reports_worldcupproposal', 'proposed_at');
