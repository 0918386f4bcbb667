"""The catalogue of this app's refusals: a key, and the sentence with the values that the call site gives."""

from reporting.refusals.domain_error import Sentence
from reporting.rules.sentences import Plural

REFUSALS: dict[str, Sentence] = {
    # periods
    "already_published": "The list of {in_force:date} is published. A revision corrects it.",
    "already_published.behind": (
        "The list of {in_force:date} is in the past. The next list of {pool} is that of {due:date}."
    ),
    "before_closing": "The closing date is {closing:date}. The period can be frozen from the following day.",
    "dates_by_calendar": "The regulations of {system} set the dates of each list.",
    "dates_chosen": "The list of {in_force:date} with the closing date {closing:date} comes first.",
    "dates_missing": "Choose the dates of the list of {in_force:date} first.",
    "dates_out_of_order": (
        "The closing date {closing:date} is not before {in_force:date}, when the list comes into force."
    ),
    "dates_out_of_order.closed": (
        "The closing date {closing:date} is in a closed period. Choose {first:date} or a later day."
    ),
    "dates_out_of_order.list": (
        "The list of {newest:date} is published. The next list comes into force later, not on {in_force:date}."
    ),
    "no_list": "{pool} has no list yet. Import an opening list first.",
    "not_begun": "This period begins on {since:date}. It has no games yet.",
    "not_in_calendar": (
        "No list comes into force on {in_force:date}. The calendar of the regulations has no such day."
    ),
    "predecessor_unpublished": "Publish the list of {due:date} before that of {in_force:date}.",
    "quarters_changed": "These quarters have changed since you opened the page. Check them again.",
    "results_changed": (
        "The stored results of {tournament} differ from its file. Undo the acceptance if it is accepted, and return the"
        " report: submitted again, its results are stored again."
    ),
    "wrong_state.freeze": "This period is already frozen.",
    "wrong_state.preview": "This period is already frozen. Look at its draft.",
    # signed history
    "history_changed": (
        "The signed history is not as the worker left it: it ends with statement {number}. Nothing is signed until an"
        " administrator has found out why."
    ),
    "no_signing_key": "The key {public} is not in the worker's folder. Put it back, or state its loss.",
    # comparison of rules
    "too_few_lists": Plural(
        "{pool} has {lists} list that can be compared, not {periods}. A comparison starts from the list before.",
        "{pool} has {lists} lists that can be compared, not {periods}. A comparison starts from the list before.",
        "lists",
    ),
    # calculation
    "busy.calculation": "Another worker is doing this calculation.",
    "calculation_failed": "This calculation failed {attempts} times and was given up.",
    "calculation_waiting": "It is being recalculated. Look at the new draft.",
    "carry_impossible.later_list": (
        "Corrections of earlier lists add or remove {players} players whom later lists rate by later games. Correct the"
        " list of {in_force:date} again and revise all later lists."
    ),
    "carry_impossible.this_list": (
        "Corrections that are not carried yet add or remove {players} players whom later lists rate by later games."
        " Withdraw this one, correct the oldest of these lists and revise all later ones."
    ),
    "decisions_changed": "Something was decided about a tournament of this list since then. Recalculate this list.",
    "merges_changed": "Player records were merged, or a merge was undone, since then. Recalculate this list.",
    "not_frozen": "Freeze the period first. Only a frozen period can be calculated.",
    "other_lists_changed": (
        "A list of another pool or of a source, or the memberships of clubs, that this list reads have changed since"
        " then. Recalculate this list."
    ),
    "other_pool_unpublished": "Publish the list of {in_force:date} of {pool} first: this list reads it.",
    "predecessor_changed": "An earlier list was corrected since then. Recalculate this one.",
    "recalculation_differs": Plural(
        "The recalculation from the files of this list finds 1 difference. The list cannot be signed. {first}",
        "The recalculation from the files of this list finds {count} differences. The list cannot be signed. The first:"
        " {first}",
        "count",
    ),
    "wrong_state.calculate": "There is nothing to calculate: the period is not frozen.",
    # draft and signatures
    "anomalies_open": Plural(
        "1 anomaly of this draft has no answer yet.",
        "{count} anomalies of this draft have no answer yet.",
        "count",
    ),
    "answer_missing": "Enter what you found.",
    "list_changed": "The list has changed since you opened the page. Check it again.",
    "norms_undecided": Plural(
        "1 norm of this draft waits for the title council.",
        "{count} norms of this draft wait for the title council.",
        "count",
    ),
    "own_opening_list": (
        "You uploaded this opening list. Another rating officer approves it. Without one, discard the draft and let an"
        " administrator upload the table."
    ),
    "own_results": "You submitted or changed results of this list ({tournaments}). Another rating officer approves it.",
    "same_person": "You approved this list. Another person publishes it.",
    "same_person.command": "Approving and publishing needs two different people.",
    "unreadable.list_unknown": "The page did not say which list you looked at. Check it and try again.",
    "wrong_state.answer": "This draft is signed or replaced. Its anomalies cannot be answered any more.",
    "wrong_state.list": "This is not possible any more. The list is in another state.",
    "wrong_state.no_draft": "This list has no draft to sign.",
    "wrong_state.recalculating": "This draft is being recalculated. Answer on the new one.",
    # corrections
    "choice_unknown": "Choose what happens to later lists: {choices}.",
    "correction_under_way": (
        "The list of {in_force:date} is being corrected. Publish that correction or withdraw it first."
    ),
    "correction_under_way.pool": "Another list of the pool is being corrected. Finish that first.",
    "follows_published": "This revision follows from one that is published. All later lists must be revised.",
    "not_newest": "Only the newest revision of a published list can be corrected.",
    "opening_list": "An opening list cannot be revised.",
    "report_unfit": (
        "Report {reports} cannot be added. It is not accepted, is already counted, or its last round is outside the"
        " period."
    ),
    "tournament_unknown": "The list does not count {tournaments}.",
    "wrong_state.no_correction": "This list is not being corrected.",
    "wrong_state.not_published": "Only a published list can be corrected.",
    # webhooks
    "too_many_webhooks": "You have {most} webhooks. Delete one that you no longer need.",
    "webhook_ended": "This webhook has ended. Delete it and register it again with a valid token.",
    "webhook_registered": "You already have a webhook with this address.",
    "webhook_token": "Choose one of your tokens with the scope webhooks.",
    "wrong_state.webhook": "This webhook is already deleted.",
    # register and files
    "list_refused": "The table has errors.",
    "number_unknown": "No player has the {label:text} “{number}”.",
    "opening_failed": "The worker could not make this list. The technical log has the error.",
    "opening_unknown": "Another table replaced this one. Check the list again.",
    "no_values": "The officer decides no values for the lists of {pool}.",
    "values_fixed": "The values of the list of {in_force:date} are fixed: its period is frozen.",
    "values_refused": "The values have errors.",
    "source_read": (
        "The list {list} was calculated from another file of the {kind} ratings of {in_force:date}, with the digest"
        " {sha256}. A published list keeps what it has read."
    ),
    "source_refused": "The file has errors.",
    "source_failed": "The worker could not import this file. The technical log has the error.",
    "pool_has_lists": "{pool} already has lists. An opening list needs an empty pool.",
    "too_far_ahead": "No list comes into force on {in_force:date}. That is more than a year ahead.",
    "too_far_back": "No list came into force on {in_force:date}. Enter {first:date} or a later day.",
    "files_missing": "The worker is writing the files of this list. Try again in a minute.",
    "too_many_rows": "A sheet of Excel holds {most} rows, not {rows}. Use CSV or JSON.",
    "unknown_format": "{format} is not a known format. Use one of {known}.",
    "unknown_variant": "There is no list {name}. Use one of {known}, federation:CODE.",
}
