"""The command `fairdeal`: parse, call, show.  One command, one file in `cli/`."""

from __future__ import annotations

import io
import sys

import click

from audit import __version__
from audit.cli.audit import audit
from audit.cli.completion import completion
from audit.cli.convert import convert
from audit.cli.demo import demo
from audit.cli.doctor import doctor
from audit.cli.explain import explain
from audit.cli.fsck import fsck
from audit.cli.games import games
from audit.cli.lab import lab
from audit.cli.odds import odds
from audit.cli.recheck import recheck
from audit.cli.sealed import deal, open_
from audit.cli.serve import serve
from audit.cli.sit import sit
from audit.cli.verify import verify
from audit.cli.witness import witness
from audit.errors import FairdealError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fairdeal")
def cli() -> None:
    """Deal cards provably fairly, and audit logs of deals that were not."""


COMMANDS = (
    audit,
    completion,
    convert,
    deal,
    demo,
    doctor,
    explain,
    fsck,
    games,
    lab,
    odds,
    open_,
    recheck,
    serve,
    sit,
    verify,
    witness,
)
for command in COMMANDS:
    cli.add_command(command)


def run() -> None:
    """Run the command and leave with the exit code that its outcome has.

    0 clean or verified, 1 flagged or does not verify, 2 usage or unknown input,
    3 no verdict, 70 internal fault, 130 interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a sign shows a question mark; files are UTF-8 anyway.
            stream.reconfigure(errors="replace")
    sys.exit(outcome(sys.argv[1:]))


def outcome(arguments: list[str]) -> int:
    """Return the exit code of the command line *arguments*, messages on stderr."""
    try:
        result = cli.main(args=arguments, prog_name="fairdeal", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as err:
        click.echo(err.format_message(), err=True)
        return 2
    except FairdealError as err:
        click.echo(f"error: {err}", err=True)
        return err.exit_code
    except click.ClickException as err:
        click.echo(f"error: {err.format_message()}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as err:
        click.echo(
            f"error: fairdeal: internal fault: {type(err).__name__}; run `fairdeal doctor`",
            err=True,
        )
        return 70
