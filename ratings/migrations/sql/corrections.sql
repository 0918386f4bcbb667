-- Two ways into a manifest: with the freeze, and with a correction of the published list. A competition counts in one
-- period at a time, and once in each manifest, whichever of its corrected reports it is. A withdrawn correction counts
-- nothing, nor does a manifest whose list a later published revision replaces.
CREATE OR REPLACE FUNCTION refuse_manifest_line() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF (SELECT state FROM public.ratings_period WHERE id = NEW.period_id)
        IS DISTINCT FROM (CASE WHEN NEW.correction_id IS NULL THEN 'frozen' ELSE 'correcting' END) THEN
        RAISE EXCEPTION 'a report enters a list when its period is frozen or its list corrected: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.correction_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM public.ratings_correction asked
        JOIN public.ratings_ratinglist replaced ON replaced.id = asked.replaces_id
        WHERE asked.id = NEW.correction_id AND replaced.period_id = NEW.period_id AND asked.withdrawn_at IS NULL
            AND NOT EXISTS (SELECT FROM public.ratings_ratinglist list
                WHERE list.correction_id = asked.id AND list.state = 'published')
    ) THEN
        RAISE EXCEPTION 'this correction is not under way in the period: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (
        SELECT FROM public.reporting_tournament own
        JOIN public.reporting_tournament other ON other.code = own.code
        JOIN public.ratings_periodreport line ON line.tournament_id = other.id
        LEFT JOIN public.ratings_correction asked ON asked.id = line.correction_id
        WHERE own.id = NEW.tournament_id AND (
            (line.period_id = NEW.period_id AND line.correction_id IS NOT DISTINCT FROM NEW.correction_id)
            OR (line.period_id <> NEW.period_id AND asked.withdrawn_at IS NULL AND NOT EXISTS (
                SELECT FROM public.ratings_ratinglist list WHERE list.period_id = line.period_id
                    AND list.state = 'published' AND list.correction_id > coalesce(line.correction_id, 0)))
        )
    ) THEN
        RAISE EXCEPTION 'this competition is counted already: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

-- What is found and carried with a draft is written in its calculation and stays.
CREATE FUNCTION refuse_after_calculation() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF (SELECT state FROM public.ratings_ratinglist WHERE id = NEW.list_id) IS DISTINCT FROM 'calculated' THEN
        RAISE EXCEPTION '% is written with its draft: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
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
        'ratings_carrieddifference'] LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION %I()', written || '_written',
            written, CASE written WHEN 'ratings_anomalyanswer' THEN 'refuse_late_answer' ELSE 'refuse_after_calculation' END);
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

-- A correction says for ever what it was asked for; it can be withdrawn, once, until its revision is published.
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

CREATE OR REPLACE FUNCTION guard_rating_list() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' OR (TG_OP <> 'INSERT' AND OLD.state = 'published') THEN
        RAISE EXCEPTION 'a published list never changes: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    IF NEW.state = 'published' AND (TG_OP = 'INSERT' OR OLD.state <> 'approved') THEN
        RAISE EXCEPTION 'only an approved list can be published' USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.sha256 <> '' AND (NEW.sha256, NEW.previous_sha256, NEW.facts_sha256, NEW.edition,
        NEW.previous_id, NEW.in_force, NEW.closing, NEW.pool_id, NEW.period_id, NEW.revision, NEW.correction_id,
        NEW.read_lists)
        IS DISTINCT FROM (OLD.sha256, OLD.previous_sha256, OLD.facts_sha256, OLD.edition,
        OLD.previous_id, OLD.in_force, OLD.closing, OLD.pool_id, OLD.period_id, OLD.revision, OLD.correction_id,
        OLD.read_lists) THEN
        RAISE EXCEPTION 'the figures of a draft never change: calculate a new one' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

-- Lists of before: each was calculated from the published lists in force before it.
ALTER TABLE ratings_ratinglist DISABLE TRIGGER ratings_ratinglist_guard;
UPDATE ratings_ratinglist list SET read_lists = ARRAY(
    SELECT earlier.id FROM ratings_ratinglist earlier
    WHERE earlier.pool_id = list.pool_id AND earlier.state = 'published' AND earlier.in_force < list.in_force
    ORDER BY earlier.in_force)
WHERE NOT list.is_opening;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_guard;
SET CONSTRAINTS ALL DEFERRED;
