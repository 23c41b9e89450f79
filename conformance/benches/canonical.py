"""Canonical bytes with their SHA-256, against SHA-256 of the text alone and against the crate `serde_json_canonicalizer`.

`cargo bench -p assize-verifier --bench canon` measures the same in one process, and says what its documents are.
"""

import os

from processes import RELEASE, Figure, Row, Way, newest

# Each kind of documents in words, how often a process works through them, the most of SHA-256's time and the least of the crate's.
KINDS = {
    "small": ("small records", 800, 2.6, 9),
    "big": ("dense numbers", 400, 5, 14),
    "numbers": ("long doubles", 400, None, None),
    "text": ("text", 400, 1.5, 2.1),
}


def rows(sitting):
    for kind, (title, rounds, most, least) in KINDS.items():
        way = lambda name: Way([newest(os.path.join(RELEASE, "deps", "canon-*")), "--alone", name, kind, str(sitting.scaled(rounds))])
        every = lambda: {"assize": way("assize"), "sha256": way("sha256_alone"), "crate": way("serde_json_canonicalizer")}
        yield Row(f"canonical bytes of {title}", every, [Figure("assize", "cpu", "sha256", most=most), Figure("crate", "cpu", "assize", least=least)])
