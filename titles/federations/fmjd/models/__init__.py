from titles.federations.fmjd.models.declaration import WorldCupDeclaration
from titles.federations.fmjd.models.publication import Publication, PublicationRow

__all__ = ["Publication", "PublicationRow", "WorldCupDeclaration"]
