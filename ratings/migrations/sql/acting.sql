-- Rows in the name of the person who acts alone: reporting/migrations/sql/acting_person.sql.
SELECT bind_to_acting_person('ratings_period', 'frozen_by_id');
SELECT bind_to_acting_person('ratings_pastquarters', 'confirmed_by_id');
SELECT bind_to_acting_person('ratings_correction', 'requested_by_id');
SELECT bind_to_acting_person('ratings_calculationrun', 'requested_by_id');
SELECT bind_to_acting_person('ratings_anomalyanswer', 'by_id');
SELECT bind_to_acting_person('ratings_ratinglist', 'approved_by_id', 'published_by_id', 'imported_by_id');
SELECT bind_to_acting_person('ratings_openingimport', 'requested_by_id');
SELECT bind_to_acting_person('ratings_sourceimport', 'requested_by_id');
SELECT bind_to_acting_person('ratings_sourcelist', 'imported_by_id');
SELECT bind_to_acting_person('ratings_listvalues', 'set_by_id');

-- What periods and lists stand on is written by the web only for a person who acts in a role that may:
-- reporting/migrations/sql/acting_roles.sql.
SELECT bind_to_roles('ratings_period', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_periodreport', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_correction', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_calculationrun', 'rating_officer', 'releasing_officer');
SELECT bind_to_roles('ratings_playerhistory', 'releasing_officer');
SELECT bind_to_roles('ratings_ratinglist', 'rating_officer', 'releasing_officer', 'title_council', 'administrator');
SELECT bind_to_roles('ratings_anomalyanswer', 'rating_officer');
SELECT bind_to_roles('ratings_pastquarters', 'rating_officer');
SELECT bind_to_roles('ratings_openingimport', 'rating_officer', 'administrator');
SELECT bind_to_roles('ratings_sourceimport', 'rating_officer', 'administrator');
SELECT bind_to_roles('ratings_sourceimportpart', 'rating_officer', 'administrator');
SELECT bind_to_roles('ratings_listvalues', 'rating_officer');

SELECT bind_to_moment('ratings_correction', 'requested_at');
SELECT bind_to_moment('ratings_calculationrun', 'requested_at');
SELECT bind_to_moment('ratings_anomalyanswer', 'at');
SELECT bind_to_moment('ratings_pastquarters', 'confirmed_at');
SELECT bind_to_moment('ratings_openingimport', 'requested_at');
SELECT bind_to_moment('ratings_sourceimport', 'requested_at');
SELECT bind_to_moment('ratings_sourcelist', 'imported_at');
SELECT bind_to_moment('ratings_listvalues', 'set_at');
