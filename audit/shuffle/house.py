"""A live table in one process: the house, and its seats, on one pack.

House and seats exchange signed bytes; the ledger is a list of canonical entries. The seats
commit before the house closes the set, open only over that closing entry, and the pone's cut
was chosen before anybody knew an order and is opened after the order was bound. The module
knows no game: a callable says which place goes to whom after each decision.

Source: design section 3, P1, P2, P4, P5, P12, P13; PROTOCOL.md, "Live table".
"""

from __future__ import annotations

import os

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.shuffle.canonical import encode
from audit.shuffle.entries import (
    BatchEntry,
    CallEntry,
    ClosingEntry,
    CutEntry,
    EndEntry,
    Ledger,
    ManifestEntry,
    RootEntry,
    Signed,
    TableManifest,
    Transcript,
)
from audit.shuffle.framing import frame
from audit.shuffle.messages import (
    card_leaves,
    delivery,
    first_hash,
    house_commitment,
    pack_key,
    public_hex,
    read_message,
    sign,
    step_hash,
    table_hash,
)
from audit.shuffle.rules import EVERYBODY, Decision, NextMoves, cards_for, deal_moves, recipients
from audit.shuffle.seat import Seat
from audit.shuffle.secret import Draw, Secret
from audit.shuffle.tree import Tree, leaf_hash


class Table:
    """House and seats in one process, playing one pack from the manifest to the end entry.

    Called in this order: `seal`, `contribute`, `decide` as often as the law asks, `finish`.
    `dealt` holds (seat or EVERYBODY, card) by place in the dealt pack; `decisions` what was
    decided, `items` the signed messages after the cut, both oldest first.

    *players* is the number of seats, *min_cut* the least number of cards in a packet of the
    cut, *pone* the seat that cuts, by default the one before the dealer.
    """

    def __init__(
        self,
        *,
        game: str,
        law: str,
        pack: int,
        players: int,
        min_cut: int,
        next_moves: NextMoves,
        dealer: int = 0,
        pone: int | None = None,
        draw: Draw = os.urandom,
    ) -> None:
        self._house = Ed25519PrivateKey.generate()
        self._secret = Secret.fresh(draw)
        self._next = next_moves
        self.seats = [Seat(number, draw) for number in range(players)]
        self.ledger = Ledger()
        self.items: list[Signed] = []
        self.decisions: list[Decision] = []
        self.dealt: dict[int, tuple[int, int]] = {}
        self.manifest = TableManifest(
            game=game,
            law=law,
            pack=pack,
            min_cut=min_cut,
            dealer=dealer,
            pone=(dealer - 1) % players if pone is None else pone,
            seats=tuple(public_hex(seat.key) for seat in self.seats),
            seat_nonces=tuple(draw(32).hex() for _ in self.seats),
            ledger_key=public_hex(self._house),
            nonce=draw(32).hex(),
        )
        self._mh = table_hash(self.manifest)
        self._th = b""

    def seal(self) -> bytes:
        """Enter manifest, batch and call; return the ledger root that seats compare."""
        mh, made = self._mh, self.manifest
        body = frame("sign-manifest", mh)
        sigs = tuple(seat.key.sign(body).hex() for seat in self.seats)
        first = self.ledger.append(ManifestEntry(manifest=made, sigs=sigs))
        sealed = house_commitment(mh, self._secret.reveal())
        self.ledger.append(BatchEntry(mh=mh.hex(), root=Tree([sealed]).root.hex()))
        prev = leaf_hash(first)
        call = self.ledger.append(
            CallEntry(
                mh=mh.hex(),
                pack=1,
                commitment=sealed.hex(),
                dealer=made.dealer,
                pone=made.pone,
                prev=prev.hex(),
            )
        )
        self._th = step_hash(first_hash(mh, prev), "call", call)
        return self.ledger.head()[1]

    def contribute(self, depth: int) -> None:
        """Gather commitments, close, gather openings, bind the order, then open the cut."""
        mh, made = self._mh, self.manifest
        call = leaf_hash(self.ledger.entries[2])
        before = self._th
        commits = tuple(
            seat.commit(made, self.ledger, before, depth if seat.number == made.pone else None)
            for seat in self.seats
        )
        raw = self.ledger.append(
            ClosingEntry(mh=mh.hex(), pack=1, call=call.hex(), commits=commits)
        )
        closing = leaf_hash(raw)
        self._th = step_hash(before, "closing", raw)
        opens = tuple(seat.open(made, self.ledger, before, self._th) for seat in self.seats)
        parts = [read_message(o, made, s, "open", self._th)[2][32:] for s, o in enumerate(opens)]
        key = pack_key(mh, call, closing, self._secret.reveal(), parts)
        self._cards, self._salts, leaves = card_leaves(mh, key, made.pack)
        self._tree = Tree(leaves)
        raw = self.ledger.append(
            RootEntry(
                mh=mh.hex(), pack=1, closing=closing.hex(), opens=opens, root=self._tree.root.hex()
            )
        )
        self._th = step_hash(self._th, "root", raw)
        self._depth, nonce = self.seats[made.pone].open_cut(self.ledger)
        raw = self.ledger.append(
            CutEntry(
                mh=mh.hex(),
                pack=1,
                after=leaf_hash(raw).hex(),
                depth=self._depth,
                nonce=nonce.hex(),
            )
        )
        self._th = step_hash(self._th, "cut", raw)
        self._deal()

    def decide(self, seat: int, code: str) -> None:
        """Let *seat* sign a decision, and deal what follows from it."""
        item = self.seats[seat].decide(self.manifest, self.ledger.head(), self._th, code)
        self.items.append(item)
        self._th = step_hash(self._th, "decide", encode(item))
        self.decisions.append((seat, code))
        self._deal()

    def _deal(self) -> None:
        made, size = self.manifest, self.manifest.pack
        moves = list(self._next(tuple(self.decisions)))
        self._th = step_hash(self._th, "deal", deal_moves(moves))
        for to in recipients(moves):
            leaves = cards_for(moves, to, self._depth, size)
            cards = [(leaf, self._cards[leaf], self._salts[leaf]) for leaf in leaves]
            item = sign(self._house, delivery(self._mh, to, self._th, cards))
            paths = [self._tree.path(leaf) for leaf in leaves]
            for seat in self.seats:
                if to in (seat.number, EVERYBODY):
                    seat.receive(made, item, to, self._th, leaves, paths, self._tree.root)
            self.items.append(item)
            if to == EVERYBODY:
                self._th = step_hash(self._th, "face", encode(item))
        for place, to in moves:
            self.dealt[place] = (to, self._cards[(self._depth + place) % size])

    def finish(self) -> bytes:
        """Open the house's secret, end the pack, and return the transcript's canonical bytes."""
        self.ledger.append(
            EndEntry(
                mh=self._mh.hex(),
                pack=1,
                secret=self._secret.reveal().hex(),
                th=self._th.hex(),
                items=len(self.items),
            )
        )
        entries = tuple(entry.decode("ascii") for entry in self.ledger.entries)
        return encode(Transcript(ledger=entries, items=tuple(self.items)))
