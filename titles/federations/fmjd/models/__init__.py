from titles.federations.fmjd.models.champions import EnteredMedal, MedalWithdrawal, TitleMatchStep
from titles.federations.fmjd.models.championship import Championship, DrawnLot, PlaceStep, StandingDecision
from titles.federations.fmjd.models.declaration import WorldCupDeclaration
from titles.federations.fmjd.models.publication import Publication, PublicationRow

__all__ = [
    "Championship",
    "DrawnLot",
    "EnteredMedal",
    "MedalWithdrawal",
    "PlaceStep",
    "Publication",
    "PublicationRow",
    "StandingDecision",
    "TitleMatchStep",
    "WorldCupDeclaration",
]
