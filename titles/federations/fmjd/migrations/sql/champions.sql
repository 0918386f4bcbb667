-- Medals that the office entered, their withdrawals and the steps of title matches are written once, by the office.
DO $$
DECLARE
    written text;
BEGIN
    FOREACH written IN ARRAY ARRAY['fmjd_titles_enteredmedal', 'fmjd_titles_medalwithdrawal', 'fmjd_titles_titlematchstep']
    LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
            written || '_append_only', written);
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            written || '_no_truncate', written);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_append_only');
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_no_truncate');
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM app_web, app_worker', written);
        PERFORM bind_to_acting_person(written::regclass, 'by_id');
        PERFORM bind_to_roles(written::regclass, 'rating_officer', 'tournament_director');
        PERFORM bind_to_moment(written::regclass, 'at');
    END LOOP;
END
$$;
