from titles.models.application import ApplicationStep, TitleApplication
from titles.models.norm import Norm, NormDecision, NormLayout

__all__ = ["ApplicationStep", "Norm", "NormDecision", "NormLayout", "TitleApplication"]
