-- Rows in the name of the person who acts alone: reporting/migrations/sql/acting_person.sql.
SELECT bind_to_acting_person('ratings_period', 'frozen_by_id');
SELECT bind_to_acting_person('ratings_pastquarters', 'confirmed_by_id');
SELECT bind_to_acting_person('ratings_correction', 'requested_by_id');
SELECT bind_to_acting_person('ratings_calculationrun', 'requested_by_id');
SELECT bind_to_acting_person('ratings_anomalyanswer', 'by_id');
SELECT bind_to_acting_person('ratings_ratinglist', 'approved_by_id', 'published_by_id');
