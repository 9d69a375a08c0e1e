"""A PostgreSQL server of our own, in a temporary folder, run by an unprivileged user."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote


def binaries() -> Path | None:
    """Return the folder that holds initdb and pg_ctl, None where there is none."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((f for f in folders if (f / "pg_ctl").exists()), None)


class Server:
    """A running server; schemas of it are reached by `dsn`."""

    def __init__(self, *settings: str) -> None:
        folder = binaries()
        if folder is None:
            raise RuntimeError("PostgreSQL is absent")
        self._bin = folder
        self._user = pwd.getpwuid(os.getuid())
        if self._user.pw_uid == 0:
            self._user = next(u for u in pwd.getpwall() if u.pw_name in ("postgres", "nobody"))
        self.folder = Path(tempfile.mkdtemp(prefix="fairdeal-pg-"))
        os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self._data = self.folder / "data"
        self._run("initdb", "-D", str(self._data), "-A", "trust", "-U", "ledger", "-N")
        lines = [
            "listen_addresses = ''",
            f"unix_socket_directories = '{self.folder}'",
            "max_connections = 60",
            *settings,
        ]
        with (self._data / "postgresql.conf").open("a") as file:
            file.write("\n".join(lines) + "\n")
        self.start()

    def _run(self, name: str, *arguments: str) -> None:
        command = [str(self._bin / name), *arguments]
        if os.getuid() == 0:
            user = str(self._user.pw_uid)
            group = str(self._user.pw_gid)
            ids = ["--reuid", user, "--regid", group, "--clear-groups"]
            command = ["setpriv", *ids, *command]
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
        )

    def start(self) -> None:
        """Start, and return when it answers."""
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-l", log, "-w", "-t", "60", "start")

    def kill(self) -> None:
        """End the server as a power cut of its processes would: no clean shutdown."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def kill_postmaster(self) -> int:
        """Send SIGKILL to the first process of the server and return its id."""
        pid = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        return pid

    def dsn(self, schema: str = "public", options: str = "") -> str:
        """Return the address of one schema, which is not made here."""
        setting = quote(f"-c search_path={schema} {options}".strip())
        return (
            f"postgresql:///postgres?host={quote(str(self.folder))}&user=ledger&options={setting}"
        )

    def close(self) -> None:
        """Stop, and remove the folder."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
