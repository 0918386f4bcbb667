from titles.federations.fmjd.models.championship import Championship, DrawnLot, PlaceStep, StandingDecision
from titles.federations.fmjd.models.declaration import WorldCupDeclaration
from titles.federations.fmjd.models.publication import Publication, PublicationRow

__all__ = [
    "Championship",
    "DrawnLot",
    "PlaceStep",
    "Publication",
    "PublicationRow",
    "StandingDecision",
    "WorldCupDeclaration",
]
