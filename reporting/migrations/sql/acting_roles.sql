-- The web writes what reports, the register and decisions stand on only while a person acts, and only one of the roles that
-- its pages let write it (docs/decisions/0034-the-database-knows-who-acts.md). Worker and owner are not bound.

-- Whether the person who acts holds one of these roles; with no role named, whether a person acts.
CREATE FUNCTION is_acting_as(roles text[]) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN coalesce(cardinality(roles), 0) = 0 THEN public.acting_person() IS NOT NULL
        ELSE public.holds_role(public.acting_person(), VARIADIC roles) END
$$;

CREATE FUNCTION refuse_without_role() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT public.is_acting_as(TG_ARGV) THEN
        RAISE EXCEPTION 'the web writes % only while a person acts who may: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

-- Once a statement: a report has thousands of games.
CREATE FUNCTION bind_to_roles(bound regclass, VARIADIC roles text[] DEFAULT '{}') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER %I BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT WHEN (session_user = ''app_web'')'
        ' EXECUTE FUNCTION public.refuse_without_role(%s)', bound || '_by_role', bound,
        (SELECT string_agg(quote_literal(role), ', ') FROM unnest(roles) role));
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', bound, bound || '_by_role');
END
$$;

-- The moment of an act is that of its statement, whatever the web writes.
CREATE FUNCTION write_moment() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], statement_timestamp()));
END
$$;

CREATE FUNCTION bind_to_moment(bound regclass, moment text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW WHEN (session_user = ''app_web'')'
        ' EXECUTE FUNCTION public.write_moment(%L)', bound || '_moment', bound, moment);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', bound, bound || '_moment');
END
$$;

REVOKE EXECUTE ON FUNCTION is_acting_as(text[]), bind_to_roles(regclass, text[]), bind_to_moment(regclass, text)
    FROM PUBLIC;

SELECT bind_to_roles('reporting_entry', 'rating_officer', 'tournament_director');
SELECT bind_to_roles('reporting_round', 'rating_officer', 'tournament_director');
SELECT bind_to_roles('reporting_game', 'rating_officer', 'tournament_director');
SELECT bind_to_roles('reporting_lookalikedecision', 'rating_officer', 'tournament_director');
SELECT bind_to_roles('reporting_reviewremark', 'rating_officer', 'tournament_director');
SELECT bind_to_roles('reporting_playermerge', 'rating_officer', 'tournament_director');
SELECT bind_to_roles('reporting_tournamentdecision', 'rating_officer', 'tournament_director', 'title_council');
SELECT bind_to_roles('reporting_player', 'rating_officer', 'tournament_director', 'national_official', 'administrator');
SELECT bind_to_roles('reporting_personaldata', 'rating_officer', 'tournament_director', 'national_official', 'administrator');
SELECT bind_to_roles('reporting_playeridentity', 'rating_officer', 'tournament_director', 'national_official', 'administrator');
SELECT bind_to_roles('reporting_playertitle', 'rating_officer', 'tournament_director', 'administrator');
SELECT bind_to_roles('reporting_invitation');
SELECT bind_to_roles('reporting_federation');
SELECT bind_to_roles('reporting_announcement');
SELECT bind_to_roles('reporting_tournament');
SELECT bind_to_roles('reporting_report');
SELECT bind_to_roles('reporting_reportversion');
SELECT bind_to_roles('reporting_reportstep');
SELECT bind_to_roles('reporting_reportnote');
SELECT bind_to_roles('reporting_warningcomment');
SELECT bind_to_roles('reporting_draftcomments');
SELECT bind_to_roles('reporting_matchedplayers');
SELECT bind_to_roles('reporting_registerupload');

SELECT bind_to_moment('reporting_announcement', 'created_at');
SELECT bind_to_moment('reporting_reportversion', 'created_at');
SELECT bind_to_moment('reporting_reportstep', 'at');
SELECT bind_to_moment('reporting_reportnote', 'at');
SELECT bind_to_moment('reporting_warningcomment', 'at');
SELECT bind_to_moment('reporting_lookalikedecision', 'at');
SELECT bind_to_moment('reporting_reviewremark', 'at');
SELECT bind_to_moment('reporting_tournamentdecision', 'at');
SELECT bind_to_moment('reporting_playermerge', 'merged_at');
SELECT bind_to_moment('reporting_requestentry', 'at');
SELECT bind_to_moment('reporting_correctionrequest', 'created_at');
SELECT bind_to_moment('reporting_namedofficial', 'chosen_at');
SELECT bind_to_moment('reporting_apitoken', 'created_at');
SELECT bind_to_moment('reporting_apianswer', 'created_at');
SELECT bind_to_moment('reporting_securityevent', 'at');

-- What only migrations write.
REVOKE INSERT, UPDATE, DELETE ON auth_group, auth_group_permissions, auth_permission, django_content_type FROM app_web;

-- The day of an announcement decides if it is in time (R11): today, or a day that the office says. The office alone says
-- that a tournament is official, the office and the country's official that it is a championship. Days are compared in
-- the zone where a day begins last; the service knows the office's zone.
CREATE FUNCTION guard_announcement() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    today CONSTANT date := (statement_timestamp() AT TIME ZONE 'Etc/GMT+12')::date;
    is_new CONSTANT boolean := TG_OP = 'INSERT';
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
CREATE TRIGGER reporting_announcement_day BEFORE INSERT OR UPDATE ON reporting_announcement
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_announcement();
ALTER TABLE reporting_announcement ENABLE ALWAYS TRIGGER reporting_announcement_day;

-- When a report was first submitted decides if it is late (R11): once, at that moment. A rating officer admits. What was
-- accepted is changed by the office alone.
CREATE FUNCTION guard_report() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    is_new CONSTANT boolean := TG_OP = 'INSERT';
BEGIN
    IF NEW.first_submitted_at IS NOT NULL AND (is_new OR OLD.first_submitted_at IS NULL) THEN
        NEW.first_submitted_at := statement_timestamp();
    ELSIF NOT is_new AND NEW.first_submitted_at IS DISTINCT FROM OLD.first_submitted_at THEN
        RAISE EXCEPTION 'a report is first submitted once' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.admitted_reason <> '' AND (is_new OR NEW.admitted_reason <> OLD.admitted_reason)
            AND NOT public.is_acting_as(ARRAY['rating_officer'])
        OR (NEW.state = 'accepted' OR NOT is_new AND OLD.state = 'accepted')
            AND NOT public.is_acting_as(ARRAY['rating_officer', 'tournament_director']) THEN
        RAISE EXCEPTION 'a report is accepted and admitted by the office' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_report_by_the_office BEFORE INSERT OR UPDATE ON reporting_report
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_report();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_by_the_office;

-- As in report_steps.sql; now a report becomes accepted only by a step of the same transaction, on a version of its own:
-- not by the step of an acceptance that was undone since, nor by that of another report.
CREATE OR REPLACE FUNCTION require_accepting_step() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.state = 'accepted' AND OLD.accepted_version_id = NEW.accepted_version_id THEN
            RETURN NULL;
        END IF;
    END IF;
    IF EXISTS (
        SELECT FROM public.reporting_report r WHERE r.id = NEW.id AND r.state = 'accepted' AND NOT EXISTS (
            SELECT FROM public.reporting_reportstep s JOIN public.reporting_reportversion v ON v.id = s.version_id
            WHERE s.version_id = r.accepted_version_id AND s.move = 'accept' AND v.report_id = r.id
                AND s.at >= transaction_timestamp())) THEN
        RAISE EXCEPTION 'the accepted version of report % has no step that accepted it', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

-- The details of an accepted tournament are the office's.
CREATE FUNCTION guard_accepted_tournament() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM public.reporting_report WHERE tournament_id = OLD.id AND state = 'accepted')
        AND NOT public.is_acting_as(ARRAY['rating_officer', 'tournament_director']) THEN
        RAISE EXCEPTION 'an accepted tournament is changed by the office' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER reporting_tournament_accepted BEFORE UPDATE OR DELETE ON reporting_tournament
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_accepted_tournament();
ALTER TABLE reporting_tournament ENABLE ALWAYS TRIGGER reporting_tournament_accepted;

-- Roles hold for open accounts, in their federation. An account is opened by its owner with the link of an invitation, or
-- by an administrator, and closed by either; its federation is that of its invitation until an administrator changes it.
CREATE FUNCTION guard_account() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    inviters CONSTANT text[] := ARRAY['administrator', 'rating_officer', 'tournament_director', 'national_official'];
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.acts_by_command
            OR NOT public.is_acting_as(CASE WHEN NEW.is_active THEN ARRAY['administrator'] ELSE inviters END) THEN
            RAISE EXCEPTION 'an account begins closed, by an invitation' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.acts_by_command = OLD.acts_by_command AND (
        public.is_acting_as(ARRAY['administrator'])
        OR NEW.federation_id IS NOT DISTINCT FROM OLD.federation_id AND public.is_acting(NEW.id)
        OR NEW.is_active = OLD.is_active AND public.never_opened(NEW.id) AND public.is_acting_as(inviters)) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'an account is opened, closed and moved by its owner or an administrator: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER reporting_user_begins BEFORE INSERT ON reporting_user
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_account();
CREATE TRIGGER reporting_user_standing BEFORE UPDATE ON reporting_user FOR EACH ROW
    WHEN (session_user = 'app_web' AND (OLD.is_active, OLD.acts_by_command) IS DISTINCT FROM (NEW.is_active, NEW.acts_by_command)
        OR session_user = 'app_web' AND OLD.federation_id IS DISTINCT FROM NEW.federation_id)
    EXECUTE FUNCTION guard_account();
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_begins;
ALTER TABLE reporting_user ENABLE ALWAYS TRIGGER reporting_user_standing;
REVOKE DELETE ON reporting_user FROM app_web, app_worker;
