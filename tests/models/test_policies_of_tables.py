"""SQL of the web writes a table for exactly the roles that the policies of its acts let write it."""

from collections.abc import Callable

import pytest
from django.db import connection

from ratings.models import RatingList
from ratings.policies import check_can_import_list, check_can_publish, check_can_run_period
from reporting.models import Player, Report, Role, Tournament, User
from reporting.policies import (
    check_can_change_register,
    check_can_decide_some_item,
    check_can_edit_player,
    check_can_import_register,
    check_can_review,
)
from reporting.refusals.domain_error import DomainError
from tests.models.test_acting_roles import NOT_BY_ROLE
from titles.models import TitleApplication
from titles.policies import (
    check_can_apply,
    check_can_decide_event,
    check_can_decide_norms,
    check_can_declare,
    check_can_enter_champions,
    check_can_manage_championships,
    check_can_move,
    check_can_prepare_publication,
    check_can_propose_event,
    check_can_withdraw_publication,
)
from titles.rules.lifecycle import ApplicationMove, ApplicationState

REGISTER = (check_can_import_register, lambda user: check_can_edit_player(user, Player(federation_id="NED")))
REVIEW = (lambda user: check_can_review(user, Report()),)
APPLICATIONS = (
    lambda user: check_can_apply(user, Player(federation_id="NED")),
    *(
        lambda user, move=move, state=state: check_can_move(
            user, TitleApplication(federation_id="NED", state=state, submitted_by_id=2), move
        )
        for move in ApplicationMove
        for state in ApplicationState
    ),
)
PUBLISH = (check_can_run_period, lambda user: check_can_publish(user, RatingList()))
# Table → the policies of all acts that write it. A table that is bound to any person needs none.
WRITTEN_BY = {
    "reporting_lookalikedecision": REVIEW,
    "reporting_reviewremark": REVIEW,
    "reporting_playermerge": (check_can_change_register,),
    "reporting_tournamentdecision": (check_can_decide_some_item,),
    "reporting_player": REGISTER,
    "reporting_personaldata": REGISTER,
    "reporting_playeridentity": REGISTER,
    # An administrator records a title that the General Assembly gave; a national official changes none.
    "reporting_playertitle": (check_can_import_register,),
    "reporting_membershiptable": (check_can_import_register,),
    "reporting_clubmembership": (check_can_import_register,),
    "ratings_period": PUBLISH,
    "ratings_periodreport": PUBLISH,  # a revision that follows a published one
    "ratings_correction": PUBLISH,
    "ratings_calculationrun": PUBLISH,
    "ratings_playerhistory": PUBLISH[1:],
    "ratings_ratinglist": (*PUBLISH, check_can_decide_norms, check_can_import_list),
    "ratings_anomalyanswer": (check_can_run_period,),
    "ratings_pastquarters": (check_can_run_period,),
    "ratings_openingimport": (check_can_import_list,),
    "ratings_sourceimport": (check_can_import_list,),
    "ratings_sourceimportpart": (check_can_import_list,),
    "ratings_listvalues": (check_can_run_period,),
    "fmjd_reports_worldcupproposal": (
        lambda user: check_can_propose_event(user, Tournament(country_id="NED")),
        lambda user: check_can_decide_event(user, 2),
    ),
    "titles_norm": (check_can_decide_norms,),
    "titles_normlayout": (check_can_decide_norms,),
    "titles_normdecision": (check_can_decide_norms,),
    **dict.fromkeys(
        [f"fmjd_titles_{name}" for name in ("championship", "drawnlot", "placestep", "standingdecision")],
        (check_can_manage_championships,),
    ),
    "titles_titleapplication": APPLICATIONS,
    "titles_applicationstep": APPLICATIONS,
    "fmjd_titles_worldcupdeclaration": (check_can_declare,),
    "fmjd_titles_publication": (check_can_prepare_publication, check_can_withdraw_publication),
    "fmjd_titles_enteredmedal": (check_can_enter_champions,),
    "fmjd_titles_medalwithdrawal": (check_can_enter_champions,),
    "fmjd_titles_titlematchstep": (check_can_enter_champions,),
}


def admits(policy: Callable[[User], object], role: Role) -> bool:
    user = User(pk=1, is_active=True, federation_id="NED")
    user.roles_held = [role]
    try:
        policy(user)
    except DomainError:
        return False
    return True


@pytest.mark.django_db
@pytest.mark.database_role("owner")
def test_each_table_is_bound_to_exactly_the_roles_that_policies_let_write_it():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, string_to_array(encode(tgargs, 'escape'), '\\000') FROM pg_trigger"
            " WHERE tgname LIKE '%\\_by\\_role' AND tgnargs > 0"
        )
        bound = {table: {role for role in roles if role} for table, roles in cursor.fetchall()}
    assert bound == {
        table: {role for role in Role if any(admits(policy, role) for policy in policies)}
        for table, policies in WRITTEN_BY.items()
    }
    assert User._meta.db_table in NOT_BY_ROLE
