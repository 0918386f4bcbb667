from titles.models.application import ApplicationStep, TitleApplication
from titles.models.norm import Norm, NormDecision

__all__ = ["ApplicationStep", "Norm", "NormDecision", "TitleApplication"]
