-- A list of a source is written by the worker or a command, once: what lists were calculated from never changes.
ALTER TABLE ratings_sourcelist ALTER COLUMN numbers SET STORAGE EXTERNAL, ALTER COLUMN ratings SET STORAGE EXTERNAL;
CREATE TRIGGER ratings_sourcelist_append_only
    BEFORE UPDATE OR DELETE ON ratings_sourcelist FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ratings_sourcelist_no_truncate
    BEFORE TRUNCATE ON ratings_sourcelist FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_sourcelist ENABLE ALWAYS TRIGGER ratings_sourcelist_append_only;
ALTER TABLE ratings_sourcelist ENABLE ALWAYS TRIGGER ratings_sourcelist_no_truncate;
REVOKE UPDATE, DELETE ON ratings_sourcelist FROM app_web, app_worker;
REVOKE INSERT ON ratings_sourcelist FROM app_web;

-- An uploaded file is replaced, never exchanged under another name.
REVOKE UPDATE ON ratings_sourceimport, ratings_sourceimportpart FROM app_web;
ALTER TABLE ratings_sourceimportpart ALTER COLUMN content SET STORAGE EXTERNAL;

-- The values of a list are fixed with the freeze of its period.
CREATE FUNCTION refuse_values_of_frozen() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
    own record;
BEGIN
    own := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    IF EXISTS (SELECT FROM public.ratings_period WHERE pool_id = own.pool_id AND in_force = own.in_force AND state <> 'open')
        OR (TG_OP = 'UPDATE' AND (OLD.pool_id, OLD.in_force) IS DISTINCT FROM (NEW.pool_id, NEW.in_force)) THEN
        RAISE EXCEPTION 'the values of a list are fixed with the freeze: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN own;
END
$$;
CREATE TRIGGER ratings_listvalues_until_frozen
    BEFORE INSERT OR UPDATE OR DELETE ON ratings_listvalues FOR EACH ROW EXECUTE FUNCTION refuse_values_of_frozen();
CREATE TRIGGER ratings_listvalues_no_truncate
    BEFORE TRUNCATE ON ratings_listvalues FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_listvalues ENABLE ALWAYS TRIGGER ratings_listvalues_until_frozen;
ALTER TABLE ratings_listvalues ENABLE ALWAYS TRIGGER ratings_listvalues_no_truncate;
