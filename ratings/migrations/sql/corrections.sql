-- What is found and carried with a draft is written in its calculation and stays. Once a statement, since a calculation
-- writes thousands of rows: so it is also what ensures that the list of an anomaly is there.
CREATE FUNCTION refuse_after_calculation() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF EXISTS (SELECT FROM written LEFT JOIN public.ratings_ratinglist list ON list.id = written.list_id
        WHERE list.state IS DISTINCT FROM 'calculated') THEN
        RAISE EXCEPTION '% is written with its draft: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

-- An answer is given while the draft waits for its approval.
CREATE FUNCTION refuse_late_answer() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF (SELECT list.state FROM public.ratings_anomaly anomaly
        JOIN public.ratings_ratinglist list ON list.id = anomaly.list_id WHERE anomaly.id = NEW.anomaly_id)
        NOT IN ('calculated', 'norms_searched', 'ready') THEN
        RAISE EXCEPTION 'this draft is signed: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

DO $$
DECLARE
    written text;
BEGIN
    FOREACH written IN ARRAY ARRAY['ratings_anomaly', 'ratings_anomalyanswer', 'ratings_carriedcorrection',
        'ratings_carrieddifference', 'ratings_heldrow', 'ratings_registerrow'] LOOP
        EXECUTE format('CREATE TRIGGER %I %s', written || '_written', format(
            CASE written WHEN 'ratings_anomalyanswer'
                THEN 'BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION refuse_late_answer()'
                ELSE 'AFTER INSERT ON %I REFERENCING NEW TABLE AS written'
                    ' FOR EACH STATEMENT EXECUTE FUNCTION refuse_after_calculation()'
            END, written));
        EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
            written || '_append_only', written);
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            written || '_no_truncate', written);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_written');
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_append_only');
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_no_truncate');
        EXECUTE format('REVOKE UPDATE, DELETE ON %I FROM app_web, app_worker', written);
    END LOOP;
END
$$;

-- What a correction was asked for never changes; it can be withdrawn, once, until its revision is published.
CREATE FUNCTION guard_correction() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.withdrawn_at IS NULL
        AND to_jsonb(NEW) - 'withdrawn_at' = to_jsonb(OLD) - 'withdrawn_at'
        AND NOT EXISTS (SELECT FROM public.ratings_ratinglist WHERE correction_id = OLD.id AND state = 'published') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a correction stays as it was asked for: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ratings_correction_guard BEFORE UPDATE OR DELETE ON ratings_correction
    FOR EACH ROW EXECUTE FUNCTION guard_correction();
CREATE TRIGGER ratings_correction_no_truncate BEFORE TRUNCATE ON ratings_correction
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_correction ENABLE ALWAYS TRIGGER ratings_correction_guard;
ALTER TABLE ratings_correction ENABLE ALWAYS TRIGGER ratings_correction_no_truncate;
REVOKE DELETE ON ratings_correction FROM app_web, app_worker;

-- A decision of an officer about past quarters is written once.
CREATE TRIGGER ratings_pastquarters_append_only
    BEFORE UPDATE OR DELETE ON ratings_pastquarters FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ratings_pastquarters_no_truncate
    BEFORE TRUNCATE ON ratings_pastquarters FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_pastquarters ENABLE ALWAYS TRIGGER ratings_pastquarters_append_only;
ALTER TABLE ratings_pastquarters ENABLE ALWAYS TRIGGER ratings_pastquarters_no_truncate;
REVOKE UPDATE, DELETE ON ratings_pastquarters FROM app_web, app_worker;

-- The worker finds and carries.
REVOKE INSERT ON ratings_anomaly, ratings_carriedcorrection, ratings_carrieddifference, ratings_heldrow,
    ratings_registerrow FROM app_web;
