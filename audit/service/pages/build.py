"""Puts the verifier's page into one file: `python -m audit.service.pages.build`.

The page holds the bytes of its scripts and of `verify.css` as they stand, and a
content security policy with the hash of each, so that it can load and send nothing.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

FOLDER = Path(__file__).parent
SCRIPTS = ("verify.js", "verify_bulk.js", "verify_page.js")
STYLE = "verify.css"


def source_hash(data: bytes) -> str:
    """Return a source expression for the exact bytes, as CSP level 2 writes it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}'"


def verifier_page() -> bytes:
    """Return the bytes of `verify.html`."""
    scripts = [(FOLDER / name).read_bytes() for name in SCRIPTS]
    style = (FOLDER / STYLE).read_bytes()
    for data in [*scripts, style]:
        if b"</s" in data.lower() or b"\r" in data:
            raise ValueError("pages: a part would not stand as it is inside a page")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src {' '.join(map(source_hash, scripts))}; style-src {source_hash(style)}"
    )
    page = (FOLDER / "verify.template.html").read_bytes()
    inline = b"\n".join(b"<script>" + data + b"</script>" for data in scripts)
    return (
        page.replace(b"@POLICY@", policy.encode())
        .replace(b"@STYLE@", b"<style>" + style + b"</style>")
        .replace(b"@SCRIPTS@", inline)
    )


def page_hashes() -> dict[str, str]:
    """Return the SHA-256, in hex, of each file that a browser loads, by its name."""
    files = sorted(p for p in FOLDER.iterdir() if p.suffix in (".html", ".js", ".css"))
    return {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest()
        for p in files
        if "template" not in p.name
    }


def main() -> None:
    """Write the page beside its parts."""
    (FOLDER / "verify.html").write_bytes(verifier_page())


if __name__ == "__main__":
    main()
