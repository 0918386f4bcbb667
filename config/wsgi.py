import json
import os
import re
from collections.abc import Iterable
from http import HTTPStatus
from wsgiref.types import StartResponse, WSGIEnvironment

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


@in_one_chunk
def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The web process: 415 for a request that names an encoding other than UTF-8, otherwise Django's answer."""
    if not OTHER_ENCODING.search(environ.get("CONTENT_TYPE", "")):
        return django_application(environ, start_response)
    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    message, kind = "Requests are read in UTF-8; this one names another encoding.", "text/plain"
    if environ.get("PATH_INFO", "").startswith("/api/"):
        kind = "application/json"
        message = json.dumps({"code": "unsupported_media_type", "message": message, "findings": []})
    body = f"{message}\n".encode()
    headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": "no-store"}
    start_response(f"{status.value} {status.phrase}", [*headers.items()])
    return [body]
