-- A list's own row: it can't go, nothing of a published one changes, and nothing becomes published but from approved
-- and by the two signatures (constraint list_published_with_two_signatures). The figures of a draft stay; the digest of one
-- with norms follows their decisions until the list is approved, since the figures file names the digest of `norms.csv`.
-- Here, above ratings, because it asks for norms.
CREATE FUNCTION guard_rating_list() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP IN ('DELETE', 'TRUNCATE') OR (TG_OP = 'UPDATE' AND OLD.state = 'published') THEN
        RAISE EXCEPTION 'a published list never changes, and no list is deleted: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.state = 'published' AND (TG_OP = 'INSERT' OR OLD.state <> 'approved') THEN
        RAISE EXCEPTION 'only an approved list can be published' USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.sha256 <> '' AND (NEW.previous_sha256, NEW.input_sha256, NEW.edition,
        NEW.previous_id, NEW.in_force, NEW.closing, NEW.pool_id, NEW.period_id, NEW.revision, NEW.correction_id,
        NEW.input_lists)
        IS DISTINCT FROM (OLD.previous_sha256, OLD.input_sha256, OLD.edition,
        OLD.previous_id, OLD.in_force, OLD.closing, OLD.pool_id, OLD.period_id, OLD.revision, OLD.correction_id,
        OLD.input_lists) THEN
        RAISE EXCEPTION 'the figures of a draft never change: calculate a new one' USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.sha256 <> '' AND NEW.sha256 IS DISTINCT FROM OLD.sha256
        AND NOT (OLD.state IN ('calculated', 'norms_searched', 'ready') AND NEW.state = OLD.state AND NEW.sha256 <> ''
            AND EXISTS (SELECT FROM public.titles_norm WHERE list_id = OLD.id)) THEN
        RAISE EXCEPTION 'the figures of a draft never change: calculate a new one' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ratings_ratinglist_guard BEFORE INSERT OR UPDATE OR DELETE ON ratings_ratinglist
    FOR EACH ROW EXECUTE FUNCTION guard_rating_list();
CREATE TRIGGER ratings_ratinglist_no_truncate BEFORE TRUNCATE ON ratings_ratinglist
    FOR EACH STATEMENT EXECUTE FUNCTION guard_rating_list();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_guard;
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_no_truncate;
