-- Each rating system has its own tables of rows and changes. Only those that its migration registered here, as the
-- owner, are touched by the functions on partitions and protected as published figures are.
CREATE TABLE ratings_systemtable (
    system varchar(10) PRIMARY KEY,
    rows_table name NOT NULL UNIQUE,
    changes_table name NOT NULL UNIQUE
);
REVOKE INSERT, UPDATE, DELETE ON ratings_systemtable FROM app_web, app_worker;

CREATE OR REPLACE FUNCTION refuse_published_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID) THEN
        IF TG_TABLE_NAME = 'ratings_publishedfile' THEN
            IF OLD.has_names AND to_jsonb(NEW) - '{content,sha256,size}'::text[]
                = to_jsonb(OLD) - '{content,sha256,size}'::text[] THEN
                RETURN NEW;
            END IF;
        ELSIF EXISTS (SELECT FROM pg_inherits i JOIN pg_class parent ON parent.oid = i.inhparent
            JOIN public.ratings_systemtable s ON s.rows_table = parent.relname WHERE i.inhrelid = TG_RELID) THEN
            IF NEW.name = 'Erased player' AND NEW.sort_name = 'erased player'
                AND to_jsonb(NEW) - '{name,sort_name}'::text[] = to_jsonb(OLD) - '{name,sort_name}'::text[] THEN
                RETURN NEW;
            END IF;
        END IF;
    END IF;
    IF TG_OP = 'INSERT' AND TG_TABLE_NAME = 'ratings_publishedfile'
        AND (SELECT state FROM public.ratings_ratinglist WHERE id = NEW.list_id) IS DISTINCT FROM 'published' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% holds published figures: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

-- For the migration of a system: its two parents take part from now on.
CREATE FUNCTION register_rating_system(code varchar, rows_parent name, changes_parent name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
    parent name;
BEGIN
    INSERT INTO public.ratings_systemtable VALUES (code, rows_parent, changes_parent);
    FOREACH parent IN ARRAY ARRAY[rows_parent, changes_parent] LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE OR DELETE ON public.%I FOR EACH ROW '
                       'EXECUTE FUNCTION public.refuse_published_change()', parent || '_immutable', parent);
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON public.%I FOR EACH STATEMENT '
                       'EXECUTE FUNCTION public.refuse_published_change()', parent || '_no_truncate', parent);
        EXECUTE format('ALTER TABLE public.%I ENABLE ALWAYS TRIGGER %I', parent, parent || '_immutable');
        EXECUTE format('ALTER TABLE public.%I ENABLE ALWAYS TRIGGER %I', parent, parent || '_no_truncate');
        EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public.%I FROM app_web, app_worker', parent);
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION register_rating_system(varchar, name, name) FROM PUBLIC;

CREATE FUNCTION tables_of_list(list bigint) RETURNS public.ratings_systemtable
LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
    SELECT s FROM public.ratings_ratinglist l JOIN public.ratings_systemtable s ON s.system = l.system WHERE l.id = list
$$;
REVOKE ALL ON FUNCTION tables_of_list(bigint) FROM PUBLIC;

CREATE OR REPLACE FUNCTION open_partition(list bigint) RETURNS void
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

CREATE OR REPLACE FUNCTION index_partition(list bigint) RETURNS void
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
    EXECUTE format('CREATE INDEX ON public.%I (list_id, tournament_id)', child);
END
$$;

CREATE OR REPLACE FUNCTION seal_partition(list bigint) RETURNS void
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

CREATE OR REPLACE FUNCTION drop_superseded_partition(list bigint) RETURNS void
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
END
$$;

CREATE OR REPLACE FUNCTION erase_player_name(player bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    parent name;
    erased integer := 0;
    more integer;
BEGIN
    FOR parent IN SELECT rows_table FROM public.ratings_systemtable LOOP
        EXECUTE format('UPDATE public.%I SET name = $1, sort_name = $2 WHERE player_id = $3', parent)
            USING 'Erased player', 'erased player', player;
        GET DIAGNOSTICS more = ROW_COUNT;
        erased := erased + more;
    END LOOP;
    RETURN erased;
END
$$;

-- A list stays in the system that calculated it.
CREATE TRIGGER ratings_ratinglist_system BEFORE UPDATE ON ratings_ratinglist
    FOR EACH ROW WHEN (OLD.system IS DISTINCT FROM NEW.system) EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_system;
