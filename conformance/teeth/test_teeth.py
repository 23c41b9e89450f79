"""Tests of the tools in this folder: keys, outcomes, the record, and what a check finds."""

import contextlib
import io
import json
import pathlib
import re
import tempfile
import types
import unittest
from unittest import mock

import mutant
import outcome
import record
import teeth
from mutant import Key, Trouble
from outcome import CANDIDATE, CRASHED, KILLED, SURVIVED, TIMEOUT, UNVIABLE, Outcome

FILE = "verifier/src/json/a.rs"
PASSES = "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.2s\n"
FAILS = (
    "test vector::canon/jcs/a.json      ... FAILED\ntest vector::canon/jcs/b.json ... ok\n"
    "failures:\n    vector::canon/jcs/a.json\n    vector::canon/authority/c.json\n\n"
    "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.2s\n"
)
REFUSED = "error[E0277]: no\n --> a\n\nerror: could not compile `assize-verifier` (lib)\n"


def listed(line, what, function="f", genre="BinaryOperator", replacement="", column=1):
    """A mutant as cargo-mutants lists it."""
    inside = f" in {function}" if function else ""
    return {
        "file": FILE,
        "function": {"function_name": function} if function else None,
        "genre": genre,
        "replacement": replacement,
        "name": f"{FILE}:{line}:{column}: {what}{inside}",
        "span": {"start": {"line": line, "column": column}},
    }


FIRST, SECOND, THIRD = listed(9, "replace == with !="), listed(10, "replace == with !="), listed(11, "delete !")
FIRST_KEY, SECOND_KEY, THIRD_KEY = (
    Key(FILE, "f", "replace == with !=", 1),
    Key(FILE, "f", "replace == with !=", 2),
    Key(FILE, "f", "delete !", 1),
)


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
        laws = frozenset({"canon/jcs", "canon/authority"})
        ended = "process didn't exit successfully: `vectors` (signal: {}, {})\n"
        for summary, log, kind, by in [
            ("CaughtMutant", FAILS, KILLED, laws),
            ("CaughtMutant", FAILS.split("failures")[0] + ended.format(9, "SIGKILL"), KILLED, {"canon/jcs"}),
            ("CaughtMutant", ended.format(24, "SIGXCPU: cpu time limit"), TIMEOUT, ()),
            ("CaughtMutant", ended.format(9, "SIGKILL: kill"), TIMEOUT, ()),
            ("CaughtMutant", ended.format(6, "SIGABRT: abort"), CRASHED, ()),
            ("Timeout", "running 5 tests\n", TIMEOUT, ()),
            ("MissedMutant", PASSES, SURVIVED, ()),
            ("MissedMutant", PASSES.replace("0 filtered", "7 filtered"), CANDIDATE, ()),
            ("Unviable", REFUSED, UNVIABLE, ()),
        ]:
            found, _ = outcome.judged(summary, log)
            self.assertEqual((found.kind, found.laws), (kind, frozenset(by)), (summary, log))

    def test_what_says_nothing_about_the_mutant_is_trouble(self):
        for summary, log in [
            ("CaughtMutant", "error: no such file\n"),
            ("CaughtMutant", FAILS.replace("2 failed", "3 failed")),
            ("MissedMutant", "running 0 tests\n"),
            ("MissedMutant", PASSES.replace("5 passed", "0 passed")),
            ("Unviable", "error: no space left\n"),
            ("Unviable", REFUSED + "rustc (signal: 9, SIGKILL: kill)\n"),
        ]:
            with self.assertRaises(Trouble, msg=(summary, log)):
                outcome.judged(summary, log)


class Ranges(unittest.TestCase):
    def test_there_and_back(self):
        for numbers, text in [([], ""), ([3], "3"), ([0, 1, 2, 5], "0-2 5"), ([7, 9, 10], "7 9-10")]:
            self.assertEqual((record.pack(numbers), record.unpack(text)), (text, numbers))


class Commands(unittest.TestCase):
    """Gathers and checks in a temporary folder, with three mutants."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for place, name, value in [
            (record, "PATH", self.folder / "teeth.json"),
            (record, "EQUIVALENTS", self.folder / "equivalents.json"),
            (mutant, "listing", lambda *arguments: [FIRST, SECOND, THIRD]),
        ]:
            patch = mock.patch.object(place, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.argue({})

    def argue(self, arguments):
        entries = [{**key._asdict(), "why": why} for key, why in arguments.items()]
        record.EQUIVALENTS.write_text(json.dumps({"equivalents": entries}))

    def out(self, *judged, asked=None):
        """A folder of a run: mutants with summaries and logs."""
        folder = self.folder / str(len(list(self.folder.iterdir()))) / "mutants.out"
        folder.mkdir(parents=True)
        outcomes = []
        for number, (one, summary, log) in enumerate(judged):
            (folder / f"{number}.log").write_text(log)
            outcomes.append({"scenario": {"Mutant": one}, "summary": summary, "log_path": f"{number}.log"})
        asked = asked or [one for one, _, _ in judged]
        (folder / "mutants.json").write_text(json.dumps(asked))
        (folder / "outcomes.json").write_text(json.dumps({"outcomes": outcomes, "cargo_mutants_version": "1.2.3"}))
        return folder.parent

    def run_verb(self, verb, *out, draft=False, listing=None, **more):
        options = types.SimpleNamespace(out=out, draft=draft, listing=listing, **more)
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
            code = verb(options)
        return code, said.getvalue()

    def gathered(self, *out, **options):
        self.run_verb(teeth.gather, *out, **options)
        return json.loads(record.PATH.read_text())

    def whole(self):
        return self.out((FIRST, "CaughtMutant", FAILS), (SECOND, "MissedMutant", PASSES), (THIRD, "Unviable", REFUSED))

    def test_totals_rows_and_members(self):
        found = self.gathered(self.whole())
        self.assertEqual(list(found)[:2], ["killed", "survived"])
        self.assertEqual([found[name] for name in (KILLED, SURVIVED, UNVIABLE, "score", "cases")], [1, 1, 1, 50.0, 5])
        self.assertEqual(found["modules"][0]["score"], 50.0)
        self.assertIsNone(found["modules"][1]["score"])
        rows = {row["law"]: row for row in found["laws"]}
        self.assertEqual(rows["canon/jcs"], {"law": "canon/jcs", "kills": 1, "alone": 0})
        self.assertEqual(found["survivors"], [{**SECOND_KEY._asdict(), "state": "open"}])
        self.assertEqual(found["mutants"][FILE][1], ["f", "replace == with !=", 1, KILLED, "1-2"])

    def test_a_later_run_replaces_only_what_it_judged(self):
        self.gathered(self.whole())
        found = self.gathered(self.out((SECOND, "CaughtMutant", FAILS)))
        self.assertEqual((found[KILLED], found[SURVIVED], found["score"]), (2, 0, 100.0))

    def test_the_score_is_never_rounded_up(self):
        outcomes = {Key(FILE, "f", "x", number): Outcome(KILLED) for number in range(1, 3000)}
        outcomes[FIRST_KEY] = Outcome(SURVIVED)
        self.assertEqual(record.count(outcomes, {})["score"], 99.9)

    def test_survivors_of_a_part_of_the_corpus_are_not_published(self):
        part = self.out((FIRST, "CaughtMutant", FAILS), (SECOND, "MissedMutant", PASSES.replace("0 filtered", "7 filtered")))
        with self.assertRaisesRegex(Trouble, r"1: no run judged these[\s\S]*1: these outlived a part"):
            self.run_verb(teeth.gather, part)
        self.assertFalse(record.PATH.exists())
        found = self.gathered(part, draft=True)
        self.assertEqual((found[CANDIDATE], found["unjudged"], found["survivors"][0]["state"]), (1, 1, CANDIDATE))
        self.assertIn("is a draft", self.run_verb(teeth.check, part)[1])
        whole = self.out((SECOND, "MissedMutant", PASSES), (THIRD, "Unviable", REFUSED))
        self.assertEqual(self.gathered(whole)[CANDIDATE], 0)

    def test_arguments_count_and_go_stale(self):
        self.argue({SECOND_KEY: "both sides are equal here"})
        found = self.gathered(self.whole())
        self.assertEqual((found["equivalent"], found["survived"], found["score"]), (1, 1, 100.0))
        self.assertEqual(found["survivors"][0]["why"], "both sides are equal here")
        code, said = self.run_verb(teeth.check, self.out((SECOND, "CaughtMutant", FAILS)))
        self.assertEqual(code, 1)
        self.assertIn("argues that nothing can kill it", said)
        self.argue({FIRST_KEY: "wrong"})
        with self.assertRaisesRegex(Trouble, "argues for what does not survive"):
            self.run_verb(teeth.gather, self.whole())

    def test_arguments_are_not_empty(self):
        self.argue({SECOND_KEY: " "})
        with self.assertRaisesRegex(Trouble, "needs an argument"):
            record.equivalents()

    def test_check(self):
        self.gathered(self.whole())
        code, said = self.run_verb(teeth.check, self.whole())
        self.assertEqual((code, said), (0, "3 mutants: 1 killed, 1 survived, 1 unviable\n"))
        code, said = self.run_verb(teeth.check, self.out((FIRST, "MissedMutant", PASSES)))
        self.assertEqual(code, 1)
        self.assertIn(f"was killed and survives now: mend the corpus (or the verifier, if the change is wrong)\n  {FIRST_KEY}", said)
        code, said = self.run_verb(teeth.check, self.out((THIRD, "MissedMutant", PASSES)))
        self.assertEqual(code, 1)
        self.assertIn("is not in contracts/teeth.json", said)
        code, said = self.run_verb(teeth.check, self.out((SECOND, "CaughtMutant", FAILS)))
        self.assertEqual(code, 0)
        self.assertIn("gather raises the score", said)
        code, said = self.run_verb(teeth.check, self.out((FIRST, "CaughtMutant", FAILS), asked=[FIRST, SECOND]))
        self.assertEqual(code, 1)
        self.assertIn("the run was cut short", said)

    def test_what_the_tree_no_longer_has(self):
        self.gathered(self.whole())
        with mock.patch.object(mutant, "listing", lambda: [FIRST, THIRD]):
            found = self.gathered(self.out((FIRST, "CaughtMutant", FAILS)))
            self.assertEqual((found[SURVIVED], found["survivors"]), (0, []))
            with self.assertRaisesRegex(Trouble, "the tree has changed since the run"):
                self.run_verb(teeth.gather, self.whole())
            then = self.folder / "then.json"
            then.write_text(json.dumps([FIRST, SECOND, THIRD]))
            self.assertEqual(self.gathered(self.whole(), listing=then)[SURVIVED], 0)

    def test_survivors_are_run_again(self):
        self.gathered(self.out((FIRST, "CaughtMutant", FAILS), (SECOND, "MissedMutant", PASSES)), draft=True)
        names = [FIRST["name"], SECOND["name"], THIRD["name"]]
        for unjudged, wanted in [(False, names[1:2]), (True, names[1:])]:
            _, said = self.run_verb(teeth.survivors, unjudged=unjudged)
            lines = said.splitlines()
            asked = [name for name in names if any(re.search(expression, name) for expression in lines[1::2])]
            self.assertEqual((asked, set(lines[::2])), (wanted, {"--re"}))

    def test_one_row_a_line(self):
        self.gathered(self.whole())
        text = record.PATH.read_text()
        self.assertIn('\n      ["f", "delete !", 1, "unviable", ""],\n', text)
        outcomes, arguments, document = record.load()
        facts = {name: document[name] for name in ("unjudged", "cases", "cargo_mutants", "excluded")}
        self.assertEqual(record.render(record.document(outcomes, arguments, facts)), text)


if __name__ == "__main__":
    unittest.main()
