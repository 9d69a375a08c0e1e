"""What the page of real logs says in words: who dealt, what a flag is, what is not read."""

from __future__ import annotations

HEAD = """# Real logs, audited with the whole family

Every log in `../shared/data`, each audited alone: what is flagged and why, what is not, and
which detectors could not answer. *Set aside* are flaws, contradictions and rows of another
kind. An audit is flagged when the weighted sum of all e-values reaches 1000, log10 = 3, at
some look; *(once)* stands where rows do not stand as dealt, so that the log is looked at after
its last deal only. Formats that the program does not read are read by `tests/foreign_logs.py`
for this page. Made by `python -m tests.real_logs`; a test holds it to be current.
"""

#: Logs of which it is known from outside that they were not dealt fairly.
UNFAIR = {
    "bbo_forums_sunday.pbn": (
        "The event is of the kind that gives the person, South, the best hand. Looked at: all ten"
        " deals; South has 14.9 points on average, the others 8.4. So the flag is right, and no"
        " person is behind it."
    ),
    "constrained_2C_opening.pbn": (
        "A script made deals with one hand strong enough to open two clubs. Looked at: fifty of"
        " the 500; one hand, any of the four, has 31 points or more, as in all 500. No place is"
        " favoured, and none is flagged."
    ),
}

#: What is known of logs that stand near the threshold and are not flagged.
NEAR = {
    "bbo_robot_game.lin": (
        "South, the only person against three robots, has the best hand in 8 of 8 boards, with"
        " 15.9 points on average. The file does not say whether it was a game that gives the"
        " person the best hand; if it was, this is a miss: its log10 e is 4.2 where its weight"
        " wants 4.6, and the ten boards of the other such event were a flag."
    ),
}

#: What the rows behind a flag show, for logs of which nothing else is known.
EXPLAINED = {
    ("stock_2022_sample.txt", "turned_card"): (
        "Looked at: fifty rows. In each of them the kitty stands sorted, spades first, then clubs,"
        " hearts and diamonds, nine to ace inside a suit, and card 21 is its lowest. The flag is"
        " right that card 21 is not a fair card; it is the card that the source states as turned,"
        " and the rows do not tell whether the server turned it or sorted what it stored."
    ),
    ("stock_2024_sample_a.txt", "turned_card"): (
        "Looked at: fifty rows, and then every pair of cards that share a kitty. Hands are sorted;"
        " kitties are not, but they do not stand as dealt either: some pairs keep one order"
        " whenever they meet (below), which no shuffle does. So card 21 follows from which four"
        " cards are left, by a rule of the program that the file does not tell. A flag of the"
        " stock is right; no person dealt it."
    ),
    ("turn_up_counts.csv", "turned_card"): (
        "2022-12 agrees, card for card, with the lowest card of a kitty that stands sorted as in"
        " its sample (below). 2023-01 and 2024-08 follow other orders: the Queen, King and Ace"
        " of diamonds turned in none of 11,835 deals is no shuffle either. Counts show no more"
        " than that, and not whether these were the cards that players saw turned."
    ),
}

#: Each folder: title, what its logs show, what they cannot show.
KINDS = {
    "bridge-pbn": (
        "Bridge records in PBN",
        "all 52 cards by hand and board, the dealer's seat, often every table's result, so that"
        " a board is repeated and counted once. Dealt by programs, but for `bermuda_1955_a.pbn`,"
        " which was dealt by hand.",
        "the order inside a hand (all stand sorted), the order of the pack, a turned card (there"
        " is none), a missing card (all are dealt), or who made the deals: a set of boards that"
        " was made until it pleased looks like any other where no hand is stronger for it.",
    ),
    "bridge-dds": (
        "Hands of a solver's test set",
        "100 whole bridge deals.",
        "where they were dealt and which were left out: they were picked for a test.",
    ),
    "bridge-lin": (
        "Bridge Base Online",
        "three hands of each board, the fourth being the rest.",
        "an error in the fourth hand, since it is worked out; all that PBN cannot either.",
    ),
    "bridge-dealfiles": (
        "Boards for dealing machines",
        "the two boards of `big-deal.pbn` in six forms; all give the same e-values, so the six"
        " readings agree.",
        "anything of two boards: no fault of a program is found so soon.",
    ),
    "squaredeal": (
        "A sealed event, World Bridge Games 2024",
        "all 1,186 boards as played. They can be made again from the keys that were sealed"
        " before, which is a stronger check than any statistic.",
        "that the keys were chosen only once; the seal does, as far as its value came later.",
    ),
    "euchre-dealstock": (
        "Stocks of euchre deals",
        "rows of 24 cards which a server picks for its players; the turned card is claimed"
        " by the form, not seen.",
        "the order in a hand (sorted), which rows were ever played, and who they were played by.",
    ),
    "euchre-egn": (
        "Euchre typed down from video",
        "the turn-up, calls and tricks, and from them the hands; the referee plays them again.",
        "the kitty, often the discard, why a game was chosen to be typed, and who dealt: a seat"
        " deals three or four times a game, so no dealer's rate can be told.",
    ),
    "euchre-botjson": (
        "Positions of a euchre program",
        "four hands and the turned card of 250 deals at which trumps were made after all had"
        " refused the turn-up.",
        "deals in which the turn-up was taken up; which were kept depends on hands and turn-up,"
        " so that even a flag would speak of the choice first.",
    ),
    "poker-phh": (
        "Poker Hand History",
        "hole cards and board of hold'em. In `pluribus` all hands of a laboratory; in the WSOP"
        " files a broadcast's table; `handhq` only hands that somebody showed.",
        "the order of the pack, turn-ups, and strength before the board, so that best hands"
        " are not tested; variants other than hold'em are counted as other.",
    ),
    "poker-acpc": (
        "A dealer program with its seed written down",
        "hole cards of all places and the board, a thousand hands; both files hold one stream of"
        " cards, for their seed is 0.",
        "that the seed was not chosen: it is told, so whoever knows it knows every card.",
    ),
    "poker-ignition": (
        "An online room that shows every seat",
        "hole cards of every seat whatever happened, and the board as far as it was dealt.",
        "whether hands were left out by who saved them, and more than a missing or doubled card:"
        " no seat stays the same person in these files.",
    ),
}

#: Why the other files of a folder are not read.
NOT_READ = {
    "mtg-arena": "counts that players chose to send, of a game that is none of this program's.",
    "openspiel-playthrough": "one game each, dealt by lot for a test: one deal shows nothing.",
    "poker-888": "only the owner's cards, and others where somebody showed them, so which cards"
    " stand there follows the play; a reader could keep the owner's two.",
    "poker-gg": "Omaha; no law of it is built, and only the owner's cards are shown.",
    "poker-ignition": "Omaha with lines damaged on purpose.",
    "poker-ohh": "the owner's cards and those shown, converted from other rooms.",
    "poker-pokernow": "the owner's cards and those shown, newest row first.",
    "poker-stars": "the owner's cards and those shown; some stud.",
    "skat-iss": "Skat; no law of it is built. Eleven deals.",
    "squaredeal": "the plan, the keys and their description; the boards are audited above.",
    "trickster-ptn": "positions typed by testers, some of two packs, one game of six tricks.",
}
