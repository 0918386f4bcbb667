import json
import os
import re
from collections.abc import Iterable
from http import HTTPStatus
from wsgiref.types import StartResponse, WSGIEnvironment

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DATABASE_ROLE", "web")

django_application = get_wsgi_application()

from config.web.data_stack import in_one_chunk  # noqa: E402 - Django's settings come first
from config.web.stylesheet import require_stylesheet  # noqa: E402

require_stylesheet()
# Every form is sent in UTF-8. Django would read address and form in the encoding that this header names, even in one
# that is not for text (an exception before any middleware), and a cached page would have what others did not ask for.
OTHER_ENCODING = re.compile(r"""charset(?!\s*=\s*(["']?)utf-?8\1\s*(;|$))|\*\s*=""", re.IGNORECASE)


# The server's own address for metrics: with it, `/metrics` is never an answer of the public one, and nothing else is
# an answer of this one (config/web/gunicorn.py listens at both).
METRICS_PORT = settings.METRICS_BIND.rpartition(":")[2]
if METRICS_PORT:
    from config.web.metrics import metrics_application


@in_one_chunk
def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The web process: 415 for a request that names an encoding other than UTF-8, otherwise Django's answer.

    `/health/` says that this process answers: it needs neither Django nor the database, whose absence no restart of the
    web mends. `/ready/` says whether pages can be served (config/urls.py).
    """
    if METRICS_PORT and environ.get("SERVER_PORT") == METRICS_PORT:
        return metrics_application(environ, start_response)
    if environ.get("PATH_INFO") == "/health/":
        return text_response(start_response, HTTPStatus.OK, "well\n")
    if not OTHER_ENCODING.search(environ.get("CONTENT_TYPE", "")):
        return django_application(environ, start_response)
    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    message = "Requests are read in UTF-8; this one names another encoding."
    if environ.get("PATH_INFO", "").startswith("/api/"):
        content = json.dumps({"code": "unsupported_media_type", "message": message, "findings": []})
        return text_response(start_response, status, f"{content}\n", "application/json")
    return text_response(start_response, status, f"{message}\n")


def text_response(
    start_response: StartResponse, status: HTTPStatus, text: str, kind: str = "text/plain"
) -> list[bytes]:
    body = text.encode()
    headers = [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
    start_response(f"{status.value} {status.phrase}", headers)
    return [body]
