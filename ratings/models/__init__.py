from ratings.models.calculation import CalculationRun, RatingChange
from ratings.models.lists import PlayerHistory, PublishedFile, RatingList, RatingListRow
from ratings.models.period import Period, PeriodReport, Pool

__all__ = [
    "CalculationRun",
    "Period",
    "PeriodReport",
    "PlayerHistory",
    "Pool",
    "PublishedFile",
    "RatingChange",
    "RatingList",
    "RatingListRow",
]
