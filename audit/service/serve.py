"""Starting and stopping the service: keys, store, log lines, signals."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from audit.errors import UsageError
from audit.keyfile import make_key, read_private
from audit.ledger.log import Ledger, new_identity
from audit.ledger.place import Hold, create_store, is_shared, open_to_append
from audit.ledger.vault import Vault, create_key
from audit.note import Key, Signer
from audit.service.hall import Hall
from audit.service.team import Team

#: Where in the ledger's state the service that may write has put its claim.
REIGN = "reign"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where everything is. *rate* and *burst* are requests of one peer, a second and at once."""

    db: str
    key: Path
    vault: Path
    origin: str
    host: str = "127.0.0.1"
    port: int = 8080
    witnesses: tuple[Key, ...] = ()
    quorum: int = 0
    rate: float = 200.0
    burst: float = 400.0


def create(settings: Settings) -> None:
    """Make keys and an empty ledger, none of which may stand.  Raises: UsageError."""
    for path in (settings.key, settings.vault):
        if path.exists():
            raise UsageError(str(path), "file", "stands already; nothing was changed")
    make_key(settings.key)
    create_key(settings.vault)
    signer = Signer(settings.origin, read_private(settings.key))
    create_store(settings.db, *new_identity(signer))


def open_hall(settings: Settings, *, reign: bytes | None = None, team: Team | None = None) -> Hall:
    """Open the ledger and every table in it, or those of one worker of a *team*.

    *reign* is the claim of the service that this process belongs to: whoever takes the ledger
    over makes another one, and this process writes nothing more. Each worker has a claim of
    its own besides, lest one that was taken for dead write beside the one that replaced it.
    Raises: UsageError, NotVerified, StoreFailed.
    """
    key = read_private(settings.key)
    vault = Vault.open(settings.vault)
    ledger = Ledger(
        open_to_append(settings.db),
        Signer(settings.origin, key),
        settings.witnesses,
        claims=None if reign is None else {REIGN: reign},
    )
    try:
        if team is not None:
            ledger.claim(f"{REIGN}/{team.me}", os.urandom(16))
        return Hall(
            ledger,
            key,
            vault,
            witnesses=settings.witnesses,
            quorum=settings.quorum,
            has=None if team is None else team.has,
        )
    except BaseException:
        ledger.close()
        raise


def take_reign(settings: Settings) -> bytes | None:
    """Claim the ledger for this service; None where only one process can have it open."""
    if not is_shared(settings.db):
        return None
    reign = os.urandom(16)
    signer = Signer(settings.origin, read_private(settings.key))
    with Ledger(open_to_append(settings.db), signer, settings.witnesses) as ledger:
        ledger.claim(REIGN, reign)
    return reign


class JsonLines(logging.Formatter):
    """One JSON object a line; of a fault only its type, never what it held."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "event": record.msg if record.name.startswith("fairdeal") else record.name,
        }
        for name in ("method", "route", "status", "ms"):
            if hasattr(record, name):
                told[name] = getattr(record, name)
        if record.exc_info and record.exc_info[0] is not None:
            told["fault"] = record.exc_info[0].__name__
        return json.dumps(told)


def log_to_stderr(*, quiet: bool) -> None:
    """Write log lines as `JsonLines`; *quiet* leaves only faults."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("fairdeal").setLevel(logging.WARNING if quiet else logging.INFO)


def run(settings: Settings, *, quiet: bool = False, workers: int = 1) -> int:
    """Serve until told to stop; what was answered is durable.  Return the exit code.

    Raises: UsageError; InUse where another service has the ledger.
    """
    try:
        from audit.service import server
    except ImportError as err:
        cure = "pip install 'fairdeal[service]'"
        raise UsageError("serve", "starlette and uvicorn", "are not installed", cure) from err
    if workers > 1 and not is_shared(settings.db):
        why = "need a ledger that several processes may open"
        raise UsageError("serve", "workers", why, "postgresql://...", settings.db)
    log_to_stderr(quiet=quiet)
    with Hold(settings.db) as held:
        reign = take_reign(settings)
        if workers == 1:
            server.serve(settings, open_hall(settings, reign=reign))
            return 0
        from audit.service.workers import supervise

        assert reign is not None
        return supervise(settings, reign, workers, held.renew, quiet=quiet)
