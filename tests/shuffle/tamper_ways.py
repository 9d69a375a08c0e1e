"""The ways to lie of the tamper table, each a function that gives hooks for `forge.build`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec

from audit.shuffle.canonical import encode
from audit.shuffle.entries import EVERYBODY, Limits, Witness, pone_of, table_hash
from audit.shuffle.framing import frame, unframe
from audit.shuffle.lawbook import law_hash
from audit.shuffle.messages import (
    Face,
    answer_payload,
    delivery,
    discard_commitment,
    hide_payload,
    message,
    public_hex,
    read_faces,
    show_payload,
    sign,
    take_apart,
)
from audit.shuffle.tree import Tree
from tests.shuffle.forge import STRANGER, Hooks, World

replace = msgspec.structs.replace
Make = Callable[[World, random.Random], Hooks | None]
PLAIN = ("seven_up_4", "spoil_five", "double_loo", "ecarte_relay", "california_jack", "bierspiel")
RELAYED = ("seven_up_2_relay", "ecarte_relay", "double_loo")
HIDING = ("ecarte_relay", "bierspiel", "spoil_five", "euchre_4")


def flip(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    other = rng.choice([c for c in "0123456789abcdef" if c != text[at]])
    return text[:at] + other + text[at + 1 :]


# --- manifest and law ------------------------------------------------------------------------

FIELDS: dict[str, Callable[[Any, random.Random], Any]] = {
    "table": lambda m, r: "table-2",
    "game": lambda m, r: "another",
    "law": lambda m, r: flip(m.law, r),
    "options": lambda m, r: {"stake": "2"},
    "pack": lambda m, r: m.pack - 1,
    "packs": lambda m, r: m.packs + 1,
    "min_cut": lambda m, r: m.min_cut + 1,
    "dealer": lambda m, r: (m.dealer + 1) % len(m.seats),
    "seat_nonces": lambda m, r: (flip(m.seat_nonces[0], r), *m.seat_nonces[1:]),
    "nonce": lambda m, r: flip(m.nonce, r),
    "origin": lambda m, r: "other.example/fairdeal",
    "limits": lambda m, r: Limits(commit=1),
    "voids": lambda m, r: 1000,
    "opening": lambda m, r: "session",
    "last_opening": lambda m, r: m.last_opening + 1,
    "witnesses": lambda m, r: (*m.witnesses, Witness(name="w.example", key="ab" * 32)),
    "relay": lambda m, r: "none" if m.relay == 0 else 0,
    "quorum": lambda m, r: 1 - m.quorum,
    "seats": lambda m, r: tuple(reversed(m.seats)),
    "ledger_key": lambda m, r: public_hex(STRANGER),
}


def manifest(w: World, rng: random.Random) -> Hooks:
    name = rng.choice(sorted(FIELDS))

    def table(entry: Any) -> Any:
        made = replace(entry.manifest, **{name: FIELDS[name](entry.manifest, rng)})
        return replace(entry, manifest=made)

    return {"table": table}


def own_seat(w: World, rng: random.Random) -> Hooks:
    def table(entry: Any) -> Any:
        keys = list(entry.manifest.seats)
        keys[w.honest] = public_hex(STRANGER)
        return replace(entry, manifest=replace(entry.manifest, seats=tuple(keys)))

    def keys(given: list[Any]) -> list[Any]:
        return [STRANGER if s == w.honest else k for s, k in enumerate(given)]

    return {"table": table, "keys": keys}


def unsigned_manifest(w: World, rng: random.Random) -> Hooks:
    def table(entry: Any) -> Any:
        return replace(entry, sigs=tuple(s for n, s in enumerate(entry.sigs) if n != w.honest))

    return {"table": table}


def law(entry: Any, rng: random.Random) -> dict[str, Any]:
    law = dict(entry.law)
    change = rng.randrange(3)
    if change == 0:
        law["pack"] = [c + 1 for c in law["pack"]]
    elif change == 1:
        law["plan"] = [*law["plan"], {"step": "turn"}]
    else:
        law["plan"] = law["plan"][:-1]
    return law


def law_only(w: World, rng: random.Random) -> Hooks:
    return {"table": lambda entry: replace(entry, law=law(entry, rng))}


def law_and_hash(w: World, rng: random.Random) -> Hooks:
    def table(entry: Any) -> Any:
        changed = law(entry, rng)
        made = replace(entry.manifest, law=law_hash(encode(changed)).hex())
        return replace(entry, law=changed, manifest=made)

    return {"table": table}


# --- seal and call ---------------------------------------------------------------------------


def field(hook: str, name: str, change: Callable[[Any, World, random.Random], Any]) -> Make:
    def make(w: World, rng: random.Random) -> Hooks:
        return {hook: lambda e: replace(e, **{name: change(getattr(e, name), w, rng)})}

    return make


def flipped(hook: str, name: str) -> Make:
    return field(hook, name, lambda text, w, rng: flip(text, rng))


def path(w: World, rng: random.Random) -> Hooks:
    return {"call": lambda e: replace(e, path=(flip(e.path[0], rng),))}


def relabelled(w: World, rng: random.Random) -> Hooks:
    """The first pack's commitment under the second pack's number."""
    first = w.entry(2)
    return {"call": lambda e: replace(e, commitment=first.commitment, path=first.path)}


def out_of_turn(w: World, rng: random.Random) -> Hooks:
    def call(e: Any) -> Any:
        dealer = (e.dealer + rng.randrange(1, w.seats)) % w.seats
        return replace(e, dealer=dealer, pone=pone_of(dealer, w.seats))

    return {"call": call}


def dealt(w: World, rng: random.Random) -> Hooks:
    def call(e: Any) -> Any:
        return replace(e, dealt=0, dealer=w.entry(2).dealer, pone=w.entry(2).pone)

    return {"call": call}


# --- contributions ---------------------------------------------------------------------------


def commit(change: Callable[[World, random.Random, Any], Any], *, friend: bool = False) -> Make:
    """Change the commit message of the honest seat, or of a friend."""

    def make(w: World, rng: random.Random) -> Hooks:
        seat = rng.choice(w.friends) if friend else w.honest

        def commit(one: Any) -> Any:
            return (one[0], change(w, rng, one), *one[2:]) if one[0] == seat else one

        return {"commit": commit}

    return make


def invented(w: World, rng: random.Random, one: Any) -> Any:
    old = take_apart(one[1])
    payload = rng.randbytes(len(old.payload))
    body = message(old.mh, old.pack, old.seat, old.step, old.th, old.head, payload)
    return sign(STRANGER, body)


def other_commits(edit: Callable[[list[Any], World, random.Random], list[Any]]) -> Make:
    def make(w: World, rng: random.Random) -> Hooks:
        return {"closing": lambda e: replace(e, commits=tuple(edit(list(e.commits), w, rng)))}

    return make


def copied(w: World, rng: random.Random) -> Hooks:
    copyist = rng.choice(w.friends)
    copied = take_apart(w.entry(9).commits[w.honest]).payload

    def commit(one: Any) -> Any:
        seat, _, payload, say = one
        if seat != copyist:
            return one
        return seat, say(seat, "commit", copied[:32] + payload[32:]), payload, say

    return {"commit": commit}


def opening(change: Callable[[World, random.Random, Any], Any], *, friend: bool = False) -> Make:
    def make(w: World, rng: random.Random) -> Hooks:
        seat = rng.choice(w.friends) if friend else w.honest

        def opened(one: Any) -> Any:
            return (one[0], change(w, rng, one), *one[2:]) if one[0] == seat else one

        return {"open": opened}

    return make


def late_friend(w: World, rng: random.Random) -> Hooks:
    """A second closing entry, made once the honest bytes are known: a friend's bytes differ."""
    friend = rng.choice(w.friends)

    def commit(one: Any) -> Any:
        seat, _, payload, say = one
        if seat != friend:
            return one
        return seat, say(seat, "commit", rng.randbytes(32) + payload[32:]), payload, say

    return {"commit": commit}


def bad_friend(w: World, rng: random.Random, one: Any) -> Any:
    return replace(one[1], sig=flip(one[1].sig, rng))


# --- order, cut and cards ----------------------------------------------------------------------


def swapped(w: World, rng: random.Random) -> Hooks:
    def order(cards: list[int]) -> list[int]:
        i, j = rng.sample(range(len(cards)), 2)
        cards[i], cards[j] = cards[j], cards[i]
        return cards

    return {"order": order}


def cards(change: Callable[[random.Random, list[Face], list[Face]], list[Face]]) -> Make:
    """Change the faces of one delivery that the honest seat sees, at a place of the deal."""

    def make(w: World, rng: random.Random) -> Hooks:
        seen = {w.honest, EVERYBODY}
        count = sum(i.to in seen for i in w.room.house.packs[2].items)
        at, now = rng.randrange(count), [0]

        def faces(one: Any) -> Any:
            to, shown, pack = one
            if to not in seen:
                return one
            now[0] += 1
            return (to, tuple(change(rng, list(shown), pack)), pack) if now[0] == at + 1 else one

        return {"faces": faces}

    return make


def other_card(rng: random.Random, shown: list[Face], pack: list[Face]) -> list[Face]:
    at = rng.randrange(len(shown))
    other = rng.choice([f.card for f in pack if f.card != shown[at].card])
    shown[at] = Face(leaf=shown[at].leaf, card=other, salt=shown[at].salt)
    return shown


def second(rng: random.Random, shown: list[Face], pack: list[Face]) -> list[Face]:
    at = rng.randrange(len(shown))
    shown[at] = pack[(shown[at].leaf + 1) % len(pack)]
    return shown


def bottom(rng: random.Random, shown: list[Face], pack: list[Face]) -> list[Face]:
    at = rng.randrange(len(shown))
    shown[at] = pack[(shown[at].leaf - 20) % len(pack)]
    return shown


def twice(rng: random.Random, shown: list[Face], pack: list[Face]) -> list[Face]:
    return [*shown, shown[rng.randrange(len(shown))]]


def short(rng: random.Random, shown: list[Face], pack: list[Face]) -> list[Face]:
    del shown[rng.randrange(len(shown))]
    return shown


def salted(rng: random.Random, shown: list[Face], pack: list[Face]) -> list[Face]:
    at = rng.randrange(len(shown))
    shown[at] = Face(leaf=shown[at].leaf, card=shown[at].card, salt=rng.randbytes(16))
    return shown


def foreign(w: World, rng: random.Random) -> Hooks:
    """A card of the first pack, with its salt, in the second."""
    first = w.room.house.packs[1]

    def change(rng: random.Random, shown: list[Face], pack: list[Face]) -> list[Face]:
        at = rng.randrange(len(shown))
        leaf = shown[at].leaf
        shown[at] = Face(leaf=leaf, card=first.order[leaf], salt=first.salts[leaf])
        return shown

    return cards(change)(w, rng) or {}


def hand_switch(w: World, rng: random.Random) -> Hooks:
    """The honest seat gets the cards of a friend's hand, from the middle of the deal."""

    def faces(one: Any) -> Any:
        to, shown, pack = one
        if to != w.honest:
            return one
        half = rng.randrange(len(shown))
        other = [pack[(f.leaf + 1) % len(pack)] for f in shown[half:]]
        return to, (*shown[:half], *other), pack

    return {"faces": faces}


def choice(change: Callable[[list[Any], World, random.Random], list[Any]]) -> Make:
    def make(w: World, rng: random.Random) -> Hooks:
        return {"listed": lambda listed: change(list(listed), w, rng)}

    return make


def other_depth(listed: list[Any], w: World, rng: random.Random) -> list[Any]:
    size = w.entry(0).manifest.pack
    value = rng.choice([d for d in range(4, size - 3) if d != listed[0].value])
    return [replace(listed[0], value=value), *listed[1:]]


def too_deep(w: World, rng: random.Random) -> Hooks | None:
    """A friend commits to a cut outside the packets, and opens it."""
    pone = w.entry(8).pone
    least, size = w.entry(0).manifest.min_cut, w.entry(0).manifest.pack
    if pone == w.honest:
        return None
    depth = rng.choice(
        [d for d in (0, 1, size - 1, size, size + 5) if not least <= d <= size - least]
    )

    def values(chosen: Any) -> Any:
        chosen[pone]["cut"] = (depth, chosen[pone]["cut"][1])
        return chosen

    return {"chosen_values": values, "live": lambda _: {"open", "decide"}}


def uncut(w: World, rng: random.Random) -> Hooks:
    return {"depth": lambda depth: 0}


# --- deliveries, decisions, items ----------------------------------------------------------------


def delivered(change: Callable[[World, random.Random, Any], Any]) -> Make:
    def make(w: World, rng: random.Random) -> Hooks:
        seen = {w.honest, EVERYBODY}
        mine = [n for n, i in enumerate(w.room.house.packs[2].items) if i.to in seen]
        at = rng.choice(mine)

        def made(one: Any) -> Any:
            return (*one[:2], change(w, rng, one), one[3]) if one[0] == at else one

        return {"delivery": made}

    return make


def unsigned(w: World, rng: random.Random, one: Any) -> Any:
    return replace(one[2], sig=flip(one[2].sig, rng))


def stranger_signs(w: World, rng: random.Random, one: Any) -> Any:
    return sign(STRANGER, one[3])


def rebound(part: str) -> Callable[[World, random.Random, Any], Any]:
    """The house signs the delivery again, bound to another seat, pack, moment or table."""

    def change(w: World, rng: random.Random, one: Any) -> Any:
        mh, pack, to, th, cards = unframe("deliver", one[3], 5)
        if part == "seat":
            to = ((int.from_bytes(to, "big") + 1) % w.seats).to_bytes(8, "big")
        elif part == "pack":
            pack = (1).to_bytes(8, "big")
        elif part == "transcript":
            th = rng.randbytes(32)
        else:
            mh = rng.randbytes(32)
        return sign(w.room.house_key, frame("deliver", mh, pack, to, th, cards))

    return change


def items_of(change: Callable[[list[Any], World, random.Random], list[Any] | None]) -> Make:
    def make(w: World, rng: random.Random) -> Hooks | None:
        return {"items": lambda items: change(list(items), w, rng)}

    return make


def seen_items(items: list[Any], w: World) -> list[int]:
    return [n for n, i in enumerate(items) if i.to in {None, w.honest, EVERYBODY}]


def dropped(items: list[Any], w: World, rng: random.Random) -> list[Any]:
    del items[rng.choice(seen_items(items, w))]
    return items


def reordered(items: list[Any], w: World, rng: random.Random) -> list[Any]:
    at = rng.choice(seen_items(items, w))
    other = rng.choice([n for n in range(len(items)) if n != at])
    items[at], items[other] = items[other], items[at]
    return items


def doubled(items: list[Any], w: World, rng: random.Random) -> list[Any]:
    at = rng.choice(seen_items(items, w))
    return [*items[: at + 1], items[at], *items[at + 1 :]]


def phantom(items: list[Any], w: World, rng: random.Random) -> list[Any]:
    """A draw that nobody decided: the next cards go on to a friend, all the later ones shift."""
    pack = w.room.house.packs[2]
    leaf = rng.randrange(len(pack.order))
    face = Face(leaf=leaf, card=pack.order[leaf], salt=pack.salts[leaf])
    book = w.room.house.book
    assert book is not None
    body = delivery(book.mh, 2, w.honest, rng.randbytes(32), (face,))
    made = type(items[0])(signed=sign(w.room.house_key, body), to=w.honest, faces=(face,))
    at = rng.randrange(len(items))
    return [*items[:at], made, *items[at:]]


def last_phantom(items: list[Any], w: World, rng: random.Random) -> list[Any]:
    made = [i for i in phantom(items, w, rng) if i not in items]
    return [*items, *made]


def decision(
    change: Callable[[World, random.Random, Any], Any], *, honest: bool | None = None
) -> Make:
    """Change a decision: one of a friend's, or one that the honest seat signed."""

    def make(w: World, rng: random.Random) -> Hooks | None:
        said = [take_apart(i.signed).seat for i in w.room.house.packs[2].items if i.to is None]
        mine = [n for n, s in enumerate(said) if honest is None or (s == w.honest) == honest]
        if not mine:
            return None
        at, now = rng.choice(mine), [-1]

        def made(one: Any) -> Any:
            now[0] += 1
            return (one[0], change(w, rng, one), *one[2:]) if now[0] == at else one

        return {"decision": made}

    return make


def by_another(w: World, rng: random.Random, one: Any) -> Any:
    asked, _, payload, say = one
    other = rng.choice([s for s in w.friends if s != asked] or w.friends)
    return say(other, "decide", payload)


def for_the_honest(w: World, rng: random.Random, one: Any) -> Any:
    asked, _, payload, say = one
    body = bytes.fromhex(say(asked, "decide", payload).body)
    return sign(STRANGER, body)


def unlawful(w: World, rng: random.Random, one: Any) -> Any:
    asked, _, _, say = one
    wrong = rng.choice(
        [
            answer_payload("beg", "perhaps"),
            answer_payload("nothing", "stand"),
            hide_payload("discard", 77, bytes(32)),
            frame("show", b"trick", b""),
        ]
    )
    return say(asked, "decide", wrong)


def out_of_time(w: World, rng: random.Random, one: Any) -> Any:
    asked, made, payload, _ = one
    old = take_apart(made)
    key = w.room.seats[asked].key
    body = message(old.mh, old.pack, asked, "decide", rng.randbytes(32), old.head, payload)
    return sign(key, body)


def changed_hide(w: World, rng: random.Random) -> Hooks | None:
    """A discard changed later: other leaves are opened than were committed to."""
    if not w.entry(13).discards:
        return None

    def opened(e: Any) -> Any:
        size = w.entry(0).manifest.pack
        at = rng.randrange(len(e.discards))
        old = e.discards[at]
        leaves = tuple((leaf + 1 + rng.randrange(3)) % size for leaf in old.leaves)
        changed = replace(old, leaves=leaves)
        return replace(e, discards=(*e.discards[:at], changed, *e.discards[at + 1 :]))

    return {"opened": opened}


def hide_of_nothing(w: World, rng: random.Random) -> Hooks | None:
    """An opening for an item that hid nothing."""
    if not w.entry(13).discards:
        return None
    return {
        "opened": lambda e: replace(
            e, discards=(*e.discards, replace(e.discards[0], item=e.discards[0].item + 1))
        )
    }


def laid_and_played(w: World, rng: random.Random) -> Hooks:
    """A friend plays two cards of his first hand, of which he has laid away all but one."""
    friend, pack = rng.choice(w.friends), w.room.house.packs[2]
    plan_seat = (friend - pack.call.dealer - 1) % w.seats + 1

    def payload(one: Any) -> Any:
        asked, said, play = one
        if asked != friend or not said.startswith(frame("show")) or b"trick" not in said:
            return one
        first = next(h for h in play.hidden if h.seat == plan_seat)
        leaf = (rng.choice(sorted(first.may)) + pack.depth) % len(pack.order)
        face = Face(leaf=leaf, card=pack.order[leaf], salt=pack.salts[leaf])
        return asked, show_payload("trick", [face]), play

    return {"payload": payload}


def shown_later(w: World, friend: int) -> tuple[int, list[int]]:
    """Return a friend's first hide in the second pack, and what he kept then and showed later."""
    items = w.room.house.packs[2].items
    item, (_, leaves) = min(w.data[2][friend].hides.items())
    before = {f.leaf for i in items[:item] if i.to in (friend, EVERYBODY) for f in i.faces}
    later = [take_apart(i.signed) for i in items[item:] if i.to is None]
    shown = {
        face.leaf
        for said in later
        if said.seat == friend and said.payload.startswith(frame("show"))
        for face in read_faces(unframe("show", said.payload, 2)[1], "show")
    }
    return item, sorted(before & shown - set(leaves))


def opened_as_shown(w: World, rng: random.Random) -> Hooks | None:
    """A friend commits to a card as laid away, shows it later, and opens it."""
    able = [s for s in w.friends if shown_later(w, s)[1]]
    if not able:
        return None
    friend = rng.choice(able)
    item, kept = shown_later(w, friend)
    nonce, leaves = w.data[2][friend].hides[item]
    changed = (rng.choice(kept), *leaves[1:])
    book = w.room.house.book
    assert book is not None
    made = discard_commitment(book.mh, 2, friend, nonce, changed)
    done: list[int] = []

    def payload(one: Any) -> Any:
        asked, said, play = one
        if asked != friend or done or not said.startswith(frame("hide")):
            return one
        done.append(asked)
        return asked, hide_payload("discard", len(changed), made), play

    def opened(e: Any) -> Any:
        discards = [replace(d, leaves=changed) if d.item == item else d for d in e.discards]
        return replace(e, discards=tuple(discards))

    return {"payload": payload, "opened": opened}


def wrong_rule(w: World, rng: random.Random) -> Hooks:
    """The house goes on as if the turned card were another one."""
    first: list[int] = []

    def learn(card: int) -> int:
        first.append(card)
        book = w.room.house.book
        assert book is not None
        if len(first) > 1 or w.entry(0).manifest.game != "spoil_five":
            return card
        ace = book.pack[card] % 13 == 12
        return next(n for n, c in enumerate(book.pack) if (c % 13 == 12) != ace)

    return {"learn": learn}


# --- ledger ------------------------------------------------------------------------------------


def swapped_entries(w: World, rng: random.Random) -> Hooks:
    def raws(seen: list[bytes]) -> list[bytes]:
        at = rng.randrange(8, 13)
        seen[at], seen[at + 1] = seen[at + 1], seen[at]
        return seen

    return {"raws": raws}


def missing_entry(w: World, rng: random.Random) -> Hooks:
    def placed(entries: list[Any]) -> list[Any]:
        del entries[rng.randrange(len(entries))]
        return entries

    return {"placed": placed}


def fork(w: World, rng: random.Random) -> Hooks:
    """Another past: an entry of the first pack differs, and everything after is proved."""

    def raws(seen: list[bytes]) -> list[bytes]:
        at = rng.randrange(2, 8)
        seen[at] = encode(replace(w.entry(at), mh=flip(w.entry(at).mh, rng)))
        return seen

    return {"raws": raws}


def truncated(w: World, rng: random.Random) -> Hooks:
    return {"size": lambda size: rng.randrange(9, size)}


def forged_root(w: World, rng: random.Random) -> Hooks:
    return {"ledger_root": lambda root: rng.randbytes(32)}


def strange_key(w: World, rng: random.Random) -> Hooks:
    def told(one: Any) -> Any:
        from audit.checkpoint import sign_checkpoint
        from audit.note import Signer

        size = len(w.raws) - 1
        note = sign_checkpoint(Signer(w.entry(0).manifest.origin, STRANGER), size, bytes(32))
        return replace(one, checkpoint=note.hex())

    return {"told": told}


def no_anchors(w: World, rng: random.Random) -> Hooks:
    return {"anchors": lambda anchors: anchors[3:]}


def bad_anchor(w: World, rng: random.Random) -> Hooks:
    def anchors(seen: list[Any]) -> list[Any]:
        at = rng.randrange(len(seen))
        seen[at] = replace(seen[at], root=flip(seen[at].root, rng))
        return seen

    return {"anchors": anchors}


def early_head(w: World, rng: random.Random) -> Hooks:
    """A friend signs without having seen the entry that it answers."""
    early = w.raws[: rng.randrange(2, 8)]
    head = (len(early), Tree(early).root)
    return {
        "head": lambda one: one if one[0] == w.honest else (one[0], head),
        "first_anchor": lambda _: 2,
        "live": lambda _: {"open", "decide"},
    }


def spelling(w: World, rng: random.Random) -> Hooks:
    """The same values in another spelling."""
    ways: list[Callable[[bytes], bytes]] = [
        lambda raw: raw.replace(b",", b", ", 1),
        lambda raw: raw.replace(b":", b": ", 1),
        lambda raw: raw + b"\n",
        lambda raw: b" " + raw,
        lambda raw: raw.replace(b'"pack":2', b'"pack":2.0'),
        lambda raw: raw.replace(b'"pack":2', b'"pack":2,"pack":2'),
        lambda raw: raw.replace(b'"kind"', b'"\\u006bind"', 1),
        lambda raw: b'{"zz":1,' + raw[1:],
    ]
    way, at = rng.choice(ways), rng.randrange(8, 14)

    def raws(seen: list[bytes]) -> list[bytes]:
        seen[at] = way(seen[at])
        return seen

    return {"raws": raws}


def leading_zero(w: World, rng: random.Random) -> Hooks:
    def raws(seen: list[bytes]) -> list[bytes]:
        at = rng.randrange(8, 14)
        seen[at] = seen[at].replace(b'"pack":2', b'"pack":02')
        return seen

    return {"raws": raws}


def uppercase(w: World, rng: random.Random) -> Hooks:
    def raws(seen: list[bytes]) -> list[bytes]:
        at = rng.randrange(8, 14)
        mh = table_hash(w.entry(0).manifest).hex()
        seen[at] = seen[at].replace(mh.encode(), mh.upper().encode())
        return seen

    return {"raws": raws}


def wrapper(w: World, rng: random.Random) -> Hooks:
    ways: list[Callable[[bytes], bytes]] = [
        lambda raw: raw.replace(b",", b" ,", 1),
        lambda raw: b'{"added":1,' + raw[1:],
        lambda raw: raw.replace(b"fairdeal-transcript/1", b"fairdeal-transcript/2"),
        lambda raw: raw[:-1],
    ]
    return {"bytes": rng.choice(ways)}


def kept(hook: str, change: Callable[[Any, World, random.Random], Any]) -> Make:
    def make(w: World, rng: random.Random) -> Hooks:
        return {hook: lambda value: change(value, w, rng)}

    return make


def held_of_others(w: World, rng: random.Random) -> Hooks:
    """The relay's true statement, about openings of another pack."""
    return {"held": lambda _: w.entry(4).held}


def held_by_stranger(w: World, rng: random.Random) -> Hooks:
    return {"held": lambda s: sign(STRANGER, bytes.fromhex(s.body))}


def other_table(w: World, rng: random.Random, one: Any) -> Any:
    """What the honest seat signed at another table."""
    old = take_apart(one[1])
    key = w.room.seats[one[0]].key
    body = message(rng.randbytes(32), old.pack, old.seat, old.step, old.th, old.head, old.payload)
    return sign(key, body)


def one_less(commits: list[Any], w: World, rng: random.Random) -> list[Any]:
    del commits[rng.choice([w.honest, rng.randrange(len(commits))])]
    return commits


def one_more(commits: list[Any], w: World, rng: random.Random) -> list[Any]:
    return [*commits, rng.choice(commits)]


def two_changed(commits: list[Any], w: World, rng: random.Random) -> list[Any]:
    i, j = rng.sample(range(len(commits)), 2)
    commits[i], commits[j] = commits[j], commits[i]
    return commits


def other_bytes(w: World, rng: random.Random, one: Any) -> Any:
    seat, _, payload, say = one
    return say(seat, "open", payload[:32] + rng.randbytes(64))


def other_closing(w: World, rng: random.Random, one: Any) -> Any:
    seat, _, payload, say = one
    return say(seat, "open", rng.randbytes(32) + payload[32:])


def without_honest(opens: list[Any], w: World, rng: random.Random) -> list[Any]:
    del opens[w.honest]
    return opens


def held_of_nobody(w: World, rng: random.Random) -> Hooks:
    return {"held": lambda _: sign(STRANGER, rng.randbytes(40))}


def salted_anew(w: World, rng: random.Random) -> Hooks:
    return {"salts": lambda salts: [rng.randbytes(16) for _ in salts]}


def first_pack(w: World, rng: random.Random) -> Hooks:
    """The whole first pack, which is in order, shown for the second."""
    return {"bytes": lambda _: w.room.transcript(1)}
