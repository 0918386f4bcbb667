"""The articles that findings about reports cite: of Annexes 2, 3, 5, 9 and 10, with rulings."""

from reporting.federations.fmjd.world_cup_checks import FINDING_CODES
from reporting.rules.findings.catalogue import CODES

_OF_SEVERITY = {"error": "Annex 9 art. 4.1; R20", "warning": "Annex 9 art. 4.1; R21"}
"""What is sent to the rating officer, and what is wrong with it: of findings without an article of their own."""

_CODES_BY_ARTICLE = {
    "Annex 9 art. 4.1, 11; R22": (
        "file-empty file-too-large file-too-costly archive-refused format-unknown workbook-refused "
        "workbook-unreadable encoding-unknown encoding-unreadable line-end-unknown line-too-long "
        "character-forbidden findings-cut limit-players limit-rounds limit-games"
    ),
    "Annex 9 art. 11; R20": (
        "section-missing section-repeated section-out-of-order section-not-closed section-end-unexpected "
        "tag-unknown text-outside-section line-unreadable key-unknown key-repeated remark-not-closed "
        "field-count formula-refused cells-merged separator-unclear column-repeated type-unknown "
        "yes-or-no-unknown date-unreadable date-unknown country-missing country-unknown fmjd-id-unreadable "
        "number-missing number-unreadable place-unreadable points-missing points-unreadable sex-unknown "
        "round-unreadable result-unknown pause-without-player pause-result header-missing.table "
        "column-missing.table pause-undecided half-point-bye number-repeated number-unknown fmjd-id-repeated "
        "born-after-start sex-missing text-too-long no-players self-play paired-twice no-games points-differ "
        "place-repeated player-entered-twice dates-reversed"
    ),
    "Annex 9 art. 4.1; R21": "key-unknown.trf16 date-unreadable.trf16 date-unreadable.rounds",
    "Annex 9 art. 4.1; R20": (
        "key-repeated.trf16 number-missing.trf16 number-unreadable.trf16 place-unreadable.trf16 "
        "points-missing.trf16 points-unreadable.trf16 sex-unknown.trf16"
    ),
    "Annex 9 art. 4.2.2; R20": (
        "field-count.no-results field-count.rounds field-count.twice name-not-split "
        "cell-unreadable.table-form"
    ),
    "Annex 9 art. 11; R21": (
        "hidden-part sheet-unknown born-unlikely place-missing winner-not-first places-contradict-points"
    ),
    "Annex 9 art. 4.2.2.1; R20": (
        "fmjd-id-unreadable.export fmjd-id-unreadable.table-form player-not-identified"
    ),
    "Annex 9 art. 4.2.5, 11; R20": "name-missing",
    "Annex 9 art. 4.2.2; R21": "name-not-split.table register-differs",
    "Annex 10 art. 1; R21": "title-unknown",
    "Annex 9 art. 6.3; R21": "rating-unreadable",
    "Annex 9 art. 4.1, 11; R8, R20": (
        "cell-unreadable.trf16-opponent cell-unreadable.trf16-colour cell-unreadable.trf16-result "
        "cell-unreadable.trf16-only-colour cell-unreadable.trf16-only-result cell-unreadable.trf16-bye "
        "cell-unreadable.trf16-no-result"
    ),
    "Annex 9 art. 11; R8, R20": "forfeit-undecided",
    "Annex 9 art. 5.3, 11; R8, R21": "game-not-rated",
    "Annex 9 art. 11; R20, R25": (
        "points-scale-taken points-system-unreadable points-system-unknown points-apart points-not-read "
        "points-scale-differs"
    ),
    "Annex 9 art. 4.1; R8, R21": "bye-differs",
    "Annex 9 art. 11; R52a": "team-rank-shared",
    "Annex 5 art. 1; R62, R64": (
        "pairing-file-too-large json-unreadable pairing-name-unknown pairing-name-repeated pairing-entry-missing "
        "pairing-value-wrong pairing-player-unknown pairing-player-twice pairing-game-late pairing-round-late"
    ),
    "Annex 5 art. 3.2; R62": "pairing-number-repeated",
    "Annex 5 App. A a; R62": "pairing-rating-missing",
    "Annex 5 art. 4.2; R63": "pairing-player-absent",
    "Annex 5 art. 4.4; R69c": "pairing-many-rounds",
    "Annex 2 art. 3a; R69c": "pairing-few-rounds",
    "Annex 2 art. 3b; R67": "pairing-count-wrong",
    "Annex 17 App. B1; R67a": "championship-too-large championship-place-repeated",
    "Annex 5 art. 3.1; R60c": "tie-breaks-unknown details-contradict.unplayed",
    "Annex 9 art. 4.2.2.7, 11; R20": "born-missing",
    "Annex 9 art. 4.2.5.1, 11; R20": "name-outside-alphabet name-too-long",
    "Annex 9 art. 4.2.5.2; R20": "name-shortened",
    "Annex 9 art. 4.2.4, 11; R21": "text-outside-alphabet",
    "Annex 9 art. 4.1.1; R20": (
        "player-details-unknown new-player-unknown round-dates-differ game-day-differs"
    ),
    "Annex 5 art. 3; R21": "met-before colours-uneven",
    "Annex 3 art. 5.6a; R21, R25": "session-opponents session-game-missing",
    "Annex 2 art. 3a; R21": "few-rounds",
    "Annex 9 art. 4.7; R21": "round-missing game-missing",
    "Annex 9 art. 4.7; R11, R21": "result-missing",
    "Annex 3 art. 5.11; R25, R52": "shared-places-differ",
    "Annex 3 art. 5.6a; R54": "round-scores-differ plus-draw-differs",
    "Annex 3 art. 5.10; R25": "decided-ties-differ",
    "Annex 3 art. 5.10, 5.11; R52": "places-contradict-tie-breaks tie-break-to-be-played",
    "Annex 3 art. 5.9; R53": "places-contradict-tie-breaks.withdrawn",
    "Annex 9 art. 4.2.2.1, 11; R20": "fmjd-id-unknown",
    "Annex 9 art. 4.2.2.1, 11; R20, R24": "fmjd-id-unknown.new",
    "Annex 9 art. 4.2.2; R21, R22a": "birth-date-differs birth-date-not-compared",
    "Annex 9 art. 4.2.2.1; R24": "fmjd-id-merged",
    "Annex 2 art. 3f; R73a": "over-age",
    "Annex 18; R70, R70a": "world-cup-incomplete world-cup-incomplete.places",
    "Annex 18 condition 4; R70c": "world-cup-incomplete.groups",
    "Annex 18 conditions 4, 10, 11; R70f": "approved-differs",
    "Code of behaviour 9b; R70e": "absent-unknown",
    "Annex 18 condition 6; R70f": "world-cup-conditions",
    "Annex 18 condition 1; R70f": "world-cup-conditions.tie-breaks",
    "Annex 18 condition 3; R70f": "world-cup-conditions.system",
    "Annex 18; R70a": "world-cup-named",
    "Annex 18 condition 4; R70a, R70c": "sex-needed",
    "Annex 13 art. 5.2, 5.4, 5.6; R73a": "many-of-federation",
    "Annex 9 art. 4.2.2.1; R21, R24": "looks-registered",
    "Annex 9 art. 4.1; R21, R23": "same-file",
    "Annex 9 art. 1.2.1.3; R11": "announced-long announced-far announced-alike",
    "Annex 9 art. 4.2.2.1; R24a": "newcomers-alike newcomer-waiting",
    "Annex 9 art. 6.2a; R23": "corrects-unknown",
    "Annex 9 art. 1.2.1.3; R11, R21": "not-announced",
    "Annex 9 art. 4.1.1; R22": (
        "received-before-end details-unreadable detail-unknown detail-unreadable detail-too-long "
        "detail-missing details-contradict details-differ"
    ),
    "Annex 9 art. 4.2.1b; R11, R21": "service-not-paid",
    "Annex 9 art. 1.2.2; R6, R26": "time-control-long",
    "Annex 9 art. 4.1, 4.5; R11, R21": "late-report",
    "Annex 3 art. 5.11.2": "details-contradict.teams",
    "Annex 3 art. 5.6a, 5.10a": "details-contradict.round-points",
}
_NAMES_BY_ARTICLE = {
    "4.1.1c": "name place country played_from sponsors",
    "4.1.1c, 4.5": "played_to",
    "1.1": "rating_system",
    "1.1, 4.1.1d": "discipline",
    "1.2.2, 4.1.1d": "time_control minutes_for_60_moves",
    "1.2.2; Annex 3 art. 5.6a": "session",
    "4.1.1d": "system",
    "1.2.1": "official",
    "1.2.1; Annex 10 art. 4.2.5": "national_championship",
    "5.2": "women_only",
    "11; Annex 2 art. 3f": "youth",
    "11": "veterans points",
    "1.2.1.3": "announced",
    "4.1.1b": "referee referee_contacts referee_languages",
    "4.1.1b; Annex 10 art. 4.4": "referee_level",
    "4.1, 4.1.1b": "assistant_referees",
    "4.1.1e": "special_cases",
    "4.1, 4.5": "received",
    "4.7, 6.2a": "admit",
    "6.2a": "corrects",
    "4.1; R21": "different_tournament",
    "3.2.3": "number",
    "4.2.2.1": "players",
    "4.2.2, 11": "newcomers",
    "Annex 10 art. 4.2.6": "rounds",
    "Annex 10 art. 3": "competition",
    "Annex 10 art. 4.2.8": "council_approved",
    "4.2.1b": "rating_service_paid",
    "Annex 18": "world_cup_stars",
    "Annex 18 condition 4; R70c": "world_cup_groups",
    "Code of behaviour 9b; R70e": "absent_from_closing",
    "Annex 3 art. 5.11": "standings",
    "Annex 5 art. 4.1": "unplayed",
    "11; Annex 3 art. 5.11": "shared_places",
    "Annex 3 art. 5.6a; R54": "round_scores",
    "Annex 3 art. 5.6a; Annex 17 art. 10; R52, R54": "plus_draws",
    "Annex 3 art. 5.10; R25": "decided_ties",
    "4.1, 11": "encoding",
}
"""Details of a tournament; articles without a name are of Annex 9."""
_OF_DECISIONS = {
    "council_approved": "Annex 10 art. 4.2.8",
    "official": "Annex 10 art. 4.2a, Annex 2 art. 1",
    "competition": "Annex 10 art. 3, Annex 18",
    "world_cup_stars": "Annex 18",
    "referee_level": "Annex 10 art. 4.4.1.5, R77a",
    "over_age": "Annex 2 art. 3f, R73a",
}

_OF_MAILS = {"report-due": "Annex 9 art. 4.1", "report-late": "Annex 9 art. 4.1, 4.5; R11"}
ARTICLES = {
    **_OF_MAILS,
    **{
        code: _OF_SEVERITY[entry.severity]
        for code, entry in {**CODES, **FINDING_CODES}.items()
        if "." not in code and entry.severity in _OF_SEVERITY
    },
    **{code: article for article, codes in _CODES_BY_ARTICLE.items() for code in codes.split()},
    **{f"detail.{name}": article for article, names in _NAMES_BY_ARTICLE.items() for name in names.split()},
    **{f"decision.{item}": article for item, article in _OF_DECISIONS.items()},
}
"""Article by code of a finding, subject of a mail, detail or decision, as the facet says."""
