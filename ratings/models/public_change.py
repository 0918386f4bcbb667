from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class UnreadEntry(models.Model):
    """An entry of the log that the worker has not read for the feed of changes (decision 0141).

    A trigger writes it in the transaction of the act, so it becomes visible when the act does.
    """

    entry = models.OneToOneField(
        "reporting.LogEntry", primary_key=True, on_delete=models.PROTECT, related_name="+"
    )

    def __str__(self) -> str:
        return f"unread entry {self.pk}"


class PublicChange(models.Model):
    """A change of what is published: an entry of the feed of changes. Never changed.

    It has no name and no value of a person. One worker at a time numbers them, without gaps, in the order in which it
    sees the acts.
    """

    class Event(models.TextChoices):
        LIST_PUBLISHED = "list.published", _("List published")
        LIST_CORRECTED = "list.corrected", _("List corrected")
        PLAYER_CHANGED = "player.changed", _("Player changed")
        PLAYER_MERGED = "player.merged", _("Player records merged")
        PLAYER_MERGE_UNDONE = "player.merge_undone", _("Merge undone")
        PLAYER_ERASED = "player.erased", _("Name erased")
        TITLE_REGISTERED = "title.registered", _("Title registered")
        TITLE_WITHDRAWN = "title.withdrawn", _("Title withdrawn")
        TOURNAMENT_ACCEPTED = "tournament.accepted", _("Tournament accepted")
        TOURNAMENT_ACCEPTANCE_UNDONE = "tournament.acceptance_undone", _("Acceptance undone")
        TOURNAMENT_CALCULATED = "tournament.calculated", _("Tournament calculated")
        TOURNAMENT_EXCLUDED = "tournament.excluded", _("Tournament excluded")
        PUBLICATION_PUBLISHED = "publication.published", _("Published")
        PUBLICATION_REVISED = "publication.revised", _("Revision published")

    number = models.PositiveBigIntegerField(primary_key=True)
    entry = models.ForeignKey(
        "reporting.LogEntry", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField(help_text="When it was done; not in the order of numbers.")
    event = models.CharField(max_length=30, choices=Event.choices)
    changed = ArrayField(
        models.CharField(max_length=12),
        default=list,
        help_text="What changed of a player, without the values.",
    )
    list = models.ForeignKey(
        "ratings.RatingList",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        help_text="Of a tournament the list that counts or excludes it, of a merge the first that reads it.",
    )
    player = models.ForeignKey(
        "reporting.Player", null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    merged_into = models.ForeignKey(
        "reporting.Player", null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    tournament = models.ForeignKey(
        "reporting.Tournament",
        to_field="code",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    title = models.CharField(max_length=4, blank=True)
    discipline = models.CharField(max_length=3, blank=True, help_text="Of the title.")
    page = models.CharField(
        max_length=200, blank=True, help_text="The permanent address of what an upper app published."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "event", "player", "tournament", "title", "discipline"],
                nulls_distinct=False,
                name="publicchange_once",
            ),
            models.CheckConstraint(
                condition=Q(event__startswith="list.", list__isnull=False, player=None, tournament=None)
                | Q(event__startswith="tournament.", player=None, tournament__isnull=False)
                | (
                    (Q(event__startswith="player.") | Q(event__startswith="title."))
                    & Q(player__isnull=False, tournament=None)
                )
                | Q(event__startswith="publication.", list=None, player=None, tournament=None),
                name="publicchange_has_its_subject",
            ),
            models.CheckConstraint(
                condition=Q(event="player.merged", merged_into__isnull=False)
                | (~Q(event="player.merged") & Q(merged_into=None)),
                name="publicchange_merged_into_a_record",
            ),
            models.CheckConstraint(
                condition=Q(event__startswith="title.") ^ Q(title="", discipline=""),
                name="publicchange_of_a_title_names_it",
            ),
            models.CheckConstraint(
                condition=Q(event__startswith="publication.") ^ Q(page=""),
                name="publicchange_of_a_publication_has_a_page",
            ),
        ]

    def __str__(self) -> str:
        return f"change {self.number}: {self.event}"
