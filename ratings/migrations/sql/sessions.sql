-- A tournament with a session counts in each pool that its games have the tempo of (R25): once in each. All others count
-- in one period at a time, as before.
CREATE OR REPLACE FUNCTION refuse_manifest_line() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF (SELECT state FROM public.ratings_period WHERE id = NEW.period_id)
        IS DISTINCT FROM (CASE WHEN NEW.correction_id IS NULL THEN 'frozen' ELSE 'correcting' END) THEN
        RAISE EXCEPTION 'a report enters a list when its period is frozen or its list corrected: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.correction_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM public.ratings_correction asked
        JOIN public.ratings_ratinglist replaced ON replaced.id = asked.replaces_id
        WHERE asked.id = NEW.correction_id AND replaced.period_id = NEW.period_id AND asked.withdrawn_at IS NULL
            AND NOT EXISTS (SELECT FROM public.ratings_ratinglist list
                WHERE list.correction_id = asked.id AND list.state = 'published')
    ) THEN
        RAISE EXCEPTION 'this correction is not under way in the period: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (
        SELECT FROM public.reporting_tournament own
        JOIN public.reporting_tournament other ON other.code = own.code
        JOIN public.ratings_periodreport line ON line.tournament_id = other.id
        JOIN public.ratings_period counting ON counting.id = line.period_id
        JOIN public.ratings_period period ON period.id = NEW.period_id
        LEFT JOIN public.ratings_correction asked ON asked.id = line.correction_id
        WHERE own.id = NEW.tournament_id
            AND (counting.pool_id = period.pool_id OR (own.session = '{}' AND other.session = '{}'))
            AND (
                (line.period_id = NEW.period_id AND line.correction_id IS NOT DISTINCT FROM NEW.correction_id)
                OR (line.period_id <> NEW.period_id AND asked.withdrawn_at IS NULL AND NOT EXISTS (
                    SELECT FROM public.ratings_ratinglist list WHERE list.period_id = line.period_id
                        AND list.state = 'published' AND list.correction_id > coalesce(line.correction_id, 0)))
            )
    ) THEN
        RAISE EXCEPTION 'this tournament is already counted: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
