-- A name is erased from all lists; the files with names lose their content, the open data goes with it, in the same
-- transaction (docs/decisions/0073-erased-names.md). The web erases only for a rating officer who acts. The digest of an
-- emptied file is a new one each time: pages that depend on it are made again, and the worker does not fill in what was
-- read before another erasure. Erasures are counted also of players who are on no list: pages of tournaments name them.
-- It waits for lists that are calculated or whose files are written: these may have read the name and hold the lock too
-- (NAMES in reporting/models/locks.py). What follows sees them: each statement has a snapshot of its own.
CREATE FUNCTION erase_player_name(player bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    parent name;
    erased integer := 0;
    more integer;
BEGIN
    IF session_user = 'app_web' AND NOT coalesce(public.holds_role(public.acting_person(), 'rating_officer'), false) THEN
        RAISE EXCEPTION 'only a rating officer who acts erases a name' USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM pg_advisory_xact_lock(9091023);
    FOR parent IN SELECT rows_table FROM public.ratings_systemtable LOOP
        EXECUTE format(
            'UPDATE public.ratings_publishedfile SET content = $1, size = 0,'
            ' sha256 = encode(sha256(convert_to(gen_random_uuid()::text, ''UTF8'')), ''hex'')'
            ' WHERE has_names AND list_id IN (SELECT list_id FROM public.%I WHERE player_id = $2)', parent)
            USING ''::bytea, player;
        EXECUTE format('UPDATE public.%I SET name = $1, sort_name = $2 WHERE player_id = $3', parent)
            USING 'Erased player', 'erased player', player;
        GET DIAGNOSTICS more = ROW_COUNT;
        erased := erased + more;
    END LOOP;
    DELETE FROM public.ratings_compressedfile
        WHERE file_id IN (SELECT id FROM public.ratings_publishedfile WHERE has_names AND size = 0);
    UPDATE public.ratings_export SET erasures = erasures + 1;
    IF erased > 0 THEN
        UPDATE public.ratings_export SET stamp = '', made_at = NULL;
        DELETE FROM public.ratings_exportfile;
    END IF;
    RETURN erased;
END
$$;
REVOKE ALL ON FUNCTION erase_player_name(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_player_name(bigint) TO app_web;

-- Gives an emptied file its content again; whether it did. `digest` is that of the file before its rows were read.
CREATE FUNCTION fill_emptied_file(file bigint, digest varchar, made bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE public.ratings_publishedfile SET content = made, size = length(made), sha256 = encode(sha256(made), 'hex')
        WHERE id = file AND has_names AND size = 0 AND sha256 = digest;
    RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION fill_emptied_file(bigint, varchar, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fill_emptied_file(bigint, varchar, bytea) TO app_worker;
