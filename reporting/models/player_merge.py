from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class PlayerMerge(models.Model):
    """Two records of one person, merged from the next calculated list on, until the merge is undone (R24).

    Neither record changes, nor does anything that refers to it: lists read the duplicate as the surviving record. A
    record is a duplicate or a surviving record, never both, so that one look-up finds the person. The written rows
    never change (reporting/migrations/sql).
    """

    duplicate = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="merges")
    surviving = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="merged_records")
    reason = models.TextField()
    merged_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    merged_at = models.DateTimeField(db_default=Now(), editable=False)
    undone_reason = models.TextField(blank=True)
    undone_by = models.ForeignKey("reporting.User", null=True, on_delete=models.PROTECT, related_name="+")
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["duplicate"], condition=Q(undone_at=None), name="player_merged_into_one"
            ),
            models.CheckConstraint(
                condition=~Q(duplicate=F("surviving")), name="player_not_merged_into_itself"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="player_merge_has_reason"),
            models.CheckConstraint(
                condition=Q(undone_at=None, undone_by=None, undone_reason="")
                | (Q(undone_at__isnull=False, undone_by__isnull=False) & ~Q(undone_reason="")),
                name="player_merge_undone_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.duplicate_id} into {self.surviving_id}"
