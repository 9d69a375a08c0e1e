"""`fairdeal completion`: a script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

SHELLS: dict[str, type[ShellComplete]] = {
    "bash": BashComplete,
    "fish": FishComplete,
    "zsh": ZshComplete,
}


@click.command()
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print what SHELL has to evaluate, in bash: eval "$(fairdeal completion bash)"."""
    root = context.find_root().command
    click.echo(SHELLS[shell](root, {}, "fairdeal", "_FAIRDEAL_COMPLETE").source())
    return 0
