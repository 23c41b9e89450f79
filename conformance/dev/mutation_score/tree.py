"""The copy of the repository that cargo-mutants works on, and the mutants in it.

cargo-mutants finds modules by `mod` lines alone, and the build writes those of the systems and of their laws. In the copy
each file that includes such lines ends with lines that no build reads and cargo-mutants follows; nothing else differs, so
that a mutant has the same name in both trees.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess

from mutant import ROOT, SOURCES, Trouble

FOLDER = ROOT / "target" / "mutation-score-tree"
INCLUDED = 'include!(concat!(env!("OUT_DIR"), '


def undeclared(path):
    """Names of the modules that the build declares in a file of the verifier: of lib.rs the systems, of laws.rs the laws."""
    text = path.read_text(encoding="utf-8")
    if INCLUDED not in text:
        return []
    names = {file.stem for file in path.with_suffix("").glob("*.rs")}
    if path.name == "lib.rs":
        names = {file.parent.name for file in path.parent.glob("*/mod.rs")}
    return sorted(name for name in names if not re.search(rf"\bmod {name}\b", text))


def _files(root):
    """The files of a tree that belong to the repository, committed or not."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    ran = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if ran.returncode:
        raise Trouble(f"`{' '.join(command)}` failed:\n{ran.stderr.decode(errors='replace').strip()}")
    return {name for name in os.fsdecode(ran.stdout).split("\0") if name and os.path.lexists(root / name)}


def _content(path):
    """What a link points to, or the bytes of a file; nothing where neither is."""
    if path.is_symlink():
        return os.readlink(path)
    return path.read_bytes() if path.is_file() else None


def _write(path, content):
    """A link or a file where something else was. What is right already stays, with the time that builds look at."""
    if _content(path) == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if isinstance(content, str):
        path.symlink_to(content)
    else:
        path.write_bytes(content)


def made(root=ROOT, folder=FOLDER):
    """Makes the copy anew, also out of one that a run has left with a mutant in it, and says where it stands."""
    files = _files(root)
    for name in sorted(files):
        path, content = root / name, _content(root / name)
        if name.startswith(SOURCES) and name.endswith(".rs"):
            content += "".join(f"#[cfg(any())]\nmod {module};\n" for module in undeclared(path)).encode()
        _write(folder / name, content)
        if not path.is_symlink():
            shutil.copymode(path, folder / name)
    for place, _, names in os.walk(folder):
        for path in (pathlib.Path(place, name) for name in names):
            if path.relative_to(folder).as_posix() not in files:
                path.unlink()
    return folder


def listing(*arguments):
    """The mutants of this tree, as cargo-mutants lists them."""
    command = ["cargo", "mutants", "--list", "--json", *arguments]
    try:
        ran = subprocess.run(command, cwd=made(), capture_output=True, text=True, check=False)
    except OSError as error:
        raise Trouble(f"cargo cannot be started: {error}") from error
    if ran.returncode:
        raise Trouble(f"`{' '.join(command)}` failed; is cargo-mutants on the path?\n{ran.stderr.strip()}")
    return json.loads(ran.stdout) if ran.stdout.strip() else []
