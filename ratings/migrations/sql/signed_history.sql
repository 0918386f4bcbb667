-- The signed history (docs/decisions/0143-signed-history.md): only the worker adds to it, one number after the other,
-- and nothing of it is ever changed.
CREATE FUNCTION check_statement_number() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM public.ratings_signedstatement) THEN
        RAISE EXCEPTION 'statements of the signed history are numbered without gaps' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_signedstatement_number
    BEFORE INSERT ON ratings_signedstatement FOR EACH ROW EXECUTE FUNCTION check_statement_number();
ALTER TABLE ratings_signedstatement ENABLE ALWAYS TRIGGER ratings_signedstatement_number;

CREATE TRIGGER ratings_signedstatement_append_only
    BEFORE UPDATE OR DELETE ON ratings_signedstatement FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ratings_signedstatement_no_truncate
    BEFORE TRUNCATE ON ratings_signedstatement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_signedstatement ENABLE ALWAYS TRIGGER ratings_signedstatement_append_only;
ALTER TABLE ratings_signedstatement ENABLE ALWAYS TRIGGER ratings_signedstatement_no_truncate;

REVOKE INSERT, UPDATE, DELETE ON ratings_signedstatement FROM app_web;
REVOKE UPDATE, DELETE ON ratings_signedstatement FROM app_worker;
