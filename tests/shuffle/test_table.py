"""A live table from the first entry to the last: every game, every ending, every restart."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from audit.games import GAMES
from audit.law import Law
from audit.shuffle import local
from audit.shuffle.canonical import encode
from audit.shuffle.entries import (
    HOUSE,
    CallEntry,
    ClosedEntry,
    Discard,
    OpenedEntry,
    UnfinishedEntry,
    VoidEntry,
    read_entry,
)
from audit.shuffle.house import House
from audit.shuffle.local import Room
from audit.shuffle.messages import discard_commitment, hide_payload, take_apart
from audit.shuffle.refusal import NotVerified
from audit.shuffle.transcript import NO_ANCHOR, NO_WITNESS, verify_transcript
from tests.shuffle.make_table_vectors import FOLDER, chooser, play, seeded, tables


class Clock:
    """Seconds that a test turns on."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def cases() -> list[tuple[Law, int]]:
    """Return every law at the least and the greatest number of seats."""
    found = {(law.id, players): law for law, players, _, _ in tables().values()}
    # A game of which only the name is left cannot be dealt.
    for name in (n for n in GAMES.names if GAMES[n].status != "named"):
        for players in (max(2, GAMES[name].players[0]), GAMES[name].players[1]):
            found[name, players] = GAMES[name]
    return [(law, players) for (_, players), law in found.items()]


def room_of(law: Law, players: int, **more: Any) -> Room:
    """Return a table with fixed bytes."""
    options = {"trump": "H"} if law.id == "california_jack" else {}
    return Room(law, players, options=options, draw=seeded(f"{law.id} {players}"), **more)


def depth_of(room: Room) -> int:
    """Return the shallowest cut of a table."""
    assert room.house.book is not None
    return room.house.book.manifest.min_cut


@pytest.mark.parametrize("relay", [False, True], ids=["plain", "relay"])
@pytest.mark.parametrize("opening", ["pack", "session"])
@pytest.mark.parametrize(("law", "players"), cases(), ids=lambda v: getattr(v, "id", str(v)))
def test_every_game_is_dealt_and_verified(
    law: Law, players: int, opening: str, *, relay: bool
) -> None:
    room = room_of(law, players, packs=2, relay=relay, opening=opening)
    decide = chooser(f"{law.id} {players}")
    for _ in (1, 2):
        room.contribute(depth_of(room))
        room.play(decide)
        room.finish()
    dealers = []
    for number in (1, 2):
        verdict = verify_transcript(room.transcript(number), room.ledger.head())
        assert verdict.verified
        assert (NO_WITNESS in verdict.lines) == (not relay)
        dealers.append(room.house.packs[number].call.dealer)
    assert dealers == [players - 1, 0]
    assert room.house.closed


def test_without_an_anchor_the_verdict_is_that_it_agrees_with_itself() -> None:
    verdict = verify_transcript(play("bridge").transcript(1))
    assert not verdict.verified
    assert verdict.lines[0] == NO_ANCHOR


@pytest.mark.parametrize("name", tables())
def test_the_vectors_are_what_their_command_makes(name: str) -> None:
    room, anchors = play(name), json.loads((FOLDER / "anchors.json").read_text())["tables"]
    for number in (1, 2):
        raw = (FOLDER / f"{name}_{number}.json").read_bytes()
        told = anchors[f"{name}_{number}"]
        assert room.transcript(number) == raw
        verdict = verify_transcript(raw, (told["size"], bytes.fromhex(told["root"])))
        assert list(verdict.dealt) == told["dealt"]


def table(packs: int = 2, *, relay: bool = False, opening: str = "pack") -> tuple[Room, Clock]:
    """Return a table of Seven-Up for four whose clock a test turns."""
    clock = Clock()
    room = room_of(GAMES["seven_up_4"], 4, packs=packs, relay=relay, opening=opening, clock=clock)
    return room, clock


def last(room: Room, kind: type) -> Any:
    """Return the newest entry of a kind."""
    read = [read_entry(raw) for raw in room.ledger.entries]
    return [entry for entry in read if isinstance(entry, kind)][-1]


def play_out(room: Room) -> None:
    """Play the pack that was called to its end."""
    room.contribute(10)
    room.play(chooser("out"))
    room.finish()


def closed(room: Room) -> tuple[int, int, int, int]:
    """Return packs, opened, void and unfinished as the closing entry of the table counts them."""
    made: ClosedEntry = last(room, ClosedEntry)
    return made.packs, made.opened, made.void, made.unfinished


def test_a_missing_commitment_voids_the_pack_and_the_same_dealer_deals_again() -> None:
    room, clock = table(3)
    head = room.ledger.head()
    for seat in room.seats[:3]:
        room.house.accept(seat.say_commit(head, {"cut": 10}), seat.number, "commit")
    room.go_on()
    assert room.pack.stage == "commit"
    clock.now += 61
    room.go_on()
    void: VoidEntry = last(room, VoidEntry)
    assert (void.stage, void.parties, len(void.commits)) == ("commit", (3,), 3)
    assert room.pack.number == 2
    assert room.pack.call.dealer == room.house.packs[1].call.dealer
    play_out(room)
    assert room.pack.call.dealer == (room.house.packs[2].call.dealer + 1) % 4
    play_out(room)
    assert closed(room) == (3, 2, 1, 0)


def test_two_voids_by_one_seat_close_the_table() -> None:
    room, clock = table(5)
    for _ in (1, 2):
        head = room.ledger.head()
        for seat in room.seats[1:]:
            room.house.accept(seat.say_commit(head, {"cut": 10}), seat.number, "commit")
        clock.now += 61
        room.go_on()
    assert closed(room) == (2, 0, 2, 0)


def commit_all(room: Room) -> None:
    """Let every seat commit, and the house close."""
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_commit(head, {"cut": 10}), seat.number, "commit")
    room.go_on()


@pytest.mark.parametrize("opening", ["pack", "session"])
def test_a_seat_that_does_not_open_leaves_the_pack_unfinished_with_the_house(opening: str) -> None:
    room, clock = table(opening=opening)
    commit_all(room)
    head = room.ledger.head()
    for seat in room.seats[1:]:
        room.house.accept(seat.say_open(head), seat.number, "open")
    clock.now += 61
    room.go_on()
    made: UnfinishedEntry = last(room, UnfinishedEntry)
    assert (made.stage, made.parties, made.items) == ("open", (0, HOUSE), 0)
    assert isinstance(last(room, OpenedEntry), OpenedEntry)
    play_out(room)
    assert closed(room) == (2, 1, 0, 1)


def test_a_cut_that_is_not_opened_loses_the_pack() -> None:
    room, clock = table()
    commit_all(room)
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_open(head), seat.number, "open")
    room.go_on()
    assert room.pack.stage == "choice"
    clock.now += 61
    pone = room.pack.call.pone
    room.go_on()
    made: UnfinishedEntry = last(room, UnfinishedEntry)
    assert (made.stage, made.parties) == ("choice", (pone,))


def test_a_seat_that_does_not_decide_loses_the_pack() -> None:
    room, clock = table()
    room.contribute(10)
    assert room.pack.play is not None
    asked = room.pack.play.asked
    clock.now += 121
    room.go_on()
    made: UnfinishedEntry = last(room, UnfinishedEntry)
    assert (made.stage, made.parties, made.items) == ("decide", (asked,), 5)
    assert room.pack.number == 2
    play_out(room)
    assert closed(room) == (2, 1, 0, 1)


def exchanging() -> tuple[Room, Clock]:
    """Return a table of Écarté after one exchange on each side."""
    clock = Clock()
    room = room_of(GAMES["ecarte_foster"], 2, packs=2, clock=clock)

    def decide(seat: int, question: Any, hand: Any) -> str | list[int]:
        if question.places:
            return list(question.places[: question.count])
        wanted = {"propose": "propose", "accept": "accept", "discard": "2"}
        done = sum(i.to is None for i in room.pack.items) > 5
        return "play" if done and question.name == "propose" else wanted[question.name]

    room.contribute(10)
    room.play(decide)
    return room, clock


def test_discards_that_are_not_opened_are_said_and_the_pack_still_verifies() -> None:
    room, clock = exchanging()
    room.go_on()
    assert room.pack.stage == "wait"
    clock.now += 121
    room.go_on()
    verdict = verify_transcript(room.transcript(1), room.ledger.head())
    said = [line for line in verdict.lines if "did not open" in line]
    assert said == [f"seat {s} did not open what it laid aside" for s in (0, 1)]


def test_a_seat_cannot_spoil_the_pack_with_a_discard_of_cards_it_did_not_hold() -> None:
    """The house refuses to enter the opening; the seat stands as one that did not open."""
    clock = Clock()
    room = room_of(GAMES["ecarte_foster"], 2, packs=2, clock=clock)
    room.contribute(10)
    pack, pone = room.pack, room.seats[room.pack.call.pone]
    room.decide(pone.number, "propose")
    room.decide(pack.call.dealer, "accept")
    room.decide(pone.number, "1")
    book, nonce = room.house.book, b"\x05" * 32
    assert book is not None
    leaf = next(n for n in range(32) if n not in {f.leaf for f in pone.mine().faces.values()})
    commitment = discard_commitment(book.mh, 1, pone.number, nonce, (leaf,))
    item = len(pack.items)
    said = pone._say("decide", room.ledger.head(), hide_payload("discard", 1, commitment))
    room.house.accept(said, pone.number, "decide")
    room.carry()
    room.play(lambda seat, question, hand: "0" if "discard" in question.name else "play")
    room.go_on()
    foreign = Discard(item=item, leaves=(leaf,), nonce=nonce.hex())
    with pytest.raises(NotVerified, match="were not in that hand"):
        room.house.accept_discard(foreign)
    clock.now += 121
    room.go_on()
    verdict = verify_transcript(room.transcript(1), room.ledger.head())
    assert f"seat {pone.number} did not open what it laid aside" in verdict.lines


class Recording(House):
    """A house that notes all it is fed, and where it stood after each."""

    def __init__(self, *made: Any) -> None:
        super().__init__(*made)
        self.fed: list[tuple[str, tuple[Any, ...]]] = []
        self.states: list[tuple[Any, ...]] = []

    def note(self, name: str, given: tuple[Any, ...]) -> None:
        self.fed.append((name, given))
        self.states.append(state(self))


def state(house: House) -> tuple[Any, ...]:
    """Return where a house stands, and what is due now and long after."""
    pack = house.pack
    due = [encode(entry) for now in (1_000_000, 2_000_000) for entry in house.due(now)]
    stands = (pack.number, pack.stage, pack.th, len(pack.items)) if pack else ()
    return (house.closed, house.last, stands, due)


def noted(name: str) -> Callable[..., None]:
    """Return the method *name* of a house, noted."""

    def method(self: Recording, *given: Any) -> None:
        getattr(House, name)(self, *given)
        self.note(name, given)

    return method


for _name in ("feed", "accept", "accept_held", "accept_missing", "accept_chosen", "accept_discard"):
    setattr(Recording, _name, noted(_name))


@pytest.mark.parametrize("name", ["seven_up_4", "ecarte_relay", "seven_up_3_session"])
def test_a_house_restarted_at_any_point_stands_where_it_stood(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "House", Recording)
    assert restarts(play(name)) > 25


@pytest.mark.parametrize("stage", ["commit", "open", "relay", "choice", "decide"])
@pytest.mark.parametrize("opening", ["pack", "session"])
def test_a_house_restarted_around_a_silence_stands_where_it_stood(
    stage: str, opening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "House", Recording)
    room, clock = table(relay=stage == "relay", opening=opening)
    silent_at(room, clock, stage)
    play_out(room)
    assert closed(room) == ((2, 1, 1, 0) if stage in ("commit", "relay") else (2, 1, 0, 1))
    assert restarts(room) > 20


def silent_at(room: Room, clock: Clock, stage: str) -> None:
    """Let the last seat, the pone or who is asked fall silent in the first pack."""
    head = room.ledger.head()
    if stage == "commit":
        room.house.accept(room.seats[0].say_commit(head, {}), 0, "commit")
    elif stage == "decide":
        room.contribute(10)
    else:
        commit_all(room)
        silent_after_closing(room, clock, stage)
    clock.now += 121
    room.go_on()


def silent_after_closing(room: Room, clock: Clock, stage: str) -> None:
    """Let one seat not open, or the pone not open the cut."""
    head, relay, book = room.ledger.head(), room.relay, room.house.book
    opening = room.seats if stage == "choice" else room.seats[:3]
    if relay is None:
        for seat in opening:
            room.house.accept(seat.say_open(head), seat.number, "open")
        room.go_on()
        return
    assert book is not None
    relay.closing(book, room.ledger.entries[-2], room.ledger.entries[-1], clock.now)
    for seat in opening:
        relay.take(book.mh, 1, seat.number, seat.say_open(head))
    clock.now += 61
    statement = relay.speak(book.mh, 1, clock.now)
    assert statement is not None
    room.house.accept_missing(statement)


def restarts(room: Room) -> int:
    """Restart the house after each thing it was fed; return how many those were."""
    house = room.house
    assert isinstance(house, Recording)
    for end in range(1, len(house.fed) + 1):
        again = House(room.house_key, room._secrets.__getitem__)
        for method, given in house.fed[:end]:
            getattr(again, method)(*given)
        assert state(again) == house.states[end - 1]
    return len(house.fed)


def test_a_message_sent_again_is_the_same_and_another_one_is_refused() -> None:
    room, _ = table()
    head = room.ledger.head()
    seat = room.seats[0]
    first = seat.say_commit(head, {"cut": 10})
    assert seat.say_commit(head, {"cut": 20}) == first
    room.house.accept(first, 0, "commit")
    room.house.accept(first, 0, "commit")
    seat.mine().commit = None
    with pytest.raises(NotVerified, match="has sent another message"):
        room.house.accept(seat.say_commit(head, {"cut": 20}), 0, "commit")


def test_a_copied_commitment_is_refused_before_it_can_spoil_the_closing() -> None:
    room, _ = table()
    head = room.ledger.head()
    first = room.seats[0].say_commit(head, {"cut": 10})
    room.house.accept(first, 0, "commit")
    copyist = room.seats[1]
    copyist.say_commit(head, {"cut": 10})
    copied = copyist._say("commit", head, take_apart(first).payload[:32])
    with pytest.raises(NotVerified, match="commitment of another seat"):
        room.house.accept(copied, 1, "commit")


def test_a_message_for_a_seat_that_is_not_there_is_refused() -> None:
    room, _ = table()
    said = room.seats[0].say_commit(room.ledger.head(), {"cut": 10})
    for seat in (-1, 4, 300):
        with pytest.raises(NotVerified, match="none of this table"):
            room.house.accept(said, seat, "commit")


def test_a_seat_cannot_spoil_the_pack_with_a_head_of_no_ledger() -> None:
    """The transcript would not verify, so house and relay do not take such a message."""
    room, _ = table(relay=True)
    size, root = room.ledger.head()
    early = room.ledger.head(size - 1)
    for head in ((size, bytes(32)), (size + 1, root), early):
        seat = room.seats[0]
        with pytest.raises(NotVerified, match="commit of seat 0: checkpoint"):
            room.house.accept(seat.say_commit(head, {"cut": 10}), 0, "commit")
        seat.mine().commit = None
    commit_all(room)
    relay, book = room.relay, room.house.book
    assert relay is not None
    assert book is not None
    relay.closing(book, room.ledger.entries[-2], room.ledger.entries[-1], 0)
    with pytest.raises(NotVerified, match="open of seat 0: checkpoint"):
        relay.take(book.mh, 1, 0, room.seats[0].say_open((size, root)))


def test_the_first_call_comes_with_a_batch_for_every_pack() -> None:
    room, _ = table(5)
    call: CallEntry = last(room, CallEntry)
    assert (call.pack, call.dealer, call.pone, call.dealt) == (1, 3, 2, 0)
    assert len(call.path) == 3
