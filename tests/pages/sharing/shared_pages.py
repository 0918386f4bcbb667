"""The office's address, a list that is shared, and how its feeds and sitemaps are read."""

from xml.etree.ElementTree import Element, fromstring

from django.test import Client

OFFICE = "https://ratings.example.org"
LIST = "/lists/fmjd-100/2026-10-01/r1/"


def read_xml(client: Client, path: str) -> Element:
    # The host that a client names must not get into an answer that others read from a cache.
    response = client.get(path, headers={"Host": "localhost"})
    assert response.status_code == 200, path
    assert "localhost" not in response.text
    return fromstring(response.content)  # noqa: S314 (our own answer)
