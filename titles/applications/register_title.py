"""The title that an application brings, in the register of players."""

from datetime import date

from reporting.models import Player, PlayerTitle
from reporting.refusals.domain_error import DomainError
from reporting.rules.register.titles import DisciplineTitles, discipline_titles
from titles.models import TitleApplication


def register_title(application: TitleApplication, player: Player, on: date) -> PlayerTitle:
    """Write the title, which counts from the day `on`; a lower one of its kind ends on that day (1.3, R40).

    Needs a transaction that holds the player's row. Raises DomainError `title_held` where the player has this title or
    a higher one of its kind, `title_later` where one of its kind is registered for the same or a later day.
    """
    of_discipline = _titles_of(application)
    new = of_discipline.titles[application.title]
    rows = PlayerTitle.objects.filter(
        player=player,
        awarded_by=of_discipline.awarded_by,
        discipline=of_discipline.discipline,
        ladder=new.ladder,
    )
    held = [title for title in rows.held_on(on) if title.title in of_discipline.titles]
    for title in held:
        if of_discipline.titles[title.title].rank <= new.rank:
            raise DomainError("title_held", player=player.printed_name, title=new.code, held=title.title)
    for title in rows.filter(registered_on__gte=on).order_by("registered_on"):
        if title.registered_on != title.withdrawn_on:
            raise DomainError(
                "title_later", player=player.printed_name, held=title.title, day=title.registered_on
            )
    rows.held_on(on).update(withdrawn_on=on)
    return PlayerTitle.objects.create(
        player=player,
        awarded_by=of_discipline.awarded_by,
        discipline=of_discipline.discipline,
        title=new.code,
        ladder=new.ladder,
        registered_on=on,
    )


def end_title(application: TitleApplication, on: date) -> None:
    """Withdraw the title of an application (art. 1.4). One that a higher title replaced before has ended already."""
    assert application.player_title_id is not None  # noqa: S101 (a constraint: it is registered)
    PlayerTitle.objects.filter(pk=application.player_title_id, withdrawn_on=None).update(withdrawn_on=on)


def _titles_of(application: TitleApplication) -> DisciplineTitles:
    return next(
        of_discipline
        for of_discipline in discipline_titles().values()
        if (of_discipline.awarded_by, of_discipline.discipline)
        == (application.awarded_by, application.discipline)
    )
