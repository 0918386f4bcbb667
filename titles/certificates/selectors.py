"""What a certificate says, read from the register and the published lists by its code."""

from dataclasses import dataclass
from datetime import date

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from reporting.models import Player, PlayerTitle
from reporting.register.title_codes import TITLE, title_code_of
from titles.certificates.codes import NORM, norm_code_of
from titles.models import Norm
from titles.queries.ledgers import counts


class Validity(TextChoices):
    """Whether what a certificate says is true now."""

    VALID = "valid", _("Valid")
    REPLACED = "replaced", _("Replaced by a higher title")
    WITHDRAWN = "withdrawn", _("Title withdrawn")
    CORRECTED = "corrected", _("Not valid: the list was corrected")


@dataclass(frozen=True)
class Certificate:
    """A title or a norm with what is printed on its certificate."""

    code: str
    player: Player
    discipline: str
    title: str
    validity: Validity
    title_held: PlayerTitle | None = None
    norm: Norm | None = None

    @property
    def is_printed(self) -> bool:
        """Whether there is a file: a title stays a title after a higher one, but not after its withdrawal."""
        return self.validity in (Validity.VALID, Validity.REPLACED)

    @property
    def day(self) -> date | None:
        """The day from which the title counts, or on which the list of the norm is in force."""
        return (
            self.title_held.registered_on
            if self.title_held
            else self.norm.list.in_force
            if self.norm
            else None
        )


def find_certificate(code: str) -> Certificate | None:
    """The certificate of a code; None for a code that is none. 1 or 2 queries."""
    kind, number = code[0], int(code[1:].partition("-")[0])
    if kind == TITLE:
        return _of_title(code, number)
    return _of_norm(code, number) if kind == NORM else None


def _of_title(code: str, number: int) -> Certificate | None:
    title = PlayerTitle.objects.select_related("player__federation").filter(pk=number).first()
    void = title is not None and title.registered_on is not None and title.registered_on == title.withdrawn_on
    if title is None or void or title_code_of(title) != code:
        return None
    validity = Validity.VALID
    if title.withdrawn_on is not None and title.withdrawn_on <= timezone.localdate():
        next_one = PlayerTitle.objects.filter(
            player=title.player_id,
            awarded_by=title.awarded_by,
            discipline=title.discipline,
            ladder=title.ladder,
            registered_on=title.withdrawn_on,
        )
        validity = Validity.REPLACED if next_one.exists() else Validity.WITHDRAWN
    return Certificate(code, title.player, title.discipline, title.title, validity, title_held=title)


def _of_norm(code: str, number: int) -> Certificate | None:
    norm = (
        Norm.objects.filter(pk=number, list__state="published")
        .select_related("player__federation", "result_set", "list__pool")
        .first()
    )
    if norm is None or norm_code_of(norm) != code:
        return None
    is_counted = counts(norm)
    if not (norm.is_needed or is_counted):
        return None
    validity = Validity.VALID if is_counted else Validity.CORRECTED
    return Certificate(code, norm.player, norm.discipline, norm.title, validity, norm=norm)
