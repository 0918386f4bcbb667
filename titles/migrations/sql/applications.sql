-- An application stays as it was submitted; only its state changes, with the title that it brought. Its steps are
-- written once.
REVOKE UPDATE, DELETE ON titles_titleapplication FROM app_web, app_worker;
GRANT UPDATE (state, player_title_id) ON titles_titleapplication TO app_web, app_worker;
CREATE TRIGGER titles_titleapplication_no_truncate BEFORE TRUNCATE ON titles_titleapplication
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE titles_titleapplication ENABLE ALWAYS TRIGGER titles_titleapplication_no_truncate;

CREATE TRIGGER titles_applicationstep_append_only BEFORE UPDATE OR DELETE ON titles_applicationstep
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER titles_applicationstep_no_truncate BEFORE TRUNCATE ON titles_applicationstep
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE titles_applicationstep ENABLE ALWAYS TRIGGER titles_applicationstep_append_only;
ALTER TABLE titles_applicationstep ENABLE ALWAYS TRIGGER titles_applicationstep_no_truncate;
REVOKE UPDATE, DELETE ON titles_applicationstep FROM app_web, app_worker;

-- Rows in the name of the person who acts alone: reporting/migrations/sql/acting_person.sql.
SELECT bind_to_acting_person('titles_titleapplication', 'submitted_by_id');
SELECT bind_to_acting_person('titles_applicationstep', 'by_id');
SELECT bind_to_roles('titles_titleapplication', 'national_official', 'title_council', 'rating_officer', 'tournament_director',
    'administrator');
SELECT bind_to_roles('titles_applicationstep', 'national_official', 'title_council', 'rating_officer', 'tournament_director',
    'administrator');
SELECT bind_to_moment('titles_titleapplication', 'submitted_at');
SELECT bind_to_moment('titles_applicationstep', 'at');

-- Who decides which step (titles/policies.py); who submitted an application only withdraws it.
CREATE FUNCTION guard_application_step() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF public.is_acting_as(CASE NEW.move
            WHEN 'submit' THEN ARRAY['national_official', 'title_council']
            WHEN 'withdraw' THEN ARRAY['national_official', 'title_council']
            WHEN 'approve' THEN ARRAY['title_council']
            WHEN 'confirm' THEN ARRAY['administrator']
            WHEN 'withdraw_title' THEN ARRAY['administrator']
            WHEN 'refuse' THEN ARRAY['title_council', 'administrator']
            ELSE ARRAY['rating_officer', 'tournament_director'] END)
        AND (NEW.move IN ('submit', 'withdraw') OR NEW.by_id IS DISTINCT FROM (
            SELECT submitted_by_id FROM public.titles_titleapplication WHERE id = NEW.application_id)) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'this person does not % an application', NEW.move USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER titles_applicationstep_who BEFORE INSERT ON titles_applicationstep
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_application_step();
ALTER TABLE titles_applicationstep ENABLE ALWAYS TRIGGER titles_applicationstep_who;

-- At the end of a transaction the state of an application is that of its last step.
CREATE FUNCTION require_application_step() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM public.titles_titleapplication a WHERE a.id = NEW.id AND a.state IS DISTINCT FROM (
        SELECT s.state FROM public.titles_applicationstep s WHERE s.application_id = a.id ORDER BY s.id DESC LIMIT 1)) THEN
        RAISE EXCEPTION 'application % has no step to its state', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER titles_titleapplication_by_a_step AFTER INSERT OR UPDATE ON titles_titleapplication
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION require_application_step();
ALTER TABLE titles_titleapplication ENABLE ALWAYS TRIGGER titles_titleapplication_by_a_step;
