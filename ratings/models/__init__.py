from ratings.models.anomaly import Anomaly, AnomalyAnswer
from ratings.models.calculation import CalculationRun, RatingChange
from ratings.models.lists import (
    CarriedCorrection,
    CarriedDifference,
    PlayerHistory,
    PublishedFile,
    RatingList,
    RatingListRow,
)
from ratings.models.period import Correction, PastQuarters, Period, PeriodReport, Pool

__all__ = [
    "Anomaly",
    "AnomalyAnswer",
    "CalculationRun",
    "CarriedCorrection",
    "CarriedDifference",
    "Correction",
    "PastQuarters",
    "Period",
    "PeriodReport",
    "PlayerHistory",
    "Pool",
    "PublishedFile",
    "RatingChange",
    "RatingList",
    "RatingListRow",
]
