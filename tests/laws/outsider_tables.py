"""A second checker of table games, written from the words of the household book alone.

It shares nothing with the referee.  Sections are those of the book: Speculation 105, Connexions
106-107, Matrimony 108, Pope Joan 109, Cassino 110-112, Vingt-un 113-116.  It reads whole logs
played by the defaults of the options, and stops at the first thing against the book: what
follows a wrong event has no rule.  Cards are the record's numbers: suit `card // 13` (S H D C),
rank `card % 13` from the two, the ace 12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from audit.record import Deal
from tests.laws.outsider_walk import Astray, Fault, Pay, Walk

ACE, TEN, JACK, QUEEN, KING = 12, 8, 9, 10, 11
DIAMONDS = 2


def pips(card: int) -> int:
    """Return the value of a card at Cassino: the ace 1, court cards none."""
    return {ACE: 1, JACK: 0, QUEEN: 0, KING: 0}.get(card % 13, card % 13 + 2)


def takes(card: int, taken: Sequence[int]) -> bool:
    """Return whether a card takes all these: each by itself, or in sums of its value (112, iv)."""
    rest = [c for c in taken if c % 13 != card % 13]
    if not rest or not all(map(pips, (card, *rest))):
        return not rest
    first, *others = rest
    return any(
        sum(map(pips, (first, *mates))) == pips(card)
        and takes(card, [c for c in others if c not in mates])
        for size in range(1, len(others) + 1)
        for mates in combinations(others, size)
    )


def cassino(deal: Deal) -> None:
    """Follow a deal of Cassino.

    "Whenever any player cannot pair or combine, then he is to put down a card": a card that can
    take is not put down.  He "may" take all that combines: any part will do.  "If he clear the
    board before the conclusion of the game, he is to score a point": by law vi the last card of
    the pack is that conclusion.
    """
    walk = Walk(deal, 4, idle=lambda e: e.kind == "look" and e.word == "last trick")
    table, last = list(deal.board), 0
    count = len(walk.seats)
    if len(table) != 4:
        raise Astray(-1, "four cards lie on the board")
    pack = [c for c in deal.order_after_cut or b"" if c not in deal.board]
    piles: dict[int, list[int]] = {seat: [] for seat in walk.seats}
    clear: Counter[int] = Counter()
    for turn in range(48):
        if turn % (4 * count) == 0 and turn:
            for place, seat in enumerate(walk.seats):
                event = walk.ask("draw", seat)
                walk.given(event.cards, pack, turn + place, count, 4)
                walk.hands[seat] = list(event.cards)
        event = walk.ask("play", walk.seats[turn % count])
        card, taken = walk.hold(event, len(event.cards)), event.cards[1:]
        if len(set(taken)) < len(taken) or not set(taken) <= set(table) or not takes(card, taken):
            walk.fail("this card does not take those")
        if not taken:
            if any(takes(card, s) for k in (1, 2, 3, 4) for s in combinations(table, k)):
                walk.fail("a card that takes is put down")
            table.append(card)
            continue
        last = event.seat
        piles[last] += event.cards
        table = [c for c in table if c not in taken]
        clear[last] += not table and turn < 47
    if last:
        piles[last] += table
    walk.settle(cassino_points(piles, clear), kind="score", late=True)


def cassino_points(piles: dict[int, list[int]], clear: Counter[int]) -> list[Pay]:
    """Return what is scored: the smaller number taken from the larger (111), to a side's first."""
    points, cards, spades = Counter[int](), Counter[int](), Counter[int]()
    for seat, pile in piles.items():
        side = (seat - 1) % (2 if len(piles) == 4 else 4) + 1
        cards[side] += len(pile)
        spades[side] += sum(c // 13 == 0 for c in pile)
        points[side] += sum(c % 13 == ACE for c in pile) + clear[seat]
        points[side] += 2 * (DIAMONDS * 13 + TEN in pile) + (0 in pile)
    for share, worth in ((cards, 3), (spades, 1)):
        (first, most), (_, second), *_ = share.most_common()
        points[first] += worth * (most > second)
    (best, high), *lower = points.most_common()
    net = high - sum(n for _, n in lower)
    return [(best, 0, net, "points")] if net > 0 else []


CONNECTED = {ACE: "black ace", 3 * 13 + ACE: "black ace", 13 + KING: "king of hearts"}


def connexions(deal: Deal) -> None:
    """Follow a deal of Connexions, diamonds trumps; any two of the two black aces and KH connect.

    Who can answer a card of connexion does so; else follow suit, or play a card of connexion;
    "after a connexion", which is then answered, "any following player may trump".  The winner of
    a round has its connexions.  "No money can be drawn till the hands are finished; then the
    possessors of the connexions are to take first, according to precedence", most tricks last.
    """
    walk = Walk(deal, 10 if len(deal.hands) == 3 else 8)
    leader, won = walk.seats[0], Counter(dict.fromkeys(walk.seats, 0))
    owed: list[Pay] = []
    while walk.hands[leader]:
        start = walk.seats.index(leader)
        trick: dict[int, int] = {}
        for seat in walk.seats[start:] + walk.seats[:start]:
            hand = walk.hands[seat]
            linked = [c for c in trick.values() if c in CONNECTED]
            mine = [c for c in hand if c in CONNECTED]
            led = next(iter(trick.values())) // 13 if trick else -1
            legal = [c for c in hand if c // 13 == led] or hand
            if len(linked) > 1:
                legal = legal + [c for c in hand if c // 13 == DIAMONDS]
            legal = mine if len(linked) == 1 and mine else legal + mine
            event = walk.ask("play", seat)
            if not set(event.cards) <= set(legal):
                walk.fail("this card may not be played")
            trick[seat] = walk.hold(event)
        linked = [c for c in trick.values() if c in CONNECTED]
        led = DIAMONDS if any(c // 13 == DIAMONDS for c in trick.values()) else trick[leader] // 13
        leader = max(trick, key=lambda s: (trick[s] // 13 == led, trick[s] % 13))
        if len(linked) > 1 and led != DIAMONDS:
            leader = next(s for s, c in trick.items() if c == linked[0])
        won[leader] += 1
        walk.may("trick", {leader})
        for first, second, worth, word in (
            (ACE, 3 * 13 + ACE, 4, "first connexion"),
            (ACE, 13 + KING, 2, "second connexion"),
            (3 * 13 + ACE, 13 + KING, 1, "third connexion"),
        ):
            owed += [(0, leader, worth, word)] * ({first, second} <= set(linked))
    (best, most), (_, second), *_ = won.most_common()
    owed += [(0, best, 1, "most tricks")] * (most > second)
    walk.settle(sorted(owed, key=lambda p: -p[2]), late=True)


def speculation(deal: Deal) -> None:
    """Follow a deal of Speculation: the uppermost card of each in turn, and sales of trumps.

    "The highest bidder buying and paying for it, provided the price offered be approved of by
    the seller", "the company speculating as they please": bids come in any order, a pass binds
    nobody, and a price refused may be raised.  The card turned is nobody's.
    """
    walk = Walk(deal, 3, idle=lambda e: e.kind == "call" and e.word == "pass")
    owner, trump, owed = dict[int, int](), deal.turnups[0] // 13, list[Pay]()
    for seat in walk.seats * 3:
        card = walk.hands[seat][-1]
        if walk.hold(walk.ask("play", seat)) != card:
            walk.fail("another card is uppermost")
        if card // 13 != trump:
            continue
        owner[card], best, buyer = seat, 0, 0
        while owner[card] == seat:
            bid = walk.may("call", set(walk.seats) - {seat}, ("bid",))
            answer = (
                None if bid else walk.may("call", {seat}, ("keep", "sell")[: 2 if buyer else 1])
            )
            if bid and bid.number < 1:
                walk.fail("this is no price")
            if bid and bid.number > best:
                best, buyer = bid.number, bid.seat
            elif answer and answer.word == "sell":
                owner[card] = buyer
                owed.append((buyer, seat, best, "trump bought"))
            elif not bid and not answer:
                break
    dealer = walk.seats[-1]
    owed += [(s, 0, 6 if s == dealer else 4, "stake") for s in walk.seats]
    if owner:
        pool = next((e.number for _, e in walk.money if e.word == "before"), 0)
        owed.append((0, owner[max(owner)], pool + 4 * len(walk.seats) + 2, "highest trump"))
    walk.settle(owed, pooled=True)


CHANCES = {"best", "confederacy", "intrigue", "matrimony", "pairs"}


def matrimony(deal: Deal) -> None:
    """Follow a deal of Matrimony: the dealer's stakes, the others' "less one", and who wins each.

    The third card counts with the hand; of equal claims the oldest hand has it.
    """
    walk, stakes, owed = Walk(deal, 2), dict[str, int](), list[Pay]()
    dealer = walk.seats[-1]
    if len(deal.turnups) != len(walk.seats):
        raise Astray(-1, "one card is turned up to each")
    while event := walk.may("call", {dealer}, tuple(CHANCES - set(stakes))):
        stakes[event.word] = event.number
        if event.number < 0:
            walk.fail("this is no stake")
    ranks = {
        seat: Counter(c % 13 for c in (*walk.hands[seat], turned))
        for seat, turned in zip(walk.seats, deal.turnups, strict=True)
    }

    def oldest(worth: Callable[[Counter[int]], int]) -> int:
        """Return the seat whose three cards are worth most, the oldest of equals; 0 nobody."""
        seat = max(walk.seats, key=lambda s: worth(ranks[s]))
        return seat if worth(ranks[seat]) >= 0 else 0

    def both(one: int, two: int) -> int:
        return oldest(lambda held: 0 if held[one] and held[two] else -1)

    winners = {
        "best": oldest(max),
        "confederacy": both(KING, JACK),
        "intrigue": both(QUEEN, JACK),
        "matrimony": both(KING, QUEEN),
        "pairs": oldest(lambda held: max((r for r, n in held.items() if n > 1), default=-1)),
    }
    for chance, stake in stakes.items():
        paid = {s: stake if s == dealer else max(stake - 1, 0) for s in walk.seats}
        owed += [(s, 0, n, f"stake {chance}") for s, n in paid.items()]
        winner = winners[chance]
        if DIAMONDS * 13 + ACE in deal.turnups:
            winner = walk.seats[deal.turnups.index(DIAMONDS * 13 + ACE)]
        if winner:
            owed.append((0, winner, sum(paid.values()), chance))
    walk.settle(owed, pooled=True)


EIGHT, POPE = DIAMONDS * 13 + 6, DIAMONDS * 13 + 7


def pope_joan(deal: Deal) -> None:
    """Follow a deal of Pope Joan: sequences up from the ace to a stop, and what the board pays.

    "The other players follow, when they can, in sequence of the same suit, till a stop occurs.
    The player having the stop becomes eldest hand."  What he leads is advice, no rule.
    """
    dealer, turned = deal.dealer_seat or len(deal.hands), deal.turnups[0]
    walk = Walk(
        deal,
        len(deal.hands[0]),
        set(range(52)) - {EIGHT},
        idle=lambda e: e.kind == "look" and e.seat == dealer,
    )
    trump, size = turned // 13 * 13, len(deal.hands[0])
    names = {trump + r: w for r, w in ((ACE, "ace"), (KING, "king"), (QUEEN, "queen"))}
    names[trump + JACK] = "knave"
    owed: list[Pay] = [(dealer, 0, 15, "dressing")]
    if turned == POPE:
        walk.ask("call", dealer, ("pope turned",))
        owed += [(0, dealer, 6, "pope"), (0, dealer, 1, "game")]
        owed += [(s, dealer, size, "a stake a card dealt") for s in walk.seats[:-1]]
        return walk.settle(owed, pooled=True)
    if turned in names:
        owed.append((0, dealer, 1, names[turned]))
    who: dict[int, int] = {}
    seat, follow = walk.seats[0], -1
    while all(walk.hands.values()):
        seat = next((s for s, hand in walk.hands.items() if follow in hand), seat)
        must = follow if follow in walk.hands[seat] else -1
        card = walk.hold(walk.ask("play", seat))
        if must not in (-1, card):
            walk.fail("the next card of the sequence was held")
        who[card] = seat
        follow = -1 if card % 13 == KING else card + 1 - 13 * (card % 13 == ACE)
    owed += [(0, who[c], 1, word) for c, word in names.items() if c in who]
    if POPE in who:
        owed.append((0, who[POPE], 6, "pope"))
    for one, two, word in ((KING, QUEEN, "matrimony"), (QUEEN, JACK, "intrigue")):
        if who.get(trump + one, 0) == who.get(trump + two, -1):
            owed.append((0, who[trump + one], 2, word))
    owed.append((0, seat, 1, "game"))
    for other, hand in walk.hands.items():
        owed.append((other, seat, 0 if POPE in hand else len(hand), "cards left"))
    return walk.settle(owed, pooled=True)


def count(cards: Sequence[int]) -> int:
    """Return the points of a hand: an ace eleven where that does not pass twenty-one, else one."""
    points = sum({ACE: 1, JACK: 10, QUEEN: 10, KING: 10}.get(c % 13, c % 13 + 2) for c in cards)
    return points + 10 * (points <= 11 and any(c % 13 == ACE for c in cards))


def vingt_un(deal: Deal) -> None:
    """Follow a pack of Vingt-un, coup after coup, until it is through or a natural is declared.

    "He asks each player in rotation": nobody asks the dealer, who is "entitled to draw" and where
    he says nothing deals on.  Who makes twenty-one exactly is asked no more, and may say he stands.
    """
    walk, owed = Walk(deal, 2), list[Pay]()
    pack, dealer, out = deal.order_after_cut or b"", walk.seats[-1], 2 * len(walk.seats)

    def draw(seat: int) -> int:
        nonlocal out
        event = walk.ask("draw", seat)
        walk.given(event.cards, pack, out, 1, 1)
        out += 1
        return event.cards[0]

    while True:
        naturals = [s for s in walk.seats if count(walk.hands[s]) == 21]
        silent = set(naturals)
        while silent:
            said = walk.may("claim", silent, ("natural",))
            silent.remove((said or walk.ask("claim", min(silent), ("natural",))).seat)
        if dealer in naturals:
            owed += [(s, dealer, 2, "natural") for s in walk.seats if s not in naturals]
        elif naturals:
            owed += [(dealer, s, 1 + (s == naturals[0]), "natural") for s in naturals]
        if naturals:
            return walk.settle(owed)
        for seat in walk.seats:
            hand = walk.hands[seat]
            while count(hand) < 21 and not (seat == dealer and walk.next("draw")):
                if walk.ask("call", seat, ("card", "stand")).word == "stand":
                    break
                if out == 52:
                    return walk.settle(owed)
                hand.append(draw(seat))
            if count(hand) == 21:
                walk.may("call", {seat}, ("stand",))
            if count(hand) > 21 and seat != dealer:
                owed.append((seat, dealer, 1, "thrown up"))
        owed += vingt_un_coup({s: count(h) for s, h in walk.hands.items()}, dealer)
        walk.hands = {s: [] for s in walk.hands}
        for seat in walk.seats * 2:
            if out == 52:
                return walk.settle(owed)
            walk.hands[seat].append(draw(seat))


def vingt_un_coup(points: dict[int, int], dealer: int) -> list[Pay]:
    """Return what is paid when the dealer has drawn too, by those who have not thrown up (114)."""
    owed, bank = list[Pay](), points[dealer]
    for seat, mine in points.items():
        if seat == dealer or mine > 21 or mine == bank:
            continue
        wins = mine > bank or bank > 21
        word = "dealer over" if bank > 21 else "higher" if wins else "lower"
        word = "twenty-one" if 21 in (mine, bank) else word
        pair = (dealer, seat) if wins else (seat, dealer)
        owed.append((*pair, 1 + (word == "twenty-one"), word))
    return owed


def next_dealer(deal: Deal) -> int:
    """Return who deals the next pack (115): the first with a natural, but the dealer's keeps it."""
    dealer = deal.dealer_seat or len(deal.hands)
    said = [e.seat for e in deal.events if e.kind == "claim"] or [dealer]
    return dealer if dealer in said else said[0]


def fault(deal: Deal, follow: Callable[[Deal], None]) -> Fault | None:
    """Return the first thing in a deal that is against the book."""
    try:
        follow(deal)
    except Astray as astray:
        return astray.fault
    return None
