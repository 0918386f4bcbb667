from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class WorldCupDeclaration(models.Model):
    """A woman's declaration for the open World Cup classification of a calendar year (Annex 18; R71b).

    It has no section: whether it was made in time is asked in each (decision 0204). What was declared never changes; a
    declaration recorded by mistake is withdrawn once, with a reason, and counts nowhere.
    """

    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="+")
    year = models.PositiveSmallIntegerField()
    declared_on = models.DateField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    withdrawn_by = models.ForeignKey("reporting.User", null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawal_reason = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "year"],
                condition=Q(withdrawn_at=None),
                name="world_cup_declaration_once",
            ),
            models.CheckConstraint(
                condition=Q(year=models.F("declared_on__year")) | Q(year=models.F("declared_on__year") + 1),
                name="world_cup_declaration_year",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None, withdrawn_by=None, withdrawal_reason="")
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False) & ~Q(withdrawal_reason=""),
                name="world_cup_declaration_withdrawn_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"declaration of player {self.player_id} for {self.year}"
