"""A game that a book names without rules is neither dealt, audited nor made up."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from audit.cli.games import as_text, games
from audit.errors import UnknownName
from audit.games import GAMES
from audit.record import Deal
from audit.referee import machine
from audit.run.checking import law_of


def test_quadrille_is_named_and_has_no_rules() -> None:
    text = as_text(GAMES["quadrille"])
    assert "status named" in text
    assert "gives no rules" in text
    assert not any(word in text for word in ("pack", "players", "packets", "turn-up"))
    assert "named only" in CliRunner().invoke(games, []).output


def test_quadrille_has_no_machine_and_is_not_audited() -> None:
    assert machine(GAMES["quadrille"], Deal(game="quadrille", players=4)) is None
    with pytest.raises(UnknownName) as told:
        law_of("quadrille")
    assert "quadrille" not in told.value.known
