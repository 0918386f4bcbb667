"""The opening list comes in by browser: a table is uploaded, the worker makes the draft, two officers sign it."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import ProgrammingError, connection, connections, transaction
from django.test import Client

from ratings.models import OpeningImport, RatingList
from ratings.production.approve_list import approve_list
from ratings.production.calculate import MAX_ATTEMPTS
from ratings.production.imports.opening_list import make_requested_openings
from ratings.tasks import look_for_work
from reporting.log.audit import Actor
from reporting.models import LogEntry, Role
from tests import databases
from tests.concurrency import wait_for_lock
from tests.people import client_of, create_player, create_user, logged_in

pytestmark = pytest.mark.django_db

PATH = "/office/pools/fmjd-100/opening/"
DAY = date(2026, 10, 1)
TABLE = "fmjd_id,rating,games\n11,2000,40\n12,2410,432\n"


@pytest.fixture(autouse=True)
def players() -> None:
    for number, name in ((11, "Aman"), (12, "Beugre")):
        create_player(
            number, last_name=name, first_name="A.", sort_name=f"{name.lower()}, a.", federation_id="CIV"
        )


def upload(client: Client, table: str = TABLE, in_force: str = DAY.isoformat()) -> Any:
    file = SimpleUploadedFile("opening.csv", table.encode())
    return client.post(PATH, {"file": file, "in_force": in_force}, follow=True)


def digest(page: Any) -> str:
    found = re.search(r'name="sha256" value="([0-9a-f]{64})"', page.text)
    assert found is not None
    return found[1]


def rows(page: Any) -> list[str]:
    return re.findall(r'<th scope="row" class="table__name">.*?</span>(.+?)</th>', page.text, re.DOTALL)


def test_a_table_becomes_a_draft_that_two_officers_sign() -> None:
    roles = Role.ADMINISTRATOR, Role.RATING_OFFICER, Role.RELEASING_OFFICER
    administrator, officer, releaser = map(logged_in, roles)
    page = upload(administrator)
    assert "The worker makes the draft of opening.csv." in page.text
    fragment = administrator.get(PATH, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="progress")
    assert ("<html" in fragment.text, "HX-Reselect" in fragment) == (False, False)
    assert (look_for_work(), look_for_work()) == (1, 0)
    ended = administrator.get(PATH, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="progress")
    assert ended["HX-Reselect"] == "#main"
    assert 'role="status" hx-swap-oob="innerHTML">The draft is ready.</p>' in ended.text
    assert not OpeningImport.objects.exists()

    page = administrator.get(PATH)
    assert rows(page) == ["Beugre, A.", "Aman, A."], "by rating"
    assert "2410" in page.text
    assert "needs one of these roles" in page.text
    draft = RatingList.objects.get()
    assert (draft.state, draft.is_opening, draft.in_force) == ("ready", True, DAY)
    assert Client().get(f"/lists/fmjd-100/{DAY}/").status_code == 404, "a draft is not public"

    signed = {"sha256": digest(officer.get(PATH))}
    for client, act, status in (
        (administrator, "approve", 403),
        (releaser, "approve", 403),
        (releaser, "publish", 409),  # not approved yet
        (officer, "publish", 403),
    ):
        assert client.post(f"{PATH}{act}/", signed).status_code == status
    assert officer.get(f"{PATH}approve/")["Location"] == PATH
    approved = officer.post(f"{PATH}approve/", signed, follow=True)
    assert "Approved. Another person publishes the list." in approved.text
    assert "Possible" not in releaser.get(PATH).text
    published = releaser.post(f"{PATH}publish/", signed, follow=True)
    assert published.redirect_chain[-1][0] == f"/lists/fmjd-100/{DAY}/"
    assert "Beugre, A." in published.text
    acts = LogEntry.objects.filter(action__startswith="list.").order_by("pk")
    assert list(acts.values_list("action", "actor__email")) == [
        ("list.upload_opening", "administrator@example.org"), ("list.import_opening", "administrator@example.org"),
        ("list.open_for_approval", "officer@office.invalid"), ("list.approve", "rating_officer@example.org"),
        ("list.publish", "releasing_officer@example.org"),
    ]  # fmt: skip
    assert "This pool has lists already" in officer.get(PATH).text
    assert upload(officer).status_code == 409


def test_an_officer_does_not_approve_the_list_that_they_uploaded() -> None:
    """Two pairs of eyes: another officer approves it, or an administrator, who signs nothing, uploads the table."""
    uploading, other = (logged_in(Role.RATING_OFFICER, name) for name in ("Uploading", "Other"))
    upload(uploading)
    look_for_work()
    page = uploading.get(PATH)
    signed = {"sha256": digest(other.get(PATH))}
    names = re.search(r'class="sign-off__name sign-off__name--open">(.*?)</p>', page.text, re.DOTALL)
    assert names is not None
    assert names[1].split() == ["Other"]
    assert f'action="{PATH}approve/"' not in page.text
    for text in (page.text, uploading.post(f"{PATH}approve/", signed).text):
        assert "You uploaded this opening list. Another rating officer approves it." in text
    draft = RatingList.objects.get()
    assert (draft.state, draft.imported_by.email) == ("ready", "uploading.rating_officer@example.org")
    assert other.post(f"{PATH}approve/", signed).status_code == 302
    draft.refresh_from_db()
    assert (draft.state, draft.approved_by.email) == ("approved", "other.rating_officer@example.org")


@pytest.mark.database_role("web")
def test_the_web_exchanges_no_table_that_waits() -> None:
    """Another table under the name of the person who uploaded the first one would be approved by who wrote it."""
    upload(logged_in(Role.ADMINISTRATOR))
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        OpeningImport.objects.update(content=TABLE.replace("2410", "2400").encode())


def test_one_person_with_both_roles_signs_once() -> None:
    roles = [Role.RATING_OFFICER, Role.RELEASING_OFFICER]
    both = client_of(create_user("b@example.org", "Both", roles=roles))
    upload(logged_in(Role.ADMINISTRATOR))
    look_for_work()
    signed = {"sha256": digest(both.get(PATH))}
    assert both.post(f"{PATH}approve/", signed).status_code == 302
    assert both.post(f"{PATH}publish/", signed).status_code == 409
    assert RatingList.objects.get().state == "approved"


def test_another_table_replaces_the_draft_and_its_approval() -> None:
    officer, administrator = logged_in(Role.RATING_OFFICER), logged_in(Role.ADMINISTRATOR)
    upload(administrator)
    look_for_work()
    old = {"sha256": digest(officer.get(PATH))}
    officer.post(f"{PATH}approve/", old)
    upload(administrator, TABLE.replace("2410", "2400"))
    assert "Approve list" not in officer.get(PATH).text, "the draft is about to be replaced"
    look_for_work()
    assert list(RatingList.objects.order_by("pk").values_list("state", flat=True)) == ["superseded", "ready"]
    for sent in (old, {}, {"sha256": "x"}):
        refused = officer.post(f"{PATH}approve/", sent)
        assert refused.status_code == 409
        assert "2400" in refused.text
    discarded = officer.post(f"{PATH}discard/", {"shown": officer.get(PATH).context["shown"]}, follow=True)
    assert "Draft discarded." in discarded.text
    assert set(RatingList.objects.values_list("state", flat=True)) == {"superseded"}


@pytest.fixture
def drafted() -> RatingList:
    """A draft in a database whose next requests are those of the web."""
    upload(logged_in(Role.ADMINISTRATOR, "Importing"))
    look_for_work()
    databases.point_connections_at(USER=settings.DATABASE_USERS["web"])
    return RatingList.objects.get()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", [Role.ADMINISTRATOR, Role.RATING_OFFICER])
def test_who_may_upload_a_table_may_discard_its_draft(drafted: RatingList, role: Role) -> None:
    client = logged_in(role, "Discarding")
    discarded = client.post(f"{PATH}discard/", {"shown": client.get(PATH).context["shown"]})
    assert discarded.status_code == 302
    drafted.refresh_from_db()
    assert drafted.state == "superseded"


@pytest.mark.django_db(transaction=True)
def test_a_draft_approved_after_the_page_was_shown_is_not_discarded(drafted: RatingList) -> None:
    """The approval is under way: the discard waits for the draft, and then finds another state than its page."""
    administrator = logged_in(Role.ADMINISTRATOR)
    shown = {"shown": administrator.get(PATH).context["shown"]}
    officer = create_user("rating_officer@example.org", "Officer", "x", roles=[Role.RATING_OFFICER])
    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            RatingList.objects.select_for_update().get(pk=drafted.pk)
            refused = other.submit(administrator.post, f"{PATH}discard/", shown)
            wait_for_lock()
            approve_list(rating_list=drafted, sha256=drafted.sha256, by=Actor(officer))
        assert refused.result(30).status_code == 409
        other.submit(connections.close_all).result()
    assert RatingList.objects.get().state == "approved"


@pytest.mark.database_role("web")
@pytest.mark.parametrize(("table", "in_force", "status", "words"), [
    (TABLE + "13,2000,1\n", "2026-10-01", 409, ["<code>fmjd_id</code>", "13"]),
    (TABLE + "12,2000,1\n", "2026-10-01", 409, ["<code>fmjd_id</code>", "12"]),
    ("fmjd_id,rating,games\n11,,40\n12,x,1\n", "2026-10-01", 409, ["<code>rating</code>", "1 to 4000"]),
    ("fmjd_id;rating\n", "2026-10-01", 409, ["columns: fmjd_id, rating, games"]),
    (TABLE, "2030-10-01", 409, ["That is more than a year ahead."]),
    (TABLE, "0001-01-01", 400, ["1970-01-01"]),
    (TABLE, "soon", 400, ["“soon” is no day."]),
    ("", "2026-10-01", 400, ["This file is empty."]),
])  # fmt: skip
def test_a_table_with_errors_is_not_stored(table: str, in_force: str, status: int, words: list[str]) -> None:
    refused = upload(logged_in(Role.ADMINISTRATOR), table, in_force)
    assert refused.status_code == status
    for word in words:
        assert word in refused.text
    assert not OpeningImport.objects.exists()
    assert not LogEntry.objects.exists()


@pytest.mark.database_role("web")
def test_a_table_that_waits_is_replaced_or_discarded() -> None:
    officer = logged_in(Role.RATING_OFFICER)
    upload(officer)
    upload(officer, TABLE.replace("2410", "2400"))
    assert b"2400" in bytes(OpeningImport.objects.get().content)
    stale = officer.post(f"{PATH}discard/", {"shown": "0123456789abcdef"})
    assert (stale.status_code, OpeningImport.objects.count()) == (409, 1)
    assert "What this page shows has changed since you opened it." in stale.text
    officer.post(f"{PATH}discard/", {"shown": officer.get(PATH).context["shown"]})
    assert not OpeningImport.objects.exists()


def test_a_table_that_no_longer_fits_the_register_says_so() -> None:
    """The player is not found when the worker reads the table: the refusal stays until the next upload."""
    officer = logged_in(Role.RATING_OFFICER)
    upload(officer)
    OpeningImport.objects.update(content=TABLE.replace("12", "13").encode())
    assert (make_requested_openings(), make_requested_openings()) == (0, 0)
    assert "No draft was made of opening.csv." in officer.get(PATH).text
    assert not RatingList.objects.exists()
    upload(officer)
    assert make_requested_openings() == 1


@pytest.mark.database_role("owner")
def test_the_worker_gives_up_after_five_attempts() -> None:
    """The database takes no list: the worker fails each time, and the page says so at the end."""
    officer = logged_in(Role.RATING_OFFICER)
    upload(officer)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ratings_ratinglist ADD CONSTRAINT none CHECK (id IS NULL) NOT VALID")
    for _ in range(MAX_ATTEMPTS):
        assert "The worker makes the draft" in officer.get(PATH).text
        assert make_requested_openings() == 0
    assert "The worker could not make this list." in officer.get(PATH).text
    assert OpeningImport.objects.get().attempts == MAX_ATTEMPTS


def test_the_dashboard_says_who_an_opening_list_waits_for() -> None:
    officer = logged_in(Role.RATING_OFFICER)
    assert re.search(rf'href="{PATH}">Upload opening list', officer.get("/office/").text)
    upload(logged_in(Role.ADMINISTRATOR))
    look_for_work()
    page = officer.get("/office/").text
    assert re.search(rf'href="{PATH}">Draft of the opening list', page)
    assert "It waits for the rating officer." in page
    officer.post(f"{PATH}approve/", {"sha256": digest(officer.get(PATH))})
    assert "It waits for the releasing officer." in officer.get("/office/").text
