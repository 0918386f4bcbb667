-- Which federation a player belonged to on which day. The rows follow the player's row, so that the open one always has
-- its federation; nothing but these triggers writes them.
CREATE FUNCTION begin_membership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO public.reporting_federationmembership (player_id, federation_id) SELECT id, federation_id FROM added;
    RETURN NULL;
END
$$;

-- From the day of the transfer on the player belongs to the new federation, whatever was recorded for later days. The
-- service gives the day in `office.transfer_day`; without it the transfer is of today.
CREATE FUNCTION transfer_membership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    day CONSTANT date := coalesce(nullif(current_setting('office.transfer_day', true), '')::date, current_date);
BEGIN
    -- Not later than today in the zone where a day begins first; the service knows the office's zone.
    IF day > (statement_timestamp() AT TIME ZONE 'Etc/GMT-14')::date THEN
        RAISE EXCEPTION 'a transfer of a coming day: % refused', day USING ERRCODE = 'restrict_violation';
    END IF;
    UPDATE public.reporting_federationmembership SET until = since WHERE player_id = NEW.id AND since >= day;
    UPDATE public.reporting_federationmembership SET until = day
        WHERE player_id = NEW.id AND coalesce(since < day, true) AND coalesce(until > day, true);
    INSERT INTO public.reporting_federationmembership (player_id, federation_id, since)
        VALUES (NEW.id, NEW.federation_id, day);
    RETURN NULL;
END
$$;

-- The memberships of a record go with it: a record that anything else refers to is not deleted.
CREATE FUNCTION delete_memberships() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM public.reporting_federationmembership WHERE player_id = OLD.id;
    RETURN OLD;
END
$$;

CREATE TRIGGER reporting_player_member AFTER INSERT ON reporting_player
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION begin_membership();
CREATE TRIGGER reporting_player_transferred AFTER UPDATE ON reporting_player FOR EACH ROW
    WHEN (OLD.federation_id IS DISTINCT FROM NEW.federation_id) EXECUTE FUNCTION transfer_membership();
CREATE TRIGGER reporting_player_deleted BEFORE DELETE ON reporting_player
    FOR EACH ROW EXECUTE FUNCTION delete_memberships();
CREATE TRIGGER reporting_federationmembership_no_truncate BEFORE TRUNCATE ON reporting_federationmembership
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_player ENABLE ALWAYS TRIGGER reporting_player_member;
ALTER TABLE reporting_player ENABLE ALWAYS TRIGGER reporting_player_transferred;
ALTER TABLE reporting_player ENABLE ALWAYS TRIGGER reporting_player_deleted;
ALTER TABLE reporting_federationmembership ENABLE ALWAYS TRIGGER reporting_federationmembership_no_truncate;
REVOKE INSERT, UPDATE, DELETE ON reporting_federationmembership FROM app_web, app_worker;
REVOKE EXECUTE ON FUNCTION begin_membership(), transfer_membership(), delete_memberships() FROM PUBLIC;
