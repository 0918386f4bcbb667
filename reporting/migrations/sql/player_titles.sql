-- A title is registered and, at most, withdrawn; its row stays.
CREATE TRIGGER reporting_playertitle_no_truncate BEFORE TRUNCATE ON reporting_playertitle
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_playertitle ENABLE ALWAYS TRIGGER reporting_playertitle_no_truncate;
REVOKE UPDATE, DELETE ON reporting_playertitle FROM app_web, app_worker;
GRANT UPDATE (withdrawn_on) ON reporting_playertitle TO app_web, app_worker;
