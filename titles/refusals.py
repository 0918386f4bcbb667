"""The catalogue of this app's refusals: a key, and the sentence with the values that the call site gives."""

from reporting.refusals.domain_error import Sentence
from reporting.rules.sentences import Plural

REFUSALS: dict[str, Sentence] = {
    "application_open": "There is an application for the title {title} of {player} already.",
    "championship_council_day": "The Council’s day for withdrawals is not after the first day.",
    "championship_exists": "There is a championship {championship} already.",
    "championship_extra_places": (
        "A women’s championship has up to 4 extra places, one of 40 players 8 or none, an open one of 20 players none."
    ),
    "championship_match": "Enter the opponent of the title match that was played.",
    "championship_match.same": "Champion and opponent are two players.",
    "championship_reported": (
        "The medals of this championship follow from the report {tournament}. Correct the report if they are wrong."
    ),
    "championship_year": "The championship is of {year}. Choose a first day in that year.",
    "day_in_future": "Choose a day up to today, {today:date}.",
    "forbidden.other_federation": "The player is of another federation.",
    "item_not_named": "Players of item {item} are not named: its places follow from a rule.",
    "lot_not_equal": "A lot is between all players who are equal with each other, each once. These are not: {players}.",
    "match_day_outside": "Choose a day from {first:date} to {last:date}.",
    "match_player_missing": "Choose the player who refused, or who won the match.",
    "medal_entered": "This medallist is entered for this championship already. Withdraw that entry first.",
    "medal_withdrawn": "This entry was withdrawn already.",
    "medallist_missing": "Enter the number of the player, or the name as the source prints it.",
    "medallist_missing.team": "Enter the federation of the team, or its name; a team has no number.",
    "medallist_twice": "Enter the number or the name, not both: the name of a player is in the register.",
    "minutes_missing": "Enter the number of the minutes.",
    "name_other_continent": "Of another continent: {players}.",
    "name_other_sex": "Not a woman by the register: {players}.",
    "name_unknown": "Not in the register: {players}.",
    "named_twice": "Named twice: {players}.",
    "no_championship": "No championship with medals gives the right to this title match.",
    "no_period": "{pool} has no period with the closing date {closing:date}.",
    "no_place": "{player} has no place that can be answered, and is not on the reserve list.",
    "no_right_to_match": "{player} has no right to this title match now.",
    "norm_claimed": "This norm was found or claimed already.",
    "norm_not_possible": "A norm with an unmet requirement cannot be confirmed. Claim it, with a reason.",
    "norm_unknown": "This list counts no game of this player in this tournament.",
    "norms_decided": Plural(
        "Another decision was made on 1 of these norms since you opened the page. Read it, then decide.",
        "Other decisions were made on {count} of these norms since you opened the page. Read them, then decide.",
        "count",
    ),
    "norms_missing": "Choose at least one norm of this list.",
    "norms_signed": "This list is signed or replaced. Only a correction of the list changes its norms.",
    "nothing_to_withdraw": "No entry of this title match counts.",
    "own_results.publication": (
        "You submitted or changed reports that this publication counts ({tournaments}). Another tournament director"
        " approves it."
    ),
    "own_application": "You submitted this application. Another person decides about it.",
    "previous_unknown": "No accepted tournament has the code {tournament}.",
    "previous_other_kind": (
        "{tournament} is not of this kind: classical draughts with 100 squares, and only a women’s championship "
        "follows a women’s tournament."
    ),
    "publication_changed": "The draft has changed since you opened the page. Check it again.",
    "publication_day_ahead": "{day:date} is to come. Choose a day until today.",
    "publication_empty": "No result counts on this day, and the classification has no row. Withdraw the draft.",
    "publication_outdated": (
        "Since the draft was made, reports, declarations or lists have changed, and the draft would differ now. "
        "Withdraw it, then request it again."
    ),
    "result_missing": "Enter the result of the match, the winner’s points first.",
    "result_missing.points": (
        "Enter the points of both players, the winner’s first and not fewer than the other’s: 13–11, or 6½–5½."
    ),
    "same_person.publication": "You approved this. Another person publishes it.",
    "source_missing": "Enter the source: the publication, page or minutes that name the medallist.",
    "standing_known": "This was recorded for {federation} and {year} already.",
    "step_day_outside": "Choose a day from {first:date} to {last:date}.",
    "step_day_outside.today": "Choose today, {day:date}: the step before this one was recorded for today.",
    "title_held": "{player} has the title {held}, which is not below {title}.",
    "title_held.same": "{player} has the title {title} already.",
    "title_later": "{player} got the title {held} on {day:date}. Choose a later day.",
    "title_match_ended": "It is recorded that this match was played or is not played. Withdraw that entry first.",
    "title_match_recorded": "Withdraw the title match of {year} first.",
    "title_not_due": "The norms on published lists do not give {player} the title {title}.",
    "wrong_state.application": "This step is not possible in the present state of the application.",
    "wrong_state.place": "This is not possible in the present state of the place.",
    "wrong_state.publication": "This is not possible any more. The publication is in another state.",
    "year_outside": "Choose a year from {first} to {last}.",
}
"""The refusals by their keys."""
