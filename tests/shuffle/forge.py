"""A house that lies: it builds any table it likes with its own key and its friends' keys.

One seat is honest: what that seat signed before the deal stays as it signed it, and it
decides as it did, over what it is shown.  Everything else is made anew around a change, with
every hash, path and signature that house, friends and relay can give, so that a check that
only notices broken links notices nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.checkpoint import sign_checkpoint
from audit.games import GAMES
from audit.note import COSIGNATURE, Note, Signer, read_note
from audit.shuffle.canonical import encode
from audit.shuffle.derive import pack_order, salts
from audit.shuffle.entries import (
    EVERYBODY,
    NOBODY,
    BatchEntry,
    CallEntry,
    ChoicesEntry,
    Chosen,
    ClosingEntry,
    Discard,
    EndEntry,
    OpenedEntry,
    RootEntry,
    Signed,
    TableEntry,
    read_entry,
    table_hash,
)
from audit.shuffle.framing import frame, unframe
from audit.shuffle.house import Dealt
from audit.shuffle.local import Room
from audit.shuffle.messages import (
    Face,
    card_leaf,
    choice_commitment,
    contribution,
    deal_bytes,
    delivery,
    discard_commitment,
    first_hash,
    held,
    hide_payload,
    house_commitment,
    item_bytes,
    message,
    read_faces,
    show_payload,
    sign,
    step_hash,
    take_apart,
)
from audit.shuffle.play import Play
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import Book, apply, pack_key
from audit.shuffle.seat import Mine, SeatAtTable
from audit.shuffle.transcript import Anchor, Placed, Transcript, verify_transcript
from audit.shuffle.tree import Tree, consistency_path, leaf_hash
from tests.shuffle.make_table_vectors import chooser, seeded, tables

Hooks = dict[str, Callable[[Any], Any]]
Answer = str | Sequence[int]
STRANGER = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)


@dataclass(kw_only=True)
class World:
    """An honest table of two packs, played to its end, and all its secrets."""

    room: Room
    honest: int
    data: dict[int, list[Mine]]
    decided: dict[int, dict[int, Answer]]
    draws: list[bytes]

    @property
    def raws(self) -> list[bytes]:
        """Every entry of the ledger."""
        return self.room.ledger.entries

    def entry(self, index: int) -> Any:
        """Return an entry; pack k stands from 2 + 6 (k - 1) to 7 + 6 (k - 1)."""
        return read_entry(self.raws[index])

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.room.seats)

    @property
    def friends(self) -> list[int]:
        """All seats but the honest one."""
        return [s for s in range(self.seats) if s != self.honest]


@lru_cache(maxsize=64)
def world(name: str, seed: str, honest: int) -> World:
    """Return an honest table of a vector's game, played with other seeds."""
    if name in tables():
        law, players, relay, _ = tables()[name]
    else:
        law, players, relay = GAMES[name], GAMES[name].players[0], False
    options = {"trump": "H"} if name == "california_jack" else {}
    room = Room(
        law,
        players,
        packs=2,
        relay=relay,
        opening="pack",
        options=options,
        draw=seeded(f"forge {name} {seed}"),
    )
    draws: list[bytes] = [room.seats[honest].nonce]
    own = seeded(f"honest {name} {seed}")

    def draw(size: int) -> bytes:
        draws.append(own(size))
        return draws[-1]

    room.seats[honest]._draw = draw
    decide = chooser(f"{name} {seed}")
    data: dict[int, list[Mine]] = {}
    decided: dict[int, dict[int, Answer]] = {1: {}, 2: {}}
    for number in (1, 2):
        room.contribute(10 + number, packets=number % 2)

        def noted(seat: int, question: Any, hand: Any, number: int = number) -> Answer:
            answer = decide(seat, question, hand)
            if seat == honest:
                decided[number][room.seats[seat].mine().items] = answer
            return answer

        room.play(noted)
        data[number] = [seat.mine() for seat in room.seats]
        room.finish()
    return World(room=room, honest=honest, data=data, decided=decided, draws=draws)


@dataclass(kw_only=True)
class Forged:
    """What the house shows: its ledger, the items of the second pack, and the transcript."""

    raws: list[bytes]
    items: list[Dealt]
    tree: Tree
    transcript: bytes
    extra: dict[str, Any] = field(default_factory=dict)


def build(world: World, hooks: Hooks, number: int = 2) -> Forged:
    """Build pack *number* of *world*, letting each hook change its part on the way."""

    def on(name: str, value: Any) -> Any:
        return hooks[name](value) if name in hooks else value

    room, honest = world.room, world.honest
    book = room.house.book
    assert book is not None
    at = 2 + 6 * (number - 1)
    house = on("house_key", room.house_key)
    keys = on("keys", [seat.key for seat in room.seats])
    relay = on("relay_key", room.relay_key)
    mine = world.data[number]

    live = on("live", {"decide"})

    def friendly(seat: int, step: str = "") -> bool:
        return seat != honest or step in live or keys[seat] is not room.seats[seat].key

    table: TableEntry = on("table", world.entry(0))
    mh = table_hash(table.manifest)
    if mh != book.mh:
        sigs = [
            keys[s].sign(frame("sign-manifest", mh)).hex() if friendly(s) else table.sigs[s]
            for s in range(world.seats)
        ]
        table = msgspec.structs.replace(table, sigs=tuple(sigs))
    table = on("table_signed", table)
    secrets = [room._secrets[k] for k in sorted(room._secrets)]
    sealed = Tree([house_commitment(mh, k, s) for k, s in enumerate(secrets, 1)])
    batch: BatchEntry = on(
        "batch",
        msgspec.structs.replace(world.entry(1), mh=mh.hex(), root=sealed.root.hex()),
    )
    raws = [encode(table), encode(batch), *world.raws[2:at]]
    old: CallEntry = world.entry(at)
    call: CallEntry = on(
        "call",
        msgspec.structs.replace(
            old,
            mh=mh.hex(),
            batch=leaf_hash(raws[1]).hex(),
            commitment=house_commitment(mh, number, secrets[number - 1]).hex(),
            path=tuple(p.hex() for p in sealed.path(number - 1)),
            prev=leaf_hash(raws[-1]).hex() if number > 1 else leaf_hash(raws[0]).hex(),
        ),
    )
    raws.append(encode(call))
    sl = leaf_hash(raws[-1])
    th = first_hash(mh, call.pack, bytes.fromhex(call.prev))
    th = step_hash(th, "call", raws[-1])

    def say(seat: int, step: str, payload: bytes) -> Signed:
        head = on("head", (seat, (len(raws), Tree(raws).root)))[1]
        made = message(mh, call.pack, seat, step, th, head, payload)
        return sign(keys[seat], made)

    chosen = {s: dict(mine[s].choices) for s in range(world.seats)}
    chosen = on("chosen_values", chosen)
    was = world.entry(at + 1).commits
    commits: list[Signed] = []
    for seat in range(world.seats):
        payload = contribution(mh, call.pack, seat, sl, mine[seat].data)
        for name, (value, nonce) in chosen[seat].items():
            payload += choice_commitment(mh, call.pack, seat, sl, name, value, nonce)
        made = say(seat, "commit", payload) if friendly(seat) else was[seat]
        commits.append(on("commit", (seat, made, payload, say))[1])
    closing = on(
        "closing",
        ClosingEntry(mh=mh.hex(), pack=call.pack, call=sl.hex(), commits=tuple(commits)),
    )
    raws.append(encode(closing))
    cl = leaf_hash(raws[-1])
    th = step_hash(th, "closing", raws[-1])
    opened_was = world.entry(at + 2).opens
    opens: list[Signed] = []
    for seat in range(world.seats):
        payload = cl + mine[seat].data
        made = say(seat, "open", payload) if friendly(seat, "open") else opened_was[seat]
        opens.append(on("open", (seat, made, payload, say))[1])
    statement: Any = "none"
    if table.manifest.relay != "none":
        statement = sign(relay, held(mh, call.pack, cl, opens, 1_000_000))
    key = pack_key(mh, sl, cl, secrets[number - 1], [m.data for m in mine])
    size = table.manifest.pack
    order: list[int] = on("order", pack_order(key, size))
    salt = on("salts", salts(key, size))
    faces = [Face(leaf=n, card=order[n], salt=salt[n]) for n in range(size)]
    tree = Tree([card_leaf(mh, call.pack, f) for f in faces])
    root = on(
        "root",
        RootEntry(
            mh=mh.hex(),
            pack=call.pack,
            closing=cl.hex(),
            held=on("held", statement),
            opens=tuple(on("opens", opens)),
            root=tree.root.hex(),
        ),
    )
    raws.append(encode(root))
    th = step_hash(th, "root", raws[-1])
    wanted = book.choices(call.dealer)
    listed = [
        Chosen(name=n, nonce=chosen[s][n][1].hex(), seat=s, value=chosen[s][n][0])
        for s, n in wanted
        if n in chosen[s]
    ]
    choices = on(
        "choices",
        ChoicesEntry(
            mh=mh.hex(),
            pack=call.pack,
            after=leaf_hash(raws[-1]).hex(),
            choices=tuple(on("listed", listed)),
        ),
    )
    raws.append(encode(choices))
    th = step_hash(th, "choices", raws[-1])
    values = {c.name: c.value for c in listed}
    depth = on("depth", values.get("cut", 0))
    play: Play = Book(manifest=book.manifest, mh=mh, plan=book.plan, pack=book.pack).play(
        call.dealer, values.get("packets", 0)
    )
    items: list[Dealt] = []
    said = [take_apart(i.signed).payload for i in room.house.packs[number].items if i.to is None]
    signed = [i.signed for i in room.house.packs[number].items if i.to is None]
    done = 0

    def face(leaf: int) -> Face:
        return faces[leaf % size]

    def trust(_: Face) -> None:
        return

    while True:
        moves = on("moves", play.moves())
        if moves:
            th = step_hash(th, "deal", deal_bytes(moves))
        for to in sorted({t for _, t in moves if t != NOBODY}):
            shown = tuple(face(depth + p) for p, t in moves if t == to)
            shown = on("faces", (to, shown, faces))[1]
            body = delivery(mh, call.pack, to, th, shown)
            item = on("delivery", (len(items), to, sign(house, body), body))[2]
            items.append(Dealt(signed=item, to=to, faces=shown))
            if to == EVERYBODY:
                th = step_hash(th, "face", item_bytes(item))
                for (place, t), one in zip(list(moves), _spread(moves, shown), strict=True):
                    if t == to and one is not None:
                        play.learn(place, on("learn", one.card))
        try:
            if play.settle():
                continue
        except NotVerified:
            break
        asked = play.asked
        if play.over or asked is None or done >= len(said):
            break
        payload = said[done]
        if friendly(asked, "decide"):
            payload = _again(payload, mine[asked], len(items), faces, mh, call.pack)
        payload = on("payload", (asked, payload, play))[1]
        made = say(asked, "decide", payload) if friendly(asked, "decide") else signed[done]
        made = on("decision", (asked, made, payload, say))[1]
        items.append(Dealt(signed=made, to=None))
        try:
            apply(book, play, depth, take_apart(made).payload, trust)
        except NotVerified:
            break
        th = step_hash(th, "decide", item_bytes(made))
        done += 1
    items = on("items", items)
    end = EndEntry(mh=mh.hex(), pack=call.pack, items=len(items), th=th.hex())
    raws.append(encode(on("end", end)))
    discards = world.entry(at + 5).discards
    opened = OpenedEntry(
        mh=mh.hex(),
        pack=call.pack,
        end=leaf_hash(raws[-1]).hex(),
        secret=secrets[number - 1].hex(),
        discards=tuple(discards),
    )
    raws.append(encode(on("opened", opened)))
    raws = on("raws", raws)
    told = _told(world, table, raws, at, items, house, relay, on)
    return Forged(raws=raws, items=items, tree=tree, transcript=on("bytes", encode(told)))


def _again(
    payload: bytes, mine: Mine, item: int, faces: Sequence[Face], mh: bytes, pack: int
) -> bytes:
    """Return a friend's decision made over other cards or another table: the same places."""
    if payload.startswith(frame("show")):
        zone, raw = unframe("show", payload, 2)
        shown = [faces[f.leaf] for f in read_faces(raw, "show")]
        return show_payload(zone.decode(), shown)
    if payload.startswith(frame("hide")) and item in mine.hides:
        zone, count, _ = unframe("hide", payload, 3)
        nonce, leaves = mine.hides[item]
        made = discard_commitment(mh, pack, mine_seat(mine), nonce, leaves)
        return hide_payload(zone.decode(), int.from_bytes(count, "big"), made)
    return payload


def mine_seat(mine: Mine) -> int:
    """Return whose material this is."""
    assert mine.commit is not None
    return take_apart(mine.commit).seat


def _spread(moves: Sequence[tuple[int, int]], faces: Sequence[Face]) -> list[Face | None]:
    rest = list(faces)
    return [rest.pop(0) if to == EVERYBODY and rest else None for _, to in moves]


def _told(
    world: World,
    table: TableEntry,
    raws: list[bytes],
    at: int,
    items: Sequence[Dealt],
    house: Ed25519PrivateKey,
    relay: Ed25519PrivateKey,
    on: Callable[[str, Any], Any],
) -> Transcript:
    size = on("size", len(raws))
    seen = raws[:size]
    made = table.manifest
    root = on("ledger_root", Tree(seen).root)
    note = sign_checkpoint(Signer(made.origin, house), size, root)
    if made.witnesses and "uncosigned" not in on("flags", set()):
        read = read_note(note, "checkpoint")
        line = Signer(made.witnesses[0].name, relay, COSIGNATURE).cosign(read.text, 1_000_000)
        note = Note(text=read.text, lines=(*read.lines, line)).raw
    anchors = [
        Anchor(
            size=n,
            root=Tree(seen[:n]).root.hex(),
            consistency=tuple(p.hex() for p in consistency_path(seen, n)),
        )
        for n in range(on("first_anchor", at + 1), size)
    ]
    tree = Tree(seen)
    placed = [
        Placed(
            entry=raws[i].decode("ascii"),
            index=i,
            path=tuple(p.hex() for p in tree.path(i)) if i < size else (),
        )
        for i in (0, 1, *range(at, at + 6))
    ]
    told = Transcript(
        checkpoint=note.hex(),
        anchors=tuple(on("anchors", anchors)),
        entries=tuple(on("placed", placed)),
        items=tuple(i.signed for i in items),
    )
    replaced: Transcript = on("told", told)
    return replaced


def anchor_of(world: World, number: int = 2) -> tuple[int, bytes]:
    """Return the ledger head that the honest seat saw when it committed."""
    at = 2 + 6 * (number - 1)
    return at + 1, Tree(world.raws[: at + 1]).root


def verifier(world: World, forged: Forged, number: int = 2) -> NotVerified | None:
    """Return what the verifier says, given the head that the honest seat kept."""
    try:
        verdict = verify_transcript(forged.transcript, anchor_of(world, number))
    except NotVerified as err:
        return err
    if verdict.pack != number:
        return NotVerified("verdict", "pack", "is another one", str(number), str(verdict.pack))
    if not verdict.opened:
        return NotVerified("verdict", "opened", "is not said of a pack that was opened")
    return None


def replica(world: World) -> SeatAtTable:
    """Return the honest seat as it was before the table, with the bytes it will draw."""
    rest = list(world.draws)
    key = world.room.seats[world.honest].key
    return SeatAtTable(world.honest, key, lambda _: rest.pop(0))


def at_the_table(world: World, forged: Forged) -> NotVerified | None:
    """Return what the honest seat says when it is shown *forged*, entry by entry."""
    try:
        follow(world, replica(world), forged)
    except NotVerified as err:
        return err
    return None


def follow(world: World, seat: SeatAtTable, forged: Forged) -> None:
    """Let the honest seat live through *forged*; raises what it refuses."""
    trees = {1: world.room.house.packs[1].tree, 2: forged.tree}
    dealt = {1: world.room.house.packs[1].items, 2: forged.items}
    for index, raw in enumerate(forged.raws):
        seat.feed(raw)
        entry = read_entry(raw)
        head = (index + 1, Tree(forged.raws[: index + 1]).root)
        number = getattr(entry, "pack", 0)
        match entry:
            case CallEntry():
                values = {n: v for n, (v, _) in world.data[number][seat.number].choices.items()}
                seat.say_commit(head, {"cut": 10 + number, "packets": number % 2, **values})
            case ClosingEntry():
                seat.say_open(head)
            case ChoicesEntry():
                tree = trees[number]
                assert tree is not None
                _items(world, seat, number, dealt[number], tree, head)
            case _:
                pass


def _items(
    world: World,
    seat: SeatAtTable,
    number: int,
    items: Sequence[Dealt],
    tree: Tree,
    head: tuple[int, bytes],
) -> None:
    def path(leaf: int) -> list[bytes]:
        return tree.path(leaf) if leaf < tree.size else []

    for item in items:
        if item.to is None:
            if seat.question() is not None and seat.mine().items in world.decided[number]:
                _say(seat, head, world.decided[number][seat.mine().items])
            seat.follow(item.signed, {n: path(n) for n in range(tree.size)})
        elif item.to in (seat.number, EVERYBODY):
            seat.receive(item.signed, [path(f.leaf) for f in item.faces])


def _say(seat: SeatAtTable, head: tuple[int, bytes], answer: Answer) -> None:
    question = seat.question()
    if isinstance(answer, str):
        seat.say_answer(head, answer)
    elif question is not None and question.hidden:
        seat.say_hide(head, answer)
    elif set(answer) <= set(seat.mine().faces):
        seat.say_show(head, answer)


def moved(discard: Discard, leaves: Sequence[int]) -> Discard:
    """Return an opening of a hidden pick with other *leaves*."""
    return msgspec.structs.replace(discard, leaves=tuple(leaves))
