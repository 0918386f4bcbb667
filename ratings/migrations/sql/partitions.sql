CREATE FUNCTION tables_of_list(list bigint) RETURNS public.ratings_systemtable
LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
    SELECT s FROM public.ratings_ratinglist l JOIN public.ratings_systemtable s ON s.system = l.system WHERE l.id = list
$$;
REVOKE ALL ON FUNCTION tables_of_list(bigint) FROM PUBLIC;

-- Two tables make a list's partition: open_partition() creates them for the worker to fill, index_partition() gives
-- them their keys, seal_partition() takes the worker's right away and attaches them (what is not indexed by then,
-- ATTACH indexes). All run as the owner and take a number only, so the worker can do this and nothing else. There is
-- no exception block in them: it would be a subtransaction.
CREATE FUNCTION open_partition(list bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tables public.ratings_systemtable := public.tables_of_list(list);
    parent text;
    child text;
BEGIN
    IF (SELECT state FROM public.ratings_ratinglist WHERE id = list) IS DISTINCT FROM 'calculated' THEN
        RAISE EXCEPTION 'list % is not a fresh draft', list USING ERRCODE = 'restrict_violation';
    END IF;
    FOREACH parent IN ARRAY ARRAY[tables.rows_table, tables.changes_table] LOOP
        child := parent || '_' || list;
        EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child, parent);
        EXECUTE format('REVOKE ALL ON public.%I FROM app_web, app_worker', child);
        EXECUTE format('GRANT SELECT, INSERT ON public.%I TO app_worker', child);
    END LOOP;
END
$$;

CREATE FUNCTION index_partition(list bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tables public.ratings_systemtable := public.tables_of_list(list);
    child text;
BEGIN
    child := tables.rows_table || '_' || list;
    EXECUTE format('ALTER TABLE public.%I ADD PRIMARY KEY (list_id, position)', child);
    EXECUTE format('ALTER TABLE public.%I ADD UNIQUE (list_id, player_id)', child);
    EXECUTE format('ALTER TABLE public.%I ADD UNIQUE (list_id, name_position)', child);
    child := tables.changes_table || '_' || list;
    EXECUTE format('ALTER TABLE public.%I ADD PRIMARY KEY (list_id, player_id, sequence)', child);
    EXECUTE format('CREATE INDEX ON public.%I (list_id, result_set_id)', child);
END
$$;

-- ATTACH waits for writers of players and delays the next one: so not for long.
CREATE FUNCTION seal_partition(list bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    tables public.ratings_systemtable := public.tables_of_list(list);
    parent text;
    child text;
BEGIN
    FOREACH parent IN ARRAY ARRAY[tables.rows_table, tables.changes_table] LOOP
        child := parent || '_' || list;
        EXECUTE format('ALTER TABLE public.%I ADD CONSTRAINT %I CHECK (list_id = %s)', child, child || '_list', list);
        EXECUTE format('REVOKE ALL ON public.%I FROM app_worker', child);
        -- Row triggers are cloned by ATTACH; a TRUNCATE trigger is not.
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON public.%I FOR EACH STATEMENT EXECUTE FUNCTION '
                       'public.refuse_published_change()', child || '_no_truncate', child);
        EXECUTE format('ALTER TABLE public.%I ENABLE ALWAYS TRIGGER %I', child, child || '_no_truncate');
        EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES IN (%s)', parent, child, list);
    END LOOP;
END
$$;

-- The files of a draft, before they are written again; the trigger of the table refuses it for a published list.
CREATE FUNCTION drop_draft_files(list bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM public.ratings_publishedfile WHERE list_id = list
$$;

-- A draft is never emptied; what was superseded is dropped, at night, with its partition and its files.
CREATE FUNCTION drop_superseded_partition(list bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    tables public.ratings_systemtable := public.tables_of_list(list);
    parent text;
BEGIN
    IF (SELECT state FROM public.ratings_ratinglist WHERE id = list) IS DISTINCT FROM 'superseded' THEN
        RAISE EXCEPTION 'list % is not superseded', list USING ERRCODE = 'restrict_violation';
    END IF;
    FOREACH parent IN ARRAY ARRAY[tables.rows_table, tables.changes_table] LOOP
        EXECUTE format('DROP TABLE IF EXISTS public.%I', parent || '_' || list);
    END LOOP;
    PERFORM public.drop_draft_files(list);
END
$$;

REVOKE ALL ON FUNCTION open_partition(bigint), index_partition(bigint), seal_partition(bigint),
    drop_superseded_partition(bigint), drop_draft_files(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_partition(bigint), index_partition(bigint), seal_partition(bigint),
    drop_superseded_partition(bigint), drop_draft_files(bigint) TO app_worker;
