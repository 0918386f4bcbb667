-- A championship keeps its address, kind and year. Its steps, lots and the standing of federations are written once.
CREATE TRIGGER fmjd_titles_championship_no_truncate BEFORE TRUNCATE ON fmjd_titles_championship
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE fmjd_titles_championship ENABLE ALWAYS TRIGGER fmjd_titles_championship_no_truncate;
REVOKE UPDATE, DELETE ON fmjd_titles_championship FROM app_web, app_worker;
GRANT UPDATE (place, organiser, first_day, council_day, champion_id, opponent_id, match_played, refused, previous,
    extra_places, version) ON fmjd_titles_championship TO app_web, app_worker;

DO $$
DECLARE
    written text;
BEGIN
    FOREACH written IN ARRAY ARRAY['fmjd_titles_placestep', 'fmjd_titles_drawnlot', 'fmjd_titles_standingdecision'] LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
            written || '_append_only', written);
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            written || '_no_truncate', written);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_append_only');
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_no_truncate');
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM app_web, app_worker', written);
        PERFORM bind_to_acting_person(written::regclass, 'by_id');
        PERFORM bind_to_moment(written::regclass, 'at');
        PERFORM bind_to_roles(written::regclass, 'rating_officer', 'tournament_director');
    END LOOP;
END
$$;

SELECT bind_to_acting_person('fmjd_titles_championship', 'created_by_id');
SELECT bind_to_moment('fmjd_titles_championship', 'created_at');
SELECT bind_to_roles('fmjd_titles_championship', 'rating_officer', 'tournament_director');
