"""The one style sheet that pages link, put together from its parts when static files are looked for.

`collectstatic` (the image) and an installation without a build step (`make demo`, the tests) find it here.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseStorageFinder
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage

NAME = "css/office.css"
PARTS = Path(settings.BASE_DIR, "static", "css")
BUILT = Path(settings.VAR, "built")
IMPORT = re.compile(r'@import url\("([^"]+)"\) layer\(([a-z]+)\);')


def stylesheet() -> str:
    """static/css/app.css with each import replaced by the file, inside its layer: one request instead of fifty."""
    source = (PARTS / "app.css").read_text()
    return IMPORT.sub(lambda found: f"@layer {found[2]} {{\n{(PARTS / found[1]).read_text()}}}", source)


def build_stylesheet() -> None:
    """Write it under `var/` if it is missing or older than one of its parts; other processes see it whole."""
    built = BUILT / NAME
    newest = max(part.stat().st_mtime_ns for part in PARTS.rglob("*.css"))
    if built.exists() and built.stat().st_mtime_ns > newest:
        return
    built.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=built.parent, prefix=".", delete=False) as draft:
        draft.write(stylesheet())
    Path(draft.name).chmod(0o644)
    Path(draft.name).replace(built)


class StylesheetFinder(BaseStorageFinder):
    """A finder of django.contrib.staticfiles that builds the style sheet before it answers."""

    storage = FileSystemStorage(location=BUILT)

    def find(self, path: str, *args: Any, **options: Any) -> Any:
        if path == NAME:
            build_stylesheet()
        return super().find(path, *args, **options)

    def list(self, ignore_patterns: Any) -> Iterator[Any]:  # noqa: ARG002 (Django's protocol)
        build_stylesheet()
        yield NAME, self.storage


def require_stylesheet() -> None:
    """ImproperlyConfigured where files are served from STATIC_ROOT and they are not collected."""
    if (
        not getattr(settings, "WHITENOISE_USE_FINDERS", False)
        and not Path(settings.STATIC_ROOT, NAME).exists()
    ):
        raise ImproperlyConfigured(
            f"The style sheet is missing in {settings.STATIC_ROOT}. Run `manage.py collectstatic`."
        )
