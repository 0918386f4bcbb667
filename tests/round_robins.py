"""Reports of four players, all against all: one with three errors, one submitted."""

from datetime import timedelta

from django.utils import timezone

from reporting.log.audit import Actor
from reporting.models import Player, Report, Tournament, User
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report

PLACE_LINE = 9


def announce_riverside(referee: User) -> Tournament:
    return Tournament.objects.create(
        name="Riverside Open", place="Ghent", country_id=Player.objects.first().federation_id,
        played_from=timezone.localdate() - timedelta(days=4), played_to=timezone.localdate() - timedelta(days=2),
        discipline="100", time_control="80+30", system="round-robin",
        announced_on=timezone.localdate() - timedelta(days=40), announced_by=referee,
    )  # fmt: skip


def faulty_file() -> bytes:
    """Four registered players, all against all, with three errors: points, a result, and a day."""
    players = list(
        Player.objects.filter(numbers__has_key="fmjd", birth_year__gt=0).order_by("numbers__fmjd")[:4]
    )
    last = timezone.localdate() - timedelta(days=2)
    first = last - timedelta(days=2)
    lines = [
        "<section Info>",
        "name = Riverside Open",
        f"played from = 31/02/{first.year}",
        f"played to = {last:%d/%m/%Y}",
        "type = ROUND", "national championship = N", "women championship = N", "name of referee = Pieter Ostrava",
        "place = Ghent", "country = BEL", "remarks = <remark></end remark>",
        f"winner = {players[0].first_name} {players[0].last_name}",
        "</end info>",
        "<section players>",
    ]  # fmt: skip
    # Points: 1 beats all (6); 2 beats 3, draws 4 (3); 3 beats 4 (2); 4 draws 2 (1). The file says 5 for the first.
    for place, (player, points) in enumerate(zip(players, (5, 3, 2, 1), strict=True), 1):
        lines.append(
            f"{player.address},{place},,{place},{points},{player.first_name},{player.last_name},"
            f"{player.federation_id},,{player.sex}"
        )
    lines += [
        "</end players>",
        "<section results>",
        "1,1,2,2-0", "1,3,4,2-0", "2,3,1,0-2", "2,2,4,1-1", "3,1,4,3-0", "3,2,3,2-0",
        "</end results>",
    ]  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


def submitted(by: User, name: str, days_ago: int) -> Report:
    """A report submitted now: a round robin of three registered players and an unknown one."""
    players = list(
        Player.objects.filter(numbers__has_key="fmjd", birth_year__gt=0).order_by("numbers__fmjd")[:3]
    )
    last = timezone.localdate() - timedelta(days=days_ago)
    first = last - timedelta(days=2)
    lines = [
        "<section Info>", f"name = {name}", f"played from = {first:%d/%m/%Y}", f"played to = {last:%d/%m/%Y}",
        "type = ROUND", "national championship = N", "women championship = N", "name of referee = Pieter Ostrava",
        "place = Gent", "country = BEL", "remarks = <remark></end remark>",
        f"winner = {players[0].first_name} {players[0].last_name}", "</end info>", "<section players>",
    ]  # fmt: skip
    # Points: 1 beats all (6); 2 beats 3, draws 4 (3); 3 beats 4 (2); 4 draws 2 (1).
    for place, (player, points) in enumerate(zip(players, (6, 3, 2), strict=True), 1):
        who = f"{player.first_name},{player.last_name},{player.federation_id},,{player.sex}"
        lines.append(f"{player.address},{place},,{place},{points},{who}")
    lines += [
        "0,4,,4,1,Zora,Zettevall,BEL,01/02/2001,W", "</end players>", "<section results>",
        "1,1,2,2-0", "1,3,4,2-0", "2,3,1,0-2", "2,2,4,1-1", "3,1,4,2-0", "3,2,3,2-0", "</end results>",
    ]  # fmt: skip
    announced = first - timedelta(days=30)
    details = f'discipline = "100"\ntime_control = "80+30"\nannounced = {announced.isoformat()}\n'
    uploaded = upload_report(
        content=("\n".join(lines) + "\n").encode(), filename="ferry.txt", sidecar=details.encode(), by=Actor(by),
    )  # fmt: skip
    comments = {
        index: "A round robin of four, as announced."
        for index, finding in enumerate(uploaded.matching.findings)
        if finding.severity == "warning"
    }
    return submit_report(report=uploaded.report, comments=comments, by=Actor(by))
