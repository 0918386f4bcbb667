"""Work that waits in the office, one of each kind: reports, announcements, records, requests, an invitation."""

from dataclasses import replace
from datetime import date, timedelta

from django.utils import timezone

from config.demo.accounts import FEDERATION
from config.demo.management.pools_story import People, accept, submit
from config.demo.records import DemoFederation, DemoReport
from config.demo.tour.steps import POOL, TOURNAMENT
from ratings.models import ListRow, RatingList
from ratings.queries.published_values import find_figure
from reporting.accounts.services.accounts import invite
from reporting.log.audit import Actor
from reporting.models import CorrectionRequest, Player, PlayerMerge, RequestEntry, Role
from reporting.register.services.import_register import import_register
from reporting.register.services.merge_players import merge_players
from reporting.register.services.numbers import last_number
from reporting.reports.services.announce import announce_tournament, change_announcement, state_digest
from reporting.reports.services.review import Remark, return_report
from reporting.reports.services.upload import upload_report
from reporting.requests.services import answer_request, send_request

MERGE_REASON = "Same name, same club; the player confirms that both records are theirs."


def add_open_work(federation: DemoFederation, people: People) -> None:
    """The reports of the running quarter, announcements, requests and an invitation."""
    review_reports(federation, people)
    for name, place, country, days_ago in (
        ("Harbour Cities Cup", "Antwerp", "BEL", 12),
        ("Meuse Valley Open", "Namur", "BEL", 15),
    ):
        ended = timezone.localdate() - timedelta(days=days_ago)
        announce(
            people[Role.TOURNAMENT_DIRECTOR],
            name,
            place,
            country,
            played_from=ended - timedelta(days=3),
            played_to=ended,
            announced=ended - timedelta(days=40),
        )
    for name, place, country, days_ahead in (
        ("Tulip Weekend", "Haarlem", "NED", 18),
        ("Bamako New Year Open", "Bamako", "MLI", 40),
        ("Riga Rooftop Masters", "Riga", "LAT", 75),
    ):
        first_day = timezone.localdate() + timedelta(days=days_ahead)
        announce(
            people[Role.TOURNAMENT_DIRECTOR],
            name,
            place,
            country,
            played_from=first_day,
            played_to=first_day + timedelta(days=5),
        )
    first, second = newest_rows(2)
    ask(first, "My win of the last round seems to be missing.", "Two points more, I think.")
    answered = ask(second, "My rating falls although I won more games than I lost.", "")
    answer_request(
        asked=answered,
        outcome=RequestEntry.Outcome.UNCHANGED,
        basis="Annex 9 art. 3.2.2",
        text="Your opponents are rated far below you: so many points were expected, and you won fewer.",
        by=people[Role.RATING_OFFICER],
        looked_at=answered.waiting_since,
    )
    invite(
        email="new.referee@demo.example",
        name="Wieke Nieuwland",
        role=Role.REFEREE,
        federation=FEDERATION,
        by=people[Role.NATIONAL_OFFICIAL],
    )
    announce_walk(federation.walk, people)


def review_reports(federation: DemoFederation, people: People) -> None:
    """Accepted where no norm can follow, so that the visitor can approve the list; one draft; the others submitted.

    A late report with newcomers and a player who looks like a registered one; a returned one; a tournament twice.
    """
    referee, director = people[Role.REFEREE], people[Role.TOURNAMENT_DIRECTOR]
    without_norms = [report for report in federation.waiting if is_without_norms(report)]
    *submitted, draft = (report for report in federation.waiting if report not in without_norms)
    for report in without_norms:
        accept(report, people)
    for report in (*submitted, federation.late):
        submit(report, referee)
    returned = submit(federation.returned, referee)
    remarks = [
        Remark(
            "The referee’s level is missing in your club’s record: enter who confirmed it.",
            field="referee_level",
        ),
        Remark("Is this the final table? The organiser’s page has another winner."),
    ]
    return_report(report=returned, remarks=remarks, by=director)
    twice = without_norms[0]
    copy = replace(
        twice,
        filename=f"copy-of-{twice.filename}",
        content=twice.content.replace(b"<remark> ", b"<remark> Sent by the federation. "),
    )
    submit(copy, people[Role.NATIONAL_OFFICIAL])
    impossible = draft.content.replace(b",2-0", b",3-0", 1)
    upload_report(content=impossible, filename=draft.filename, sidecar=draft.sidecar, by=referee)


def is_without_norms(report: DemoReport) -> bool:
    """Neither approved by the Council nor a national championship (Annex 10 art. 4.2, R30)."""
    return b"council_approved = false" in report.sidecar and b'national_championship = "no"' in report.sidecar


def merge_duplicates(people: People) -> None:
    """Second records of two players, the last letter of the name doubled: one is merged, one waits."""
    director = people[Role.TOURNAMENT_DIRECTOR]
    for row in newest_rows(2):
        register, known = row.list.report_rules.register, row.player
        number = last_number(register) + 1
        import_register(
            content=(
                "fmjd_id,last_name,first_name,federation,sex,born\n"
                f"{number},{known.last_name}{known.last_name[-1]},{known.first_name},{FEDERATION},{known.sex},"
            ).encode(),
            by=director,
        )
        if not PlayerMerge.objects.exists():
            duplicate = Player.objects.with_numbers(register, [number]).get()
            merge_players(duplicate=duplicate, surviving=known, reason=MERGE_REASON, by=director)


def newest_rows(count: int) -> list[ListRow]:
    """The best players of the demonstration's own federation on the newest list."""
    published = RatingList.objects.filter(pool__code=POOL, state=RatingList.State.PUBLISHED)
    newest = published.select_related("pool").latest("in_force", "revision")
    rows = newest.rows.filter(federation=FEDERATION).select_related("player", "list__pool")
    return list(rows.order_by("position")[:count])


def announce_walk(walk: DemoReport, people: People) -> None:
    """The referee's tournament of the seven steps; the rating officer says that it was announced in time (R11)."""
    days = {"played_from": walk.played_from, "played_to": walk.played_to}
    values = announced_values(TOURNAMENT, "Leeuwarden", FEDERATION, **days)
    announcement = announce_tournament(values=values, by=people[Role.REFEREE])
    announcement.refresh_from_db()
    change_announcement(
        announcement=announcement,
        based_on=state_digest(announcement),
        values=values | {"announced": str(walk.played_from - timedelta(days=40))},
        by=people[Role.RATING_OFFICER],
    )


def announce(by: Actor, name: str, place: str, country: str, **days: date) -> None:
    """Announce a tournament of 100 squares."""
    announce_tournament(values=announced_values(name, place, country, **days), by=by)


def announced_values(name: str, place: str, country: str, **days: date) -> dict[str, str]:
    return {
        "name": name,
        "place": place,
        "country": country,
        "discipline": "100",
        "time_control": "45+15",
        "system": "swiss",
        **{key: str(day) for key, day in days.items()},
    }


def ask(row: ListRow, error_description: str, proposed_value: str) -> CorrectionRequest:
    """A request of a player about their rating."""
    rating_list, player = row.list, row.player
    return send_request(
        doubted=find_figure(
            f"rating:{rating_list.pool.code}:{rating_list.in_force}:{rating_list.revision}:{row.register_number}"
        ),
        error_description=error_description,
        proposed_value=proposed_value,
        evidence="The crosstable on the organiser’s page.",
        name=f"{player.first_name} {player.last_name}",
        email=f"{player.last_name.lower().replace(' ', '.')}@demo.example",
    )
