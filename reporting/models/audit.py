from django.db import models
from django.db.models.functions import Now


class LogEntry(models.Model):
    """One action: person, subject, time, before, after, reason.

    Written in the transaction of the action, never changed. The database refuses UPDATE, DELETE and TRUNCATE
    (reporting/migrations/sql).
    """

    at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)
    actor = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="log_entries")
    action = models.CharField(max_length=60, db_index=True)
    subject = models.CharField(max_length=200, help_text="Kind and number or address: report 7.")
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    by_command = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["subject", "at"], name="logentry_subject")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"
