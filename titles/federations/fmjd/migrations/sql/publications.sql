-- What was published of the World Cup never changes, and no publication is deleted. One is published from approved only,
-- by two persons (constraint publication_published_by_another); the figures of a draft stay.
CREATE FUNCTION guard_publication() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
        RAISE EXCEPTION 'no publication is deleted: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'requested' OR NEW.sha256 <> '' THEN
            RAISE EXCEPTION 'a publication begins with its request' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.state IN ('published', 'withdrawn') THEN
        RAISE EXCEPTION 'a published or withdrawn publication never changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.state = 'published' AND OLD.state <> 'approved' THEN
        RAISE EXCEPTION 'only an approved publication can be published' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.id, NEW.kind, NEW.section, NEW.women, NEW.day, NEW.championship, NEW.revision, NEW.reason,
            NEW.requested_by_id, NEW.requested_at) IS DISTINCT FROM (OLD.id, OLD.kind, OLD.section, OLD.women, OLD.day,
            OLD.championship, OLD.revision, OLD.reason, OLD.requested_by_id, OLD.requested_at)
        OR OLD.sha256 <> '' AND (NEW.sha256, NEW.inputs, NEW.input_sha256, NEW.edition)
            IS DISTINCT FROM (OLD.sha256, OLD.inputs, OLD.input_sha256, OLD.edition) THEN
        RAISE EXCEPTION 'the figures of a draft never change: request a new one' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER fmjd_titles_publication_guard BEFORE INSERT OR UPDATE OR DELETE ON fmjd_titles_publication
    FOR EACH ROW EXECUTE FUNCTION guard_publication();
CREATE TRIGGER fmjd_titles_publication_no_truncate BEFORE TRUNCATE ON fmjd_titles_publication
    FOR EACH STATEMENT EXECUTE FUNCTION guard_publication();
ALTER TABLE fmjd_titles_publication ENABLE ALWAYS TRIGGER fmjd_titles_publication_guard;
ALTER TABLE fmjd_titles_publication ENABLE ALWAYS TRIGGER fmjd_titles_publication_no_truncate;

-- The rows are written by the worker, before their publication is a draft.
CREATE FUNCTION refuse_rows_of_draft() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF EXISTS (SELECT FROM written JOIN public.fmjd_titles_publication one ON one.id = written.publication_id
        WHERE one.state <> 'requested') THEN
        RAISE EXCEPTION 'the rows of a draft never change: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER fmjd_titles_publicationrow_of_request AFTER INSERT ON fmjd_titles_publicationrow
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_draft();
CREATE TRIGGER fmjd_titles_publicationrow_append_only BEFORE UPDATE OR DELETE ON fmjd_titles_publicationrow
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fmjd_titles_publicationrow_no_truncate BEFORE TRUNCATE ON fmjd_titles_publicationrow
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE fmjd_titles_publicationrow ENABLE ALWAYS TRIGGER fmjd_titles_publicationrow_of_request;
ALTER TABLE fmjd_titles_publicationrow ENABLE ALWAYS TRIGGER fmjd_titles_publicationrow_append_only;
ALTER TABLE fmjd_titles_publicationrow ENABLE ALWAYS TRIGGER fmjd_titles_publicationrow_no_truncate;

REVOKE UPDATE, DELETE ON fmjd_titles_publication FROM app_web;
REVOKE DELETE ON fmjd_titles_publication FROM app_worker;
GRANT UPDATE (state, approved_by_id, approved_at, approved_sha256, published_by_id, published_at)
    ON fmjd_titles_publication TO app_web;
REVOKE INSERT, UPDATE, DELETE ON fmjd_titles_publicationrow FROM app_web;
REVOKE UPDATE, DELETE ON fmjd_titles_publicationrow FROM app_worker;

-- Rows in the name of the person who acts alone, each signature by a person with its role, at that moment.
SELECT bind_to_acting_person('fmjd_titles_publication', 'requested_by_id', 'approved_by_id', 'published_by_id');
SELECT bind_to_roles('fmjd_titles_publication', 'tournament_director', 'releasing_officer');
SELECT bind_to_moment('fmjd_titles_publication', 'requested_at');

CREATE FUNCTION guard_publication_signatures() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT public.is_acting_as(ARRAY['tournament_director']) THEN
            RAISE EXCEPTION 'a tournament director requests a publication' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.state = 'draft' AND OLD.state <> 'draft' THEN
        RAISE EXCEPTION 'the worker makes drafts' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.state = 'approved' AND OLD.state <> 'approved' THEN
        NEW.approved_at := statement_timestamp();
        IF NOT public.is_acting_as(ARRAY['tournament_director']) OR NOT public.is_acting(NEW.approved_by_id) THEN
            RAISE EXCEPTION 'a tournament director approves a publication' USING ERRCODE = 'restrict_violation';
        END IF;
    ELSIF (NEW.approved_by_id, NEW.approved_at, NEW.approved_sha256)
        IS DISTINCT FROM (OLD.approved_by_id, OLD.approved_at, OLD.approved_sha256) THEN
        RAISE EXCEPTION 'an approval stays as it was given' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.state = 'published' THEN
        NEW.published_at := statement_timestamp();
        IF NOT public.is_acting_as(ARRAY['releasing_officer']) OR NOT public.is_acting(NEW.published_by_id) THEN
            RAISE EXCEPTION 'a releasing officer publishes' USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER fmjd_titles_publication_signed BEFORE INSERT OR UPDATE ON fmjd_titles_publication
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_publication_signatures();
ALTER TABLE fmjd_titles_publication ENABLE ALWAYS TRIGGER fmjd_titles_publication_signed;
