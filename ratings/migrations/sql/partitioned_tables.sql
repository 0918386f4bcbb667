-- A list's rows and changes, partitioned by list. A calculation fills private tables and they become the list's
-- partitions in the same transaction (ratings/migrations/sql/partitions.sql). There is no default partition: a row without
-- a list of its own can't exist.
CREATE TABLE ratings_ratinglistrow (
    list_id bigint NOT NULL,
    position integer NOT NULL,
    name_position integer NOT NULL,
    official_position integer,
    player_id bigint NOT NULL,
    register_number integer NOT NULL,
    name varchar(130) NOT NULL,
    sort_name varchar(130) NOT NULL,
    federation varchar(3) NOT NULL,
    sex varchar(1) NOT NULL,
    birth_year smallint,
    title varchar(4) NOT NULL,
    rating integer NOT NULL,
    change integer,
    period_games integer NOT NULL,
    games integer NOT NULL,
    games_3_years integer NOT NULL,
    last_game date,
    reached_2300 boolean NOT NULL,
    category varchar(1) NOT NULL,
    rank integer NOT NULL,
    official_rank integer,
    CONSTRAINT ratings_ratinglistrow_pkey PRIMARY KEY (list_id, position),
    CONSTRAINT ratinglistrow_player_once UNIQUE (list_id, player_id),
    CONSTRAINT ratinglistrow_name_position UNIQUE (list_id, name_position),
    CONSTRAINT ratinglistrow_category_known CHECK (category IN ('A', 'B', 'C')),
    CONSTRAINT ratinglistrow_figures_possible
        CHECK (position > 0 AND name_position > 0 AND rating > 0 AND games >= period_games),
    CONSTRAINT ratinglistrow_list FOREIGN KEY (list_id) REFERENCES ratings_ratinglist (id),
    CONSTRAINT ratinglistrow_player FOREIGN KEY (player_id) REFERENCES reporting_player (id)
) PARTITION BY LIST (list_id);

CREATE TABLE ratings_ratingchange (
    list_id bigint NOT NULL,
    player_id bigint NOT NULL,
    sequence smallint NOT NULL,
    tournament_id bigint NOT NULL,
    basis_list_id bigint NOT NULL,
    method varchar(11) NOT NULL,
    own_e4 integer,
    own_is_running boolean NOT NULL,
    before_e4 integer,
    games_before integer NOT NULL,
    games integer NOT NULL,
    unrated_games integer NOT NULL,
    opponents_sum integer NOT NULL,
    average_e4 integer NOT NULL,
    points integer NOT NULL,
    expected_percentage_e4 integer,
    expected_score_e4 integer,
    k smallint,
    development smallint,
    delta_e4 integer,
    performance_e4 integer NOT NULL,
    performance_limited boolean NOT NULL,
    after_e4 integer NOT NULL,
    first_game date NOT NULL,
    last_game date NOT NULL,
    CONSTRAINT ratings_ratingchange_pkey PRIMARY KEY (list_id, player_id, sequence),
    CONSTRAINT ratingchange_columns_of_method CHECK (
        (method = 'provisional' AND num_nonnulls(expected_percentage_e4, expected_score_e4, k, development, delta_e4) = 0)
        OR (method = 'change'
            AND num_nulls(own_e4, expected_percentage_e4, expected_score_e4, k, development, delta_e4) = 0)
    ),
    CONSTRAINT ratingchange_counts_a_game CHECK (games > 0),
    CONSTRAINT ratingchange_list FOREIGN KEY (list_id) REFERENCES ratings_ratinglist (id),
    CONSTRAINT ratingchange_player FOREIGN KEY (player_id) REFERENCES reporting_player (id),
    CONSTRAINT ratingchange_tournament_known FOREIGN KEY (tournament_id) REFERENCES reporting_tournament (id),
    CONSTRAINT ratingchange_basis_list FOREIGN KEY (basis_list_id) REFERENCES ratings_ratinglist (id)
) PARTITION BY LIST (list_id);

CREATE INDEX ratingchange_tournament ON ratings_ratingchange (list_id, tournament_id);
