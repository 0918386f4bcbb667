"""Findings against the register and against other reports."""

from reporting.rules.findings.catalogue.code import TABLE, Code
from reporting.rules.sentences import IfGiven, Plural

MATCHING_CODES: dict[str, Code] = {
    "fmjd-id-unknown": Code(
        "an FMJD-ID that no player has",
        "No player has this {label:text}.",
        "the number of a registered player, or 0 for a new one",
        IfGiven(
            "Is it {candidates}?",
            "Look {name} up in the register. A new player gets a number when the report is accepted.",
            by="candidates",
        ),
        step="people",
    ),
    "fmjd-id-unknown.new": Code(
        "an FMJD-ID that no player has, of a player whom the details name as new",
        "No player has this {label:text}. The report names the player as new.",
        "the next number, when the report is accepted",
        "Look the player up before the report is accepted.",
    ),
    "fmjd-id-unknown.substitute": Code(
        "a number, of the player whom a substitute replaces, that no player has",
        expected="the number of a registered player",
        suggestion="Look the player up in the register.",
        step="file",
    ),
    "register-differs": Code(
        "the register has a different value for the player",
        "{detail:text} differs from the register ({label:text} {number}).",
        "{registered}",
        IfGiven(
            "If the {label:text} is right, comment which needs a correction, the register or the report. "
            "Or is it {candidates}?",
            "If the {label:text} is right, comment which needs a correction, the register or the report.",
            by="candidates",
        ),
        step="people",
        severity="warning",
    ),
    "register-differs.private": Code(
        "for visitors: another value of a player whom no published list names, or a line that is not compared",
        "Name, country or sex differs from the register ({label:text} {number}), or the line is not compared.",
        "name, country and sex of the register",
        "An upload says what differs: no published list names this player. Without log-in only {limit} such players "
        "of a file are compared, each with country, sex and a name on no other line.",
    ),
    "birth-date-differs": Code(
        "a date of birth that differs from the register, reported at submission",
        "The date of birth of {label:text} {number} differs from the register.",
        suggestion="Check the {label:text} and the date of birth. If both are right, comment on it.",
        found="",
        step="people",
        severity="warning",
    ),
    "birth-date-not-compared": Code(
        "a date of birth that was not compared with the register, reported at submission",
        "The date of birth of {label:text} {number} was not compared with the register: too many other dates were "
        "submitted for this player today.",
        expected="a comparison by the office",
        suggestion="The office compares the date before it accepts the report.",
        found="",
        step="people",
        severity="note",
    ),
    "fmjd-id-unknown.list": Code(
        "an FMJD-ID of an opening list that no player has",
        expected="a number of the register",
        suggestion="Import the register first.",
        article=TABLE,
    ),
    "fmjd-id-unknown.register": Code(
        "a number of a table for the register that no player has, without the name of a new player",
        expected="the number of a registered player",
        suggestion="Correct the number. New players need all columns.",
        article=TABLE,
    ),
    "fmjd-id-unknown.membership": Code(
        "a number in a table of memberships that no player has",
        expected="the number of a registered player",
        suggestion="Correct the number, or import the player first.",
        article="docs/how-to/memberships.md",
    ),
    "fmjd-id-unknown.entrant": Code(
        "a number in a list of entrants that no player has",
        "No player on a published list has this number.",
        "the number of a player on a published list",
        "Correct the number, or write name, rating, sex and federation instead.",
        article="docs/how-to/forecast-norms.md",
    ),
    "fmjd-id-merged": Code(
        "the number of a player record that was merged into another",
        "{label:text} {duplicate} was merged into {surviving} ({name}).",
        "{surviving}",
        "The games count for {surviving}. If another person played, enter that person's {label:text}.",
        "{duplicate}",
        step="people",
        severity="warning",
    ),
    "over-age": Code(
        "a player over the age of a youth tournament",
        "{name} is over the age of this youth tournament on 31 December {year}.",
        Plural("at most {oldest} year", "at most {oldest} years", "oldest"),
        "Check the year of birth and the age group. A player over the age gets no automatic title until the office"
        " decides.",
        step="people",
        severity="warning",
    ),
    "looks-registered": Code(
        "a player without FMJD-ID who looks like a registered one",
        "The player has no {label:text} here, but looks like a registered player.",
        "{candidates}",
        "If it is the same person, enter the {label:text}. If not, comment on it.",
        "0",
        step="people",
        severity="warning",
    ),
    "looks-reported": Code(
        "a tournament that looks like one already reported",
        IfGiven(
            "This looks like {name}, {place}, {played_from:date} to {played_to:date}, which has been reported.",
            "This looks like {name}, {played_from:date} to {played_to:date}, which has been reported.",
            by="place",
        ),
        "a tournament that was not reported before",
        "If it is the same tournament, withdraw this report, or enter in its details that it corrects that "
        "tournament. If not, explain the difference.",
        "{common_players} of {player_count} players and {common_results} of {result_count} results the same",
        severity="warning",
    ),
    "same-file": Code(
        "a file that another report has too, shown only to the office",
        "Report {report} has the same file.",
        "a file that no other report has",
        "Find out who should report this tournament, and reject the other report.",
        "report {report} ({state}) by {submitter}",
        severity="warning",
    ),
    "announced-long": Code(
        "an announced tournament of many days",
        "The tournament lasts {days:,} days.",
        "at most {most} days, or a confirmation",
        "Correct the last day, or confirm that it lasts so long.",
        severity="warning",
    ),
    "announced-far": Code(
        "an announced tournament in many years",
        "The first round is more than {years} years from now.",
        "a day within {years} years, or a confirmation",
        "Correct the first day, or confirm it.",
        severity="warning",
    ),
    "announced-alike": Code(
        "a tournament like one that is announced already",
        "{name}, {place}, {played_from:date} to {played_to:date}, is announced already.",
        "each tournament once",
        "If it is the same one, do not announce it again. If not, confirm that it is another one.",
        severity="warning",
    ),
    "announced-alike.own": Code(
        "a tournament like one that the same person announced",
        "You announced {name}, {place}, {played_from:date} to {played_to:date}.",
        severity="warning",
    ),
    "newcomers-alike": Code(
        "two new players with the same name",
        "Same name as the new player number {first}.",
        "each person once",
        "If it is one person, correct the report. If not, comment on it.",
        step="people",
        severity="warning",
    ),
    "newcomers-alike.many": Code(
        "too many new players with one name",
        message="{lines:,} new players have this name.",
        expected="at most {limit:,} new players of one name",
        suggestion="Give the players their FMJD-IDs, or write their names in full.",
    ),
    "newcomers-alike.same": Code(
        "two new players with the same name, birth and country",
        "Same name, birth and country as the new player number {first}.",
        suggestion="If it is one person, correct the report. If not, comment on it. The office decides.",
        severity="warning",
    ),
    "newcomer-waiting": Code(
        "a new player with the name of a new player in a waiting report",
        "A report that waits for the office, {tournament}, also has a new player with this name.",
        "one number for each person",
        "Comment on it: is it the same person? The office gives one person one number.",
        step="people",
        severity="warning",
    ),
    "player-not-identified": Code(
        "a name that no player of the register has",
        "The register has no player with this name and federation.",
        IfGiven("one player of the register: {candidates}", "one player of the register", by="candidates"),
        "Enter the {label:text} of number {number} on the page People.",
        step="people",
    ),
    "player-not-identified.several": Code(
        "a name that several players of the register have",
        "The register has several players with this name and federation.",
    ),
    "player-entered-twice": Code(
        "one person entered twice",
        "Both are {registered} of the register.",
        "each player once",
        "Correct the FMJD-ID of one of the two.",
        step="people",
    ),
}
