-- What is on a list stays. One change is let through: a person's name gives way to "Erased player", by the owner's
-- function below; figures and number remain.
CREATE FUNCTION refuse_published_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME LIKE 'ratings\_ratinglistrow\_%'
        AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID) THEN
        IF NEW.name = 'Erased player' AND NEW.sort_name = 'erased player'
            AND to_jsonb(NEW) - '{name,sort_name}'::text[] = to_jsonb(OLD) - '{name,sort_name}'::text[] THEN
            RETURN NEW;
        END IF;
    END IF;
    IF TG_OP = 'INSERT' AND TG_TABLE_NAME = 'ratings_publishedfile'
        AND (SELECT state FROM public.ratings_ratinglist WHERE id = NEW.list_id) IS DISTINCT FROM 'published' THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'ratings_publishedfile'
        AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID) THEN
        IF OLD.has_names AND to_jsonb(NEW) - '{content,sha256,size}'::text[]
            = to_jsonb(OLD) - '{content,sha256,size}'::text[] THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% holds published figures: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER ratings_ratinglistrow_immutable BEFORE INSERT OR UPDATE OR DELETE ON ratings_ratinglistrow
    FOR EACH ROW EXECUTE FUNCTION refuse_published_change();
CREATE TRIGGER ratings_ratinglistrow_no_truncate BEFORE TRUNCATE ON ratings_ratinglistrow
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_published_change();
CREATE TRIGGER ratings_ratingchange_immutable BEFORE INSERT OR UPDATE OR DELETE ON ratings_ratingchange
    FOR EACH ROW EXECUTE FUNCTION refuse_published_change();
CREATE TRIGGER ratings_ratingchange_no_truncate BEFORE TRUNCATE ON ratings_ratingchange
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_published_change();
CREATE TRIGGER ratings_publishedfile_immutable BEFORE INSERT OR UPDATE OR DELETE ON ratings_publishedfile
    FOR EACH ROW EXECUTE FUNCTION refuse_published_change();
CREATE TRIGGER ratings_publishedfile_no_truncate BEFORE TRUNCATE ON ratings_publishedfile
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_published_change();
-- Two ways into a manifest: with the freeze, and with a correction of the published list. A tournament counts in one
-- period at a time, and once in each manifest, whichever of its corrected reports it is. A withdrawn correction counts
-- nothing, nor does a manifest whose list a later published revision replaces.
CREATE FUNCTION refuse_manifest_line() RETURNS trigger
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

ALTER TABLE ratings_ratinglistrow ENABLE ALWAYS TRIGGER ratings_ratinglistrow_immutable;
ALTER TABLE ratings_ratinglistrow ENABLE ALWAYS TRIGGER ratings_ratinglistrow_no_truncate;
ALTER TABLE ratings_ratingchange ENABLE ALWAYS TRIGGER ratings_ratingchange_immutable;
ALTER TABLE ratings_ratingchange ENABLE ALWAYS TRIGGER ratings_ratingchange_no_truncate;
ALTER TABLE ratings_publishedfile ENABLE ALWAYS TRIGGER ratings_publishedfile_immutable;
ALTER TABLE ratings_publishedfile ENABLE ALWAYS TRIGGER ratings_publishedfile_no_truncate;
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_frozen;
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_append_only;
ALTER TABLE ratings_periodreport ENABLE ALWAYS TRIGGER ratings_periodreport_no_truncate;

-- What a list was calculated from stays as it was: a tournament in a manifest, its entries, rounds and games.
CREATE FUNCTION refuse_counted_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
    touched bigint[];
BEGIN
    IF TG_TABLE_NAME = 'reporting_tournament' THEN
        touched := ARRAY[OLD.id];
    ELSIF TG_OP = 'INSERT' THEN
        touched := ARRAY[NEW.tournament_id];
    ELSIF TG_OP = 'DELETE' THEN
        touched := ARRAY[OLD.tournament_id];
    ELSE
        touched := ARRAY[OLD.tournament_id, NEW.tournament_id];
    END IF;
    IF EXISTS (SELECT FROM public.ratings_periodreport WHERE tournament_id = ANY (touched)) THEN
        RAISE EXCEPTION '% of a tournament that a list counts: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER reporting_tournament_counted BEFORE UPDATE OR DELETE ON reporting_tournament
    FOR EACH ROW EXECUTE FUNCTION refuse_counted_change();
CREATE TRIGGER reporting_entry_counted BEFORE INSERT OR UPDATE OR DELETE ON reporting_entry
    FOR EACH ROW EXECUTE FUNCTION refuse_counted_change();
CREATE TRIGGER reporting_round_counted BEFORE INSERT OR UPDATE OR DELETE ON reporting_round
    FOR EACH ROW EXECUTE FUNCTION refuse_counted_change();
CREATE TRIGGER reporting_game_counted BEFORE INSERT OR UPDATE OR DELETE ON reporting_game
    FOR EACH ROW EXECUTE FUNCTION refuse_counted_change();
ALTER TABLE reporting_tournament ENABLE ALWAYS TRIGGER reporting_tournament_counted;
ALTER TABLE reporting_entry ENABLE ALWAYS TRIGGER reporting_entry_counted;
ALTER TABLE reporting_round ENABLE ALWAYS TRIGGER reporting_round_counted;
ALTER TABLE reporting_game ENABLE ALWAYS TRIGGER reporting_game_counted;

-- A published list's own row: nothing of it changes, it can't go, and nothing becomes published but from approved
-- and by the two signatures (constraint list_published_with_two_signatures).
CREATE FUNCTION guard_rating_list() RETURNS trigger
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
    IF TG_OP = 'UPDATE' AND OLD.sha256 <> '' AND (NEW.sha256, NEW.previous_sha256, NEW.input_sha256, NEW.edition,
        NEW.previous_id, NEW.in_force, NEW.closing, NEW.pool_id, NEW.period_id, NEW.revision, NEW.correction_id,
        NEW.input_lists)
        IS DISTINCT FROM (OLD.sha256, OLD.previous_sha256, OLD.input_sha256, OLD.edition,
        OLD.previous_id, OLD.in_force, OLD.closing, OLD.pool_id, OLD.period_id, OLD.revision, OLD.correction_id,
        OLD.input_lists) THEN
        RAISE EXCEPTION 'the figures of a draft never change: calculate a new one' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_ratinglist_guard BEFORE INSERT OR UPDATE OR DELETE ON ratings_ratinglist
    FOR EACH ROW EXECUTE FUNCTION guard_rating_list();
CREATE TRIGGER ratings_ratinglist_no_truncate BEFORE TRUNCATE ON ratings_ratinglist
    FOR EACH STATEMENT EXECUTE FUNCTION guard_rating_list();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_guard;
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_no_truncate;

-- Players' histories repeat published figures, and K hangs on them (R5): they come with a list's release and go only
-- when a later revision of the list takes its place. By statement, so that half a million rows cost one look.
CREATE FUNCTION guard_player_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
    wrong boolean;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT bool_or(list.state <> 'approved') INTO wrong
        FROM (SELECT DISTINCT list_id FROM written) w JOIN public.ratings_ratinglist list ON list.id = w.list_id;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT bool_or(NOT EXISTS (
            SELECT FROM public.ratings_ratinglist later
            WHERE later.pool_id = list.pool_id AND later.in_force = list.in_force AND later.revision > list.revision
                AND later.state IN ('approved', 'published')
        )) INTO wrong
        FROM (SELECT DISTINCT list_id FROM written) w JOIN public.ratings_ratinglist list ON list.id = w.list_id;
    ELSE
        wrong := true;
    END IF;
    IF wrong THEN
        RAISE EXCEPTION '% holds published figures: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER ratings_playerhistory_insert AFTER INSERT ON ratings_playerhistory
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION guard_player_history();
CREATE TRIGGER ratings_playerhistory_delete AFTER DELETE ON ratings_playerhistory
    REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION guard_player_history();
CREATE TRIGGER ratings_playerhistory_immutable BEFORE UPDATE OR TRUNCATE ON ratings_playerhistory
    FOR EACH STATEMENT EXECUTE FUNCTION guard_player_history();
ALTER TABLE ratings_playerhistory ENABLE ALWAYS TRIGGER ratings_playerhistory_insert;
ALTER TABLE ratings_playerhistory ENABLE ALWAYS TRIGGER ratings_playerhistory_delete;
ALTER TABLE ratings_playerhistory ENABLE ALWAYS TRIGGER ratings_playerhistory_immutable;

CREATE FUNCTION erase_player_name(player bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    erased integer;
BEGIN
    UPDATE public.ratings_ratinglistrow SET name = 'Erased player', sort_name = 'erased player' WHERE player_id = player;
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END
$$;
REVOKE ALL ON FUNCTION erase_player_name(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_player_name(bigint) TO app_web;

REVOKE INSERT, UPDATE, DELETE ON ratings_ratinglistrow, ratings_ratingchange FROM app_web, app_worker;
REVOKE UPDATE ON ratings_playerhistory FROM app_web, app_worker;
REVOKE UPDATE, DELETE ON ratings_publishedfile, ratings_periodreport FROM app_web, app_worker;
REVOKE DELETE ON ratings_ratinglist FROM app_web, app_worker;

-- The merges that a list is read with are fixed in its calculation.
CREATE TRIGGER ratings_ratinglist_merges BEFORE UPDATE ON ratings_ratinglist
    FOR EACH ROW WHEN (OLD.merges IS DISTINCT FROM NEW.merges) EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_merges;
