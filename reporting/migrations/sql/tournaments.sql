-- The day of an announcement decides if it is in time (R11): today, or a day that the office says. The office alone says
-- that a tournament is official, the office and the country's official that it is a championship. Days are compared in
-- the zone where a day begins last; the service knows the office's zone.
CREATE FUNCTION guard_announcement() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    today CONSTANT date := (statement_timestamp() AT TIME ZONE 'Etc/GMT+12')::date;
    is_new CONSTANT boolean := TG_OP = 'INSERT' OR OLD.announced_on IS NULL;
BEGIN
    IF public.is_acting_as(ARRAY['rating_officer', 'tournament_director']) THEN
        RETURN NEW;
    END IF;
    IF NEW.announced_on < today AND (is_new OR NEW.announced_on < OLD.announced_on OR NEW.played_from < OLD.played_from) THEN
        RAISE EXCEPTION 'a tournament is announced today: % refused', NEW.announced_on USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.official AND (is_new OR NOT OLD.official)
        OR NEW.national_championship <> '' AND (is_new OR NEW.national_championship <> OLD.national_championship
            OR NEW.country_id <> OLD.country_id) AND NOT (
            public.is_acting_as(ARRAY['national_official']) AND EXISTS (SELECT FROM public.reporting_user
                WHERE id = public.acting_person() AND federation_id = NEW.country_id)) THEN
        RAISE EXCEPTION 'what an announcement is marked as, the office says' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_tournament_announced BEFORE INSERT OR UPDATE ON reporting_tournament
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_announcement();
ALTER TABLE reporting_tournament ENABLE ALWAYS TRIGGER reporting_tournament_announced;

-- What was accepted stays as it was until the acceptance is undone: details, entries, rounds and games.
CREATE FUNCTION refuse_accepted_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    touched bigint[];
BEGIN
    IF TG_TABLE_NAME = 'reporting_resultset' THEN
        touched := ARRAY[OLD.id];
    ELSIF TG_OP = 'INSERT' THEN
        touched := ARRAY[NEW.result_set_id];
    ELSIF TG_OP = 'DELETE' THEN
        touched := ARRAY[OLD.result_set_id];
    ELSE
        touched := ARRAY[OLD.result_set_id, NEW.result_set_id];
    END IF;
    IF EXISTS (SELECT FROM public.reporting_report WHERE result_set_id = ANY (touched) AND state = 'accepted') THEN
        RAISE EXCEPTION '% of an accepted report: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER reporting_resultset_accepted BEFORE UPDATE OR DELETE ON reporting_resultset
    FOR EACH ROW EXECUTE FUNCTION refuse_accepted_change();
CREATE TRIGGER reporting_entry_accepted BEFORE INSERT OR UPDATE OR DELETE ON reporting_entry
    FOR EACH ROW EXECUTE FUNCTION refuse_accepted_change();
CREATE TRIGGER reporting_round_accepted BEFORE INSERT OR UPDATE OR DELETE ON reporting_round
    FOR EACH ROW EXECUTE FUNCTION refuse_accepted_change();
CREATE TRIGGER reporting_game_accepted BEFORE INSERT OR UPDATE OR DELETE ON reporting_game
    FOR EACH ROW EXECUTE FUNCTION refuse_accepted_change();
ALTER TABLE reporting_resultset ENABLE ALWAYS TRIGGER reporting_resultset_accepted;
ALTER TABLE reporting_entry ENABLE ALWAYS TRIGGER reporting_entry_accepted;
ALTER TABLE reporting_round ENABLE ALWAYS TRIGGER reporting_round_accepted;
ALTER TABLE reporting_game ENABLE ALWAYS TRIGGER reporting_game_accepted;

-- The details that only one federation has are protected as the result set is; `council` and `office` are those of them
-- that the title council and the office decide.
CREATE FUNCTION register_own_details(details regclass, council text[], office text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW '
                   'EXECUTE FUNCTION public.refuse_accepted_change()', details || '_accepted', details);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', details, details || '_accepted');
    PERFORM public.bind_to_roles(details);
    -- What another federation has decided too, by the same roles, is known.
    INSERT INTO public.decided_items
    SELECT unnest(council), ARRAY['title_council'] UNION ALL
    SELECT unnest(office), ARRAY['rating_officer', 'tournament_director'] EXCEPT
    SELECT item, decided_by FROM public.decided_items;
END
$$;
REVOKE EXECUTE ON FUNCTION register_own_details(regclass, text[], text[]) FROM PUBLIC;

-- Who of the register a line is, the office says when it accepts; every line of an accepted report is somebody.
CREATE FUNCTION guard_player_of_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT public.is_acting_as(ARRAY['rating_officer', 'tournament_director']) THEN
        RAISE EXCEPTION 'the office says who a line is' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_entry_player_given BEFORE INSERT ON reporting_entry
    FOR EACH ROW WHEN (session_user = 'app_web' AND NEW.player_id IS NOT NULL) EXECUTE FUNCTION guard_player_of_entry();
CREATE TRIGGER reporting_entry_player_changed BEFORE UPDATE ON reporting_entry
    FOR EACH ROW WHEN (session_user = 'app_web' AND NEW.player_id IS DISTINCT FROM OLD.player_id)
    EXECUTE FUNCTION guard_player_of_entry();
ALTER TABLE reporting_entry ENABLE ALWAYS TRIGGER reporting_entry_player_given;
ALTER TABLE reporting_entry ENABLE ALWAYS TRIGGER reporting_entry_player_changed;

CREATE FUNCTION require_players() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF EXISTS (SELECT FROM public.reporting_entry WHERE result_set_id = NEW.result_set_id AND player_id IS NULL) THEN
        RAISE EXCEPTION 'a line of report % has no player of the register', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_report_has_players BEFORE INSERT OR UPDATE ON reporting_report
    FOR EACH ROW WHEN (NEW.state = 'accepted') EXECUTE FUNCTION require_players();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_has_players;

-- Whether a person made an announcement or changed it: its day and its marks decide if a report needs an admission (R11).
CREATE FUNCTION has_part_in_announcement(announcement bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.reporting_tournament WHERE id = announcement AND announced_by_id = person)
        OR EXISTS (SELECT FROM public.reporting_logentry WHERE actor_id = person
                   AND action = 'announcement.change' AND subject = 'announcement ' || announcement)
$$;
REVOKE EXECUTE ON FUNCTION has_part_in_announcement(bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_part_in_announcement(bigint, bigint) TO app_web, app_worker;

-- What is decided of tournaments, and the roles that decide it (R78). A federation adds its own with its details.
CREATE TABLE decided_items (item varchar(16) PRIMARY KEY, decided_by text[] NOT NULL);
REVOKE INSERT, UPDATE, DELETE ON decided_items FROM app_web, app_worker;
INSERT INTO decided_items
SELECT unnest(ARRAY['official', 'over_age']), ARRAY['rating_officer', 'tournament_director'];
ALTER TABLE reporting_tournamentdecision
    ADD CONSTRAINT tournament_decision_item_known FOREIGN KEY (item) REFERENCES decided_items;

CREATE FUNCTION guard_decided_item() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.decided_items WHERE item = NEW.item AND public.is_acting_as(decided_by)) THEN
        RAISE EXCEPTION 'a person of another role decides %', NEW.item USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_tournamentdecision_by_item BEFORE INSERT ON reporting_tournamentdecision
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_decided_item();
ALTER TABLE reporting_tournamentdecision ENABLE ALWAYS TRIGGER reporting_tournamentdecision_by_item;
