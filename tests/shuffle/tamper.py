"""The tamper table: `python -m tests.shuffle.tamper [--places 20]`.

Each class is a lie of a house that re-signs with its own key and its friends' keys.  It is
tried at many places: other games, seeds, honest seats and positions.  What catches it is the
verifier of the transcript, the honest seat at the table, or both, each by the name given.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.shuffle import tamper_ways as way
from tests.shuffle.forge import World, at_the_table, build, verifier, world
from tests.shuffle.tamper_ways import Make

PLAIN = ("seven_up_4", "spoil_five", "double_loo", "ecarte_relay", "california_jack", "bierspiel")
MANY = ("seven_up_4", "spoil_five", "double_loo", "bierspiel")
RELAYED = ("seven_up_2_relay", "ecarte_relay", "double_loo")
HIDING = ("ecarte_relay", "bierspiel", "spoil_five", "euchre_4")
CARDS = ("spoil_five",)
TAKEN = ("taken_up",)
ROUGH = ("bridge", "cassino", "double_loo")
NOBODY = "nobody"
SAME = "same"


@dataclass(frozen=True, kw_only=True)
class Tampering:
    """One class: its games, its change, and the names (`where: what`, parted by bars) under
    which each side catches it.

    "nobody" stands for what that side cannot see: the seat cannot know the order before the
    opening, nor the verifier what only the seat has lived through.
    """

    name: str
    make: Make
    verifier: str
    seat: str
    games: tuple[str, ...] = PLAIN


def _way(
    name: str, make: Make, verifier: str, seat: str, games: tuple[str, ...] = PLAIN
) -> Tampering:
    seat = verifier if seat == SAME else seat
    return Tampering(name=name, make=make, verifier=verifier, seat=seat, games=games)


TABLE: tuple[Tampering, ...] = (
    _way(
        "manifest: any field, friends sign again",
        way.manifest,
        ("checkpoint: signature | law: id | law: pack | manifest, seat: signature | table: law"),
        "law: id | law: pack | manifest, seat: signature | table: law",
    ),
    _way(
        "manifest: a stranger in the honest seat",
        way.own_seat,
        "anchor: root",
        "manifest: seat",
        ROUGH,
    ),
    _way("manifest: the honest signature left out", way.unsigned_manifest, "table: sigs", SAME),
    _way("law: data changed, hash kept", way.law_only, "table: law", SAME),
    _way(
        "law: data and hash changed",
        way.law_and_hash,
        "law: shown | manifest, seat: signature",
        SAME,
    ),
    _way("seal: root of the batch", way.flipped("batch", "root"), "call: path", "call: batch"),
    _way(
        "seal: size of the batch",
        way.field("batch", "size", lambda v, w, r: v + 1),
        "batch: size",
        SAME,
    ),
    _way("seal: commitment in the call", way.flipped("call", "commitment"), "call: path", SAME),
    _way("seal: path in the call", way.path, "call: path", SAME),
    _way("seal: another batch named", way.flipped("call", "batch"), "call: batch", SAME),
    _way("seal: another secret opened", way.flipped("opened", "secret"), "opened: secret", SAME),
    _way("seal: the first pack's, relabelled", way.relabelled, "call: path", SAME),
    _way("call: dealer out of turn", way.out_of_turn, "call: dealer", SAME),
    _way(
        "call: packs dealt miscounted",
        way.dealt,
        "commit of seat: transcript | commit: seat",
        "call: dealt",
    ),
    _way(
        "call: another pone",
        way.field("call", "pone", lambda v, w, r: (v + 1) % w.seats),
        "call: pone",
        SAME,
    ),
    _way(
        "call: another pack before",
        way.flipped("call", "prev"),
        "commit of seat: transcript",
        "call: prev",
    ),
    _way(
        "call: a number left out",
        way.field("call", "pack", lambda v, w, r: 3),
        "call: path",
        "call: pack",
    ),
    _way(
        "call: a number used before",
        way.field("call", "pack", lambda v, w, r: 1),
        "call: dealt",
        "call: pack",
    ),
    _way(
        "commit: invented for the honest seat",
        way.commit(way.invented),
        "commit of seat: signature",
        SAME,
    ),
    _way(
        "commit: of the pack before",
        way.commit(lambda w, r, one: w.entry(3).commits[one[0]]),
        "commit of seat: pack",
        SAME,
    ),
    _way("commit: of another table", way.commit(way.other_table), "commit of seat: manifest", SAME),
    _way("commit: copied by a friend", way.copied, "closing: commits", SAME),
    _way(
        "commit: bad signature of a friend",
        way.commit(way.bad_friend, friend=True),
        "commit of seat: signature",
        SAME,
    ),
    _way("closing: a seat missing", way.other_commits(way.one_less), "closing: seats", SAME),
    _way("closing: a seat too many", way.other_commits(way.one_more), "closing: seats", SAME),
    _way(
        "closing: two seats changed",
        way.other_commits(way.two_changed),
        "commit of seat: seat",
        SAME,
    ),
    _way("closing: over another call", way.flipped("closing", "call"), "closing: call", SAME),
    _way(
        "closing: a second one, once the honest bytes are out",
        way.late_friend,
        "open of seat: bytes | open of seat: transcript",
        SAME,
    ),
    _way(
        "open: invented for the honest seat",
        way.opening(way.invented),
        "open of seat: signature",
        SAME,
    ),
    _way(
        "open: of the pack before",
        way.opening(lambda w, r, one: w.entry(4).opens[one[0]]),
        "open of seat: pack",
        SAME,
    ),
    _way(
        "open: other bytes of a friend",
        way.opening(way.other_bytes, friend=True),
        "open of seat: bytes",
        SAME,
    ),
    _way(
        "open: a friend over another closing",
        way.opening(way.other_closing, friend=True),
        "open of seat: closing",
        SAME,
    ),
    _way(
        "open: the honest one left out", way.kept("opens", way.without_honest), "root: opens", SAME
    ),
    _way("root: over another closing", way.flipped("root", "closing"), "root: closing", SAME),
    _way("held: left out", way.kept("held", lambda v, w, r: "none"), "root: held", SAME, RELAYED),
    _way("held: by a stranger", way.held_by_stranger, "held: signature", SAME, RELAYED),
    _way("held: of the pack before", way.held_of_others, "held: openings", SAME, RELAYED),
    _way(
        "held: where no relay is",
        way.held_of_nobody,
        "root: held",
        SAME,
        ("seven_up_4", "spoil_five"),
    ),
    _way("order: two cards swapped before the cut", way.swapped, "root: root", NOBODY, ROUGH),
    _way("order: other salts", way.salted_anew, "root: root", NOBODY, ROUGH),
    _way("root: any other", way.flipped("root", "root"), "root: root", "delivery to seat: path"),
    _way("cut: out of range", way.too_deep, "cut: depth", SAME),
    _way("cut: not the one committed to", way.choice(way.other_depth), "choices: cut", SAME),
    _way("cut: not opened", way.choice(lambda listed, w, r: listed[1:]), "choices: choices", SAME),
    _way("cut: ignored", way.uncut, "delivery to seat: leaves", SAME),
    _way("choices: after another root", way.flipped("choices", "after"), "choices: after", SAME),
    _way(
        "card: swapped after the root",
        way.cards(way.other_card),
        "delivery to all: card | delivery to seat: card",
        "delivery to all: path | delivery to seat: path",
    ),
    _way(
        "card: second dealt",
        way.cards(way.second),
        "delivery to all: leaves | delivery to seat: leaves",
        SAME,
    ),
    _way(
        "card: bottom dealt",
        way.cards(way.bottom),
        "delivery to all: leaves | delivery to seat: leaves",
        SAME,
    ),
    _way(
        "card: dealt twice",
        way.cards(way.twice),
        "delivery to all: leaves | delivery to seat: leaves",
        SAME,
    ),
    _way(
        "card: left out",
        way.cards(way.short),
        "delivery to all: leaves | delivery to seat: leaves",
        SAME,
    ),
    _way(
        "card: another salt",
        way.cards(way.salted),
        "delivery to all: card | delivery to seat: card",
        "delivery to all: path | delivery to seat: path",
    ),
    _way(
        "card: of the pack before",
        way.foreign,
        "delivery to all: card | delivery to seat: card",
        "delivery to all: path | delivery to seat: path",
    ),
    _way(
        "hand: switched in the middle of the deal",
        way.hand_switch,
        "delivery to seat: leaves",
        SAME,
    ),
    _way(
        "delivery: bad signature",
        way.delivered(way.unsigned),
        "delivery to all: signature | delivery to seat: signature",
        SAME,
    ),
    _way(
        "delivery: signed by a stranger",
        way.delivered(way.stranger_signs),
        "delivery to all: signature | delivery to seat: signature",
        SAME,
    ),
    _way(
        "delivery: for another seat",
        way.delivered(way.rebound("seat")),
        "delivery to all: seat | delivery to seat: seat",
        SAME,
    ),
    _way(
        "delivery: for another pack",
        way.delivered(way.rebound("pack")),
        "delivery to all: pack | delivery to seat: pack",
        SAME,
    ),
    _way(
        "delivery: for another moment",
        way.delivered(way.rebound("transcript")),
        "delivery to all: transcript | delivery to seat: transcript",
        SAME,
    ),
    _way(
        "delivery: for another table",
        way.delivered(way.rebound("manifest")),
        "delivery to all: manifest | delivery to seat: manifest",
        SAME,
    ),
    _way(
        "items: one dropped",
        way.items_of(way.dropped),
        (
            "decide of seat: seat | decide of seat: transcript | deliver: label | "
            "delivery to seat: seat | items: decide | msg: label"
        ),
        (
            "decide of seat: seat | decide of seat: transcript | decide: step | "
            "delivery to seat: seat | end: items"
        ),
    ),
    _way(
        "items: two exchanged",
        way.items_of(way.reordered),
        (
            "decide of seat: seat | decide of seat: transcript | deliver: label | "
            "delivery to all: seat | delivery to seat: seat | msg: label"
        ),
        (
            "decide of seat: seat | decide of seat: transcript | decide: step | "
            "delivery to seat: seat | delivery: step | nobody"
        ),
    ),
    _way(
        "items: one repeated",
        way.items_of(way.doubled),
        (
            "decide of seat: seat | decide of seat: transcript | deliver: label | "
            "delivery to seat: seat | items: count | msg: label"
        ),
        (
            "decide of seat: seat | decide of seat: transcript | decide: step | "
            "delivery to seat: seat | delivery: step"
        ),
    ),
    _way(
        "items: a phantom draw",
        way.items_of(way.phantom),
        (
            "delivery to all: seat | delivery to seat: seat | "
            "delivery to seat: transcript | msg: label"
        ),
        "delivery to all: seat | delivery to seat: transcript | delivery: step",
    ),
    _way(
        "items: a phantom after the last",
        way.items_of(way.last_phantom),
        "items: count",
        "delivery: step",
    ),
    _way(
        "decision: of another seat",
        way.decision(way.by_another),
        "decide of seat: seat",
        SAME,
        MANY,
    ),
    _way(
        "decision: forged for the honest seat",
        way.decision(way.for_the_honest, honest=True),
        "decide of seat: signature",
        SAME,
    ),
    _way(
        "decision: against the law",
        way.decision(way.unlawful, honest=False),
        "decide: count | decide: name | decide: zone",
        SAME,
        MANY,
    ),
    _way(
        "decision: signed for another moment",
        way.decision(way.out_of_time),
        "decide of seat: transcript",
        SAME,
    ),
    _way(
        "rule of public cards: answered wrongly",
        way.wrong_rule,
        "decide of seat: seat",
        SAME,
        CARDS,
    ),
    _way("discard: changed later", way.changed_hide, "opened: discards", NOBODY, HIDING),
    _way(
        "discard: opened where nothing was hidden",
        way.hide_of_nothing,
        "opened: discards",
        NOBODY,
        HIDING,
    ),
    _way(
        "discard: more cards of a hand played than kept",
        way.laid_and_played,
        "decide: cards",
        SAME,
        TAKEN,
    ),
    _way(
        "discard: opened as cards that were shown later",
        way.opened_as_shown,
        "opened: discards",
        NOBODY,
        TAKEN,
    ),
    _way("end: another transcript hash", way.flipped("end", "th"), "end: th", SAME),
    _way(
        "end: items miscounted", way.field("end", "items", lambda v, w, r: v + 1), "end: th", SAME
    ),
    _way("opened: after another end", way.flipped("opened", "end"), "opened: end", SAME),
    _way(
        "ledger: entries out of order",
        way.swapped_entries,
        "transcript: entries",
        "choices: after | closing: pack | end: items | opened: pack | root: closing",
    ),
    _way(
        "ledger: an entry left out",
        way.missing_entry,
        "transcript: entries | verdict: opened",
        NOBODY,
    ),
    _way(
        "ledger: forked before the pack",
        way.fork,
        "message: checkpoint",
        "call: mh | choices: mh | closing: mh | end: mh | opened: mh | root: mh",
    ),
    _way(
        "ledger: truncated",
        way.truncated,
        "choices: path | closing: path | end: path | opened: path | root: path",
        NOBODY,
    ),
    _way("checkpoint: another root", way.forged_root, "table: path", NOBODY),
    _way("checkpoint: another key", way.strange_key, "checkpoint: signature", NOBODY),
    _way(
        "checkpoint: not cosigned",
        way.kept("flags", lambda v, w, r: {"uncosigned"}),
        "checkpoint: quorum",
        NOBODY,
        RELAYED,
    ),
    _way("anchors: left out", way.no_anchors, "message: checkpoint", NOBODY),
    _way("anchors: another root", way.bad_anchor, "anchors: path", NOBODY),
    _way("message: names an early head", way.early_head, "message: checkpoint", NOBODY, ROUGH),
    _way(
        "form: another spelling of an entry",
        way.spelling,
        "entry: float | entry: pack | entry: spelling | transcript: string",
        "entry: float | entry: pack | entry: spelling",
    ),
    _way("form: leading zeros", way.leading_zero, "entry: json", SAME),
    _way(
        "form: upper-case hex",
        way.uppercase,
        (
            "call: mh | choices: mh | closing: commits[0].body | end: mh | opened: mh | "
            "root: held.body | root: mh"
        ),
        SAME,
    ),
    _way(
        "form: another spelling of the transcript",
        way.wrapper,
        ("transcript: added | transcript: json | transcript: kind | transcript: spelling"),
        NOBODY,
    ),
    _way("replay: the first pack's transcript", way.first_pack, "verdict: pack", NOBODY),
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """What became of one class: places tried, and who caught how many under which name."""

    tampering: Tampering
    places: int
    verifier: Counter[str]
    seat: Counter[str]
    missed: int

    @property
    def strange(self) -> list[str]:
        """Names that are not those of the table."""
        one = self.tampering
        known = set(one.verifier.split(" | ")), set(one.seat.split(" | "))
        return sorted((set(self.verifier) - known[0]) | (set(self.seat) - known[1]))


def places(one: Tampering, count: int) -> Iterator[tuple[World, random.Random]]:
    """Yield *count* worlds at which the class can be tried, from fixed seeds."""
    found, turn = 0, 0
    while found < count and turn < 40 * count:
        name = one.games[turn % len(one.games)]
        made = world(name, f"w{turn // len(one.games) % 3}", turn // len(one.games) % 2)
        rng = random.Random(f"{one.name} {turn}")
        turn += 1
        if one.make(made, random.Random(0)) is not None:
            found += 1
            yield made, rng


def run(one: Tampering, count: int) -> Row:
    """Try one class at *count* places."""
    by, seat, missed, tried = Counter[str](), Counter[str](), 0, 0
    for made, rng in places(one, count):
        hooks = one.make(made, rng)
        assert hooks is not None
        forged = build(made, hooks)
        told, seen = verifier(made, forged), at_the_table(made, forged)
        by[name_of(told)] += 1
        seat[name_of(seen)] += 1
        missed += told is None and seen is None
        tried += 1
    return Row(tampering=one, places=tried, verifier=by, seat=seat, missed=missed)


def name_of(err: Exception | None) -> str:
    """Return "where: what" of a refusal, seats and packs without their numbers."""
    if err is None:
        return NOBODY
    text = f"{getattr(err, 'where', '')}: {getattr(err, 'what', '')}"
    for number in range(10):
        text = text.replace(f"seat {number}", "seat")
    return text


def main() -> None:
    """Print the table; exit 1 if anything was missed or caught under another name."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--places", type=int, default=20)
    count = parser.parse_args().places
    total = missed = strange = 0
    for one in TABLE:
        row = run(one, count)
        total, missed = total + row.places, missed + row.missed
        strange += len(row.strange)
        names = "; ".join(f"{n} {c}" for n, c in row.verifier.most_common())
        seat = "; ".join(f"{n} {c}" for n, c in row.seat.most_common())
        print(f"{one.name} | {row.places} | verifier: {names} | seat: {seat} | missed {row.missed}")
    print(f"{len(TABLE)} classes, {total} places, {missed} missed, {strange} under another name")
    if missed or strange:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
