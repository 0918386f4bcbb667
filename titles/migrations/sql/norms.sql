-- Norms are written while their list is a draft and stay; decisions on them end with its approval. Once a statement,
-- since a search writes thousands of norms: so it is also what ensures that their list is there.
CREATE FUNCTION refuse_norms_of_signed_list() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF EXISTS (SELECT FROM written LEFT JOIN public.ratings_ratinglist list ON list.id = written.list_id
        WHERE coalesce(list.state, '') NOT IN ('calculated', 'norms_searched', 'ready')) THEN
        RAISE EXCEPTION 'the norms of a signed list never change: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER titles_norm_of_draft AFTER INSERT ON titles_norm REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_norms_of_signed_list();
CREATE TRIGGER titles_normlayout_of_draft AFTER INSERT ON titles_normlayout REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_norms_of_signed_list();

CREATE FUNCTION refuse_decision_on_signed_list() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF (SELECT list.state FROM public.titles_norm norm JOIN public.ratings_ratinglist list ON list.id = norm.list_id
            WHERE norm.id = NEW.norm_id)
        NOT IN ('calculated', 'norms_searched', 'ready') THEN
        RAISE EXCEPTION 'the norms of a signed list never change: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER titles_normdecision_of_draft BEFORE INSERT ON titles_normdecision
    FOR EACH ROW EXECUTE FUNCTION refuse_decision_on_signed_list();

-- The web claims norms; what is found is written by the worker.
CREATE FUNCTION refuse_norm_of_the_web() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    RAISE EXCEPTION 'the web writes claimed norms only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER titles_norm_of_the_web BEFORE INSERT ON titles_norm FOR EACH ROW
    WHEN (session_user = 'app_web' AND NEW.origin <> 'claimed') EXECUTE FUNCTION refuse_norm_of_the_web();
ALTER TABLE titles_norm ENABLE ALWAYS TRIGGER titles_norm_of_the_web;

DO $$
DECLARE
    written text;
BEGIN
    FOREACH written IN ARRAY ARRAY['titles_norm', 'titles_normlayout', 'titles_normdecision'] LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
            written || '_append_only', written);
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            written || '_no_truncate', written);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_of_draft');
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_append_only');
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', written, written || '_no_truncate');
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM app_web, app_worker', written);
    END LOOP;
END
$$;

SELECT bind_to_acting_person('titles_norm', 'claimed_by_id');
SELECT bind_to_acting_person('titles_normdecision', 'by_id');
SELECT bind_to_moment('titles_normdecision', 'at');
SELECT bind_to_roles('titles_norm', 'title_council');
SELECT bind_to_roles('titles_normlayout', 'title_council');
SELECT bind_to_roles('titles_normdecision', 'title_council');
