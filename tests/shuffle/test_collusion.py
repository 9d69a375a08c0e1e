"""Attacks of a house with friends at the table, each written, run, and seen to fail.

Every docstring says what the honest seat holds afterwards.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from audit.games import GAMES
from audit.shuffle.canonical import encode
from audit.shuffle.derive import pack_order
from audit.shuffle.entries import (
    HOUSE,
    CallEntry,
    ChoicesEntry,
    ClosedEntry,
    ClosingEntry,
    EndEntry,
    OpenedEntry,
    RootEntry,
    UnfinishedEntry,
    VoidEntry,
    read_entry,
)
from audit.shuffle.local import Room
from audit.shuffle.messages import (
    check_signature,
    choice_commitment,
    contribution,
    delivery,
    first_hash,
    message,
    missing,
    sign,
    step_hash,
    take_apart,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import pack_key
from audit.shuffle.seat import SeatAtTable
from audit.shuffle.tree import Tree, leaf_hash
from tests.shuffle.forge import STRANGER, Hooks, build, follow, replica, verifier, world
from tests.shuffle.make_table_vectors import chooser, seeded
from tests.shuffle.test_table import Clock, commit_all, last, table

replace = msgspec.structs.replace
HEAD = (1, bytes(32))


def seven_up(*, relay: bool = False, packs: int = 3) -> tuple[Room, Clock]:
    """Return a table of Seven-Up for four, a relay perhaps among them."""
    return table(packs, relay=relay)


def committed(room: Room) -> list[Any]:
    """Return every seat's signed commitment to the pack that was called."""
    head = room.ledger.head()
    return [seat.say_commit(head, {"cut": 10}) for seat in room.seats]


def closing_of(room: Room, commits: list[Any]) -> ClosingEntry:
    """Return the closing entry over these commitments."""
    assert room.house.book is not None
    pack = room.pack
    mh = room.house.book.mh.hex()
    return ClosingEntry(mh=mh, pack=pack.number, call=pack.sl.hex(), commits=tuple(commits))


def refuses(seat: SeatAtTable, entry: Any, name: str) -> None:
    """Check that a seat refuses an entry under this name."""
    with pytest.raises(NotVerified) as refused:
        seat.feed(encode(entry))
    assert f"{refused.value.where}: {refused.value.what}" == name


def test_house_and_pone_cannot_choose_the_cut_once_they_know_the_order() -> None:
    """The pone's friend knows the order and wants another depth.

    The seat holds the pone's signed commitment in the closing; no other depth opens it.
    """
    room, _ = seven_up()
    commit_all(room)
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_open(head), seat.number, "open")
    room.go_on()
    pone = room.seats[room.pack.call.pone]
    value, nonce = pone.mine().choices["cut"]
    root = leaf_hash(room.ledger.entries[-1])
    assert room.house.book is not None
    for depth in range(4, 49):
        made = {"name": "cut", "nonce": nonce.hex(), "seat": pone.number, "value": depth}
        entry = ChoicesEntry(
            mh=room.house.book.mh.hex(),
            pack=1,
            after=root.hex(),
            choices=(msgspec.convert(made, type(_chosen(room))),),
        )
        if depth != value:
            refuses(room.seats[0], entry, "choices: cut")


def _chosen(room: Room) -> Any:
    from audit.shuffle.entries import Chosen

    return Chosen(name="cut", nonce="00" * 32, seat=0, value=0)


def test_house_and_dealer_cannot_choose_the_packets_once_they_know_the_order() -> None:
    """2+3 or 3+2 is committed to with its own nonce in the message of the dealer's bytes.

    The seat holds that message; the other packets do not open it.
    """
    room = Room(GAMES["euchre_4"], 4, draw=seeded("packets"))
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_commit(head, {"cut": 5, "packets": 0}), seat.number, "commit")
    room.go_on()
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_open(head), seat.number, "open")
    room.go_on()
    for seat in room.seats:
        for raw in seat.say_chosen():
            room.house.accept_chosen(raw)
    entry = room.house.due(0)[0]
    assert isinstance(entry, ChoicesEntry)
    turned = replace(entry, choices=(entry.choices[0], replace(entry.choices[1], value=1)))
    refuses(room.seats[0], turned, "choices: packets")
    room.append(entry)


def test_the_choice_commitment_cannot_be_searched_without_its_nonce() -> None:
    """The house tries every depth against the pone's commitment before the openings.

    Nothing matches: 32 bytes of nonce stand between 45 depths and the commitment.
    """
    room, _ = seven_up()
    pone = room.pack.call.pone
    payload = take_apart(committed(room)[pone]).payload
    assert room.house.book is not None
    mh, sl, opened = room.house.book.mh, room.pack.sl, room.seats[pone].mine()
    guesses = [bytes(32), sl, opened.data[:32], opened.data[32:], payload[:32]]
    tried = {choice_commitment(mh, 1, pone, sl, "cut", d, g) for d in range(53) for g in guesses}
    assert payload[32:64] not in tried


def test_the_last_mover_knows_no_order_when_it_commits() -> None:
    """A friend commits last, with all other commitments and the house's secret in hand.

    What it has does not give the honest bytes: the order is another for each of their values.
    """
    room, _ = seven_up()
    commits = committed(room)
    assert room.house.book is not None
    mh, sl = room.house.book.mh, room.pack.sl
    cl = leaf_hash(encode(closing_of(room, commits)))
    parts = [seat.mine().data for seat in room.seats]
    seen = {tuple(_order(mh, sl, cl, room, [guess, *parts[1:]])) for guess in _guesses(parts[0])}
    assert len(seen) == 64


def _guesses(honest: bytes) -> list[bytes]:
    return [bytes([n]) + honest[1:] for n in range(64)]


def _order(mh: bytes, sl: bytes, cl: bytes, room: Room, parts: list[bytes]) -> list[int]:
    return pack_order(pack_key(mh, sl, cl, room._secrets[1], parts), 52)


def test_a_friend_that_saw_the_honest_bytes_cannot_come_with_a_second_closing() -> None:
    """House and friend learn the honest bytes, make a better set, and close again.

    The seat holds its opening, signed over the first closing only; it refuses the second, and
    its opening does not check over it.
    """
    room, _ = seven_up()
    commit_all(room)
    honest, friend = room.seats[0], room.seats[1]
    opening = honest.say_open(room.ledger.head())
    first = last(room, ClosingEntry)
    old = take_apart(first.commits[1])
    payload = contribution(old.mh, 1, 1, room.pack.sl, bytes(64)) + old.payload[32:]
    body = message(old.mh, 1, 1, "commit", old.th, old.head, payload)
    second = replace(first, commits=(first.commits[0], sign(friend.key, body), *first.commits[2:]))
    refuses(honest, second, "closing: entry")
    assert honest.say_open(HEAD) == opening
    assert take_apart(opening).payload[:32] == leaf_hash(encode(first))
    assert take_apart(opening).payload[:32] != leaf_hash(encode(second))


@pytest.mark.parametrize("kind", ["mirrored", "copied", "replayed"])
def test_mirrored_copied_and_replayed_commitments_close_nothing(kind: str) -> None:
    """A friend commits to what the honest seat committed to, or the honest seat's old message
    is used again.

    The seat holds a closing entry, signed by the house, that no honest seat opens; it has
    opened nothing.
    """
    room, _ = seven_up()
    old_commit = committed(room)
    room.contribute(10)
    room.play(chooser("first"))
    room.finish()
    commits = committed(room)
    honest = room.seats[0]
    said = take_apart(commits[1])
    if kind == "replayed":
        commits[0] = old_commit[0]
        name = "commit of seat 0: pack"
    else:
        theirs = take_apart(commits[0]).payload[:32]
        if kind == "mirrored":
            theirs = bytes(b ^ 0xFF for b in theirs)
        payload = theirs + said.payload[32:]
        body = message(said.mh, 2, 1, "commit", said.th, said.head, payload)
        commits[1] = sign(room.seats[1].key, body)
        name = "closing: commits"
    if kind != "mirrored":
        refuses(honest, closing_of(room, commits), name)
        with pytest.raises(NotVerified, match="has not come yet"):
            honest.say_open(HEAD)
        return
    honest.feed(encode(closing_of(room, commits)))
    opened = honest.mine().data
    mirror = contribution(said.mh, 2, 1, room.pack.sl, bytes(b ^ 0xFF for b in opened))
    assert mirror != take_apart(commits[1]).payload[:32]


def test_the_house_cannot_drop_the_honest_contribution_and_deal_with_the_rest() -> None:
    """Three of four commitments are closed over.

    The seat holds its receipt and a closing entry that leaves it out: a breach by itself.
    """
    room, _ = seven_up()
    commits = committed(room)
    refuses(room.seats[0], closing_of(room, commits[1:]), "closing: seats")
    refuses(room.seats[0], closing_of(room, [commits[1], *commits[1:]]), "commit of seat 0: seat")


def test_the_house_cannot_write_a_contribution_in_the_honest_name() -> None:
    """The house signs for an absent seat.

    The seat, and everybody else, holds a closing entry with a signature that is not its key's.
    """
    room, _ = seven_up()
    commits = committed(room)
    old = take_apart(commits[0])
    payload = contribution(old.mh, 1, 0, room.pack.sl, bytes(64))
    body = message(old.mh, 1, 0, "commit", old.th, old.head, payload)
    for key in (STRANGER, room.house_key, room.seats[1].key):
        forged = closing_of(room, [sign(key, body), *commits[1:]])
        refuses(room.seats[0], forged, "commit of seat 0: signature")
        refuses(room.seats[2], forged, "commit of seat 0: signature")


def test_even_with_its_key_a_seat_sees_that_another_contribution_stands_for_it() -> None:
    """Somebody signs other bytes with the honest seat's own stolen key.

    The seat holds what it sent, and a closing with another message of its own name.
    """
    room, _ = seven_up()
    commits = committed(room)
    old = take_apart(commits[0])
    payload = contribution(old.mh, 1, 0, room.pack.sl, bytes(64))
    body = message(old.mh, 1, 0, "commit", old.th, old.head, payload)
    stolen = closing_of(room, [sign(room.seats[0].key, body), *commits[1:]])
    refuses(room.seats[0], stolen, "closing: seat 0")


@pytest.mark.parametrize("what", ["commitments", "roots"])
def test_two_seats_that_are_shown_different_entries_hold_the_proof(what: str) -> None:
    """The house shows one closing, or one root, to seat 0 and another to seat 1.

    Each seat's next message names the head it saw and binds the transcript it saw: the two
    messages do not check over one transcript, and the two heads of one size, both signed by
    the house, prove the fork.
    """
    room, _ = seven_up()
    commits = committed(room)
    if what == "commitments":
        one = closing_of(room, commits)
        old = take_apart(commits[3])
        body = message(old.mh, 1, 3, "commit", old.th, old.head, bytes(len(old.payload)))
        two = closing_of(room, [*commits[:3], sign(room.seats[3].key, body)])
        seen = [encode(one), encode(two)]
    else:
        commit_all(room)
        head = room.ledger.head()
        for seat in room.seats:
            room.house.accept(seat.say_open(head), seat.number, "open")
        root = room.house.due(0)[0]
        assert isinstance(root, RootEntry)
        seen = [encode(root), encode(replace(root, root="ab" * 32))]
    heads = []
    for seat, raw in zip(room.seats[:2], seen, strict=True):
        seat.feed(raw)
        forked = [*room.ledger.entries, raw]
        heads.append((len(forked), Tree(forked).root))
    assert heads[0][0] == heads[1][0]
    assert heads[0][1] != heads[1][1]
    assert room.seats[0].mine().th != room.seats[1].mine().th
    if what == "commitments":
        said = [seat.say_open(head) for seat, head in zip(room.seats[:2], heads, strict=True)]
        assert take_apart(said[0]).head != take_apart(said[1]).head
        assert take_apart(said[0]).th != take_apart(said[1]).th


def test_a_seat_that_falls_silent_after_a_bad_hand_has_lost_it() -> None:
    """A friend sees its cards and stops, wanting another deal.

    The seat holds an unfinished entry that names the friend; no void is accepted any more.
    """
    room, clock = seven_up()
    room.contribute(10)
    assert room.pack.play is not None
    asked = room.pack.play.asked
    assert room.house.book is not None
    void = VoidEntry(
        mh=room.house.book.mh.hex(),
        pack=1,
        after=room.pack.last.hex(),
        stage="commit",
        parties=(HOUSE,),
        deadline=0,
        commits=(),
        secret=room._secrets[1].hex(),
    )
    refuses(room.seats[0], void, "void: stage")
    clock.now += 121
    room.go_on()
    made: UnfinishedEntry = last(room, UnfinishedEntry)
    assert made.parties == (asked,)


def test_the_house_cannot_blame_a_seat_that_was_not_asked() -> None:
    """The house ends the pack as unfinished and names the honest seat, whose turn it is not.

    The seat refuses, and holds the transcript up to the question to another.
    """
    room, clock = seven_up()
    room.contribute(10)
    clock.now += 121
    due = room.house.due(clock.now)[0]
    assert isinstance(due, UnfinishedEntry)
    other = next(s for s in range(4) if s != due.parties[0])
    for seat in room.seats:
        refuses(seat, replace(due, parties=(other,)), "unfinished: parties")
        refuses(seat, replace(due, stage="open"), "unfinished: stage")


def test_silence_before_the_relay_holds_everything_is_blind() -> None:
    """With a relay, a friend does not open: nobody has seen an opening, the pack is void.

    The seat holds the relay's signed *missing*, which names the friend and this closing.
    """
    room, clock = seven_up(relay=True)
    commit_all(room)
    relay, book = room.relay, room.house.book
    assert relay is not None
    assert book is not None
    relay.closing(book, room.ledger.entries[-2], room.ledger.entries[-1], clock.now)
    head = room.ledger.head()
    for seat in room.seats[:3]:
        relay.take(book.mh, 1, seat.number, seat.say_open(head))
        for raw in seat.say_chosen():
            relay.take_chosen(book.mh, 1, raw)
    with pytest.raises(NotVerified, match="is not signed"):
        relay.opens(book.mh, 1)
    assert relay.speak(book.mh, 1, clock.now) is None
    clock.now += 61
    statement = relay.speak(book.mh, 1, clock.now)
    assert statement is not None
    with pytest.raises(NotVerified, match="comes after"):
        relay.take(book.mh, 1, 3, room.seats[3].say_open(head))
    with pytest.raises(NotVerified, match="is not signed"):
        relay.opens(book.mh, 1)
    room.house.accept_missing(statement)
    room.go_on()
    void: VoidEntry = last(room, VoidEntry)
    assert (void.stage, void.parties) == ("open", (3,))
    assert room.pack.number == 2


def test_the_house_cannot_write_the_relays_missing_itself() -> None:
    """The house dislikes what it guesses of a pack and voids it after the closing.

    The seat refuses: the statement is not the relay's, or is about another closing.
    """
    room, clock = seven_up(relay=True)
    commit_all(room)
    book, cl = room.house.book, room.pack.cl
    assert book is not None
    body = missing(book.mh, 1, cl, clock.now, [3])
    other = missing(book.mh, 1, bytes(32), clock.now, [3])
    void = VoidEntry(
        mh=book.mh.hex(),
        pack=1,
        after=room.pack.last.hex(),
        stage="open",
        parties=(3,),
        deadline=clock.now,
        commits=(),
        missing=sign(room.house_key, body),
        secret=room._secrets[1].hex(),
    )
    seat = room.seats[0]
    refuses(seat, void, "missing: signature")
    refuses(seat, replace(void, missing=sign(room.relay_key, other)), "missing: closing")
    refuses(seat, replace(void, missing="none"), "void: missing")
    real = sign(room.relay_key, body)
    refuses(seat, replace(void, missing=real, parties=(2,)), "void: parties")
    refuses(seat, replace(void, missing=real, secret="00" * 64), "opened: secret")


def test_the_house_cannot_blame_the_pone_for_a_cut_that_the_relay_held() -> None:
    """The house has made the order, dislikes it, and will not hear the relay's choices.

    The pone handed its cut in before anybody knew the order. The seat refuses an end that
    names it; the honest entry names the house alone.
    """
    room, clock = seven_up(relay=True)
    commit_all(room)
    relay, book = room.relay, room.house.book
    assert relay is not None
    assert book is not None
    relay.closing(book, room.ledger.entries[-2], room.ledger.entries[-1], clock.now)
    for seat in room.seats:
        relay.take(book.mh, 1, seat.number, seat.say_open(room.ledger.head()))
        for raw in seat.say_chosen():
            relay.take_chosen(book.mh, 1, raw)
    statement = relay.speak(book.mh, 1, clock.now)
    assert statement is not None
    room.house.accept_held(statement, relay.opens(book.mh, 1))
    room.go_on()
    assert room.pack.stage == "choice"
    clock.now += 61
    due = room.house.due(clock.now)[0]
    assert isinstance(due, UnfinishedEntry)
    assert (due.stage, due.parties) == ("choice", (HOUSE,))
    for seat in room.seats:
        for parties in ((room.pack.call.pone,), (room.pack.call.pone, HOUSE)):
            refuses(seat, replace(due, parties=parties), "unfinished: parties")
    room.go_on()
    assert last(room, UnfinishedEntry) == due


def test_without_a_relay_only_a_seat_that_chooses_is_blamed_for_a_choice() -> None:
    """The house withholds the choices entry and names a seat that had none to make."""
    room, clock = seven_up()
    commit_all(room)
    for seat in room.seats:
        room.house.accept(seat.say_open(room.ledger.head()), seat.number, "open")
    room.go_on()
    clock.now += 61
    due = room.house.due(clock.now)[0]
    assert isinstance(due, UnfinishedEntry)
    pone = room.pack.call.pone
    other = next(s for s in range(4) if s != pone)
    for seat in room.seats:
        refuses(seat, replace(due, parties=(other,)), "unfinished: parties")
    room.go_on()
    assert last(room, UnfinishedEntry).parties == (pone,)


def test_a_house_that_crashes_after_a_bad_order_gets_no_second_one() -> None:
    """The house sees the order, says that it crashed, and calls the pack anew.

    The seat refuses another call before this pack has ended, and a call that forgets it.
    """
    room, _ = seven_up()
    commit_all(room)
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_open(head), seat.number, "open")
    call: CallEntry = last(room, CallEntry)
    for number in (1, 2):
        refuses(room.seats[0], replace(call, pack=number), "call: pack")


def test_a_phantom_draw_does_not_shift_the_next_card() -> None:
    """The house opens a card that nobody drew, so that a friend's next card is another.

    The seat holds a signed delivery that does not follow; the verifier names it too.
    """
    made = world("california_jack", "w0", 0)
    at = 6

    def faces(one: Any) -> Any:
        to, shown, pack = one
        if to != made.honest:
            return one
        return to, tuple(pack[(f.leaf + 1) % len(pack)] for f in shown), pack

    def later(items: list[Any]) -> list[Any]:
        book = made.room.house.book
        assert book is not None
        face = items[0].faces[0]
        body = delivery(book.mh, 2, made.honest, bytes(32), (face,))
        extra = type(items[0])(
            signed=sign(made.room.house_key, body), to=made.honest, faces=(face,)
        )
        return [*items[:at], extra, *items[at:]]

    ways: list[tuple[Hooks, str]] = [({"faces": faces}, "leaves"), ({"items": later}, "")]
    for hooks, name in ways:
        forged = build(made, hooks)
        assert verifier(made, forged) is not None
        with pytest.raises(NotVerified) as refused:
            follow(made, replica(made), forged)
        assert not name or refused.value.what == name


def test_a_database_from_yesterday_deals_no_pack_again() -> None:
    """House and ledger are restored from a copy: same secret, same pack number, a friend
    commits anew.

    The seat that kept its state refuses the second call; asked again, it sends the bytes it
    sent, which are bound to the first closing and to nothing else.
    """
    room, _ = seven_up()
    call = encode(last(room, CallEntry))
    honest = room.seats[0]
    commit_all(room)
    first = leaf_hash(room.ledger.entries[-1])
    opening = honest.say_open(room.ledger.head())
    refuses(honest, read_entry(call), "call: pack")
    again, _ = seven_up()
    assert encode(last(again, CallEntry)) == call
    friend = SeatAtTable(3, room.seats[3].key, seeded("other bytes"))
    for raw in again.ledger.entries:
        friend.feed(raw)
    commits = [*committed(again)[:3], friend.say_commit(again.ledger.head(), {"cut": 10})]
    second = closing_of(again, commits)
    refuses(honest, second, "closing: entry")
    assert honest.say_open(HEAD) == opening
    assert take_apart(opening).payload[:32] == first
    book = again.house.book
    assert book is not None
    for seat, one in enumerate(commits):
        again.house.accept(one, seat, "commit")
    again.house.feed(encode(second), 0)
    with pytest.raises(NotVerified, match="transcript"):
        again.house.accept(opening, 0, "open")


def test_a_friends_bad_signature_does_not_draw_the_honest_bytes_out() -> None:
    """The closing holds a spoilt message of a friend, so that the pack can be called void
    once the honest bytes are known.

    The seat checks all of them before it opens; it has opened nothing.
    """
    room, _ = seven_up()
    commits = committed(room)
    spoilt = replace(commits[3], sig="00" * 64)
    refuses(room.seats[0], closing_of(room, [*commits[:3], spoilt]), "commit of seat 3: signature")
    with pytest.raises(NotVerified, match="has not come yet"):
        room.seats[0].say_open(HEAD)


def test_nothing_is_accepted_twice_or_too_soon() -> None:
    """A second entry of each kind, and each kind before its time.

    The seat holds two entries of one kind for a pack, both under signed heads: a breach.
    """
    made = world("seven_up_4", "w0", 0)
    kinds = [type(read_entry(raw)) for raw in made.raws]
    assert kinds[8:15] == [
        CallEntry,
        ClosingEntry,
        RootEntry,
        ChoicesEntry,
        EndEntry,
        OpenedEntry,
        ClosedEntry,
    ]
    forged = build(made, {})
    for at in range(15):
        for extra in range(1, 15):
            if extra == at:
                continue
            raws = [*made.raws[:at], made.raws[extra]]
            with pytest.raises(NotVerified):
                follow(made, replica(made), replace_raws(forged, raws))
    follow(made, replica(made), replace_raws(forged, made.raws))


def replace_raws(forged: Any, raws: list[bytes]) -> Any:
    return type(forged)(
        raws=raws, items=forged.items, tree=forged.tree, transcript=forged.transcript
    )


def test_a_closing_of_the_table_that_counts_otherwise_is_refused() -> None:
    """A pack is left out of the count, or one that was not opened is counted as opened.

    The seat holds its own count of what it lived through.
    """
    made = world("seven_up_4", "w0", 0)
    closed = made.entry(14)
    for change in (
        {"packs": 1},
        {"opened": 1, "void": 1},
        {"unfinished": 1},
        {"last": "00" * 32},
    ):
        seat = replica(made)
        follow(made, seat, replace_raws(build(made, {}), made.raws[:14]))
        refuses(
            seat,
            replace(closed, **change),
            f"closed: {min(change)}" if len(change) == 1 else "closed: opened",
        )
    seat = replica(made)
    follow(made, seat, replace_raws(build(made, {}), made.raws[:13]))
    refuses(seat, closed, "closed: packs")


def test_a_seat_signs_no_manifest_by_another_hash() -> None:
    """The house shows one manifest and asks for a signature under the hash of another.

    The seat signs nothing.
    """
    room, _ = seven_up()
    entry = read_entry(room.ledger.entries[0])
    seat = room.seats[0]
    with pytest.raises(NotVerified, match="of another manifest"):
        seat.sign_manifest(entry, bytes(32))  # type: ignore[arg-type]


def test_a_seat_gives_one_decision_for_one_moment() -> None:
    """A client that is asked twice sends the same bytes, or refuses to decide otherwise.

    Two decisions over one transcript would prove a breach by the seat itself.
    """
    room, _ = seven_up()
    room.contribute(10)
    assert room.pack.play is not None
    seat = room.seats[room.pack.play.asked or 0]
    said = seat.say_answer(room.ledger.head(), "beg")
    assert seat.say_answer(HEAD, "beg") == said
    with pytest.raises(NotVerified, match="decided otherwise"):
        seat.say_answer(HEAD, "stand")


def test_no_public_value_before_the_opening_gives_the_order() -> None:
    """Everything published before the house's secret is tried as the key of the order.

    Seal, call, commitments, closing, all seats' openings, root: none is the key, alone, in
    the extract in the secret's place, or as a seed.
    """
    made = world("seven_up_4", "w0", 0)
    book, pack = made.room.house.book, made.room.house.packs[2]
    assert book is not None
    parts = [mine.data for mine in made.data[2]]
    call, root, closing = made.entry(8), made.entry(10), made.raws[9]
    th = step_hash(first_hash(book.mh, 2, bytes.fromhex(call.prev)), "call", made.raws[8])
    public = [
        book.mh,
        bytes.fromhex(call.commitment),
        bytes.fromhex(made.entry(1).root),
        bytes.fromhex(call.prev),
        bytes.fromhex(root.root),
        bytes.fromhex(made.entry(0).manifest.nonce),
        pack.sl,
        pack.cl,
        th,
        leaf_hash(closing),
        *parts,
        *pack.payloads,
        bytes(64),
        b"",
    ]
    tried = []
    for value in public:
        tried.append(pack_order(value.ljust(64, b"\0")[:64], 52))
        tried.append(pack_order((value + value)[:64].ljust(64, b"\0"), 52))
        tried.append(pack_order(pack_key(book.mh, pack.sl, pack.cl, value, parts), 52))
    tried.append(pack_order(bytes(a ^ b for a, b in zip(parts[0], parts[1], strict=True)), 52))
    assert pack.order not in tried
    key = pack_key(book.mh, pack.sl, pack.cl, made.room._secrets[2], parts)
    assert pack_order(key, 52) == pack.order


def test_no_secret_stands_in_what_is_printed_of_a_pack() -> None:
    """A log of a house's or a seat's pack shows no order, hand, opening or secret."""
    room, _ = seven_up()
    room.contribute(10)
    shown = "".join(repr(x) for x in (room.pack, *room.pack.items, *(s.mine() for s in room.seats)))
    hidden = [seat.mine().data for seat in room.seats] + room.pack.salts + [room._secrets[1]]
    for value in hidden:
        assert value.hex() not in shown
        assert repr(value)[2:-1] not in shown
    assert str(room.pack.order) not in shown


def test_what_is_signed_is_what_was_said() -> None:
    """The relay's and the house's signatures are over all their bytes."""
    made = world("ecarte_relay", "w0", 0)
    held = made.entry(10).held
    key = made.entry(0).manifest.witnesses[0].key
    check_signature(key, bytes.fromhex(held.body), held.sig, "held")
    with pytest.raises(NotVerified):
        check_signature(key, bytes.fromhex(held.body) + b"\0", held.sig, "held")
