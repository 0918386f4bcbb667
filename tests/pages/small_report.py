"""A report file of two players and one game, in the format of Annex 9 art. 11."""


def small_report(
    name: str,
    played: tuple[str, str],
    system: str = "ROUND",
    *,
    referee: str = "Piet Fluit",
    place: str = "Utrecht",
    country: str = "NED",
) -> bytes:
    """Ada Vroom has won against Ben Kuil; both are of the country of the tournament. Days as in "06/02/2026"."""
    return f"""<section Info>
name = {name}
played from = {played[0]}
played to = {played[1]}
type = {system}
national championship = N
women championship = N
name of referee = {referee}
place = {place}
country = {country}
remarks = <remark></end remark>
winner = Ada Vroom
</end info>
<section players>
0,1,,1,2,Ada,Vroom,{country},01/01/1990,W
0,2,,2,0,Ben,Kuil,{country},02/02/1991,M
</end players>
<section results>
1,1,2,2-0
</end results>
""".encode()
