from titles.models.norm import Norm, NormDecision

__all__ = ["Norm", "NormDecision"]
