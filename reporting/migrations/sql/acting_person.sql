-- Who acts: the web names the person of its request with a proof that SQL cannot make, and the database refuses rows in
-- the name of another one (docs/decisions/0034-the-database-knows-who-acts.md). Worker and owner are not bound.

-- The two pads of the HMAC key that is derived from SECRET_KEY. `migrate` writes them, every time it runs.
CREATE TABLE reporting_actingkey (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    inner_pad bytea NOT NULL CHECK (length(inner_pad) = 64),
    outer_pad bytea NOT NULL CHECK (length(outer_pad) = 64)
);
REVOKE ALL ON reporting_actingkey FROM PUBLIC, app_web, app_worker;

-- The person of the proof in `office.acting_person`, `<account>:<backend pid>:<expires>:<HMAC-SHA-256>`. NULL without one,
-- for one of another key or connection, and after its end.
CREATE FUNCTION acting_person() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part CONSTANT text[] := string_to_array(current_setting('office.acting_person', true), ':');
    signed CONSTANT bytea := convert_to(concat_ws(':', part[1], part[2], part[3]), 'UTF8');
    mac text;
BEGIN
    SELECT encode(sha256(outer_pad || sha256(inner_pad || signed)), 'hex') INTO mac FROM public.reporting_actingkey;
    IF cardinality(part) = 4 AND part[4] = mac THEN
        IF part[2]::integer = pg_backend_pid() AND part[3]::bigint > extract(epoch FROM clock_timestamp()) THEN
            RETURN part[1]::bigint;
        END IF;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION is_acting(person bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(person = public.acting_person(), false)
$$;

-- The arguments are the columns that say by whom. What an UPDATE leaves as it was is not asked about. Visitors without an
-- account have one that represents them in the log.
CREATE FUNCTION refuse_other_person() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    column_name text;
    named bigint;
    before bigint;
BEGIN
    FOREACH column_name IN ARRAY TG_ARGV LOOP
        EXECUTE format('SELECT ($1).%I', column_name) INTO named USING NEW;
        IF TG_OP = 'UPDATE' THEN
            EXECUTE format('SELECT ($1).%I', column_name) INTO before USING OLD;
        END IF;
        IF named IS NULL OR named = before OR public.is_acting(named) OR TG_TABLE_NAME = 'reporting_logentry'
            AND named = (SELECT id FROM public.reporting_user WHERE email = 'visitor@office.invalid') THEN
            CONTINUE;
        END IF;
        RAISE EXCEPTION 'the web writes %.% only in the name of the person who acts', TG_TABLE_NAME, column_name
            USING ERRCODE = 'restrict_violation';
    END LOOP;
    RETURN NEW;
END
$$;

-- `session_user`, not `current_user`: the functions that write roles run as the owner.
CREATE FUNCTION bind_to_acting_person(bound regclass, VARIADIC columns text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER %I BEFORE INSERT OR UPDATE ON %s FOR EACH ROW WHEN (session_user = ''app_web'')'
        ' EXECUTE FUNCTION public.refuse_other_person(%s)', bound || '_proven', bound,
        (SELECT string_agg(quote_literal(name), ', ') FROM unnest(columns) name));
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', bound, bound || '_proven');
END
$$;

REVOKE EXECUTE ON FUNCTION acting_person(), is_acting(bigint), bind_to_acting_person(regclass, text[]) FROM PUBLIC;

SELECT bind_to_acting_person('reporting_logentry', 'actor_id');
SELECT bind_to_acting_person('reporting_tournament', 'announced_by_id');
SELECT bind_to_acting_person('reporting_report', 'submitted_by_id');
SELECT bind_to_acting_person('reporting_reportversion', 'created_by_id');
SELECT bind_to_acting_person('reporting_warningcomment', 'by_id');
SELECT bind_to_acting_person('reporting_lookalikedecision', 'by_id');
SELECT bind_to_acting_person('reporting_reviewremark', 'by_id');
SELECT bind_to_acting_person('reporting_playermerge', 'merged_by_id', 'undone_by_id');
SELECT bind_to_acting_person('reporting_correctionrequest', 'taken_by_id');
SELECT bind_to_acting_person('reporting_requestentry', 'by_id');
SELECT bind_to_acting_person('reporting_invitation', 'invited_by_id');
SELECT bind_to_acting_person('reporting_roleassignment', 'assigned_by_id', 'confirmed_by_id', 'ended_by_id');
SELECT bind_to_acting_person('reporting_reportnote', 'by_id');
SELECT bind_to_acting_person('reporting_reportstep', 'by_id');
SELECT bind_to_acting_person('reporting_tournamentdecision', 'by_id');
SELECT bind_to_acting_person('reporting_draftcomments', 'by_id');
SELECT bind_to_acting_person('reporting_registerupload', 'uploaded_by_id');
SELECT bind_to_acting_person('reporting_membershiptable', 'imported_by_id');
SELECT bind_to_acting_person('reporting_apitoken', 'account_id', 'revoked_by_id');
SELECT bind_to_acting_person('reporting_apianswer', 'account_id');
SELECT bind_to_acting_person('reporting_namedofficial', 'account_id');
