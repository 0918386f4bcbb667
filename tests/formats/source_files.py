"""Lists of FIDE for tests, line by line as FIDE writes them; the players are made up."""

import io
import zipfile

PERSON = (("ID Number", 15), ("Name", 61), ("Fed", 4), ("Sex", 4), ("Tit", 5), ("WTit", 5), ("OTit", 15))
FOA = (("FOA", 4),)
OF_ALL = (
    ("SRtng", 6), ("SGm", 4), ("SK", 3), ("RRtng", 6), ("RGm", 4), ("Rk", 3), ("BRtng", 6), ("BGm", 4), ("BK", 3),
)  # fmt: skip
LAST = (("B-day", 6), ("Flag", 4))
COMBINED = (*PERSON, *FOA, *OF_ALL, *LAST)
WITHOUT_FOA = (*PERSON, *OF_ALL, *LAST)
OF_ONE_KIND = (*PERSON, *FOA, ("JAN24", 6), ("Gms", 4), ("K", 3), *LAST)

HEADER = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
"""As FIDE has it; `source_text` writes the same, which a test compares."""

AYO = {
    "ID Number": 1000051, "Name": "Aabel, Ann", "Fed": "NED", "Sex": "F", "Tit": "WGM", "WTit": "WGM",
    "SRtng": 2310, "SGm": 9, "SK": 10, "RRtng": 2295, "RGm": 0, "Rk": 20, "BRtng": 0, "BGm": 0, "BK": 0, "B-day": 1990,
    "JAN24": 2310, "Gms": 9, "K": 10,
}  # fmt: skip
BOS = {
    "ID Number": 14101, "Name": "Bosch, Bea", "Fed": "BEL", "Sex": "F",
    "SRtng": 1850, "SGm": 0, "SK": 20, "RRtng": 0, "RGm": 0, "Rk": 0, "BRtng": 1790, "BGm": 4, "BK": 40, "B-day": 2008,
    "JAN24": 1850, "Gms": 0, "K": 20,
}  # fmt: skip
CHAN = {"ID Number": 8600100, "Name": "Chan, Cy", "Fed": "CHN", "Sex": "M", "B-day": 2012, "Flag": "i"}
PLAYERS = (AYO, BOS, CHAN)


def source_text(*players, columns=COMBINED, end="\n"):
    """The file of these players."""
    rows = ({name: name for name, _ in columns}, *players)
    return "".join(
        "".join(f"{row.get(name, ''):<{width}}"[:width] for name, width in columns) + end for row in rows
    ).encode()


ELEMENTS = {
    "fideid": "ID Number", "name": "Name", "country": "Fed", "sex": "Sex", "title": "Tit", "rating": "SRtng",
    "games": "SGm", "k": "SK", "rapid_rating": "RRtng", "rapid_games": "RGm", "rapid_k": "Rk", "blitz_rating": "BRtng",
    "blitz_games": "BGm", "blitz_k": "BK", "birthday": "B-day", "flag": "Flag",
}  # fmt: skip


def source_xml(*players):
    """The same as XML, each element on a line of its own."""
    lines = ["<?xml version='1.0' encoding='UTF-8'?>", "<playerslist>"]
    for player in players:
        lines.append("<player>")
        lines += [f"<{name}>{player.get(heading, '')}</{name}>" for name, heading in ELEMENTS.items()]
        lines.append("</player>")
    return "\n".join([*lines, "</playerslist>", ""]).encode()


def zipped(*files):
    """A ZIP archive of these files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for number, file in enumerate(files):
            opened.writestr(f"list-{number}.txt", file)
    return archive.getvalue()
