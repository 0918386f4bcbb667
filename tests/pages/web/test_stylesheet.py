"""Pages link one style sheet, which is put together from the parts in static/css."""

import os
import re
from http import HTTPStatus
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config.web import stylesheet
from config.web.stylesheet import NAME, PARTS


@pytest.fixture
def parts(tmp_path, monkeypatch) -> Path:
    """A copy of two parts, to be changed; the style sheet is built next to it."""
    folder = tmp_path / "css"
    folder.mkdir()
    (folder / "app.css").write_text('@layer base;\n@import url("base.css") layer(base);\n')
    (folder / "base.css").write_text("body { margin: 0 }\n")
    monkeypatch.setattr(stylesheet, "PARTS", folder)
    monkeypatch.setattr(stylesheet, "BUILT", tmp_path / "built")
    return folder


def test_the_style_sheet_is_built_when_it_is_missing_and_when_a_part_is_newer(parts, tmp_path) -> None:
    built = tmp_path / "built" / NAME
    stylesheet.build_stylesheet()
    assert built.read_text() == "@layer base;\n@layer base {\nbody { margin: 0 }\n}\n"

    (parts / "base.css").write_text("body { margin: 1em }\n")
    later = built.stat().st_mtime_ns + 10**9
    os.utime(parts / "base.css", ns=(later, later))
    stylesheet.build_stylesheet()
    assert "margin: 1em" in built.read_text()
    assert [path.name for path in built.parent.iterdir()] == ["office.css"]


def test_pages_are_served_the_style_sheet_of_the_parts(db) -> None:
    answer = Client().get(f"/static/{NAME}")
    assert answer.status_code == HTTPStatus.OK
    assert b"".join(answer.streaming_content).decode() == stylesheet.stylesheet()
    assert Path(finders.find(NAME)).read_text() == stylesheet.stylesheet()


def test_an_installation_without_collected_files_does_not_start(settings, tmp_path) -> None:
    settings.WHITENOISE_USE_FINDERS = False
    settings.STATIC_ROOT = tmp_path
    with pytest.raises(ImproperlyConfigured, match="style sheet is missing"):
        stylesheet.require_stylesheet()


def test_every_part_is_in_it_and_nothing_is_fetched_further() -> None:
    parts = {path.relative_to(PARTS).as_posix() for path in PARTS.rglob("*.css")} - {"app.css"}
    assert parts == set(re.findall(r'@import url\("([^"]+)"\)', (PARTS / "app.css").read_text()))
    assert not re.search(r"@import|url\(|!important", stylesheet.stylesheet())
