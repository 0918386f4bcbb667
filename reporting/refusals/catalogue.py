"""The catalogue of this app's refusals: a key, and the sentence with the values that the call site gives.

A key is a code, or a code and the case after a full stop. The codes `forbidden`, `busy` and `idempotency_key_reused`
have their own HTTP status (403, 503, 422); every other refusal is 409. Sentences say what is wrong and what to do.
"""

from reporting.refusals.domain_error import Sentence
from reporting.rules.sentences import Plural

REFUSALS: dict[str, Sentence] = {
    # several rooms
    "busy": "Someone else is editing this. Please try again.",
    "busy.accepting": "Another report is being accepted. Please try again.",
    "busy.erasing": "The name of a player is being erased. Please try again.",
    "busy.freezing": "A period is being frozen. Please try again.",
    "busy.listing": "A rating list or its files are being made. Please try again in a minute.",
    "busy.reading": "Many files are being read at the moment. Please try again in a minute.",
    "busy.storing": "A report is being stored. Please try again.",
    "busy.submitting": "Another report is being submitted. Please try again.",
    "forbidden.role": "You cannot do this. It needs one of these roles: {roles:role}.",
    "reason_missing": "Enter a reason.",
    "too_long": "Some values are missing or too long.",
    "too_many": "Too many attempts. Please try again in a few minutes.",
    "unknown_action": "Choose what to do.",
    "unreadable": "Enter text of at most {most} characters.",
    "unreadable.answers": "Some values cannot be read.",
    "unreadable.characters": "The text contains characters that are not allowed.",
    "unreadable.long_basis": "Enter at most {text} characters of text and {basis} characters of grounds.",
    "idempotency_key_reused": "This idempotency key was sent with another request. Use a new key for each request.",
    # accounts
    "account_exists": "There is already an account with this e-mail address.",
    "account_exists.closed": "{name} already has an account with this e-mail address. It is closed.",
    "account_exists.invited": "{name} is already invited. Send the invitation again from the list of accounts.",
    "account_exists.named": "{name} already has an account with this e-mail address.",
    "administrator_exists": "There are already two administrators. Administrators invite all other people.",
    "changed_meanwhile": "Someone else has changed this account since you opened the page. Check it again.",
    "email_refused": "This is not an e-mail address.",
    "federation_needed": "A referee or national official belongs to a federation. Choose it.",
    "federation_unknown": "There is no federation with this code.",
    "forbidden.account_closed": "This account is closed.",
    "forbidden.championship": (
        "Only the national official of this federation and the office mark a national championship."
    ),
    "forbidden.command_account": "This account belongs to the commands of the office. It cannot be changed.",
    "forbidden.delete_draft": "Only the person who made this draft and the office can delete it.",
    "forbidden.first_administrator": "The first administrators are created by command.",
    "forbidden.invite": "You cannot invite a person with this role or of this federation.",
    "forbidden.role_assignment": "You cannot assign, confirm or end this role.",
    "token_name_taken": "You already have a token with this name. Choose another name, or revoke that token.",
    "too_many_tokens": "You have {most} tokens. Revoke one that you no longer need.",
    "sent_recently": "This invitation was sent a moment ago. Please wait until the mail has arrived.",
    "link_ended": "This link was used, has expired or was replaced by another one.",
    "name_refused": "A name has 1 to 120 characters.",
    "no_role": "Choose at least one role. To remove all access, close the account.",
    "own_act": "You assigned this role. Another administrator confirms it.",
    "own_account": "You cannot close your own account or change your own roles. Ask another administrator.",
    "own_account.administrator": "The account of an administrator is closed by another administrator.",
    "roles_conflict": (
        "An administrator cannot also be rating officer, releasing officer or member of the title council."
    ),
    "same_address": "This is already the e-mail address of your account.",
    "two_administrators": "Enter e-mail addresses and names of two people: one assigns roles, the other confirms them.",
    "two_administrators.one_more": "{name} is administrator. Enter the e-mail address and name of one more person.",
    "wrong_state.account_closed": "The account of {name} is not open.",
    "wrong_state.account_open": "The account of {name} is open.",
    "wrong_state.token": "This token is already revoked.",
    "wrong_state.invitation": "This invitation is no longer open.",
    "wrong_state.never_accepted": "{name} has never set a password. Send the invitation again.",
    "wrong_state.role": "This role is no longer waiting for a confirmation.",
    "wrong_state.no_second_factor": "The account of {name} has no second factor.",
    # register
    "change_day": "Enter a day from {first:date} to {last:date}.",
    "edit_refused": Plural("1 value is missing or wrong.", "{count} values are missing or wrong.", "count"),
    "forbidden.field": "You cannot change this value of a player. The rating office does that.",
    "already_erased": "The name of this player was already erased.",
    "already_undone": "This merge was already undone.",
    "already_merged": (
        "{number} was merged into {into}. Merge with {into}, the surviving record, or undo that merge first."
    ),
    "merged_since": "{number} was merged into {into} after this merge. Undo that merge first; you can repeat it later.",
    "nothing_changed.register": "Nothing to save: the register already has these values.",
    "number_missing": (
        "{number} has no {label:text}, by which lists identify players. Keep the record {other} instead."
    ),
    "number_missing.both": (
        "{number} has no {label:text} and {other} has no {other_label:text}: lists identify players by both. The two"
        " records cannot be merged."
    ),
    "number_taken": "Another player was given the number {number} just now. Check again.",
    "played_together": (
        "Both records play in {tournament}, {played_from:date} to {played_to:date}, in the same rounds: {rounds}. They"
        " are two people, or that report is wrong."
    ),
    "preview_changed": "What this page shows has changed since you opened it. Check it again, then confirm.",
    "record_changed": "Someone else has changed this player since you opened the page.",
    "register_plan_changed": (
        "Someone changed the register after you opened this page. Check the changes again, then confirm them."
    ),
    "register_refused": "The table has errors.",
    "same_federation": "The player is of {federation} already.",
    "upload_gone": "This table was imported or discarded.",
    "same_record": "These are not two records. Choose another one.",
    # standings
    "no_teams": "Number {number} has no place. In a team tournament the place of a player is that of the team.",
    "not_team_matches": "In round {round} the team of number {number} did not play one other team.",
    "tie_break_not_defined": "With this method for unplayed games there is no {keys}. Use face-value.",
    "round_points_only": "Where rounds have points of their own, {keys} is not defined. Choose another one.",
    "tie_break_of_teams": "Only a team tournament has {keys}. Choose the system “teams”.",
    "unknown_tie_break": "“{found}” is not known. Known are: {known}.",
    # reports
    "account_closed": "The account of {name} is closed. A reminder would not be read.",
    "announcement_refused": Plural(
        "1 value is missing or wrong.", "{count} values are missing or wrong.", "count"
    ),
    "announcement_questions": "Nothing has been announced yet. Answer the question, then send the form again.",
    "announcement_changed": "Someone else has changed this announcement. Compare the values and save again.",
    "announcement_unknown": "This tournament cannot be chosen for the report.",
    "announcement_withdrawn": "This announcement was withdrawn.",
    "brought_in": (
        "You invited {names} or gave this account a role, or a person whom you brought in did. Others accept its first"
        " {reports} reports and decide about their tournaments: {others}."
    ),
    "brought_in.no_one_else": (
        "You invited {names} or gave this account a role, or a person whom you brought in did. Others accept its first"
        " {reports} reports and decide about their tournaments. There is no such person now: ask an administrator to"
        " appoint one."
    ),
    "corrected": "A corrected report of this tournament is accepted. Undo that acceptance first.",
    "part_not_accepted": "Part {part} of {tournament} is not accepted yet. Parts are accepted in order.",
    "part_accepted": "Part {part} of this tournament is accepted. Undo that acceptance first.",
    "already_counted": "A list counts this report. A corrected report can change that.",
    "edit_invalid": "This cannot be saved: {problem}",
    "findings_changed": "The findings have changed since you commented on them. Check them and submit again.",
    "findings_changed.birth_date": (
        "A date of birth differs from the register. Comment on this warning and submit again."
    ),
    "findings_changed.acceptance": (
        "What this page shows has changed since you opened it. Check the report again, then accept it."
    ),
    "people_undecided": "Say of each new player with the name, birth and country of another person who it is.",
    "people_contradict": (
        "The answers about number {number}, {name}, contradict each other. A person has one number in the register:"
        " answer again."
    ),
    "people_meet": (
        "Numbers {first} and {second} play in the same rounds: {rounds}. They cannot be one person: return the report."
    ),
    "has_errors": (
        "The report is not complete. Errors to correct: {errors}; people to identify: {people}; details missing:"
        " {missing}."
    ),
    "reminded_recently": "{name} was reminded on {day:date}. Wait three days for an answer.",
    "possible_duplicate": (
        "This report looks like a tournament that is already accepted. Choose whether it corrects that tournament or is"
        " a different one, and give the reason."
    ),
    "needs_admission": "This report is only calculated if it is admitted with a reason.",
    "newcomers_unclear": (
        "When this report was accepted before, {players} came into the register. Is one of them number {strangers}?"
        " Then enter the player’s number in the report; otherwise say that they are different people."
    ),
    "no_numbers_left": "No {label:text} is left: the largest is {largest}.",
    "not_a_duplicate": "The report does not look like the accepted tournament {tournament}.",
    "not_clean": "There is something to decide. Open the report and accept it there.",
    "not_alike.undone": "The acceptance of {tournament} was just undone.",
    "note_not_sent": "Your note is not sent yet. Send it, or empty its field and mark the notes as answered.",
    "not_readable": (
        "No data of this file could be read, so there are no results to show. Upload the file in another format."
    ),
    "not_writable": (
        "This cannot be saved. In the format of {format} it would read differently, or it is over a limit."
    ),
    "not_writable.characters": "This cannot be written in the format of {format}: {problem}.",
    "nothing_changed.file": "Nothing was changed and no file was chosen.",
    "own_report": "You cannot review your own report.",
    "own_report.decide": "You had a part in a report of {tournament}. Another person decides about it.",
    "tournament_decided": "Someone else decided about {tournament} since you opened the page. Read it, then decide.",
    "decision_changes_nothing": "This is decided already.",
    "decision_unknown.over_age": "No player of {tournament} is over the age. There is nothing to decide.",
    "decision_unknown": "{found} cannot be decided here. Possible values: {known}.",
    "decisions_missing": "Choose what you decide.",
    "tournament_not_reported": "There is no report of a tournament {code}.",
    "own_version": (
        "You changed, submitted or announced this report, or commented on its warnings. Another person of the office"
        " accepts it."
    ),
    "remark_invalid": "A remark is general, or about a line from 1, or about a tournament detail by its name.",
    "remark_unfit.line": "“{line}” is not a line of the file. Enter its number, from 1.",
    "remarks_missing": "Say what the referee has to correct.",
    "remarks_missing.line": "Say what the referee has to correct in line {line}.",
    "same_person_twice": (
        "{player}, who came into the register with this report, was merged into {into}. Both would play in it. Undo the"
        " merge, or have the report corrected."
    ),
    "details_of_one_file": "The entered details belong to one file. Upload that file alone.",
    "file_unusable": "This file cannot be read as a report. It was not stored.",
    "too_many_reports": "You uploaded {most} reports today. That is the limit. Upload this one tomorrow.",
    "too_many_notes": "You wrote {most} notes on this report within a day. That is the limit. Write this one tomorrow.",
    "too_many_taken_back": (
        "You took back {count} reports today; the limit is {most} a day. Take this one back tomorrow, or ask the office"
        " in a note to return it."
    ),
    "too_many_versions": (
        "This report has {most} versions. That is the limit. Withdraw it and upload the file as a new report."
    ),
    "too_many_bytes.report": (
        "The versions of this report have {stored} MB. The limit is {most} MB. Withdraw it and upload the file as a new"
        " report."
    ),
    "too_many_bytes.day": (
        "You stored {stored} MB of reports today. The limit is {most} MB a day. Continue tomorrow, or ask the rating"
        " office."
    ),
    "too_much_text.notes": (
        "With this one your notes on this report have {size} KB. The limit is {most} KB. Shorten it, or write a mail."
    ),
    "too_much_text.remarks": (
        "With these your remarks on this report have {size} KB. The limit is {most} KB. Shorten them, or let another"
        " person of the office write them."
    ),
    "too_many_bytes.tables": (
        "You uploaded {stored} MB of tables today. The limit is {most} MB a day. Continue tomorrow, or ask another"
        " person of the office."
    ),
    "version_changed": "The report has been changed since you opened it. Check it again.",
    "comments_missing": Plural(
        "1 warning has no comment yet.", "{count} warnings have no comment yet.", "count"
    ),
    "wrong_state.announcement": "This announcement is withdrawn or already has a report.",
    "wrong_state.announcement_reported": "This announcement is withdrawn, or its report is already submitted.",
    "wrong_state.delete": "This report was submitted or is deleted already. It cannot be deleted.",
    "wrong_state.edit_submitted": "The office has this report. Take it back before you change it.",
    "wrong_state.take_back": "This report is not with the office. It cannot be taken back.",
    "wrong_state.edit": "This report cannot be changed any more.",
    "wrong_state.not_accepted": "Only an accepted report can be corrected.",
    "wrong_state.not_missing": "No report of {name} is missing at the moment.",
    "wrong_state.note": "Notes can be written once the report has been submitted.",
    "wrong_state.report": "This is not possible any more. The report has been decided or withdrawn.",
    "wrong_state.submit": "This report cannot be submitted any more.",
    "wrong_state.withdraw": "This report cannot be withdrawn any more.",
    # requests
    "basis_missing.corrected": "Name what changed: the list and its revision, or the value in the register.",
    "basis_missing.unchanged": "Name the article or ruling for this.",
    "basis_missing.will_be_corrected": "Name the list or the correction with which it changes.",
    "closed": "This request is closed. Send a new one about the figure as it is now.",
    "hidden_field_filled": "A field that must stay empty was filled in. It is empty now; send the request again.",
    "not_erased": "The name is not erased yet. Erase it first, then answer.",
    "outcome_unknown": "Choose what happens to the figure.",
    "request_changed": "This request has changed since you opened the page. Read it again.",
    "already_taken": "You are already responsible for this request.",
    "text_missing": "Enter a text.",
    "too_many_requests": (
        "{most} requests came with this e-mail address within a day. Send this one tomorrow."
    ),
    "sent_too_fast": "That was very quick. Check your text and send it again.",
    "wrong_state.request": "This is not possible any more. The request is in another state.",
}
