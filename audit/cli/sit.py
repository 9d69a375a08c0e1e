"""`fairdeal sit`: one seat at a dealing service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from audit.plan import Question
    from audit.shuffle.rules import Book


class _Person:
    """Asks at the terminal."""

    def choose(self, book: Book, name: str) -> int:
        """Ask for the depth of the cut, or for the packets."""
        low, high = book.manifest.min_cut, book.manifest.pack - book.manifest.min_cut
        if name != "cut":
            low, high = 0, 1
        number: int = click.prompt(f"{name} ({low} to {high})", type=click.IntRange(low, high))
        return number

    def decide(
        self, book: Book, question: Question, hand: Mapping[int, int]
    ) -> str | Sequence[int]:
        """Ask for a word, or for cards of the hand."""
        from audit.cards import show

        if not question.places:
            words = [str(c) for c in question.choices]
            word: str = click.prompt(question.name, type=click.Choice(words))
            return word
        places = [p for p in question.places if p in hand]
        for number, place in enumerate(places, 1):
            click.echo(f"  {number}: {show([hand[place]])}")
        while True:
            said: str = click.prompt(f"{question.name}: {question.count} numbers")
            parts = said.split()
            if all(p.isdecimal() and 1 <= int(p) <= len(places) for p in parts):
                picked = list(dict.fromkeys(places[int(p) - 1] for p in parts))
                if len(picked) == question.count == len(parts):
                    return picked

    def told(self, text: str) -> None:
        """Show a line."""
        click.echo(text)


@click.command()
@click.argument("url")
@click.option("--table", required=True)
@click.option("--seat", "number", type=click.IntRange(0, 77), required=True)
@click.option("--token", required=True, help="Opens the door to the seat, and nothing else.")
@click.option("--state", "folder", metavar="DIR", help="Where key and transcripts are kept.")
@click.option("--relay", metavar="URL", help="The relay's address, where the table has one.")
@click.option("--packs", type=click.IntRange(0), default=0, help="Stand up after so many.")
@click.option("--auto", is_flag=True, help="Choose and answer at random.")
def sit(
    url: str,
    table: str,
    number: int,
    token: str,
    folder: str | None,
    relay: str | None,
    packs: int,
    auto: bool,  # noqa: FBT001 - a flag of the command line
) -> int:
    """Take a seat with a key of its own, and check every card and every pack."""
    from audit.client.api import Api
    from audit.client.journal import Journal
    from audit.client.player import Auto
    from audit.client.seat import Seat

    class Talking(Auto):
        def told(self, text: str) -> None:
            click.echo(text)

    api = Api(url)
    place = Path(folder or f"fairdeal-{table}-{number}")
    journal = Journal(place / "seat.jsonl")
    seat = Seat(
        api,
        table,
        number,
        token,
        journal,
        Talking() if auto else _Person(),
        folder=place,
        relay=None if relay is None else Api(relay),
    )
    try:
        seat.run(packs)
    finally:
        journal.close()
    click.echo(f"{len(seat.verified)} packs verified; transcripts in {place}")
    return 0
