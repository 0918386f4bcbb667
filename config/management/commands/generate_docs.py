import difflib
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser
from django.db.models import Model

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_systems
from ratings.publishing.open_data.schema import meaning_of, open_data_tables, open_data_views
from ratings.rules.declared import Column, Kind, Unit
from ratings.rules.derived_lists import DerivedList
from ratings.rules.lifecycle import LIST_LIFECYCLE, PERIOD_LIFECYCLE
from reporting.federations.registry import all_report_rules, first_article, report_rules
from reporting.log.invariants.registry import invariants
from reporting.refusals.domain_error import refusal_catalogue
from reporting.rules.details.known_details import details_reference
from reporting.rules.findings.catalogue import CODES, RULING_CODES, UNREAD
from reporting.rules.lifecycle import LIFECYCLE as REPORT_LIFECYCLE
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, Lifecycle, lifecycle_mermaid
from reporting.rules.regulations.rulings import Ruling
from reporting.rules.sentences import Template, template_text
from titles.federations.registry import all_title_rules
from titles.rules.lifecycle import APPLICATION_LIFECYCLE, PLACE_LIFECYCLE
from titles.rules.publication_lifecycle import PUBLICATION_LIFECYCLE

GENERATED_NOTICE = "<!-- Printed by `manage.py generate_docs` from the code; change it there. -->\n\n"
SENTENCES = ("message", "found", "expected", "suggestion")


class Command(BaseCommand):
    help = "Print the pages of docs/ that are made from the code."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="Only compare; status 1 if a page is behind."
        )

    def handle(self, *, check: bool, **_: Any) -> None:
        docs = settings.BASE_DIR / "docs"
        behind = 0
        for name, text in pages().items():
            path = docs / name
            before = path.read_text() if path.exists() else ""
            if before == text:
                continue
            behind += 1
            if check:
                self.stderr.writelines(
                    difflib.unified_diff(before.splitlines(), text.splitlines(), name, "printed", lineterm="")
                )
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                self.stdout.write(f"docs/{name}")
        if check and behind:
            raise CommandError(f"{behind} pages are behind the code: run `manage.py generate_docs`.")


def pages() -> dict[str, str]:
    """Each generated page by its place under docs/."""
    return {
        "reference/states.md": GENERATED_NOTICE + states(),
        "reference/findings.md": GENERATED_NOTICE + findings(),
        "reference/refusals.md": GENERATED_NOTICE + refusals(),
        "reference/invariants.md": GENERATED_NOTICE + rules_of_data(),
        "reference/tournament-details.md": details_reference(),
        "reference/open-data.md": GENERATED_NOTICE + open_data(),
        **{
            f"rules/{system.code}-ratings.md": GENERATED_NOTICE + ratings(system)
            for system in rating_systems()
        },
        **{
            f"reference/{system.code}-columns.md": GENERATED_NOTICE + columns(system)
            for system in rating_systems()
        },
        **{
            f"rules/{rules.system}-reports.md": GENERATED_NOTICE
            + f"# {rules.name} tournament reports: rulings\n\n"
            + "Articles are of the regulations on reports, unless others are named.\n\n"
            + rulings(rules.rulings)
            for rules in all_report_rules()
        },
        **{
            name: GENERATED_NOTICE + text
            for rules in all_title_rules()
            for name, text in rules.reference_pages(rulings).items()
        },
    }


def states() -> str:
    parts = [
        "# States\n",
        "Who may make a move is in the `policies.py` of each app; the services make it, under lock, with a line in "
        "the audit log.\n",
        *life("Report (R23)", REPORT_LIFECYCLE),
        *life("Request from the public", REQUEST_LIFECYCLE),
        *life("Rating list", LIST_LIFECYCLE),
        *life("Period", PERIOD_LIFECYCLE),
        *life("Application for a title (R40)", APPLICATION_LIFECYCLE),
        *life("Publication of the World Cup (R71c)", PUBLICATION_LIFECYCLE),
        *life("Place of a championship (R74c)", PLACE_LIFECYCLE),
    ]
    return "\n".join(parts) + "\n"


def sentence_in_docs(template: Template) -> str:
    return template_text(template).replace("<", "\\<")


def life(name: str, lifecycle: Lifecycle[Any, Any, Any]) -> list[str]:
    return [
        f"## {name}\n",
        "| state | meaning | waiting for | moves |\n|---|---|---|---|",
        *(
            f"| {state} | {row.description} | {row.turn.replace('_', ' ')} "
            f"| {', '.join(f'{move} → {after}' for move, after in row.moves.items()) or 'none'} |"
            for state, row in lifecycle.items()
        ),
        f"\n```mermaid\n{lifecycle_mermaid(lifecycle)}```\n",
    ]


def findings() -> str:
    lines = [
        "# Findings\n",
        "Codes are stable. A code with several sentences has cases, named after a full stop: a case has the sentences "
        "that differ, all others are those of its code. Names in braces are values. The severity can depend on the "
        "format of the report (R20 to R22). A finding without a step is corrected in the file, or with the tournament "
        "details where it has no line.\n",
    ]
    for key, known in CODES.items():
        severity = "" if "." in key else f" {known.severity.capitalize()}."
        step = f" Step: {known.step}." if known.step else ""
        lines += [
            f"## `{key}`\n",
            f"{known.about[:1].upper()}{known.about[1:]}.{severity}{step} {known.article or first_article(key)}\n",
        ]
        said = [
            f"- {part}: {sentence_in_docs(getattr(known, part))}"
            for part in SENTENCES
            if getattr(known, part)
        ]
        lines += [*said, ""] if said else []
    lines += ["## Text that was not used\n", "| key | reason |", "|---|---|"]
    lines += [f"| `{key}` | {reason} |" for key, reason in UNREAD.items()]
    lines += [
        "\n## The phrases of R20 and R21\n",
        "`tests/rules/test_finding_catalogue.py` refuses a phrase without a code, and a code without a case of its "
        "own.\n",
        "| ruling | phrase | codes |",
        "|---|---|---|",
        *(
            f"| {ruling} | {phrase} | {', '.join(f'`{code}`' for code in codes)} |"
            for ruling, phrase, codes in RULING_CODES
        ),
    ]
    return "\n".join(lines) + "\n"


def refusals() -> str:
    lines = [
        "# Refusals\n",
        "What the office answers where a request cannot be carried out; nothing is changed then. The code is the part "
        "before the full stop. `forbidden` is HTTP status 403, `busy` 503, every other one 409.\n",
        "| key | sentence |",
        "|---|---|",
    ]
    for key, sentence in refusal_catalogue().items():
        lines.append(f"| `{key}` | {template_text(sentence)} |")
    return "\n".join(lines) + "\n"


def rules_of_data() -> str:
    lines = [
        "# Rules that the stored data follow\n",
        "`manage.py check_invariants` checks each of them by one query, the worker every night "
        "([how](../how-to/verify.md#the-rules-that-the-data-follow)).\n",
        "| code | rule |",
        "|---|---|",
        *(f"| `{invariant.code}` | {invariant.says} |" for invariant in invariants()),
    ]
    return "\n".join(lines) + "\n"


def ratings(system: RatingSystem) -> str:
    lines = [
        f"# {report_rules(system.code).name} ratings: parameters and rulings\n",
        f"Implemented in `ratings/federations/{system.code}/`. A number of the regulations is in the parameters, "
        "never in the code's body; an old edition stays, so that an old period can be calculated again.\n",
    ]
    for edition in system.editions:
        lines += [f"## Edition {edition.id}\n", f"{edition.source}. In force from {edition.in_force_from}.\n"]
        lines += [
            "| parameter | value |",
            "|---|---|",
            *(parameter(name, value) for name, value in edition.numbers.items()),
        ]
        lines.append("")
    return "\n".join(lines) + "\n## Rulings\n\n" + rulings(system.explanation.rulings, level=3)


def columns(system: RatingSystem) -> str:
    declaration = system.declaration
    places = {
        "`list.csv`, `list.json`, `list.xlsx`": declaration.list_file,
        "`list.txt`": declaration.text_file,
        "`figures.csv`": (*declaration.figures, "list", "previous_sha256"),
        "`differences.csv`": (
            "register_number",
            *(
                f"{declaration.header(name)}_{when}"
                for name in declaration.compared
                for when in ("before", "after")
            ),
        ),
        "page of the list": ("rank", "name", *declaration.list_page),
        "`changes.csv`": (
            "register_number",
            "tournament",
            *(("part", "round") if declaration.unit is Unit.GAME else ()),
            *(declaration.change_column(name).in_files for name in declaration.change_file),
        ),
    }
    declared = {column.name for column in (*declaration.rows, *declaration.person_columns)}
    lines = [
        f"# Columns of {report_rules(system.code).name} lists\n",
        f"Declared in `ratings/federations/{system.code}/`. [Published files](published-files.md) says what "
        "each file is for.\n",
        "| place | columns, in their order |",
        "|---|---|",
    ]
    for place, names in places.items():
        headers = (declaration.header(name) if name in declared else name for name in names)
        lines.append(f"| {place} | {', '.join(headers)} |")
    lines += ["\n## Of a row\n", "| in files | stored as | kind | meaning |", "|---|---|---|---|"]
    public = (*declaration.list_file, *declaration.figures, *declaration.list_page, *declaration.compared)
    lines += [column_line(system.row_model, declaration.column(name)) for name in dict.fromkeys(public)]
    lines += ["\n## Of a change\n", "| in files | stored as | kind | meaning |", "|---|---|---|---|"]
    changes = {column.name: column for column in declaration.changes}
    lines += [column_line(system.change_model, changes[name]) for name in declaration.change_file]
    lines.append(
        "\nIn files a scaled figure has four decimals where no other number is named, a flag is 1 or 0, a day is like "
        "`2026-10-01`. A difference is "
        "that from the list before."
    )
    return "\n".join(lines) + "\n"


def open_data() -> str:
    lines = [
        "# Open data\n",
        "Everything published, at `/export/`: one SQLite file, `open-data.sqlite`, and a CSV and a Parquet file "
        "for each of its tables. The worker makes them within a minute after something is published, a title is "
        "registered or a name is erased; only the newest files are kept "
        "([decision 0065](../decisions/0065-open-data.md)). The page says when they were made. "
        "`manifest.json` has the size and the SHA-256 of each, `datapackage.json` "
        "(Frictionless) the type and the meaning of each column, `LICENSE.txt` the terms. "
        "`signatures.jsonl` is the signed history, `verify.py` the program that checks it "
        "([how to verify](../how-to/verify.md)).\n",
        "`list` is the address of a revision, `pool/2026-04-01/r1`. An empty cell is NULL in SQLite. A "
        "figure with four decimals is a REAL there, and a text is as it is; CSV files have the same texts as the "
        "[published "
        "files](published-files.md), which says what each column holds. The table `about` (`name`, `value`), in "
        "the SQLite file only, has `made_on`, the day on which the files were made, `lists`, how many lists "
        "they have, and the terms. In `lists`, `newest` and `opening` are 1 or 0, `published_on` is the day of the "
        "second signature, and `official_players` counts the official list (R13). No table has a date of birth, an "
        "e-mail address or anything else that is not public.\n",
    ]
    for table in open_data_tables():
        source = f" Lines of `{table.published}` of each list." if table.published else ""
        lines += [
            f"## {table.name}\n",
            f"`{table.csv_name}`. {table.meaning}{source}\n",
            "| column | type | meaning |\n|---|---|---|",
            *(f"| {name} | {field.kind} | {field.meaning} |" for name, field in table.columns.items()),
            "",
        ]
    lines.append("## Views of the SQLite file\n")
    lines += [f"- `{view.name}`: {view.meaning}" for view in open_data_views()]
    return "\n".join(lines) + "\n"


def column_line(model: type[Model], column: Column) -> str:
    meaning = meaning_of(model, column)
    kind = (
        f"{column.kind} if `{column.whole_unless}`, else whole" if column.whole_unless else f"{column.kind}"
    )
    if column.kind is Kind.SCALED and column.decimals_in_files != 4:
        kind += f", {column.decimals_in_files} decimals"
    return f"| {column.header or column.name} | `{column.name}` | {kind} | {meaning} |"


def parameter(name: str, value: object) -> str:
    if isinstance(value, tuple):
        value = "; ".join(item.title if isinstance(item, DerivedList) else str(item) for item in value)
    return f"| `{name}` | {value} |"


def rulings(all_rulings: tuple[Ruling, ...], level: int = 2) -> str:
    parts = []
    for ruling in all_rulings:
        settles = (
            f"\n\nSettles: {', '.join(f'`{value}`' for value in ruling.values)}." if ruling.values else ""
        )
        article = f"art. {ruling.article}" if ruling.article[:1].isdigit() else ruling.article
        parts.append(f"{'#' * level} {ruling.id}: {article}\n\n{ruling.text}{settles}\n")
    return "\n".join(parts)
