"""Results typed in a grid."""

from django.http import HttpRequest, HttpResponse

from reporting.policies import may_upload
from reporting.views.guarded import guarded_page


@guarded_page(may_upload, "GET")
def new_grid(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


grid_players = grid_round = new_grid
