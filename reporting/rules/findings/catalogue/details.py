"""Findings about the tournament details, from the form or a file next to the report."""

from reporting.rules.findings.catalogue.code import NOTHING, Code
from reporting.rules.sentences import IfGiven, Plural

_FOUND_IN_DETAILS = IfGiven(
    IfGiven(
        "line {line_found}, column {column_found}: {length:,} characters",
        "line {line_found}, column {column_found}: {text}",
        by="length",
    ),
    IfGiven("{length:,} characters", "{text}", by="length"),
    by="line_found",
)
"""A value of the details: with its place in a details file; of a private one only its length."""

PARTS = "docs/decisions/0151-tournaments-in-parts.md"

DETAIL_CODES: dict[str, Code] = {
    "corrects-unknown": Code(
        "a correction of a tournament without an accepted report",
        "There is nothing to correct: no report of a tournament with this code has been accepted.",
        "the code in the address of the tournament's page",
        "Look the tournament up, or leave this field empty if this is its first report.",
    ),
    "corrects-unknown.part": Code(
        "a correction of a part without an accepted report",
        "There is nothing to correct: no report of part {part} of this tournament has been accepted.",
        "the number of a part that was accepted",
        "Correct the number of the part, or leave the corrected tournament empty if this is its first report.",
    ),
    "part-not-preceded": Code(
        "a part that no part precedes",
        "No report of part {before} of this tournament has been submitted.",
        "a part after part {before}, with the same rating system, name and first day",
        "Submit part {before} first, or correct the number of the part or the name.",
        article=PARTS,
    ),
    "part-not-preceded.first-day": Code(
        "a part with another first day than part 1",
        "Part 1 of this tournament begins on another day.",
        "{first:date}",
        "Enter the first day of the whole tournament.",
        "{played_from:date}",
        article=PARTS,
    ),
    "part-not-preceded.number": Code(
        "a part with another tournament number than part 1, or of several such tournaments",
        IfGiven(
            "Part 1 of this tournament has another number.",
            "Several tournaments of this name begin on this day.",
            by="number",
        ),
        "{numbers}",
        "Enter the number of the tournament that this is a part of.",
        IfGiven("{number}", NOTHING, by="number"),
        article=PARTS,
    ),
    "part-not-preceded.name": Code(
        "a corrected part with another name than part 1",
        "Part 1 of this tournament has another name.",
        "{name}",
        "Enter the name of the tournament as part 1 has it.",
        article=PARTS,
    ),
    "part-last-day": Code(
        "a part with another last day than part 1, shown as a note",
        "Part 1 names another last day of the tournament, which counts for all parts.",
        "{last:date}",
        "Nothing, if that day is right. If not, correct part 1.",
        "{played_to:date}",
        severity="note",
        article=PARTS,
    ),
    "part-reported": Code(
        "a part that another report has",
        "Part {found} of {name} has been reported.",
        "a part that was not reported before",
        "To correct an accepted report, enter {code} as the corrected tournament. If this is another part, correct its"
        " number.",
        article=PARTS,
    ),
    "game-in-other-part": Code(
        "a game that another part of the tournament has",
        "Part {part} has this game already: the same round and players.",
        "each game in one part",
        "Remove the game, or correct its round or its players.",
        "round {found}",
        step="file",
        article=PARTS,
    ),
    "dates-reversed": Code(
        "the last day before the first",
        "The last round is before the first.",
        "the first day, then the last",
        "Exchange the two days, or correct one of them.",
        "{played_from:date} to {played_to:date}",
    ),
    "end-in-future": Code(
        "a last round in the future",
        "The last round is in the future.",
        "a day up to {today:date}",
        "Correct the day, or submit the report when the tournament is finished.",
        "{played_to:date}",
    ),
    "not-announced": Code(
        "not announced as many days before the first round as the regulations require",
        "The tournament was not announced {notice} days before its first round.",
        "a day up to {latest:date}",
        "Choose its announcement on the page Details, or explain why there is none in time. "
        "The report is calculated only if the rating officer admits it, or if the announcement or a decision of the "
        "office says that the tournament is official or a national championship.",
        IfGiven("{announced:date}", "no day of announcement", by="announced"),
        severity="warning",
    ),
    "received-in-future": Code(
        "a day of receipt in the future",
        "This day is in the future.",
        "a day up to {today:date}",
        "Enter the day on which it reached the office, or nothing for today.",
        "{received:date}",
    ),
    "received-before-end": Code(
        "a day of receipt before the last round",
        "The day of receipt is before the last round.",
        "a day from {played_to:date} on",
        "Correct the day of receipt or the day of the last round.",
        "received {received:date}, last round {played_to:date}",
    ),
    "service-not-paid": Code(
        "a table whose rating service is not paid",
        "The rating service for a report in table form is not free.",
        "a confirmation that it is paid",
        "Confirm the payment in the details. An unpaid report is calculated only if the rating officer admits it.",
        "no confirmation",
        severity="warning",
    ),
    "time-control-long": Code(
        "a time control that is long for a game",
        IfGiven(
            "{minutes} for 60 moves is more than {limit} minutes. In seconds: {reading:clock}?",
            "{minutes} for 60 moves is more than {limit} minutes.",
            by="reading",
        ),
        "base minutes + seconds per move, for example 15+10",
        "If the time is in seconds, enter it in minutes. If it is right, write a comment.",
        severity="warning",
    ),
    "time-control-long.days": Code(
        "a time control with which the rounds do not fit into their days",
        IfGiven(
            Plural(
                "With {minutes} for 60 moves the rounds do not fit into {days} day. In seconds: {reading:clock}?",
                "With {minutes} for 60 moves the rounds do not fit into {days} days. In seconds: {reading:clock}?",
                by="days",
            ),
            Plural(
                "With {minutes} for 60 moves the rounds do not fit into {days} day.",
                "With {minutes} for 60 moves the rounds do not fit into {days} days.",
                by="days",
            ),
            by="reading",
        ),
        severity="warning",
    ),
    "late-report": Code(
        "reported after the last day in time",
        Plural(
            "The report was received {days} day after the last round.",
            "The report was received {days} days after the last round.",
            by="days",
        ),
        "up to {due:date}",
        "Explain why. The report is calculated only if the rating officer admits it.",
        "{received:date}",
        severity="warning",
    ),
    "details-unreadable": Code(
        "a details file that is not TOML",
        "The details file cannot be read from here on.",
        'lines like discipline = "100"',
        "Put texts between quotation marks. Write dates and numbers without them.",
        "line {line_found}, column {column_found}: {problem}",
    ),
    "details-unreadable.encoding": Code(
        "a details file that is not UTF-8",
        "The details file is not UTF-8 from here on.",
        "UTF-8",
        "Save the file as UTF-8.",
        "line {line_found}, column {column_found}",
    ),
    "details-unreadable.size": Code(
        "a details file over the limit",
        "The details file is too large.",
        "at most {limit:,} bytes",
        "Keep only the details of this tournament.",
        "{size:,} bytes",
    ),
    "detail-unknown": Code(
        "a detail that does not exist",
        "There is no detail of this name.",
        "{known}",
        "Correct the name, or delete the line.",
        _FOUND_IN_DETAILS,
    ),
    "detail-unreadable": Code(
        "a detail of the wrong kind or out of range",
        "This value cannot be used here.",
        "{wanted:text}",
        "Correct the value.",
        _FOUND_IN_DETAILS,
    ),
    "detail-unreadable.player": Code(
        "an entry about a player that cannot be read",
        IfGiven("This {value:text} cannot be used.", "This entry cannot be used.", by="value"),
        suggestion="Correct the entry on the page People.",
        step="people",
    ),
    "detail-unreadable.time-control": Code(
        "a time control that cannot be read",
        "The time control cannot be read from character {character} on.",
        suggestion="Enter minutes + seconds per move, for example 80+30, or the minutes for 60 moves instead.",
    ),
    "detail-too-long": Code(
        "a detail over its maximum length",
        "This text is too long.",
        "at most {max_length:,} characters",
        "Shorten it.",
        IfGiven(
            IfGiven(
                "line {line_found}, column {column_found}: {length:,} characters: {text}",
                "line {line_found}, column {column_found}: {length:,} characters",
                by="text",
            ),
            IfGiven("{length:,} characters: {text}", "{length:,} characters", by="text"),
            by="line_found",
        ),
    ),
    "detail-missing": Code(
        "a detail that is required",
        "“{detail:text}” is missing.",
        IfGiven("this or “{alternative:text}”", "a value; every report needs it", by="alternative"),
        "Enter it in the details, or add it to the file.",
        NOTHING,
    ),
    "detail-missing.file": Code(
        "no details file next to the report file",
        "The details file is missing.",
        "{filename}",
        "Write it as docs/reference/tournament-details.md describes.",
    ),
    "detail-missing.announcement": Code(
        "a value that an announcement requires",
        suggestion="Fill it in.",
    ),
    "details-contradict": Code(
        "two details that contradict each other",
        "The time control and the minutes for 60 moves differ.",
        "{wanted}",
        "Keep the one that is right, and delete the other.",
        IfGiven(
            "line {line_found}, column {column_found}: {minutes} minutes, but {time_control}",
            "{minutes} minutes, but {time_control}",
            by="line_found",
        ),
    ),
    "details-contradict.discipline": Code(
        "a discipline that the named rating system does not rate",
        "The rating system {rating_system} does not rate this discipline.",
        IfGiven("{wanted}", "no discipline", by="wanted"),
        "Choose another discipline, or another rating system.",
        _FOUND_IN_DETAILS,
    ),
    "details-contradict.unplayed": Code(
        "tie-breaks that a method for unplayed games does not have",
        "With the method {method} for unplayed games these tie-breaks are not defined.",
        "other tie-breaks, or the method face-value",
        "Choose other tie-breaks, or another method for unplayed games.",
        _FOUND_IN_DETAILS,
    ),
    "details-contradict.teams": Code(
        "tie-breaks of teams in a tournament of players",
        "These tie-breaks are only for team tournaments.",
        "tie-breaks of players, or the system Teams",
        "Choose other tie-breaks, or correct the system.",
        _FOUND_IN_DETAILS,
    ),
    "details-contradict.round-points": Code(
        "tie-breaks, or a method for unplayed games, without points of rounds",
        "Where a round has points of its own, this is not defined.",
        "tie-breaks of Annex 3 or Annex 5 without the performance, and the method face-value",
        "Choose other tie-breaks or the method face-value, or delete the points of a round.",
        _FOUND_IN_DETAILS,
    ),
    "approved-differs": Code(
        "a detail with another value than the one approved of the announced tournament",
        "“{detail:text}” has another value in what was approved of the announced tournament.",
        "{approved}",
        "Use the approved value, or explain the difference.",
        IfGiven("{found}", "no value", by="found"),
        severity="warning",
    ),
    "details-differ": Code(
        "the details differ from the file",
        "The details differ from the file. The details count.",
        "{in_details} as in the details",
        "Correct one of the two, or explain the difference.",
        "{in_file} in the file",
        severity="warning",
    ),
    "details-differ.encoding": Code(
        "a byte order mark that contradicts the chosen encoding",
        message="The file begins with a byte order mark, so the chosen encoding was not used.",
        found="the byte order mark of {marked}",
        expected="{chosen:text}, as chosen",
        suggestion="Remove the choice of the encoding.",
        severity="warning",
    ),
}
