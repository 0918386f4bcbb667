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
SELECT bind_to_roles('reporting_tournament');
SELECT bind_to_roles('reporting_resultset');
SELECT bind_to_roles('reporting_entry');
SELECT bind_to_roles('reporting_round');
SELECT bind_to_roles('reporting_game');
SELECT bind_to_roles('reporting_report');
SELECT bind_to_roles('reporting_reportversion');
SELECT bind_to_roles('reporting_reportstep');
SELECT bind_to_roles('reporting_reportnote');
SELECT bind_to_roles('reporting_warningcomment');
SELECT bind_to_roles('reporting_draftcomments');
SELECT bind_to_roles('reporting_matchedplayers');
SELECT bind_to_roles('reporting_registerupload');
SELECT bind_to_roles('reporting_membershiptable', 'rating_officer', 'tournament_director', 'administrator');
SELECT bind_to_roles('reporting_clubmembership', 'rating_officer', 'tournament_director', 'administrator');

-- The web adds federations that a register names; names of federations are written by commands.
REVOKE UPDATE, DELETE ON reporting_federation FROM app_web;

SELECT bind_to_moment('reporting_tournament', 'created_at');
SELECT bind_to_moment('reporting_reportversion', 'created_at');
SELECT bind_to_moment('reporting_reportstep', 'at');
SELECT bind_to_moment('reporting_reportnote', 'at');
SELECT bind_to_moment('reporting_warningcomment', 'at');
SELECT bind_to_moment('reporting_lookalikedecision', 'at');
SELECT bind_to_moment('reporting_reviewremark', 'at');
SELECT bind_to_moment('reporting_tournamentdecision', 'at');
SELECT bind_to_moment('reporting_playermerge', 'merged_at');
SELECT bind_to_moment('reporting_membershiptable', 'imported_at');
SELECT bind_to_moment('reporting_requestentry', 'at');
SELECT bind_to_moment('reporting_correctionrequest', 'created_at');
SELECT bind_to_moment('reporting_namedofficial', 'chosen_at');
SELECT bind_to_moment('reporting_apitoken', 'created_at');
SELECT bind_to_moment('reporting_apianswer', 'created_at');
SELECT bind_to_moment('reporting_securityevent', 'at');
