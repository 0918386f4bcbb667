-- By what players are searched, and looked up when a report is matched (reporting/register/similar_players.py). The
-- database writes it with each player, so that no edit, import or erasure leaves an old name (docs/decisions/0111, 0136).

-- One word of a normalized name, as spelling() in reporting/rules/names/look_alikes.py has it: a test compares the two.
CREATE FUNCTION spell_word(word text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog AS $$
DECLARE
    spelt text := word;
BEGIN
    IF spelt ~ '[^a-z]' THEN
        spelt := translate(
            spelt,
            'абвгґдезиіјклмнопрстуфыэђћқңғұүөәһαβγδεζηικλμνξοπρστυφωъь',
            'abvggdeziijklmnoprstufyedkknguuoehavgdeziiklmnxoprstufo'
        );
        spelt := replace(replace(replace(replace(replace(spelt, 'ж', 'zh'), 'х', 'kh'), 'ц', 'ts'), 'ч', 'ch'), 'ш', 'sh');
        spelt := replace(replace(replace(replace(spelt, 'щ', 'shch'), 'ю', 'yu'), 'я', 'ya'), 'є', 'ye');
        spelt := replace(replace(replace(spelt, 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dzh');
        spelt := replace(replace(replace(spelt, 'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps');
    END IF;
    spelt := regexp_replace(spelt, 'schtsch|sjtsj|szcz|shch', 'sk', 'g');
    spelt := regexp_replace(spelt, 'tsch|tch|tsh|tsj|cz', 'k', 'g');
    spelt := regexp_replace(spelt, 'sch|sh|sj|sz|zh|zj', 's', 'g');
    spelt := regexp_replace(spelt, 'ch|kh|ck|q|c', 'k', 'g');
    spelt := regexp_replace(spelt, 'tz', 'ts', 'g');
    spelt := regexp_replace(spelt, 'z', 's', 'g');
    spelt := regexp_replace(spelt, 'gu(?=[ei])', 'g', 'g');
    spelt := regexp_replace(spelt, 'ph|f', 'v', 'g');
    spelt := regexp_replace(spelt, 'th|dt', 't', 'g');
    spelt := regexp_replace(spelt, 'w', 'v', 'g');
    spelt := regexp_replace(spelt, 'x', 'ks', 'g');
    spelt := regexp_replace(spelt, 'h', 'g', 'g');
    spelt := regexp_replace(spelt, 'ou', 'u', 'g');
    spelt := regexp_replace(spelt, '[yji]+', 'i', 'g');
    spelt := regexp_replace(spelt, 'ie', 'e', 'g');
    spelt := regexp_replace(spelt, '(?<=[aou])e', '', 'g');
    spelt := regexp_replace(spelt, 'ei', 'i', 'g');
    spelt := regexp_replace(spelt, '(.)\1+', '\1', 'g');
    RETURN coalesce(nullif(spelt, ''), word);
END
$$;

-- What a spelt word has in common with each that differs by as many letters as TYPO_WORD_LENGTHS allows: its beginning
-- without one of six letters, that of a long word without two of seven. Words that differ by more can have it too.
CREATE FUNCTION word_keys(word text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog AS $$
DECLARE
    beginning text := left(word, 6);
    keys text[] := CASE WHEN length(word) < 6 THEN ARRAY[word] ELSE '{}' END;
BEGIN
    FOR one IN 1 .. length(beginning) LOOP
        keys := keys || overlay(beginning PLACING '' FROM one FOR 1);
    END LOOP;
    IF length(word) >= 8 THEN
        beginning := left(word, 7);
        FOR one IN 1 .. 6 LOOP
            FOR other IN one + 1 .. 7 LOOP
                keys := keys || ('-' || overlay(overlay(beginning PLACING '' FROM other FOR 1) PLACING '' FROM one FOR 1));
            END LOOP;
        END LOOP;
    END IF;
    RETURN keys;
END
$$;

CREATE FUNCTION spell_player() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    names text[] := string_to_array(replace(NEW.sort_name, ', ', ' '), ' ');
    words text[];
    letters text;
    joined text[];
    parts tsvector;
BEGIN
    SELECT array_agg(spell_word(word)) INTO words FROM unnest(names) word WHERE word <> '';
    SELECT string_agg(letter, '' ORDER BY letter COLLATE "C") INTO letters
    FROM unnest(string_to_array(array_to_string(words, ''), NULL)) letter;
    -- A surname or first name of several words, as one word.
    SELECT array_agg(replace(part, ' ', '')) INTO joined
    FROM unnest(string_to_array(NEW.sort_name, ', ')) part WHERE part LIKE '% %';
    SELECT words || array_agg(spell_word(word)) INTO words FROM unnest(joined) word;
    -- What a search finds by its beginning: `^` and a word, the word from a later letter on (three letters at least), `~`
    -- and a word in its spelling.
    SELECT array_to_tsvector(coalesce(array_agg(part), '{}')) INTO parts FROM (
        SELECT substr('^' || word, letter)
        FROM unnest(names || joined) word, generate_series(1, greatest(length(word) - 1, 1)) letter WHERE word <> ''
        UNION SELECT '~' || word FROM unnest(words) word
    ) part (part);
    -- `=` and all letters: the same name in another order, or split into other words. `@` and the federation. `#` and
    -- the year of birth, or the federation where the year is not known.
    INSERT INTO public.reporting_playerspelling (player_id, parts, words)
    VALUES (NEW.id, parts, words || ARRAY[
        '=' || coalesce(letters, ''), '@' || NEW.federation_id, '#' || coalesce(nullif(NEW.birth_year, 0)::text, NEW.federation_id)
    ])
    ON CONFLICT (player_id) DO UPDATE SET words = excluded.words, parts = excluded.parts;
    -- In one order, so that two who enter one name at the same time, one of them with its parts exchanged, do not wait for
    -- each other.
    INSERT INTO public.reporting_speltword (word, keys)
    SELECT word, word_keys(word) FROM unnest(words) word WHERE length(word) >= 4 ORDER BY word COLLATE "C"
    ON CONFLICT (word) DO NOTHING;
    RETURN NULL;
END
$$;

-- The words that only an erased name had. The lock waits for those who enter players with the same words.
CREATE FUNCTION erase_spelt_words() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    LOCK TABLE public.reporting_speltword IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM public.reporting_speltword spelt
    WHERE NOT EXISTS (SELECT FROM public.reporting_playerspelling player WHERE player.words && ARRAY[spelt.word]);
    RETURN NULL;
END
$$;

CREATE TRIGGER reporting_player_spelt AFTER INSERT OR UPDATE OF sort_name, federation_id, birth_year ON reporting_player
    FOR EACH ROW EXECUTE FUNCTION spell_player();
CREATE TRIGGER reporting_player_spelt_no_more AFTER UPDATE OF sort_name ON reporting_player
    FOR EACH ROW WHEN (NEW.sort_name = 'erased player' AND OLD.sort_name <> NEW.sort_name) EXECUTE FUNCTION erase_spelt_words();
ALTER TABLE reporting_player ENABLE ALWAYS TRIGGER reporting_player_spelt;
ALTER TABLE reporting_player ENABLE ALWAYS TRIGGER reporting_player_spelt_no_more;

-- Only these triggers write them, none of a table that the worker makes.
REVOKE EXECUTE ON FUNCTION spell_player(), erase_spelt_words() FROM PUBLIC;
REVOKE INSERT, UPDATE, DELETE ON reporting_playerspelling, reporting_speltword FROM app_web, app_worker;
