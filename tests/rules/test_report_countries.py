"""Countries: one code each, and every alias leads to one country only."""

import pytest

from reporting.rules.register.countries import all_countries, country_code, find_country

# Members of the International Olympic Committee in 2024.
OLYMPIC_COMMITTEES = 206
NOT_OLYMPIC = set("AHO CUW ENG FRO GGY GIB GLP GUF IMN JEY MAC MTQ NCL PYF REU SCO SXM WLS".split())  # noqa: SIM905


def test_no_code_and_no_alias_means_two_countries():
    codes = [code for country in all_countries() for code in (country.code, *country.aliases)]
    assert len(codes) == len(set(codes))
    assert all(code.isascii() and code.isupper() and len(code) in (2, 3) for code in codes)


def test_every_member_of_the_olympic_committee_is_there():
    codes = {country.code for country in all_countries()}
    assert codes >= NOT_OLYMPIC
    assert len(codes - NOT_OLYMPIC) == OLYMPIC_COMMITTEES


def test_every_country_has_a_name_of_its_own():
    names = [country.name for country in all_countries()]
    assert len(names) == len(set(names))
    assert all(name.strip() == name and name for name in names)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("nl", "NED"), ("NLD", "NED"), ("NED", "NED"), ("pl", "POL"), (" Lv ", "LAT"), ("lva", "LAT"),
        ("BFA", "BFA"), ("BUR", "BFA"), ("RDF", "RUS"), ("CAR", "CAF"), ("CAF", "CAF"), ("ci", "CIV"),
        ("NGA", "NGR"), ("NGR", "NGR"), ("MNG", "MGL"), ("SR", "SUR"), ("BRN", "BRN"), ("bn", "BRU"),
        ("ENG", "ENG"),
    ],
)  # fmt: skip
def test_an_alias_of_any_case_gives_the_code_used_here(written, code):
    assert country_code(written) == code


@pytest.mark.parametrize("written", ["", "ZZ", "XXX", "Atlantis", "ıt", "N L", "ＮＬ", "nl\0"])
def test_anything_else_is_not_a_country(written):
    assert find_country(written) is None
    assert country_code(written) == ""
