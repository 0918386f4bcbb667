-- A player's numbers are in reporting_playeridentity. Pages print them wherever they print a player, so each player's
-- row has a copy, by register: {"fmjd": 10123}. What is written to the copy does not count.
CREATE FUNCTION keep_copy_of_numbers() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.numbers := '{}';
    ELSIF pg_trigger_depth() = 1 THEN  -- not written by copy_numbers_to_players
        NEW.numbers := OLD.numbers;
    END IF;
    RETURN NEW;
END
$$;
CREATE FUNCTION copy_numbers_to_players() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    players text := CASE TG_TABLE_NAME WHEN 'reporting_player' THEN 'SELECT id FROM changed'
        ELSE 'SELECT player_id AS id FROM changed' END;
BEGIN
    -- EXECUTE plans each statement: a plan made for one row would read all numbers for each of 15,000 players.
    -- Locked first: of two numbers given to a player at once, the second statement then sees the first.
    EXECUTE format('SELECT FROM public.reporting_player WHERE id IN (%s) ORDER BY id FOR NO KEY UPDATE', players);
    EXECUTE format($update$
        UPDATE public.reporting_player player SET numbers = given.numbers FROM (
            SELECT concerned.id, coalesce(jsonb_object_agg(identity.register,
                CASE identity.register WHEN 'national' THEN to_jsonb(identity.number)
                    ELSE to_jsonb(identity.number::bigint) END
            ) FILTER (WHERE identity.id IS NOT NULL), '{}') AS numbers
            FROM (SELECT DISTINCT id FROM (%s) changed_rows) concerned
            LEFT JOIN public.reporting_playeridentity identity ON identity.player_id = concerned.id
            GROUP BY concerned.id
        ) given WHERE player.id = given.id AND player.numbers <> given.numbers
    $update$, players);
    RETURN NULL;
END
$$;

CREATE TRIGGER reporting_player_numbers_kept BEFORE INSERT OR UPDATE OF numbers ON reporting_player
    FOR EACH ROW EXECUTE FUNCTION keep_copy_of_numbers();
CREATE TRIGGER reporting_player_inserted AFTER INSERT ON reporting_player
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION copy_numbers_to_players();
CREATE TRIGGER reporting_playeridentity_inserted AFTER INSERT ON reporting_playeridentity
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION copy_numbers_to_players();
CREATE TRIGGER reporting_playeridentity_deleted AFTER DELETE ON reporting_playeridentity
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION copy_numbers_to_players();
CREATE TRIGGER reporting_playeridentity_updated_from AFTER UPDATE ON reporting_playeridentity
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION copy_numbers_to_players();
CREATE TRIGGER reporting_playeridentity_updated_to AFTER UPDATE ON reporting_playeridentity
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION copy_numbers_to_players();

-- Each player has a number in a register that counts when the transaction ends.
CREATE FUNCTION require_player_number() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
    player bigint := CASE TG_TABLE_NAME WHEN 'reporting_player' THEN (to_jsonb(NEW)->>'id')::bigint
        ELSE (to_jsonb(OLD)->>'player_id')::bigint END;
BEGIN
    IF EXISTS (SELECT FROM public.reporting_player WHERE id = player AND numbers - 'national' = '{}') THEN
        RAISE EXCEPTION 'player % has no number in a register', player
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER player_has_number AFTER INSERT ON reporting_player
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_player_number();
CREATE CONSTRAINT TRIGGER player_keeps_number AFTER UPDATE OR DELETE ON reporting_playeridentity
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_player_number();

-- A trigger of a temporary table would run it too.
REVOKE EXECUTE ON FUNCTION copy_numbers_to_players() FROM PUBLIC;
