"""Every request that the service answers: one function each, parse, call, answer.

Source: design section 3; bodies are in `audit.wire`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from audit.service.hall import Hall
from audit.service.refusal import Busy, Conflict, Unknown
from audit.service.room import Room
from audit.service.tiles import tile
from audit.shuffle.canonical import encode
from audit.shuffle.entries import Signed, table_hash
from audit.wire import (
    Accepted,
    Asking,
    Choices,
    Cosigned,
    Discards,
    Done,
    Draft,
    Entered,
    Following,
    Head,
    Health,
    Held,
    Items,
    Listening,
    Log,
    Message,
    Missing,
    NewTable,
    Proof,
    Signature,
    Tables,
    Taking,
)

MOST_WAIT = 25
MAX_QUERY = 2**53 - 1


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request, taken apart: path names, numbers of the query, and the body."""

    path: Mapping[str, str]
    query: Mapping[str, int]
    body: object = None


@dataclass(frozen=True, kw_only=True)
class Raw:
    """An answer that is no JSON object of `audit.wire`."""

    data: bytes
    media: str


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """An answer that comes line by line, each when there is something to tell."""

    each: AsyncIterator[bytes]


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise Unknown(what, "number")
    return int(text)


def _room(hall: Hall, call: Call) -> Room:
    name = call.path["table"]
    if name in hall.drafts.tables:
        raise Conflict("table", "stage", "is not open yet")
    return hall.room(name)


async def _until(ready: Callable[[], bool], event: Callable[[], asyncio.Event], wait: int) -> None:
    """Wait until *ready*, at most *wait* seconds; *event* gives the present alarm."""
    try:
        async with asyncio.timeout(wait):
            while not ready():
                await event().wait()
    except TimeoutError:
        return


# --- tables ----------------------------------------------------------------------------------


async def make_table(hall: Hall, call: Call) -> object:
    assert isinstance(call.body, NewTable)
    return await hall.make(call.body)


async def list_tables(hall: Hall, call: Call) -> object:
    names = [n for n, room in hall.rooms.items() if not room.house.closed]
    return Tables(tables=tuple(sorted([*hall.drafts.tables, *names])))


async def show_table(hall: Hall, call: Call) -> object:
    name = call.path["table"]
    if name in hall.rooms:
        # Nothing is told before it is durable.
        await hall.rooms[name].settled()
    else:
        await hall.settled(hall.drafts.get(name))
    return hall.state(name)


async def take_seat(hall: Hall, call: Call) -> object:
    body = call.body
    assert isinstance(body, Taking)
    await hall.take(call.path["table"], body.seat, body.token, body.key, body.nonce)
    return Done()


async def show_manifest(hall: Hall, call: Call) -> object:
    name = call.path["table"]
    if name in hall.rooms:
        table = hall.rooms[name].table
        law = encode(table.law).decode("ascii")
        return Draft(law=law, manifest=table.manifest, mh=hall.rooms[name].mh)
    draft = hall.drafts.get(name)
    await _until(
        lambda: draft.unsigned is not None or hall.stopping,
        lambda: hall.changed,
        call.query["wait"],
    )
    # A manifest that was told and then lost would be made anew, with another nonce.
    await hall.settled(draft)
    if draft.unsigned is None:
        raise Conflict("table", "manifest", "is not made before every seat is taken")
    made = draft.unsigned.manifest
    return Draft(law=draft.unsigned.law, manifest=made, mh=table_hash(made).hex())


async def sign_manifest(hall: Hall, call: Call) -> object:
    body = call.body
    assert isinstance(body, Signature)
    await hall.sign(call.path["table"], body.seat, body.token, body.sig)
    return Done()


async def read_log(hall: Hall, call: Call) -> object:
    name, query = call.path["table"], call.query
    wish = Following(after=query["after"], start=query["start"], wait=query["wait"])
    if name not in hall.rooms:
        hall.drafts.get(name)
    await _until_log(hall, name, wish)
    return _log(hall, _room(hall, call), wish)


async def _until_log(hall: Hall, name: str, wish: Following) -> None:
    """Wait for an entry of the table from the index wished for on."""

    def found() -> bool:
        room = hall.rooms.get(name)
        if room is None or room.broken:
            return room is not None or name not in hall.drafts.tables
        return bool(room.standing) and room.standing[-1].index >= wish.after

    def event() -> asyncio.Event:
        room = hall.rooms.get(name)
        return hall.changed if room is None or room.quorum else room.changed

    await _until(lambda: found() or hall.stopping, event, wish.wait)


def _log(hall: Hall, room: Room, wish: Following) -> Log:
    # A table between its last signature and its first entry has no log yet.
    if not room.standing:
        raise Conflict("table", "stage", "is not open yet")
    return hall.log(room, wish.after - 1, wish.start)


# --- play ------------------------------------------------------------------------------------


async def take_message(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Message)
    try:
        receipt = room.message(body.seat, body.step, body.signed)
    finally:
        await room.stored()
    if body.log is None:
        return Accepted(receipt=receipt)
    await _until_log(hall, call.path["table"], body.log)
    return Accepted(receipt=receipt, log=_log(hall, room, body.log))


async def take_chosen(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Choices)
    room.chosen([bytes.fromhex(one) for one in body.chosen])
    await room.stored()
    return Done()


async def take_discards(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Discards)
    room.discards(body.pack, body.discards)
    await room.stored()
    return Done()


async def take_held(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Held)
    room.held(body)
    await room.stored()
    return Done()


async def take_missing(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Missing)
    room.missing(body.pack, body.missing)
    await room.stored()
    return Done()


async def give_cards(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Asking)
    number, seat = room.asked(body.ask, "cards")

    def found() -> bool:
        pack = room.house.packs.get(number)
        if pack is None or pack.stage in ("wait", "over") or room.broken or hall.stopping:
            return True
        return len(pack.items) > body.after

    await _until(found, lambda: room.changed, body.wait)
    await room.settled()
    count, items = room.items(number, seat, body.after)
    log = None
    if body.log is not None and room.standing[-1].index >= body.log.after:
        log = _log(hall, room, body.log)
    return Items(pack=number, count=count, items=tuple(items), log=log)


async def listen(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Listening)
    number, seat = room.asked(body.ask, "cards")
    room.called(number)
    receipt = None
    try:
        if body.say is not None:
            receipt = room.message(body.say.seat, body.say.step, body.say.signed)
    finally:
        await room.stored()
    return Pieces(each=_lines(hall, room, number, seat, body, receipt))


async def _lines(
    hall: Hall, room: Room, number: int, seat: int, body: Listening, receipt: Signed | None
) -> AsyncIterator[bytes]:
    """Yield what a seat may see of a pack, until there is a later one or the time is over."""
    over = body.wait == 0
    # A seat listens once: what it asked for before ends with the next news, however often it
    # asked. A look that ends at once takes nobody's place.
    me = object()
    if body.wait:
        room.listening[seat] = me

    def end() -> None:
        nonlocal over
        over = True
        room.ring()

    # One alarm for the whole answer, not one for each time that it waits.
    alarm = asyncio.get_running_loop().call_later(body.wait, end)
    after, wish, wanted = body.after, body.log, body.transcript
    first = True
    try:
        while True:
            # Nothing is told before it is durable; between that and the telling nobody runs.
            await room.settled()
            if body.wait and room.listening[seat] is not me:
                return
            # Whoever has anything new rings: until then there is nothing more to look for, and
            # what is over now is over with what is told now.
            changed = room.changed
            ended = over or room.past(number) or hall.stopping
            count, items = room.shown(number, seat, after)
            log, wish = hall.told(room, wish)
            after = count
            if first or items or log:
                text = b"null"
                if wanted and log and room.has_opened(number):
                    # Proved under the very checkpoint that comes in this line.
                    text, wanted = hall.written_transcript(room, number, wish.start), False
                yield _line(number, count, items, log, receipt, text)
                first, receipt = False, None
                if log and room.standing[-1].index >= wish.after:
                    # A long log comes in several parts.
                    continue
            if ended:
                return
            await changed.wait()
    except Busy:
        # The store failed: what was told stands, and the next request is told why.
        return
    finally:
        alarm.cancel()


def _line(
    number: int,
    count: int,
    items: Sequence[bytes],
    log: bytes,
    receipt: Signed | None,
    transcript: bytes,
) -> bytes:
    """Return a `Told` as a line; its parts are written once for all seats."""
    said = b"null" if receipt is None else msgspec.json.encode(receipt)
    form = b'{"pack":%d,"count":%d,"items":[%s],"log":%s,"receipt":%s,"transcript":%s}\n'
    return form % (number, count, b",".join(items), log or b"null", said, transcript)


async def close_table(hall: Hall, call: Call) -> object:
    body, room = call.body, _room(hall, call)
    assert isinstance(body, Asking)
    room.close(body.ask)
    await room.stored()
    return Done()


async def give_transcript(hall: Hall, call: Call) -> object:
    room = _room(hall, call)
    number = _number(call.path["pack"], "pack")
    await room.settled()
    raw = hall.transcript(room, number, call.query["anchor"])
    return Raw(data=raw, media="application/json")


# --- the ledger ------------------------------------------------------------------------------


async def give_checkpoint(hall: Hall, call: Call) -> object:
    above = call.query["above"]

    def found() -> bool:
        newest = hall.newest(0)
        return (newest is not None and newest.size > above) or hall.stopping

    await _until(found, lambda: hall.changed, call.query["wait"])
    newest = hall.newest(0)
    if newest is None:
        raise Busy("ledger", "has no checkpoint yet")
    # Whoever has seen a larger ledger is given no proof, for there is none.
    old = call.query["start"]
    proof = hall.ledger.consistency(old, newest.size) if 0 < old <= newest.size else []
    path = tuple(p.hex() for p in proof)
    return Head(size=newest.size, checkpoint=newest.note.hex(), consistency=path)


def _above(hall: Hall, size: int) -> None:
    newest = hall.newest(0)
    if newest is None or size > newest.size:
        raise Unknown("ledger", "entry or size")


async def give_entry(hall: Hall, call: Call) -> object:
    index = call.query["index"]
    _above(hall, index + 1)
    newest = hall.newest(0)
    assert newest is not None
    path = hall.path(index, newest.size)
    raw = hall.ledger.entry(index)
    return Entered(index=index, entry=raw.decode("ascii"), path=path)


async def give_inclusion(hall: Hall, call: Call) -> object:
    index, size = call.query["index"], call.query["size"]
    _above(hall, size)
    if not index < size:
        raise Unknown("ledger", "entry of that size")
    path = hall.ledger.inclusion(index, size)
    return Proof(checkpoint=_note(hall), path=tuple(p.hex() for p in path))


async def give_consistency(hall: Hall, call: Call) -> object:
    old, new = call.query["old"], call.query["new"]
    _above(hall, new)
    if not 1 <= old <= new:
        raise Unknown("ledger", "older size")
    path = hall.ledger.consistency(old, new)
    return Proof(checkpoint=_note(hall), path=tuple(p.hex() for p in path))


def _note(hall: Hall) -> str:
    newest = hall.newest(0)
    return "" if newest is None else newest.note.hex()


async def take_cosignature(hall: Hall, call: Call) -> object:
    body = call.body
    assert isinstance(body, Cosigned)
    try:
        future = hall.ledger.submit_cosignature(body.line, body.size)
        await asyncio.wrap_future(future)
    except IndexError as err:
        raise Unknown("ledger", "checkpoint of that size") from err
    hall.cosigned()
    return Done()


async def give_note(hall: Hall, call: Call) -> object:
    newest = hall.newest(0)
    if newest is None:
        raise Busy("ledger", "has no checkpoint yet")
    return Raw(data=newest.note, media="text/plain; charset=utf-8")


async def give_tile(hall: Hall, call: Call) -> object:
    data = await asyncio.to_thread(tile, hall.ledger, call.path["tile"])
    return Raw(data=data, media="application/octet-stream")


# --- the service itself ----------------------------------------------------------------------


async def health(hall: Hall, call: Call) -> object:
    failure = hall.ledger.failure
    newest = hall.newest(0)
    size = 0 if newest is None else newest.size
    stopped = "" if failure is None else "the store failed; reading goes on"
    return Health(ok=failure is None and not hall.stopping, size=size, stopped=stopped)


__all__ = ["MAX_QUERY", "MOST_WAIT", "Call", "Pieces", "Raw"]
