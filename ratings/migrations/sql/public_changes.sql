-- The feed of changes (docs/decisions/0141-feed-of-changes.md): each entry of the log waits for the worker from the
-- commit of its act on; only the worker numbers changes, and none is ever changed.
CREATE FUNCTION note_unread_entries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO public.ratings_unreadentry (entry_id) SELECT id FROM written;
    RETURN NULL;
END
$$;
CREATE TRIGGER reporting_logentry_unread
    AFTER INSERT ON reporting_logentry REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_unread_entries();
ALTER TABLE reporting_logentry ENABLE ALWAYS TRIGGER reporting_logentry_unread;
REVOKE EXECUTE ON FUNCTION note_unread_entries() FROM PUBLIC;

CREATE TRIGGER ratings_publicchange_append_only
    BEFORE UPDATE OR DELETE ON ratings_publicchange FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ratings_publicchange_no_truncate
    BEFORE TRUNCATE ON ratings_publicchange FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_publicchange ENABLE ALWAYS TRIGGER ratings_publicchange_append_only;
ALTER TABLE ratings_publicchange ENABLE ALWAYS TRIGGER ratings_publicchange_no_truncate;

REVOKE INSERT, UPDATE, DELETE ON ratings_publicchange, ratings_unreadentry FROM app_web;
REVOKE UPDATE, DELETE ON ratings_publicchange FROM app_worker;
REVOKE INSERT, UPDATE ON ratings_unreadentry FROM app_worker;
