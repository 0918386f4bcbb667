-- A title is registered and, at most, withdrawn; its row stays.
INSERT INTO reporting_playertitle (player_id, awarded_by, section, title)
    SELECT id, 'fmjd', '100', title FROM reporting_player WHERE title <> ''
    UNION ALL SELECT id, 'fmjd', '64', title_64 FROM reporting_player WHERE title_64 <> '';

CREATE TRIGGER reporting_playertitle_no_truncate BEFORE TRUNCATE ON reporting_playertitle
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_playertitle ENABLE ALWAYS TRIGGER reporting_playertitle_no_truncate;
REVOKE UPDATE, DELETE ON reporting_playertitle FROM app_web, app_worker;
GRANT UPDATE (withdrawn_on) ON reporting_playertitle TO app_web, app_worker;
