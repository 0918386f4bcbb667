-- Two ways into a manifest: with the freeze, and with a correction of the published list. A tournament, or each part of
-- one, counts once in each manifest, whichever of its corrected reports it is, and in one period at a time; one with a session in one period
-- of each pool that its games have the tempo of (R25). A withdrawn correction counts nothing, nor does a manifest whose
-- list a later published revision replaces.
CREATE FUNCTION refuse_manifest_line() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF (SELECT state FROM public.ratings_period WHERE id = NEW.period_id)
        IS DISTINCT FROM (CASE WHEN NEW.correction_id IS NULL THEN 'frozen' ELSE 'correcting' END) THEN
        RAISE EXCEPTION 'a report enters a list when its period is frozen or its list corrected: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF session_user = 'app_web' AND NEW.correction_id IS NULL AND NOT EXISTS (
        SELECT FROM public.ratings_period WHERE id = NEW.period_id AND frozen_at >= transaction_timestamp()) THEN
        RAISE EXCEPTION 'a report enters a list with the freeze: % refused', TG_OP USING ERRCODE = 'restrict_violation';
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
        SELECT FROM public.reporting_resultset own
        JOIN public.reporting_resultset other ON (other.code, other.part) = (own.code, own.part)
        JOIN public.ratings_periodreport line ON line.result_set_id = other.id
        JOIN public.ratings_period counting ON counting.id = line.period_id
        JOIN public.ratings_period period ON period.id = NEW.period_id
        LEFT JOIN public.ratings_correction asked ON asked.id = line.correction_id
        WHERE own.id = NEW.result_set_id
            AND (counting.pool_id = period.pool_id OR (own.session = '{}' AND other.session = '{}'))
            AND (
                (line.period_id = NEW.period_id AND line.correction_id IS NOT DISTINCT FROM NEW.correction_id)
                OR (line.period_id <> NEW.period_id AND asked.withdrawn_at IS NULL AND NOT EXISTS (
                    SELECT FROM public.ratings_ratinglist list WHERE list.period_id = line.period_id
                        AND list.state = 'published' AND list.correction_id > coalesce(line.correction_id, 0)))
            )
    ) THEN
        RAISE EXCEPTION 'this tournament is already counted: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_periodreport_frozen BEFORE INSERT ON ratings_periodreport
    FOR EACH ROW EXECUTE FUNCTION refuse_manifest_line();
CREATE TRIGGER ratings_periodreport_append_only BEFORE UPDATE OR DELETE ON ratings_periodreport
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ratings_periodreport_no_truncate BEFORE TRUNCATE ON ratings_periodreport
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_frozen;
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_append_only;
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_no_truncate;
REVOKE UPDATE, DELETE ON ratings_periodreport FROM app_web, app_worker;

-- A list counts the accepted version of an accepted report.
CREATE FUNCTION require_accepted_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.reporting_report WHERE result_set_id = NEW.result_set_id
        AND accepted_version_id = NEW.version_id AND state = 'accepted') THEN
        RAISE EXCEPTION 'a list counts accepted versions alone' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_periodreport_of_accepted BEFORE INSERT ON ratings_periodreport
    FOR EACH ROW WHEN (session_user IN ('app_web', 'app_worker')) EXECUTE FUNCTION require_accepted_version();
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_of_accepted;

-- What a list was calculated from stays accepted, and so unchanged (reporting/migrations/sql/tournaments.sql).
CREATE FUNCTION refuse_counted_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND ROW(NEW.state, NEW.result_set_id, NEW.accepted_version_id)
            IS NOT DISTINCT FROM ROW(OLD.state, OLD.result_set_id, OLD.accepted_version_id) THEN
        RETURN NEW;
    END IF;
    IF EXISTS (SELECT FROM public.ratings_periodreport WHERE result_set_id = OLD.result_set_id) THEN
        RAISE EXCEPTION '% of a tournament that a list counts: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER reporting_report_counted BEFORE UPDATE OR DELETE ON reporting_report
    FOR EACH ROW WHEN (OLD.state = 'accepted') EXECUTE FUNCTION refuse_counted_change();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_counted;
