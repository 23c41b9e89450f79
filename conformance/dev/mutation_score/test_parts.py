"""Tests of keys, of the choice, and of what a log says."""

import re
import unittest

import mutant
import outcome
import record
from fixtures import (
    CASES,
    FAILS,
    FILE,
    FIRST,
    FIRST_KEY,
    LINTED,
    NO_SPACE,
    OTHER_FAILS,
    OTHER_PASSES,
    PART,
    PASSES,
    REFUSED,
    SECOND,
    SECOND_KEY,
    THIRD,
    THIRD_KEY,
    UNWRITTEN,
    listed,
)
from mutant import Key, Trouble
from outcome import CANDIDATE, CRASHED, KILLED, SURVIVED, TESTED, TIMEOUT, UNVIABLE


class Keys(unittest.TestCase):
    def test_ordinals_follow_the_source_and_not_the_listing(self):
        found = mutant.keys([SECOND, THIRD, FIRST])
        self.assertEqual([found[one["name"]] for one in (FIRST, SECOND, THIRD)], [FIRST_KEY, SECOND_KEY, THIRD_KEY])

    def test_lines_do_not_matter(self):
        moved = mutant.keys([listed(109, "replace == with !="), listed(110, "replace == with !=")])
        self.assertEqual(sorted(moved.values()), [FIRST_KEY, SECOND_KEY])

    def test_bodies_and_constants(self):
        body = listed(1, "replace f -> u8 with 0", "", "FnValue", "0")
        body["function"] = {"function_name": "f"}
        constant = listed(2, "replace << with >>", "")
        found = mutant.keys([body, constant])
        self.assertEqual(found[body["name"]], Key(FILE, "f", "replace body with 0", 1))
        self.assertEqual(str(found[constant["name"]]), f"{FILE}: replace << with >>")
        self.assertEqual(str(SECOND_KEY), f"{FILE}: replace == with != in f (2)")

    def test_modules(self):
        for file, module in [("json/a.rs", "json"), ("canon.rs", "canon"), ("episode/x/y.rs", "episode"), ("law.rs", "others")]:
            self.assertEqual(Key(mutant.SOURCES + file, "", "", 1).module, module)

    def test_text_for_people_is_left_out(self):
        patterns = mutant.excluded_patterns()
        for name, left_out in [
            ("a.rs:1:1: replace LedgerError::help -> &'static str with \"\"", True),
            ("a.rs:1:1: delete ! in <impl fmt::Display for LedgerError>::fmt", True),
            ("a.rs:1:1: replace <impl fmt::Display for Digest>::fmt -> fmt::Result with Ok(Default::default())", False),
            ("a.rs:1:1: replace helper -> bool with true", False),
        ]:
            self.assertEqual(mutant.is_excluded(name, patterns), left_out, name)


class Sample(unittest.TestCase):
    names = mutant.keys([listed(line, f"replace {line} with 0") for line in range(200)])

    def test_the_commit_chooses(self):
        one, other = (mutant.chosen(self.names, commit, 20) for commit in ("a", "b"))
        self.assertEqual(one, mutant.chosen(dict(reversed(self.names.items())), "a", 20))
        self.assertEqual(len(set(one)), 20)
        self.assertNotEqual(one, other)

    def test_moved_lines_are_chosen_alike(self):
        moved = mutant.keys([listed(line + 7, f"replace {line} with 0") for line in range(200)])
        chosen = lambda names: {names[name] for name in mutant.chosen(names, "a", 20)}
        self.assertEqual(chosen(self.names), chosen(moved))

    def test_expressions_take_one_name(self):
        name = "a.rs:1:1: replace <impl A for B<'_>>::f -> [u8; 2] with vec![0] * (1 + 2) || x? && {y} ^ $z | \\ #"
        self.assertTrue(re.search(mutant.exactly(name), name))
        self.assertFalse(re.search(mutant.exactly(name), name + "x"))
        self.assertFalse(re.search(mutant.exactly("a.rs"), "abrs"))


class Judged(unittest.TestCase):
    def test_kinds(self):
        laws = frozenset({"canon/episode", "canon/authority"})
        ended = "process didn't exit successfully: `vectors` (signal: {}, {})\n"
        for summary, log, kind, by in [
            ("CaughtMutant", FAILS, KILLED, laws),
            ("CaughtMutant", FAILS.split("test vector::canon/episode/b")[0] + ended.format(9, "SIGKILL"), KILLED, laws),
            ("CaughtMutant", ended.format(24, "SIGXCPU: cpu time limit"), TIMEOUT, ()),
            ("CaughtMutant", ended.format(9, "SIGKILL: kill"), TIMEOUT, ()),
            ("CaughtMutant", ended.format(6, "SIGABRT: abort"), CRASHED, ()),
            ("Timeout", "running 5 tests\n", TIMEOUT, ()),
            ("MissedMutant", PASSES, SURVIVED, ()),
            ("MissedMutant", PART, CANDIDATE, ()),
            ("CaughtMutant", PASSES + OTHER_FAILS, TESTED, ()),
            ("Unviable", REFUSED, UNVIABLE, ()),
            ("Unviable", REFUSED.replace("--> verifier/src/", "--> /some/copy/verifier/src/"), UNVIABLE, ()),
            ("Unviable", LINTED, UNVIABLE, ()),
        ]:
            found = outcome.judged(summary, log)
            self.assertEqual((found.kind, found.laws), (kind, frozenset(by)), (summary, log))

    def test_what_says_nothing_about_the_mutant_is_trouble(self):
        for summary, log in [
            ("CaughtMutant", "error: no such file\n"),
            ("CaughtMutant", FAILS.replace("2 failed", "3 failed")),
            ("MissedMutant", "running 0 tests\n"),
            ("MissedMutant", OTHER_PASSES),
            ("MissedMutant", PASSES.replace("5 passed", "0 passed")),
            ("Unviable", "error: no space left\n"),
            ("Unviable", NO_SPACE),
            ("Unviable", UNWRITTEN),
            # A true error beside a full disk, an error in another crate, one without a place.
            ("Unviable", REFUSED + NO_SPACE),
            ("Unviable", REFUSED.replace("`assize-verifier`", "`assize-corpus`")),
            ("Unviable", REFUSED + "error: could not compile `serde` (lib) due to 1 previous error\n"),
            ("Unviable", REFUSED.replace("--> verifier/src/authority/chain.rs:129:9", "--> vectors/src/lib.rs:1:1")),
            ("Unviable", re.sub(r"\n +--> verifier/src/\S+:129:9", "", REFUSED)),
            ("Unviable", REFUSED + "rustc (signal: 9, SIGKILL: kill)\n"),
        ]:
            with self.assertRaises(Trouble, msg=(summary, log)):
                outcome.judged(summary, log)

    def test_the_ids_of_a_whole_run(self):
        for log, cases in [(PASSES, CASES), (FAILS, CASES), (PART, ()), (PASSES + OTHER_FAILS, ()), ("", ())]:
            self.assertEqual(outcome.cases_of(log), frozenset(cases), log)


class Ranges(unittest.TestCase):
    def test_there_and_back(self):
        for numbers, text in [([], ""), ([3], "3"), ([0, 1, 2, 5], "0-2 5"), ([7, 9, 10], "7 9-10")]:
            self.assertEqual((record.pack(numbers), record.unpack(text)), (text, numbers))


if __name__ == "__main__":
    unittest.main()
