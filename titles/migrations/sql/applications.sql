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
