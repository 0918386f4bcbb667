from reporting.models.accounts import (
    INVITATION_LIFETIME,
    NEED_A_SECOND_PERSON,
    AccountState,
    ApiAnswer,
    ApiToken,
    Invitation,
    NamedOfficial,
    Role,
    RoleAssignment,
    Scope,
    SecurityEvent,
    User,
)
from reporting.models.announcement import Announcement
from reporting.models.audit import LogEntry
from reporting.models.correction_request import CorrectionRequest, RequestEntry
from reporting.models.membership import FederationMembership
from reporting.models.message import MailOptOut, Message
from reporting.models.player_merge import PlayerMerge
from reporting.models.player_title import PlayerTitle
from reporting.models.register import (
    Federation,
    PersonalData,
    Player,
    PlayerIdentity,
    PlayerQuerySet,
    RegisterChange,
    RegisterUpload,
    Sex,
)
from reporting.models.report import (
    DraftComments,
    LookAlikeDecision,
    MatchedPlayers,
    Report,
    ReportNote,
    ReportStep,
    ReportVersion,
    ReviewRemark,
    WarningComment,
)
from reporting.models.tournament import Entry, Game, Round, Tournament, TournamentDecision

__all__ = [
    "INVITATION_LIFETIME",
    "NEED_A_SECOND_PERSON",
    "AccountState",
    "Announcement",
    "ApiAnswer",
    "ApiToken",
    "CorrectionRequest",
    "DraftComments",
    "Entry",
    "Federation",
    "FederationMembership",
    "Game",
    "Invitation",
    "LogEntry",
    "LookAlikeDecision",
    "MailOptOut",
    "MatchedPlayers",
    "Message",
    "NamedOfficial",
    "PersonalData",
    "Player",
    "PlayerIdentity",
    "PlayerMerge",
    "PlayerQuerySet",
    "PlayerTitle",
    "RegisterChange",
    "RegisterUpload",
    "Report",
    "ReportNote",
    "ReportStep",
    "ReportVersion",
    "RequestEntry",
    "ReviewRemark",
    "Role",
    "RoleAssignment",
    "Round",
    "Scope",
    "SecurityEvent",
    "Sex",
    "Tournament",
    "TournamentDecision",
    "User",
    "WarningComment",
]
