"""Entry of results by hand: players, rounds, the crosstable; stored as a report file."""
