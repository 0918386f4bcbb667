-- The row of a list; guard_rating_list, which asks for norms too, is in titles/migrations/sql/rating_lists.sql.
REVOKE DELETE ON ratings_ratinglist FROM app_web, app_worker;

-- A list keeps its number, which norms and anomalies name, and the system that calculated it.
CREATE TRIGGER ratings_ratinglist_system BEFORE UPDATE ON ratings_ratinglist
    FOR EACH ROW WHEN ((OLD.id, OLD.system) IS DISTINCT FROM (NEW.id, NEW.system)) EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_system;

-- The merges that a list is read with are fixed in its calculation, and so is what it reads besides its pool.
CREATE TRIGGER ratings_ratinglist_merges BEFORE UPDATE ON ratings_ratinglist
    FOR EACH ROW WHEN ((OLD.merges, OLD.other_lists, OLD.source_lists, OLD.membership_table_id)
        IS DISTINCT FROM (NEW.merges, NEW.other_lists, NEW.source_lists, NEW.membership_table_id)) EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_merges;

-- Figures and inputs of a draft stay, as those in guard_rating_list.
CREATE TRIGGER ratings_ratinglist_numbers BEFORE UPDATE ON ratings_ratinglist FOR EACH ROW
    WHEN (OLD.sha256 <> '' AND (OLD.players, OLD.official_players, OLD.federations, OLD.tournaments, OLD.games, OLD.is_opening,
        OLD.calculated_at, OLD.imported_by_id) IS DISTINCT FROM (NEW.players, NEW.official_players, NEW.federations, NEW.tournaments,
        NEW.games, NEW.is_opening, NEW.calculated_at, NEW.imported_by_id))
    EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_numbers;
CREATE TRIGGER ratings_ratinglist_decisions BEFORE UPDATE ON ratings_ratinglist FOR EACH ROW
    WHEN (OLD.sha256 <> '' AND OLD.decisions IS DISTINCT FROM NEW.decisions) EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_decisions;

-- Who uploaded the table of an opening list does not approve it: a table is replaced, never exchanged under another name.
REVOKE UPDATE ON ratings_openingimport FROM app_web;

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

-- An administrator discards the draft of an opening list (check_can_import_list), and writes nothing else of a list.
CREATE FUNCTION guard_list_of_administrators() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF public.is_acting_as(ARRAY['rating_officer', 'releasing_officer', 'title_council']) THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        IF OLD.is_opening AND NEW.state = 'superseded' AND to_jsonb(NEW) - 'state' = to_jsonb(OLD) - 'state' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'an administrator only discards the draft of an opening list' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ratings_ratinglist_of_administrators BEFORE INSERT OR UPDATE ON ratings_ratinglist
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_list_of_administrators();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_of_administrators;

-- Lists are calculated and imported by the worker; the web moves them on.
CREATE TRIGGER ratings_ratinglist_by_the_worker BEFORE INSERT ON ratings_ratinglist FOR EACH STATEMENT
    WHEN (session_user = 'app_web') EXECUTE FUNCTION refuse_without_role('no role');
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_by_the_worker;
