-- The tables that held the rows and changes of all lists while the FMJD was the only federation.
DO $$
DECLARE
    part record;
BEGIN
    FOR part IN
        SELECT child.relname AS old, replace(child.relname, parent.relname,
            CASE parent.relname WHEN 'ratings_ratinglistrow' THEN 'fmjd_listrow' ELSE 'fmjd_change' END) AS new
        FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid JOIN pg_class parent ON parent.oid = inhparent
        WHERE parent.relname IN ('ratings_ratinglistrow', 'ratings_ratingchange') AND child.relkind = 'r'
    LOOP
        EXECUTE format('ALTER TABLE public.%I RENAME TO %I', part.old, part.new);
    END LOOP;
END
$$;
DROP TRIGGER ratings_ratinglistrow_immutable ON ratings_ratinglistrow;
DROP TRIGGER ratings_ratinglistrow_no_truncate ON ratings_ratinglistrow;
DROP TRIGGER ratings_ratingchange_immutable ON ratings_ratingchange;
DROP TRIGGER ratings_ratingchange_no_truncate ON ratings_ratingchange;
ALTER TABLE ratings_ratinglistrow RENAME TO fmjd_listrow;
ALTER TABLE ratings_ratingchange RENAME TO fmjd_change;
SELECT register_rating_system('fmjd', 'fmjd_listrow', 'fmjd_change');
ALTER INDEX ratings_ratinglistrow_pkey RENAME TO fmjd_listrow_pkey;
ALTER INDEX ratings_ratingchange_pkey RENAME TO fmjd_change_pkey;
