"""What only tournaments of the FMJD have: details of result sets, and proposals for World Cup events."""

from collections.abc import Mapping
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from reporting.federations.fmjd.details import Competition, WorldCupGroups, WorldCupStars
from reporting.federations.fmjd.world_cup_events import EventConditions, EventState
from reporting.models import OwnDetails, Tournament, User

STARS = [int(stars) for stars in WorldCupStars]
DECIDED = (EventState.APPROVED.value, EventState.RETURNED.value)


class ResultSetDetails(OwnDetails):
    youth = models.CharField(max_length=12, blank=True)
    competition = models.CharField(max_length=24, blank=True)
    council_approved = models.BooleanField(default=False)
    rating_service_paid = models.BooleanField(default=False)
    world_cup_stars = models.PositiveSmallIntegerField(null=True, blank=True)
    world_cup_groups = models.CharField(max_length=8, blank=True, default="", db_default="")
    absent_from_closing = models.JSONField(
        default=list, db_default=[], blank=True, help_text="Tournament numbers."
    )
    referee_level = models.CharField(max_length=13, blank=True)


class WorldCupProposal(models.Model):
    """A proposal for an announced tournament to be a World Cup event (Annex 18); the approved one is in force.

    A change is a proposal of its own. The database refuses every change but the decision
    (reporting/federations/fmjd/migrations/sql).
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="world_cup_proposals")
    stars = models.PositiveSmallIntegerField()
    groups = models.CharField(max_length=8)
    prizes_open = ArrayField(models.PositiveIntegerField(), help_text="Euros, first place first.")
    prizes_women = ArrayField(models.PositiveIntegerField(), help_text="The same.")
    system = models.CharField(max_length=12)
    rounds = models.PositiveSmallIntegerField()
    tie_breaks = ArrayField(models.CharField(max_length=24), help_text="Keys in order.")
    referee = models.CharField(max_length=60, blank=True, help_text="The main referee; not public.")
    referee_level = models.CharField(max_length=13)
    entry_fee = models.DecimalField(max_digits=7, decimal_places=2, help_text="Euros.")
    regulations = models.URLField(max_length=200, blank=True, help_text="Where the regulations are.")
    regulations_on = models.DateField(null=True, help_text="The day on which they were delivered.")
    state = models.CharField(
        max_length=8,
        choices=[(state.value, state.value) for state in EventState],
        default=EventState.PROPOSED.value,
    )
    proposed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(db_default=Now(), editable=False)
    decided_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, default="", help_text="Of a returned one.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(state="proposed"), name="cup_event_proposed_once"
            ),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(state="approved"), name="cup_event_approved_once"
            ),
            models.CheckConstraint(condition=Q(stars__in=STARS), name="cup_event_has_stars"),
            models.CheckConstraint(
                condition=Q(groups__in=[WorldCupGroups.ONE.value, WorldCupGroups.SEPARATE.value]),
                name="cup_event_has_groups",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("proposed_by")),
                name="cup_event_decided_by_another",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None, decided_at=None, state__in=["proposed", "replaced"])
                | Q(decided_by__isnull=False, decided_at__isnull=False, state__in=[*DECIDED, "replaced"]),
                name="cup_event_decided_or_not",
            ),
            models.CheckConstraint(
                condition=Q(state="returned") & ~Q(reason="") | ~Q(state="returned") & Q(reason=""),
                name="cup_event_returned_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"World Cup proposal {self.pk} of tournament {self.tournament_id}: {self.state}"

    @property
    def conditions(self) -> EventConditions:
        """What is proposed, for the rules of Annex 18."""
        return EventConditions(
            stars=self.stars,
            groups=self.groups,
            prizes_open=self.prizes_open,
            prizes_women=self.prizes_women,
            system=self.system,
            rounds=self.rounds,
            tie_breaks=self.tie_breaks,
            referee_level=self.referee_level,
            entry_fee=self.entry_fee,
            regulations_on=self.regulations_on,
        )

    @property
    def details(self) -> Mapping[str, Any]:
        """The tournament details that the report takes from it."""
        return {
            "competition": Competition.WORLD_CUP.value,
            "world_cup_stars": self.stars,
            "world_cup_groups": self.groups,
        }
