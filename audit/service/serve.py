"""Starting and stopping the service: keys, store, log lines, signals."""

from __future__ import annotations

import gc
import json
import logging
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from audit.errors import UsageError
from audit.keyfile import make_key, read_private
from audit.ledger.log import Ledger, new_identity
from audit.ledger.place import create_store, open_to_append
from audit.ledger.vault import Vault, create_key
from audit.note import Key, Signer
from audit.service.hall import Hall


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


def open_hall(settings: Settings) -> Hall:
    """Open the ledger and every table in it.  Raises: UsageError, NotVerified."""
    key = read_private(settings.key)
    vault = Vault.open(settings.vault)
    ledger = Ledger(open_to_append(settings.db), Signer(settings.origin, key), settings.witnesses)
    try:
        return Hall(ledger, key, vault, witnesses=settings.witnesses, quorum=settings.quorum)
    except BaseException:
        ledger.close()
        raise


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


def _log(*, quiet: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("fairdeal").setLevel(logging.WARNING if quiet else logging.INFO)


def run(settings: Settings, *, quiet: bool = False) -> int:
    """Serve until told to stop; what was answered is durable.  Return the exit code."""
    try:
        from audit.service.app import Service
        from audit.service.server import HallServer
    except ImportError as err:
        cure = "pip install 'fairdeal[service]'"
        raise UsageError("serve", "starlette and uvicorn", "are not installed", cure) from err
    _log(quiet=quiet)
    hall = open_hall(settings)
    # What stands now stays: no collection needs to walk it again, and few find anything.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    service = Service(lambda: hall, rate=settings.rate, burst=settings.burst)
    # The server stops in order at this signal and then raises it again for whoever started it.
    signal.signal(signal.SIGTERM, lambda *_: None)
    HallServer(service, hall, settings.host, settings.port).run()
    return 0
