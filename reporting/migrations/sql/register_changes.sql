-- A row for each statement that changes what the matching of players reads. Matches are stored with the number of rows
-- before them and count while it is the same. Rows become visible when the change does, so the number is never early.
CREATE FUNCTION note_register_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO public.reporting_registerchange DEFAULT VALUES;
    RETURN NULL;
END
$$;

CREATE TRIGGER reporting_player_noted
    AFTER INSERT OR DELETE OR UPDATE OF sort_name, federation_id, birth_year, sex ON reporting_player
    FOR EACH STATEMENT EXECUTE FUNCTION note_register_change();
CREATE TRIGGER reporting_playermerge_noted
    AFTER INSERT OR UPDATE OR DELETE ON reporting_playermerge
    FOR EACH STATEMENT EXECUTE FUNCTION note_register_change();
CREATE TRIGGER reporting_playeridentity_noted
    AFTER INSERT OR UPDATE OR DELETE ON reporting_playeridentity
    FOR EACH STATEMENT EXECUTE FUNCTION note_register_change();
ALTER TABLE reporting_player ENABLE ALWAYS TRIGGER reporting_player_noted;
ALTER TABLE reporting_playeridentity ENABLE ALWAYS TRIGGER reporting_playeridentity_noted;
ALTER TABLE reporting_playermerge ENABLE ALWAYS TRIGGER reporting_playermerge_noted;

-- Only these triggers write the rows.
REVOKE INSERT ON reporting_registerchange FROM app_web, app_worker;
REVOKE EXECUTE ON FUNCTION note_register_change() FROM PUBLIC;
