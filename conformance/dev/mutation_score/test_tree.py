"""Tests of the copy that cargo-mutants works on."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import tree
from mutant import ROOT, SOURCES, Trouble

DECLARED = re.compile(r"^\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([a-z]+\))? )?mod (\w+);", re.MULTILINE)


def reached(path):
    """The files that `mod` lines lead to, as cargo-mutants follows them."""
    beside = path.parent if path.name in ("lib.rs", "mod.rs") else path.with_suffix("")
    found = {path}
    for name in DECLARED.findall(path.read_text(encoding="utf-8")):
        file = beside / f"{name}.rs"
        found |= reached(file if file.is_file() else beside / name / "mod.rs")
    return found


class Copy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def repository(self, **files):
        """A repository with these files in the verifier's sources."""
        root = self.folder / "root"
        for name, text in files.items():
            path = root / SOURCES / (name.replace("__", "/") + ".rs")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        subprocess.run(["git", "init", "--quiet", root], check=True)
        return root

    def verifier(self):
        """A copy of a repository with the verifier's sources and nothing else."""
        root = self.repository()
        shutil.copytree(ROOT / SOURCES, root / SOURCES)
        return tree.made(root, self.folder / "copy")

    def test_every_source_is_reached(self):
        self.verifier()
        source = self.folder / "copy" / SOURCES
        self.assertEqual(reached(source / "lib.rs"), set(source.rglob("*.rs")))

    def test_only_lines_that_no_build_reads_are_added(self):
        self.verifier()
        added = re.compile(r"(#\[cfg\(any\(\)\)\]\nmod \w+;\n)*")
        for path in (ROOT / SOURCES).rglob("*.rs"):
            text = (self.folder / "copy" / path.relative_to(ROOT)).read_text(encoding="utf-8")
            was = path.read_text(encoding="utf-8")
            self.assertTrue(text.startswith(was) and added.fullmatch(text.removeprefix(was)), path)

    def test_what_a_run_has_left_is_mended(self):
        included = 'include!(concat!(env!("OUT_DIR"), "/a_laws.rs"));\n'
        root = self.repository(lib="mod json;\n" + included, a__mod="", a__laws=included, a__laws__b="", json="")
        (root / "link").symlink_to("verifier")
        copy = tree.made(root, self.folder / "copy")
        lib = copy / SOURCES / "lib.rs"
        self.assertEqual(lib.read_text(), "mod json;\n" + included + "#[cfg(any())]\nmod a;\n")
        self.assertEqual((copy / SOURCES / "a" / "laws.rs").read_text(), included + "#[cfg(any())]\nmod b;\n")
        self.assertTrue((copy / "link").is_symlink())
        lib.write_text("mutated")
        (root / SOURCES / "json.rs").unlink()
        (copy / SOURCES / "a" / "laws" / "stale.rs").write_text("")
        before = (copy / SOURCES / "a" / "laws.rs").stat().st_mtime_ns
        tree.made(root, copy)
        self.assertTrue(lib.read_text().startswith("mod json;"))
        self.assertFalse((copy / SOURCES / "json.rs").exists() or (copy / SOURCES / "a" / "laws" / "stale.rs").exists())
        self.assertEqual((copy / SOURCES / "a" / "laws.rs").stat().st_mtime_ns, before)

    def test_without_a_repository_there_is_no_copy(self):
        with self.assertRaisesRegex(Trouble, "git ls-files"):
            tree.made(self.folder, self.folder / "copy")


if __name__ == "__main__":
    unittest.main()
