from ratings.models.anomaly import Anomaly, AnomalyAnswer
from ratings.models.calculation import CalculationRun, OpeningImport
from ratings.models.changes import Change, GameChange, GameChanges, TournamentFigures, basis_of, by_clock
from ratings.models.export import Export, ExportFile
from ratings.models.lists import (
    CarriedCorrection,
    CarriedDifference,
    CompressedFile,
    HeldRow,
    ListRow,
    PlayerHistory,
    PublishedFile,
    RatingList,
    RegisterRow,
    rows_of_lists,
)
from ratings.models.period import Correction, PastQuarters, Period, PeriodReport, Pool
from ratings.models.public_change import PublicChange, UnreadEntry
from ratings.models.signed_statement import SignedStatement
from ratings.models.source import ListValues, SourceImport, SourceImportPart, SourceList
from ratings.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "Anomaly",
    "AnomalyAnswer",
    "CalculationRun",
    "CarriedCorrection",
    "CarriedDifference",
    "Change",
    "CompressedFile",
    "Correction",
    "Export",
    "ExportFile",
    "GameChange",
    "GameChanges",
    "HeldRow",
    "ListRow",
    "ListValues",
    "OpeningImport",
    "PastQuarters",
    "Period",
    "PeriodReport",
    "PlayerHistory",
    "Pool",
    "PublicChange",
    "PublishedFile",
    "RatingList",
    "RegisterRow",
    "SignedStatement",
    "SourceImport",
    "SourceImportPart",
    "SourceList",
    "TournamentFigures",
    "UnreadEntry",
    "Webhook",
    "WebhookDelivery",
    "basis_of",
    "by_clock",
    "rows_of_lists",
]
