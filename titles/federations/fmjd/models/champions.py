from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class EnteredMedal(models.Model):
    """A medal of a championship without a report here, entered by the office with its source.

    Never changed: what is wrong is withdrawn with a reason and entered correctly. A player or a name is of a person,
    a federation alone of its team.
    """

    championship = models.CharField(
        max_length=48, help_text="A code of titles/federations/fmjd/rules/championship_kinds.py."
    )
    year = models.PositiveSmallIntegerField(help_text="Of its last round.")
    place = models.PositiveSmallIntegerField(help_text="1 to 3; players who share a place have the same one.")
    player = models.ForeignKey(
        "reporting.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    name = models.CharField(
        max_length=80, blank=True, help_text="As the source prints it, of who is not in the register."
    )
    federation = models.ForeignKey(
        "reporting.Federation",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="At the time of the championship.",
    )
    source = models.CharField(max_length=300)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [models.Index(fields=["championship", "year"], name="entered_medal_championship")]
        constraints = [
            models.CheckConstraint(condition=Q(place__range=(1, 3)), name="entered_medal_place"),
            models.CheckConstraint(condition=~Q(source=""), name="entered_medal_has_a_source"),
            models.CheckConstraint(
                condition=Q(player__isnull=False, name="")
                | Q(player=None) & (~Q(name="") | Q(federation__isnull=False)),
                name="entered_medal_is_of_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.championship} {self.year}, place {self.place}"


class MedalWithdrawal(models.Model):
    """A medal that was entered wrongly does not count any more. Written once."""

    medal = models.OneToOneField(EnteredMedal, on_delete=models.PROTECT, related_name="withdrawal")
    reason = models.TextField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="medal_withdrawn_with_a_reason")]

    def __str__(self) -> str:
        return f"withdrawal of medal {self.medal_id}"


class TitleMatchStep(models.Model):
    """What happened to the title match that follows a championship (R75). Append-only.

    Who has the right to it is calculated from the medals and the steps that were not withdrawn. `player` is who
    refused, or the winner of a match played against `opponent`.
    """

    class Move(models.TextChoices):
        REFUSE = "refuse", _("Refused")
        PLAY = "play", _("Played")
        CANCEL = "cancel", _("Not played")
        WITHDRAW = "withdraw", _("Entry withdrawn")

    championship = models.CharField(
        max_length=48, help_text="A code of titles/federations/fmjd/rules/championship_kinds.py."
    )
    year = models.PositiveSmallIntegerField(help_text="Of the championship that gives the right.")
    move = models.CharField(max_length=8, choices=Move.choices)
    player = models.ForeignKey(
        "reporting.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    opponent = models.ForeignKey(
        "reporting.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    result = models.CharField(max_length=40, blank=True, help_text="As printed, the winner first.")
    on = models.DateField(help_text="The day of the refusal or decision; of a match its last day.")
    reason = models.TextField(blank=True)
    withdraws = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="withdrawn_by"
    )
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [models.Index(fields=["championship", "year"], name="title_match_championship")]
        constraints = [
            models.CheckConstraint(
                condition=Q(move__in=["refuse", "play"], player__isnull=False)
                | Q(move__in=["cancel", "withdraw"], player=None),
                name="title_match_step_of_someone",
            ),
            models.CheckConstraint(
                condition=(Q(move="play", opponent__isnull=False) & ~Q(result="") & ~Q(opponent=F("player")))
                | (~Q(move="play") & Q(opponent=None, result="")),
                name="title_match_of_two_with_a_result",
            ),
            models.CheckConstraint(
                condition=Q(move="withdraw", withdraws__isnull=False)
                | ~Q(move="withdraw") & Q(withdraws=None),
                name="title_match_step_withdrawn",
            ),
            models.CheckConstraint(
                condition=~Q(move__in=["cancel", "withdraw"]) | ~Q(reason=""),
                name="title_match_ended_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.move}: title match after {self.championship} {self.year}"
