-- Each rating system has its own tables of rows and changes. Only those that its migration registered here, as the
-- owner, are touched by the functions on partitions and protected as published figures are.
CREATE TABLE ratings_systemtable (
    system varchar(10) PRIMARY KEY,
    rows_table name NOT NULL UNIQUE,
    changes_table name NOT NULL UNIQUE
);
REVOKE INSERT, UPDATE, DELETE ON ratings_systemtable FROM app_web, app_worker;

-- What is on a list stays. One change is let through: a person's name gives way to "Erased player", by the owner's
-- function (erased_names.sql); figures and number remain.
CREATE FUNCTION refuse_published_change() RETURNS trigger
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
    -- The files of a draft are written with it, and again where its digest changed; they go with a superseded draft.
    IF TG_OP IN ('INSERT', 'DELETE') AND TG_TABLE_NAME = 'ratings_publishedfile' THEN
        IF (SELECT state FROM public.ratings_ratinglist WHERE id = coalesce(NEW.list_id, OLD.list_id))
            IS DISTINCT FROM 'published' THEN
            RETURN coalesce(NEW, OLD);
        END IF;
    END IF;
    RAISE EXCEPTION '% holds published figures: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ratings_publishedfile_immutable BEFORE INSERT OR UPDATE OR DELETE ON ratings_publishedfile
    FOR EACH ROW EXECUTE FUNCTION refuse_published_change();
CREATE TRIGGER ratings_publishedfile_no_truncate BEFORE TRUNCATE ON ratings_publishedfile
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_published_change();
ALTER TABLE ratings_publishedfile ENABLE ALWAYS TRIGGER ratings_publishedfile_immutable;
ALTER TABLE ratings_publishedfile ENABLE ALWAYS TRIGGER ratings_publishedfile_no_truncate;
REVOKE UPDATE, DELETE ON ratings_publishedfile FROM app_web, app_worker;
REVOKE INSERT ON ratings_publishedfile FROM app_web;
-- Compressed already, or read more often than its compression saves.
ALTER TABLE ratings_publishedfile ALTER COLUMN content SET STORAGE EXTERNAL;
-- The worker alone makes what is sent in place of a file; the erasure of a name deletes it (erased_names.sql).
REVOKE INSERT, UPDATE, DELETE ON ratings_compressedfile FROM app_web;
REVOKE UPDATE, DELETE ON ratings_compressedfile FROM app_worker;
ALTER TABLE ratings_compressedfile ALTER COLUMN content SET STORAGE EXTERNAL;

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
REVOKE UPDATE ON ratings_playerhistory FROM app_web, app_worker;
