"""Dashboards, the start pages after log-in: that of the office, and that of a federation's national official."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.office.selectors.dashboard import office_dashboard
from ratings.office.selectors.federation import federation_dashboard
from ratings.office.selectors.first_steps import first_steps
from ratings.office.views.periods.office import office_page
from ratings.policies import check_can_compare_rules, check_can_run_period
from ratings.production.imports.import_source import sources_in_use
from reporting.accounts.selectors import roles_to_confirm
from reporting.models import Role
from reporting.policies import check_can_see_own_federation
from reporting.web.access import OfficeRequest, refusal_message, require_access
from reporting.web.panels import panels_at


@office_page("GET", "HEAD")
def dashboard(request: OfficeRequest) -> HttpResponse:
    """What is waiting, the system status, and every pool: the state of its period and what comes next."""
    user = request.user
    found = office_dashboard()
    steps = [] if any(pool.last for pool in found.pools) else first_steps()
    context = {
        "reads_sources": bool(sources_in_use()),
        "dashboard": found,
        "now": timezone.now(),
        "officer": not refusal_message(check_can_run_period, user),
        "can_compare_rules": not refusal_message(check_can_compare_rules, user),
        "to_confirm": list(roles_to_confirm(user)) if user.has_role(Role.ADMINISTRATOR) else [],
        "waiting_panels": panels_at("office-dashboard-waiting", user),
        "panels": panels_at("office-dashboard", user),
        "first_steps": steps if not all(step.is_done for step in steps) else [],
    }
    return render(request, "office/dashboard.html", context)


@require_access(check_can_see_own_federation, "GET", "HEAD")
def own_federation(request: OfficeRequest) -> HttpResponse:
    """The federation at a glance: reports, announced tournaments, new players, requests and the newest lists."""
    found = federation_dashboard(request.user)
    context = {
        "dashboard": found,
        "federation": found.federation,
        "panels": panels_at("office-federation", request.user),
    }
    return render(request, "office/federation.html", context)
