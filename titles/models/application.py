from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class TitleApplication(models.Model):
    """A federation's application for a title of a player (R40).

    `evidence` is what the application was based on when it was submitted: `requirements` as in `Norm`, `norms` with
    their rows as people read them, `highest_rating`. The states and moves are in titles/rules/lifecycle.py.
    """

    class State(models.TextChoices):
        SUBMITTED = "submitted", _("Submitted")
        PAID = "paid", _("Fee paid")
        APPROVED = "approved", _("Approved by the Council")
        CONFIRMED = "confirmed", _("Confirmed by the General Assembly")
        REGISTERED = "registered", _("Registered")
        REFUSED = "refused", _("Refused")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        TITLE_WITHDRAWN = "title_withdrawn", _("Title withdrawn")

    class Basis(models.TextChoices):
        NORMS = "norms", _("Norms")
        AUTOMATIC = "automatic", _("Automatic title")
        RATING = "rating", _("Rating on a list")

    player = models.ForeignKey(
        "reporting.Player", on_delete=models.PROTECT, related_name="title_applications"
    )
    federation = models.ForeignKey("reporting.Federation", on_delete=models.PROTECT, related_name="+")
    awarded_by = models.CharField(max_length=10, help_text="The code of a rating system.")
    discipline = models.CharField(max_length=3, help_text="The discipline of the title.")
    title = models.CharField(max_length=4, help_text="One of reporting/rules/register/titles.py.")
    basis = models.CharField(max_length=9, choices=Basis.choices)
    evidence = models.JSONField()
    state = models.CharField(max_length=15, choices=State.choices, default=State.SUBMITTED)
    submitted_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    submitted_at = models.DateTimeField(db_default=Now(), editable=False)
    player_title = models.OneToOneField(
        "reporting.PlayerTitle",
        null=True,
        on_delete=models.PROTECT,
        related_name="application",
        help_text="The title that its registration wrote.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "awarded_by", "discipline", "title"],
                condition=~Q(state__in=["refused", "withdrawn", "title_withdrawn"]),
                name="application_once",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["registered", "title_withdrawn"], player_title__isnull=False)
                | (~Q(state__in=["registered", "title_withdrawn"]) & Q(player_title=None)),
                name="application_registered_with_a_title",
            ),
        ]

    def __str__(self) -> str:
        return f"application {self.pk}: {self.title} for player {self.player_id} ({self.state})"

    @property
    def address(self) -> str:
        """The path of its page."""
        return f"/titles/applications/{self.pk}/"


class ApplicationStep(models.Model):
    """A step of an application: what was decided or done on which day, and who recorded it. Append-only."""

    class Move(models.TextChoices):
        SUBMIT = "submit", _("Application submitted")
        MARK_PAID = "mark_paid", _("Fee paid")
        APPROVE = "approve", _("Approved by the Council")
        CONFIRM = "confirm", _("Confirmed by the General Assembly")
        REGISTER = "register", _("Title registered")
        REFUSE = "refuse", _("Application refused")
        WITHDRAW = "withdraw", _("Application withdrawn")
        WITHDRAW_TITLE = "withdraw_title", _("Title withdrawn")

    application = models.ForeignKey(TitleApplication, on_delete=models.PROTECT, related_name="steps")
    move = models.CharField(max_length=14, choices=Move.choices)
    state = models.CharField(max_length=15, choices=TitleApplication.State.choices, help_text="After it.")
    on = models.DateField(help_text="The day of the payment, the decision, the registration.")
    reference = models.CharField(
        max_length=80, blank=True, help_text="Number of the minutes, or of the payment."
    )
    reason = models.TextField(blank=True)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(move__in=["refuse", "withdraw_title"]) | ~Q(reason=""),
                name="application_refused_with_a_reason",
            ),
            models.CheckConstraint(
                condition=~Q(move__in=["confirm", "withdraw_title"]) | ~Q(reference=""),
                name="application_step_names_minutes",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.move} of application {self.application_id}"
