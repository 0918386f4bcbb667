"""The pages of a report: what is typed is never lost, what is wrong is next to its place, and nothing is a 500."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from reporting.formats.tournament_details.sidecar import detail_values
from reporting.log.audit import Actor
from reporting.models import Report, ReportVersion, User
from reporting.reports.services.edit_report import edit_tournament_details
from tests.pages.locked_rows import held
from tests.pages.small_report import small_report
from tests.people import create_federation, create_player

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("referee")]

SIX = Path(__file__).parents[1] / "harlow-six-2026.trf"
FILE = small_report(
    "Riverside Open", ("31/02/2026", "14/02/2026"), "SWISS", referee="Pieter Ostrava", place="Ghent",
    country="BEL",
)  # fmt: skip


def uploaded(client: Client, content: bytes = FILE) -> Report:
    response = client.post(reverse("report-new"), {"file": SimpleUploadedFile("riverside.txt", content)})
    assert response.status_code == 302
    return Report.objects.latest("pk")


@pytest.fixture
def report(client: Client, referee: User) -> Report:
    return uploaded(client)


def replaced(client: Client, content: bytes) -> Report:
    report = uploaded(client)
    file = {"based_on": "1", "file": SimpleUploadedFile("riverside.txt", content)}
    assert client.post(reverse("report-file", args=[report.pk]), file).status_code == 302
    return report


def text(response: Any) -> str:
    return response.content.decode()


def test_an_upload_without_a_file_gets_a_message_at_its_field(client: Client) -> None:
    response = client.post(reverse("report-new"), {})
    assert response.status_code == 400
    assert "field--bad" in text(response)
    assert not Report.objects.exists()


def test_entries_for_numbers_that_the_report_does_not_have_are_removed_on_the_page_people(
    client: Client, report: Report, referee: User
) -> None:
    """The finding promises it; before, nothing in the browser could take such an entry out again."""
    values: dict[str, Any] = {"discipline": "100", "time_control": "80+30"}
    values |= {"players": {"2": 11285, "77": 11286}, "newcomers": {"78": {"sex": "W"}}}
    edit_tournament_details(report=report, based_on=1, values=values, by=Actor(referee))
    address = reverse("report-people", args=[report.pk])
    page = text(client.get(address))
    assert "Entries without a player" in page
    assert "Remove the entry on the page People" in page
    assert 'name="action" value="remove-unknown"' in page
    assert client.post(address, {"based_on": "2", "action": "remove-unknown"}).status_code == 302
    details = detail_values(bytes(report.versions.get(number=3).sidecar))
    assert details == {"discipline": "100", "time_control": "80+30", "players": {"2": 11285}}
    assert "Entries without a player" not in text(client.get(address))


def test_a_typed_value_that_is_no_choice_is_still_chosen_after_a_refusal(
    client: Client, report: Report, referee: User
) -> None:
    """The value that the details have stays among the choices."""
    edit_tournament_details(report=report, based_on=1, values={"discipline": "90"}, by=Actor(referee))
    address = reverse("report-details", args=[report.pk])
    refused = client.post(address, {"based_on": "1", "discipline": "81", "action": "save"})
    assert refused.status_code == 409
    page = text(refused)
    assert '<option value="81" selected>' in page
    assert '<option value="90">' in page


def test_limits_are_shown_before_the_upload(client: Client) -> None:
    page = text(client.get(reverse("report-new")))
    assert "At most 5 MB, 5,000 players, 99 rounds and 35,000 games." in page


@pytest.mark.parametrize("content", [b"012 hello", "012 имя".encode("cp1251"), b"001 name;place\n" * 500])
def test_any_text_with_a_line_of_a_format_is_stored_and_gets_findings(client: Client, content: bytes) -> None:
    """As the next file of a report; a file that cannot be a report is refused (test_upload_pages.py)."""
    report = replaced(client, content)
    assert bytes(report.versions.get(number=2).content) == content
    for name in (
        "report", "report-file", "report-details", "report-people", "report-preview", "report-submit",
    ):  # fmt: skip
        assert client.get(reverse(name, args=[report.pk])).status_code == 200, name


def test_findings_are_next_to_their_lines_with_the_marked_piece(client: Client, report: Report) -> None:
    page = text(client.get(reverse("report-file", args=[report.pk])))
    assert 'name="edit-3-15-10" value="31/02/2026"' in page
    assert "date-unknown" in page


def test_no_input_is_lost_when_someone_else_saved_first(client: Client, report: Report) -> None:
    address = reverse("report-file", args=[report.pk])
    assert client.post(address, {"based_on": "1", "edit-3-15-10": "01/02/2026"}).status_code == 302
    late = client.post(address, {"based_on": "1", "edit-2-1-21": "name = Riverbank Open"})
    assert late.status_code == 409
    assert "has been changed since you opened it" in text(late)
    assert report.versions.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("page", "query", "typed"), [
    ("report-file", "", {"edit-3-15-10": "01/02/2026"}),
    ("report-details", "", {"time_control": "80+30"}),
    ("report-people", "?number=2", {"fmjd_id-2": "77777"}),
])  # fmt: skip
def test_no_input_is_lost_while_the_report_is_locked(
    client: Client, report: Report, page: str, query: str, typed: dict[str, str]
) -> None:
    address = reverse(page, args=[report.pk]) + query
    with held(report):
        answered = client.post(address, {"based_on": "1", **typed})
    assert (answered.status_code, answered["Retry-After"]) == (503, "5")
    assert "Someone else is editing this. Please try again." in text(answered)
    for name, value in typed.items():
        assert re.search(rf'name="{name}"[^>]*value="{re.escape(value)}"', text(answered)), name
    assert report.versions.count() == 1
    assert client.post(address, {"based_on": "1", **typed}).status_code == 302  # the twin
    assert report.versions.count() == 2


def test_a_form_that_names_a_piece_that_is_not_there_is_refused(client: Client, report: Report) -> None:
    address = reverse("report-file", args=[report.pk])
    for field in ("edit-9999-1-1", "edit-3-900-1", "edit-3-1-999999"):
        assert client.post(address, {"based_on": "1", field: "x"}).status_code == 409, field
    assert client.post(address, {"based_on": "1"}).status_code == 409  # nothing to save
    assert client.post(address, {"based_on": "nonsense", "edit-3-15-10": "x"}).status_code == 409


def test_wrong_details_are_saved_and_get_messages_at_their_fields(client: Client, report: Report) -> None:
    address = reverse("report-details", args=[report.pk])
    typed = {"based_on": "1", "discipline": "100", "time_control": "eighty", "rounds": "2026-02-01, tomorrow"}
    assert client.post(address, typed).status_code == 409
    page = text(client.get(address))
    assert 'value="eighty"' in page
    assert 'value="2026-02-01, tomorrow"' in page
    assert len(re.findall("field--bad", page)) >= 2


def test_the_value_of_the_file_is_shown_by_its_label(client: Client, report: Report) -> None:
    """`type = SWISS` and `N` of the file are the choices Swiss and No of the form."""
    page = text(client.get(reverse("report-details", args=[report.pk])))
    shown = set(re.findall(r"In the file: ([^<]*?)\s*</p>", page))
    assert {"Riverside Open", "Swiss", "No"} <= shown
    assert not {"swiss", "false", "no"} & shown


def test_the_time_control_is_worked_out_with_pool_and_percentage(client: Client, report: Report) -> None:
    """80 minutes and 30 seconds a move: 80 + 60 x 0,5 = 110 minutes, 60 % (R6)."""
    address = reverse("report-details", args=[report.pk])
    client.post(address, {"based_on": "1", "discipline": "100", "time_control": "80+30"})
    page = text(client.get(address))
    for words in ("110 min", "60 % of K", "100 squares, classical"):
        assert words in page, words


def test_a_warning_without_a_word_is_refused_and_the_other_texts_stay(client: Client) -> None:
    report = uploaded(client, FILE.replace(b"31/02/2026", b"07/02/2026"))
    details = {"based_on": "1", "discipline": "100", "time_control": "80+30"}
    client.post(reverse("report-details", args=[report.pk]), details)
    version = ReportVersion.objects.filter(report=report).latest("number")
    assert version.errors == 0
    assert version.warnings >= 2
    address = reverse("report-submit", args=[report.pk])
    warned = [index for index, finding in enumerate(version.findings) if finding["severity"] == "warning"]
    some = {"based_on": str(version.number), f"comment-{warned[0]}": "so it was"}
    refused = client.post(address, some)
    assert refused.status_code == 409
    assert "so it was" in text(refused)
    answers = {f"comment-{index}": "so it was" for index in warned}
    assert client.post(address, {"based_on": str(version.number), **answers}).status_code == 302
    report.refresh_from_db()
    assert report.state == "submitted"
    assert "so it was" in text(client.get(address))


def test_names_of_a_file_are_text_and_nothing_else(client: Client) -> None:
    report = uploaded(client, FILE.replace(b"Ada", b"<script>alert(1)</script>"))
    for name in ("report", "report-file", "report-people", "report-preview", "report-submit"):
        assert "<script>alert" not in text(client.get(reverse(name, args=[report.pk]))), name


@pytest.mark.parametrize(("name", "most"), [("report", 8), ("report-file", 8), ("report-people", 11)])
def test_a_page_costs_a_fixed_number_of_queries(
    client: Client, report: Report, name: str, most: int, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(most):
        client.get(reverse(name, args=[report.pk]))


def test_the_list_of_reports_costs_the_same_for_one_and_for_ten(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    for turn in range(10):
        uploaded(client, FILE.replace(b"Riverside", f"Riverside {turn}".encode()))
    with django_assert_max_num_queries(6):
        assert text(client.get(reverse("reports"))).count("Riverside") == 10


def test_a_look_alike_is_offered_with_its_reasons_and_chosen_in_its_row(client: Client) -> None:
    """A player without FMJD-ID whose name is in the register: the referee says who they are without typing."""

    create_federation("BEL")
    known = create_player(
        number=10777, last_name="Vroom", first_name="Ada", sort_name="vroom ada", federation_id="BEL", sex="W",
        birth_year=1990,
    )  # fmt: skip
    report = uploaded(client)
    address = reverse("report-people", args=[report.pk])
    page = text(client.get(address))
    assert '<option value="10777">10777 Vroom, Ada, BEL</option>' in page
    chosen = {"who-1": "10777", "fmjd_id-1": "", "fmjd_id-2": ""}
    assert client.post(address, {"based_on": "1", **chosen}).status_code == 302
    version = ReportVersion.objects.filter(report=report).latest("number")
    assert b"1 = 10777" in bytes(version.sidecar)
    assert re.search(rf"10777(</a>)?\s+{known.printed_name}", text(client.get(address)))
    assert 'name="who-1"' not in text(client.get(address))


@pytest.mark.parametrize(
    ("page", "first", "last"), [("", 1, 100), ("2", 101, 120), ("9", 101, 120), ("x", 1, 100)]
)
def test_a_large_tournament_is_previewed_a_hundred_players_at_a_time(
    client: Client, page: str, first: int, last: int
) -> None:
    players = "\n".join(f"0,{number},,0,0,Ada,Vroom,BEL,01/01/1990,W" for number in range(1, 121))
    head = FILE.split(b"0,1,,1,2,Ada")[0]
    content = head + players.encode() + b"\n</end players>\n<section results>\n</end results>\n"
    report = uploaded(client, content)
    response = client.get(reverse("report-preview", args=[report.pk]), {"page": page})
    assert response.status_code == 200
    numbers = [line.player.number for line in response.context["lines"]]
    assert (numbers[0], numbers[-1]) == (first, last)
    assert f"Players {first} to {last} of 120" in text(response)


@pytest.mark.parametrize("typed", ["a\x00b", "x" * 2001])
def test_a_reason_or_comment_that_cannot_be_saved_comes_back_in_its_form(
    client: Client, report: Report, typed: str
) -> None:
    """Once a 500, then a page without what was typed."""
    details = {"based_on": "1", "discipline": "100", "time_control": "80+30", "official": "true"}
    client.post(reverse("report-details", args=[report.pk]), details)
    warnings = [finding["severity"] for finding in report.versions.latest("number").findings]
    index = warnings.index("warning")
    comment = {"based_on": report.versions.latest("number").number, f"comment-{index}": typed}
    for name, sent in (("report-withdraw", {"reason": typed}), ("report-submit", comment)):
        response = client.post(reverse(name, args=[report.pk]), sent)
        assert response.status_code == 409, name
        assert "Enter text of at most 2000 characters." in response.text, name
        assert typed in response.text, name
        (field,) = response.context["invalid_fields"]
        assert field.id == ("reason" if name == "report-withdraw" else f"comment-{index}")
        assert f'<a href="#{field.id}">{escape(field.label)}</a>: Enter text' in response.text
        assert f'id="{field.id}-message">Enter text of at most 2000 characters.' in response.text
    report.refresh_from_db()
    assert report.state == "draft"


EXPORT = b""";Riverside Round Robin;
;https://toernooibase.example/standen
;Berger rooster
;fill in FMJD-report
Pl;FMJD-id;Title;Name;Cn;R1;Pt;
1;0;;Ada Vroom;be;2/2w;2;
2;0;;Ben Kuil;be;0/1b;0;
"""


def test_a_wrong_entry_for_a_player_is_shown_at_this_player_and_leaves_the_others(client: Client) -> None:
    """The finding was on the page Details, which has no such field; all other entries were ignored with it."""
    report = uploaded(client, EXPORT)
    address = reverse("report-people", args=[report.pk])
    ada = {
        "last_name-1": "Vroom", "first_name-1": "Ada", "country-1": "BEL", "sex-1": "W", "born-1": "1990-01-01",
    }  # fmt: skip
    for number, (typed, found) in enumerate([("abc", "abc"), ("0", "0")], start=1):
        assert client.post(address, {"based_on": number, **ada, "fmjd_id-2": typed}).status_code == 409
        page = client.get(address)
        (ben,) = page.context["unmatched_people"]
        assert ben.reported.number == 2
        assert (ben.findings[0].code, ben.findings[0].step) == ("detail-unreadable", "people")
        assert ben.findings[0].message.startswith("Number 2 (Ben Kuil): ")
        assert ben.at_cells["who"] == (
            f"This number cannot be used. Found: {found}. Expected: a number of the register, for example 11285, or of"
            " another register, for example knsb-4711."
        )
        assert re.search(rf'name="fmjd_id-2"[^>]*value="{typed}"', text(page))
        (step,) = [step for step in page.context["steps"] if step.name == "people"]
        assert not step.done
    ben_is_new = {"last_name-2": "Kuil", "first_name-2": "Ben", "country-2": "XXX", "sex-2": "M"}
    assert client.post(address, {"based_on": "3", "fmjd_id-2": "", **ben_is_new}).status_code == 409
    (ben,) = client.get(address).context["unmatched_people"]
    assert ben.findings[0].found.endswith("XXX")
    details = text(client.get(reverse("report-details", args=[report.pk])))
    assert "detail-unreadable" not in details


def test_an_id_chosen_for_two_players_is_one_finding_on_the_page_people(client: Client) -> None:
    """The page accepted it without a word; the page File had two findings, one about a line without an FMJD-ID."""

    create_federation("BEL")
    create_player(
        number=10777, last_name="Vroom", first_name="Ada", sort_name="vroom ada", federation_id="BEL", sex="W"
    )
    report = uploaded(client, EXPORT)
    address = reverse("report-people", args=[report.pk])
    both = {"fmjd_id-1": "10777", "fmjd_id-2": "10777"}
    assert client.post(address, {"based_on": "1", **both}).status_code == 302
    codes = [finding["code"] for finding in report.versions.get(number=2).findings]
    assert codes.count("player-entered-twice") + codes.count("fmjd-id-repeated") == 1
    (ben,) = client.get(address).context["unmatched_people"]
    assert ben.reported.number == 2
    assert "player-entered-twice" in [finding.code for finding in ben.findings]


def test_a_wrong_detail_does_not_make_the_others_missing(client: Client) -> None:
    """One wrong value made five required details “missing” that were entered."""
    report = uploaded(client, EXPORT)
    address = reverse("report-details", args=[report.pk])
    typed = {
        "discipline": "100", "system": "round-robin", "played_from": "2026-02-01", "played_to": "2026-02-14",
        "referee": "Pieter Ostrava", "place": "Ghent", "country": "Belgium or so", "time_control": "a lot",
    }  # fmt: skip
    assert client.post(address, {"based_on": "1", "save": "1", **typed}).status_code == 409
    findings = report.versions.get(number=2).findings
    about_details = [(finding["code"], finding["field"]) for finding in findings if finding["line"] is None]
    assert sorted(about_details) == [("detail-unreadable", "country"), ("detail-unreadable", "time_control")]


def test_a_file_without_players_does_not_say_that_all_are_identified(client: Client) -> None:
    report = replaced(client, b"012 hello")
    page = client.get(reverse("report-people", args=[report.pk]))
    assert "All players are identified" not in text(page)
    assert "No players were read from the file." in text(page)
    assert "people" not in [step.name for step in page.context["steps"] if step.done]


def test_a_birth_after_the_first_round_is_shown_on_the_page_where_it_was_entered(client: Client) -> None:
    report = uploaded(client, EXPORT)
    details = {
        "discipline": "100", "time_control": "80+30", "system": "round-robin", "played_from": "2026-02-01",
        "played_to": "2026-02-14",
    }  # fmt: skip
    client.post(reverse("report-details", args=[report.pk]), {"based_on": "1", "save": "1", **details})
    address = reverse("report-people", args=[report.pk])
    ada = {
        "last_name-1": "Vroom", "first_name-1": "Ada", "country-1": "BEL", "sex-1": "W", "born-1": "2026-02-02"
    }  # fmt: skip
    assert client.post(address, {"based_on": "2", **ada}).status_code == 409
    people = {person.reported.number: person for person in client.get(address).context["unmatched_people"]}
    assert [finding.code for finding in people[1].findings] == ["born-after-start"]


# --- from step to step


def test_steps_say_what_is_missing_and_lead_on(client: Client, report: Report) -> None:
    page = client.get(reverse("report-file", args=[report.pk]))
    missing = {step.name: step.missing for step in page.context["steps"]}
    assert missing["details"] == "2 details missing"  # board and clock; the file has the other ones
    assert "Tournament details: 2 details missing" in " ".join(text(page).split())
    assert "detail-missing" not in text(page)
    assert page.context["next_step"].name == "details"
    # The same number on the page of the details: calm before anything is typed, and linked.
    form = client.get(reverse("report-details", args=[report.pk])).text
    assert "2 details are needed before you submit" in form
    assert 'href="#id_discipline"' in form
    assert (form.count("field--needed"), form.count("field--bad")) == (2, 0)
    submission = client.get(reverse("report-submit", args=[report.pk])).text
    assert "“Discipline” is missing." in submission
    assert not any(again in submission for again in ("(Discipline)", "(discipline)"))
    values = {"based_on": "1", "discipline": "100", "time_control": "80+30"}
    client.post(reverse("report-details", args=[report.pk]), values)
    page = client.get(reverse("report-details", args=[report.pk]))
    (details,) = [step for step in page.context["steps"] if step.name == "details"]
    # The file has a first day that does not exist: the details can give it.
    assert (details.done, details.missing) == (False, "1 question")
    values |= {"based_on": "2", "played_from": "2026-02-06"}
    client.post(reverse("report-details", args=[report.pk]), values)
    page = client.get(reverse("report-details", args=[report.pk]))
    (details,) = [step for step in page.context["steps"] if step.name == "details"]
    assert (details.done, details.missing) == (True, "")
    assert "details missing" not in text(client.get(reverse("report-file", args=[report.pk])))
    assert client.get(reverse("report-submit", args=[report.pk])).context["next_step"] is None
    # From the status the first open step: the date of the file is a warning now (R27).
    assert client.get(reverse("report", args=[report.pk])).context["next_step"].name == "preview"


def test_people_are_saved_and_the_step_that_needs_something_follows(client: Client) -> None:
    """A step that needs nothing is passed over: the preview stays a link."""
    report = uploaded(client, SIX.read_bytes())
    people = reverse("report-people", args=[report.pk])
    details, submission = (reverse(f"report-{name}", args=[report.pk]) for name in ("details", "submit"))
    saved = client.post(people, {"based_on": "1", "action": "continue"})
    assert saved["Location"] == reverse("report-details", args=[report.pk])
    values = {
        "discipline": "100", "time_control": "80+30", "national_championship": "no", "points": "1-0.5-0",
    }  # fmt: skip
    client.post(details, values | {"based_on": "1", "action": "save"})
    waiting = {step.name: step.missing for step in client.get(people).context["steps"] if step.missing}
    assert set(waiting) == {"people", "submit"}
    rows = client.get(people).context["unmatched_people"]
    data = {f"{name}-{row.reported.number}": text for row in rows for name, text in row.entered.items()}
    data |= {f"who-{row.reported.number}": "new" for row in rows}
    saved = client.post(people, {"based_on": "2", "action": "continue", **data})
    assert saved["Location"] == submission


def test_a_confirmation_whose_section_is_gone_is_first_on_the_page(client: Client) -> None:
    details = reverse("report-details", args=[uploaded(client).pk])
    client.post(details, {"based_on": "1", "discipline": "100", "action": "save"})
    page = client.get(reverse("reports")).text  # without the section of the details
    assert page.index('id="main"') < page.index("Saved as version 2") < page.index("<h1")


def test_details_are_saved_and_the_next_open_step_follows(client: Client, report: Report) -> None:
    address = reverse("report-details", args=[report.pk])
    values = {"discipline": "100", "time_control": "80+30"}
    saved = client.post(address, values | {"based_on": "1", "action": "save"})
    assert saved["Location"] == f"{address}#details"
    page = client.get(address)
    assert page.text.count("Saved as version 2") == 1
    assert page.text.index('id="details"') < page.text.index("Saved as version 2")
    other = next(step for step in page.context["steps"] if step.missing and not step.here)
    following = reverse(other.page, args=[report.pk])
    values = values | {"based_on": "2", "referee": "Rina Reader", "find": "open"}
    assert client.post(address, values | {"action": "continue"})["Location"] == following
    assert following != address
    refused = client.post(address, values | {"action": "continue"})  # based on an old version
    assert refused.status_code == 409
    assert 'value="Rina Reader"' in text(refused)


def test_steps_count_players_and_kinds_of_warnings_without_a_comment(client: Client) -> None:
    report = uploaded(client, SIX.read_bytes())
    values = {"based_on": "1", "discipline": "100", "time_control": "80+30", "points": "1-0.5-0"}
    client.post(reverse("report-details", args=[report.pk]), values)
    page = client.get(reverse("report-people", args=[report.pk]))
    missing = {step.name: step.missing for step in page.context["steps"]}
    assert missing["people"] == "6 players"
    version = report.versions.latest("number")
    kinds = {finding["code"] for finding in version.findings if finding["severity"] == "warning"}
    assert missing["submit"] == f"{len(kinds)} comments"


def test_needed_details_come_first_and_others_open_where_wrong(client: Client, report: Report) -> None:
    address = reverse("report-details", args=[report.pk])
    groups = client.get(address).context["groups"]
    assert [detail.field.name for detail in groups[0].details] == [
        "rating_system", "discipline", "time_control", "official", "national_championship", "referee",
    ]  # fmt: skip
    assert [group.is_open for group in groups] == [True] + [False] * (len(groups) - 1)
    client.post(address, {"based_on": "1", "country": "Atlantis", "minutes_for_60_moves": "110"})
    page = client.get(address)
    assert {group.details[0].field.name: (group.is_open, group.filled) for group in page.context["groups"][1:3]} == {
        "name": (True, 1), "minutes_for_60_moves": (False, 1),
    }  # fmt: skip
    assert '<option value="Netherlands">NED</option>' in text(page)
    assert '<option value="80+60">80 min + 60 moves × 60 s = 140 min for 60 moves</option>' in text(page)
