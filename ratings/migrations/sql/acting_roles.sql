-- What periods and lists stand on is written by the web only for a person who acts in a role that may:
-- reporting/migrations/sql/acting_roles.sql.
SELECT bind_to_roles('ratings_period', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_periodreport', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_correction', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_calculationrun', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_publishedfile', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_playerhistory', 'releasing_officer');
SELECT bind_to_roles('ratings_ratinglist', 'rating_officer', 'releasing_officer', 'title_council');
SELECT bind_to_roles('ratings_anomalyanswer', 'rating_officer');
SELECT bind_to_roles('ratings_pastquarters', 'rating_officer');
SELECT bind_to_roles('ratings_openingimport', 'rating_officer', 'administrator');

SELECT bind_to_moment('ratings_correction', 'requested_at');
SELECT bind_to_moment('ratings_calculationrun', 'requested_at');
SELECT bind_to_moment('ratings_anomalyanswer', 'at');
SELECT bind_to_moment('ratings_pastquarters', 'confirmed_at');
SELECT bind_to_moment('ratings_openingimport', 'requested_at');

-- What the worker writes with a draft, and what only migrations write. A pool's row is locked by the web, which needs the
-- right to update it.
REVOKE INSERT ON ratings_anomaly, ratings_carriedcorrection, ratings_carrieddifference FROM app_web;
REVOKE INSERT, DELETE ON ratings_pool FROM app_web;
REVOKE DELETE ON ratings_period, ratings_calculationrun FROM app_web, app_worker;
CREATE TRIGGER ratings_pool_not_by_the_web BEFORE UPDATE ON ratings_pool
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_pool ENABLE ALWAYS TRIGGER ratings_pool_not_by_the_web;

-- The days of a period are chosen while it is open, and its freeze is written once, when it happens: after its last day,
-- in the demonstration on it.
CREATE FUNCTION guard_period() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'open' OR NEW.frozen_at IS NOT NULL THEN
            RAISE EXCEPTION 'a period begins open' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (OLD.state, NEW.state) NOT IN (('open', 'open'), ('open', 'frozen'), ('frozen', 'frozen'), ('frozen', 'published'),
        ('published', 'published'), ('published', 'correcting'), ('correcting', 'correcting'), ('correcting', 'published'))
        OR NEW.pool_id <> OLD.pool_id THEN
        RAISE EXCEPTION 'a period does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state = 'open' THEN
        NEW.frozen_at := CASE NEW.state WHEN 'frozen' THEN statement_timestamp() END;
        IF NEW.state = 'frozen' AND NEW.played_before > statement_timestamp() + interval '25 hours' THEN
            RAISE EXCEPTION 'a period is frozen once it is over' USING ERRCODE = 'restrict_violation';
        END IF;
    ELSIF to_jsonb(NEW) - 'state' <> to_jsonb(OLD) - 'state' THEN
        RAISE EXCEPTION 'a frozen period stays as it was frozen' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_period_guard BEFORE INSERT OR UPDATE ON ratings_period
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_period();
ALTER TABLE ratings_period ENABLE ALWAYS TRIGGER ratings_period_guard;

-- A list counts the accepted version of an accepted report.
CREATE FUNCTION require_accepted_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.reporting_report WHERE tournament_id = NEW.tournament_id
        AND accepted_version_id = NEW.version_id AND state = 'accepted') THEN
        RAISE EXCEPTION 'a list counts accepted versions alone' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_periodreport_of_accepted BEFORE INSERT ON ratings_periodreport
    FOR EACH ROW WHEN (session_user IN ('app_web', 'app_worker')) EXECUTE FUNCTION require_accepted_version();
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_of_accepted;

-- A signature is of a person with its role, at that moment; the approver had no part in a report that the list counts.
CREATE FUNCTION guard_signatures() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.approved_by_id IS NOT NULL AND NEW.approved_by_id IS DISTINCT FROM OLD.approved_by_id THEN
        NEW.approved_at := statement_timestamp();
        IF NOT public.is_acting_as(ARRAY['rating_officer']) OR EXISTS (
            SELECT FROM public.ratings_periodreport line
            JOIN public.reporting_reportversion counted ON counted.id = line.version_id
            JOIN public.reporting_report report ON report.id = counted.report_id
            WHERE line.period_id = NEW.period_id AND line.correction_id IS NOT DISTINCT FROM NEW.correction_id
            AND (report.submitted_by_id = NEW.approved_by_id OR EXISTS (
                SELECT FROM public.reporting_reportversion v
                WHERE v.report_id = report.id AND v.number <= counted.number AND (
                    v.created_by_id = NEW.approved_by_id
                    OR EXISTS (SELECT FROM public.reporting_warningcomment c
                               WHERE c.version_id = v.id AND c.by_id = NEW.approved_by_id)
                    OR EXISTS (SELECT FROM public.reporting_reportstep s WHERE s.version_id = v.id
                               AND s.move = 'submit' AND s.by_id = NEW.approved_by_id))))) THEN
            RAISE EXCEPTION 'a rating officer without a part in its reports approves a list'
                USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    IF NEW.published_by_id IS NOT NULL AND NEW.published_by_id IS DISTINCT FROM OLD.published_by_id THEN
        IF NEW.published_at IS NOT NULL THEN
            NEW.published_at := statement_timestamp();
        END IF;
        IF NOT public.is_acting_as(ARRAY['releasing_officer']) THEN
            RAISE EXCEPTION 'a releasing officer publishes a list' USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_ratinglist_signed BEFORE UPDATE ON ratings_ratinglist
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_signatures();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_signed;

-- As the other figures of a draft (guard_rating_list).
CREATE TRIGGER ratings_ratinglist_numbers BEFORE UPDATE ON ratings_ratinglist FOR EACH ROW
    WHEN (OLD.sha256 <> '' AND (OLD.players, OLD.official_players, OLD.tournaments, OLD.games, OLD.is_opening, OLD.calculated_at)
        IS DISTINCT FROM (NEW.players, NEW.official_players, NEW.tournaments, NEW.games, NEW.is_opening, NEW.calculated_at))
    EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_numbers;
