"""What the office's pages show next to the demonstration, one of each, and the arguments of their addresses."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import NoReverseMatch, reverse

from ratings.models import Anomaly
from ratings.queries.published_values import find_figure
from reporting.log.audit import Actor
from reporting.messages.mail_choices import KEY
from reporting.messages.request_links import PAGE
from reporting.models import CorrectionRequest, Player, PlayerTitle, Report, Role, Tournament, User
from reporting.register.title_codes import title_code_of
from reporting.reports.services.upload import upload_report
from reporting.requests.services import send_request
from tests.norms import give_norms
from tests.pages.access.test_access import PUBLIC
from tests.pages.web.page_texts import DETAILS, REPORT
from tests.people import create_user
from tests.services.test_world_cup_events import propose
from titles.applications.submit_application import submit_application
from titles.federations.fmjd.champions.services import enter_medal
from titles.federations.fmjd.championships.services.save_championship import (
    ChampionshipValues,
    create_championship,
)
from titles.federations.fmjd.models import Championship, Publication
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.federations.fmjd.world_cup.events.services import approve_event
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey
from titles.federations.fmjd.world_cup.publications.steps import publish_by_command
from titles.models import Norm, TitleApplication
from titles.queries.norms import counting_norms

LIST = ("fmjd-100", "2026-10-01", 1)
CHAMPIONSHIP = "world-2027"
CLASSIFICATION = ("100", "2026-06-30")
OPEN_PERIOD = ("fmjd-100", date(2027, 1, 1))
REFERENCE = "rating:fmjd-100:2026-10-01:1:13368"
TOKEN = ("MQ", "dez6jy-0123456789abcdef0123456789abcdef")


@dataclass(frozen=True)
class Things:
    """What the office's pages show here next to the demonstration."""

    referee: User
    report: Report
    asked: CorrectionRequest
    announcement: Tournament
    anomaly: Anomaly
    application: TitleApplication
    certificate: str
    publication: Publication

    def arguments(self, name: str) -> tuple[Any, ...]:
        """The arguments of an address."""
        public = {name: row.arguments for name, row in PUBLIC.items()}
        fixed: dict[str, tuple[Any, ...]] = public | {
            "account-stop-mails": (KEY.sign(f"{self.referee.pk}-report_late"),),
            "request": (PAGE.sign(str(self.asked.pk)),),
            "office-request": (self.asked.pk,),
            "office-report-remind": (self.announcement.pk,),
            "office-merge-undo": (1,),
            "office-past-quarters": LIST[:1],
            "office-dates": LIST[:1],
            "office-replay": LIST[:1],
            "office-opening": LIST[:1],
            "office-opening-approve": LIST[:1],
            "office-opening-discard": LIST[:1],
            "office-opening-publish": LIST[:1],
            "office-players-import-check": (1,),
            "office-anomaly": (*OPEN_PERIOD, self.anomaly.pk),
            "office-tournament": public["tournament"],
            "office-correct": LIST[:2],
            "report-announcement-change": (self.announcement.pk,),
            "report-announcement-withdraw": (self.announcement.pk,),
            "announcement-world-cup": (self.announcement.pk,),
            "world-cup-event": (self.announcement.pk,),
            "world-cup-open": CLASSIFICATION,
            "world-cup-women": CLASSIFICATION,
            "office-publication": (self.publication.pk,),
            "office-title-match": ("world-100-classic", 2025),
            **dict.fromkeys(
                ("championship", "office-championship", "office-championship-change"), (CHAMPIONSHIP,)
            ),
            **dict.fromkeys(("championship-participants", "championship-reserves"), (CHAMPIONSHIP, 1)),
            "report-changes": (self.report.pk, 1, 2),
            "title-points": ("fmjd",),
            "title-forecast-of-report": (self.report.pk,),
            "report-original": (self.report.pk, 1),
            "report-results-entry-round": (self.report.pk, 1),
            "check-file-example": ("fmjd-report",),
            "norm": (Norm.objects.filter(list__state="ready").latest("pk").pk,),
            "title-norm": (counting_norms().latest("pk").pk,),
            "account_confirm_email": ("unknown",),
            "account_reset_password_from_key": TOKEN,
            "account-invitation": TOKEN,
            "account-confirm-role": (self.referee.pk, 1),
            "title-ledger": (self.application.player.address,),
            "title-application": (self.application.pk,),
            "title-certificate": (self.certificate,),
            "title-certificate-file": (self.certificate,),
        }
        if name in fixed:
            return fixed[name]
        if name.startswith("list-"):
            return LIST
        if name.startswith("office-player"):
            candidates: tuple[tuple[Any, ...], ...] = ((), ("13368",))
        elif name.startswith("account"):
            candidates = ((), (self.referee.pk,))
        else:
            candidates = ((), OPEN_PERIOD, (self.report.pk,))
        for arguments in candidates:
            try:
                reverse(name, args=arguments)
            except NoReverseMatch:
                continue
            return arguments
        raise AssertionError(f"no arguments for {name}")


def shown_things() -> Things:
    """Made by the services, next to the season with its draft."""
    referee = create_user("rina@example.org", "Rina Reader", roles=[Role.REFEREE], federation_id="NED")
    by = Actor(referee)
    report = upload_report(content=REPORT, filename="open.txt", sidecar=DETAILS, by=by).report
    upload_report(content=REPORT, filename="open.txt", sidecar=DETAILS.replace(b"120+0", b"100+0"), by=by)
    announcement = Tournament.objects.create(
        name="Harbour Cup", country_id="NED", played_from="2026-11-01", played_to="2026-11-02", discipline="100",
        time_control="120+0", announced_by=referee, announced_on="2026-10-01",
    )  # fmt: skip
    official = create_user("nora@example.org", "Nora", roles=[Role.NATIONAL_OFFICIAL], federation_id="NED")
    director = create_user("dirk@example.org", "Dirk", roles=[Role.TOURNAMENT_DIRECTOR])
    proposal = propose(announcement, Actor(official), prizes_women=[600])
    approve_event(proposal=proposal, by=Actor(director))
    publication = published(Actor(director))
    asked = send_request(
        doubted=find_figure(REFERENCE), error_description="It is 2431.", proposed_value="2431",
        evidence="My own sum.", name="Vera Visitor", email="vera@example.org",
    )  # fmt: skip
    application = title_application()
    certificate = title_code_of(PlayerTitle.objects.earliest("pk"))
    anomaly = Anomaly.objects.earliest("pk")
    return Things(referee, report, asked, announcement, anomaly, application, certificate, publication)


def published(director: Actor) -> Publication:
    """A champion; a championship with its published lists; the classifications, of which the last is given."""
    enter_medal(
        kind=ChampionshipKind.of("world-100-classic"), year=2025, place=1, source="Minutes", by=director,
        player=Player.objects.get(numbers__fmjd=13368),
    )  # fmt: skip
    releaser = Actor(create_user("rob@example.org", "Rob", roles=[Role.RELEASING_OFFICER]))
    days = {"first_day": date(2027, 9, 28), "council_day": date(2026, 10, 1)}
    world = ChampionshipValues(place="Dakar", champion=13368, **days)
    create_championship(kind=Championship.Kind.WORLD_20, values=world, by=director)
    section, day = CLASSIFICATION
    for key in (
        PublicationKey(kind="participants", championship=CHAMPIONSHIP),
        PublicationKey(kind="reserves", championship=CHAMPIONSHIP),
        *(
            PublicationKey(kind="classification", section=section, women=women, day=date.fromisoformat(day))
            for women in (True, False)
        ),
    ):
        publication = publish_by_command(key=key, reason="", by=director, releaser=releaser)
    return publication


def title_application() -> TitleApplication:
    """An application for a title by norms of a player who also has an automatic title."""
    official = create_user(
        "olav@example.org", "Olav Lane", roles=[Role.NATIONAL_OFFICIAL], federation_id="NED"
    )
    council = create_user("cleo@example.org", "Cleo Lane", roles=[Role.TITLE_COUNCIL])
    player = Player.objects.filter(titles=None, norms=None, sex="M", federation="NED").earliest("pk")
    give_norms(player, "MF black 7", "MF red 7", "MF black 7", "MI automatic 7", by=council)
    return submit_application(player=player, discipline="100", title="MF", by=Actor(official))
