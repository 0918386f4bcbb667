from titles.federations.fmjd.models.declaration import WorldCupDeclaration

__all__ = ["WorldCupDeclaration"]
