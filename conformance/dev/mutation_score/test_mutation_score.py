"""Tests of the commands: what is gathered, what a check finds, and what is chosen."""

import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import types
import unittest
from unittest import mock

import mutant
import record
import mutation_score
import tree
from fixtures import (
    CASES,
    FAILS,
    FILE,
    FIRST,
    FIRST_KEY,
    OTHER_FAILS,
    OTHER_PASSES,
    PART,
    PASSES,
    REFUSED,
    SECOND,
    SECOND_KEY,
    THIRD,
    THIRD_KEY,
    listed,
    ran,
)
from mutant import Key, Trouble
from outcome import CANDIDATE, KILLED, SURVIVED, UNJUDGED, UNVIABLE, Outcome


class Commands(unittest.TestCase):
    """Gathers and checks in a temporary folder, with three mutants."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for place, name, value in [
            (record, "PATH", self.folder / "mutation-score.json"),
            (record, "EQUIVALENTS", self.folder / "equivalents.json"),
            (record, "OPEN", self.folder / "open.json"),
            (tree, "listing", lambda *arguments: [FIRST, SECOND, THIRD]),
            (mutant, "sources", lambda: {FILE: self.text}),
        ]:
            patch = mock.patch.object(place, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.text = "0" * 64
        self.argue({})
        self.leave_open({})

    def argue(self, arguments, kind="equivalent"):
        entries = [{**key._asdict(), "kind": kind, "why": why} for key, why in arguments.items()]
        record.EQUIVALENTS.write_text(json.dumps({"equivalents": entries}))

    def leave_open(self, reasons):
        record.OPEN.write_text(json.dumps({"open": [{**key._asdict(), "why": why} for key, why in reasons.items()]}))

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

    def run_verb(self, verb, *out, draft=False, listing=None, keep=False, method="by hand", **more):
        options = types.SimpleNamespace(out=out, draft=draft, listing=listing, keep=keep, method=method, **more)
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
            code = verb(options)
        return code, said.getvalue()

    def gathered(self, *out, **options):
        self.run_verb(mutation_score.gather, *out, **options)
        return json.loads(record.PATH.read_text())

    def whole(self):
        return self.out((FIRST, "CaughtMutant", FAILS), (SECOND, "MissedMutant", PASSES), (THIRD, "Unviable", REFUSED))

    def test_totals_rows_and_members(self):
        found = self.gathered(self.whole())
        self.assertEqual(list(found)[:2], ["killed", "survived"])
        self.assertEqual([found[name] for name in (KILLED, SURVIVED, UNVIABLE, "score", "cases")], [1, 1, 1, 50.0, 5])
        scores = [(row["module"], row["score"]) for row in found["modules"]]
        self.assertEqual(scores, [("json", 50.0), *((module, None) for module in (*mutant.MODULES, mutant.OTHERS) if module != "json")])
        rows = {row["law"]: row for row in found["laws"]}
        self.assertEqual(rows["canon/episode"], {"law": "canon/episode", "kills": 1, "alone": 0})
        self.assertEqual(found["survivors"], [{**SECOND_KEY._asdict(), "state": "open"}])
        by = record.pack(found["laws"].index(rows[law]) for law in ("canon/authority", "canon/episode"))
        self.assertEqual(found["mutants"][FILE][1], ["f", "replace == with !=", 1, KILLED, by])

    def test_a_later_run_replaces_only_what_it_judged(self):
        self.gathered(self.whole())
        found = self.gathered(self.out((SECOND, "CaughtMutant", FAILS)))
        self.assertEqual((found[KILLED], found[SURVIVED], found["score"]), (2, 0, 100.0))

    def test_the_score_is_never_rounded_up(self):
        outcomes = {Key(FILE, "f", "x", number): Outcome(KILLED) for number in range(1, 3000)}
        outcomes[FIRST_KEY] = Outcome(SURVIVED)
        self.assertEqual(record.count(outcomes, {})["score"], 99.9)

    def test_survivors_of_a_part_of_the_corpus_are_not_published(self):
        part = self.out((FIRST, "CaughtMutant", FAILS), (SECOND, "MissedMutant", PART))
        with self.assertRaisesRegex(Trouble, r"1: no run judged these[\s\S]*1: these outlived a part"):
            self.run_verb(mutation_score.gather, part)
        self.assertFalse(record.PATH.exists())
        found = self.gathered(part, draft=True)
        self.assertEqual((found[CANDIDATE], found["unjudged"], found["survivors"][0]["state"]), (1, 1, CANDIDATE))
        self.assertIn("is a draft", self.run_verb(mutation_score.check, part)[1])
        whole = self.out((SECOND, "MissedMutant", PASSES), (THIRD, "Unviable", REFUSED))
        self.assertEqual(self.gathered(whole)[CANDIDATE], 0)

    def test_arguments_count_and_go_stale(self):
        self.argue({SECOND_KEY: "both sides are equal here"})
        found = self.gathered(self.whole())
        self.assertEqual((found["argued"], found["survived"], found["score"]), (1, 1, 100.0))
        self.assertEqual(found["survivors"][0], {**SECOND_KEY._asdict(), "state": "equivalent", "why": "both sides are equal here"})
        code, said = self.run_verb(mutation_score.check, self.out((SECOND, "CaughtMutant", FAILS)))
        self.assertEqual(code, 1)
        self.assertIn("argues that nothing can kill it", said)
        self.argue({FIRST_KEY: "wrong"})
        with self.assertRaisesRegex(Trouble, "argues for what does not survive"):
            self.run_verb(mutation_score.gather, self.whole())

    def test_arguments_are_not_empty_and_have_a_kind(self):
        self.argue({SECOND_KEY: " "})
        with self.assertRaisesRegex(Trouble, "needs a reason"):
            record.equivalents()
        self.argue({SECOND_KEY: "so"}, kind="likely")
        with self.assertRaisesRegex(Trouble, "the kind is one of equivalent, words, outside-domain, not 'likely'"):
            record.equivalents()
        self.argue({SECOND_KEY: "so"}, kind="words")
        self.assertEqual(self.gathered(self.whole())["survivors"][0]["state"], "words")

    def test_open_survivors_may_have_a_reason(self):
        self.leave_open({SECOND_KEY: "needs a ledger of four gigabytes"})
        found = self.gathered(self.whole())
        self.assertEqual(found["survivors"], [{**SECOND_KEY._asdict(), "state": "open", "why": "needs a ledger of four gigabytes"}])
        self.assertEqual((found["argued"], found["score"]), (0, 50.0))
        self.argue({SECOND_KEY: "both sides are equal here"})
        with self.assertRaisesRegex(Trouble, r"open.json gives reasons[\s\S]*" + re.escape(str(SECOND_KEY))):
            self.run_verb(mutation_score.gather, self.whole())
        self.argue({})
        self.leave_open({FIRST_KEY: "is killed"})
        with self.assertRaisesRegex(Trouble, "open.json gives reasons"):
            self.run_verb(mutation_score.gather, self.whole())

    def test_what_no_run_has_judged_is_listed_and_counts_neither_way(self):
        found = self.gathered(self.out((FIRST, "CaughtMutant", FAILS)), draft=True)
        self.assertEqual((found["unjudged"], found["score"]), (2, 100.0))
        self.assertIn(["f", "replace == with !=", 2, UNJUDGED, ""], found["mutants"][FILE])
        # What is listed once is no reason to write nothing, and no verdict on a run.
        again = self.out((FIRST, "CaughtMutant", FAILS))
        self.assertEqual(self.gathered(again), found)
        code, said = self.run_verb(mutation_score.check, self.out((SECOND, "MissedMutant", PASSES), (THIRD, "CaughtMutant", FAILS)))
        self.assertEqual(code, 0)
        self.assertIn(f"1 survive, and no run had judged them before", said)
        self.assertIn(str(SECOND_KEY), said)
        found = self.gathered(self.out((SECOND, "MissedMutant", PASSES)))
        self.assertEqual((found["unjudged"], found[SURVIVED], found["score"]), (1, 1, 50.0))

    def test_without_runs_the_record_takes_what_was_written_by_hand(self):
        before = self.gathered(self.whole())
        self.argue({SECOND_KEY: "both sides are equal here"})
        found = self.gathered(method=None)
        self.assertEqual((found["argued"], found["method"], found["cases"]), (1, "by hand", 5))
        self.assertEqual(found["mutants"], before["mutants"])

    def test_the_method_is_told_once(self):
        with self.assertRaisesRegex(Trouble, "--method"):
            self.run_verb(mutation_score.gather, self.whole(), method=None)
        self.assertEqual(self.gathered(self.whole())["method"], "by hand")
        self.assertEqual(self.gathered(self.whole(), method=None)["method"], "by hand")

    def test_a_changed_file_is_judged_anew(self):
        self.assertEqual(self.gathered(self.whole())["sources"], {FILE: "0" * 64})
        self.text = "1" * 64
        part = self.out((FIRST, "CaughtMutant", FAILS))
        with self.assertRaisesRegex(Trouble, "2: no run judged these"):
            self.run_verb(mutation_score.gather, part)
        self.assertIn("1 files of the verifier have changed", self.run_verb(mutation_score.check, part)[1])
        # Kept outcomes are of the old text, and say so.
        self.assertEqual(self.gathered(part, keep=True)["sources"], {FILE: "0" * 64})
        self.assertEqual(self.gathered(self.whole())["sources"], {FILE: "1" * 64})
        self.assertNotIn("have changed", self.run_verb(mutation_score.check, part)[1])

    def test_cases_are_those_of_the_last_whole_run(self):
        found = self.gathered(self.whole())
        self.assertEqual((found["cases"], found["case_ids"]), (5, record.digest_of(CASES)))
        later = self.gathered(self.out((FIRST, "CaughtMutant", ran(CASES[:1], left_out=7))))
        self.assertEqual((later["cases"], later["case_ids"]), (5, record.digest_of(CASES)))
        self.assertEqual(record.digest_of(["b", "a"]), "911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2")

    def test_versions_do_not_mix(self):
        self.gathered(self.whole())
        run = self.whole()
        path = run / "mutants.out" / "outcomes.json"
        path.write_text(path.read_text().replace("1.2.3", "1.2.4"))
        with self.assertRaisesRegex(Trouble, "one version of cargo-mutants"):
            self.run_verb(mutation_score.gather, run)
        code, said = self.run_verb(mutation_score.check, run)
        self.assertEqual(code, 1)
        self.assertIn("other version of cargo-mutants than the record's, 1.2.3\n  1.2.4", said)

    def test_a_check_of_nothing_is_no_answer(self):
        self.gathered(self.whole())
        for run in [self.out(), self.out((THIRD, "Unviable", REFUSED))]:
            code, said = self.run_verb(mutation_score.check, run)
            self.assertEqual(code, 1)
            self.assertIn("judged no mutant at all", said)

    def test_what_no_longer_builds_is_worse(self):
        self.gathered(self.whole())
        for one, key in [(FIRST, FIRST_KEY), (SECOND, SECOND_KEY)]:
            code, said = self.run_verb(mutation_score.check, self.out((one, "Unviable", REFUSED), (THIRD, "MissedMutant", PASSES)))
            self.assertEqual(code, 1)
            self.assertIn(f"does not build now: if the change means that, judge its file anew and gather\n  {key}", said)

    def test_kills_that_ended_otherwise_are_named(self):
        self.gathered(self.whole())
        for summary, log in [("Timeout", ""), ("CaughtMutant", "exited (signal: 6, SIGABRT: abort)\n")]:
            code, said = self.run_verb(mutation_score.check, self.out((FIRST, summary, log)))
            self.assertEqual(code, 0)
            self.assertIn(f"1 recorded kills ended by a limit of time or broke off before a vector failed", said)
            self.assertIn(str(FIRST_KEY), said)

    def test_what_another_test_kills_survives_the_vectors_and_not_that_test(self):
        self.gathered(self.out((FIRST, "CaughtMutant", PASSES + OTHER_FAILS), (SECOND, "MissedMutant", PASSES), (THIRD, "Unviable", REFUSED)))
        code, said = self.run_verb(mutation_score.check, self.out((FIRST, "MissedMutant", PASSES)))
        self.assertEqual(code, 0)
        self.assertIn(f"this run had the vectors alone\n  {FIRST_KEY}", said)
        code, said = self.run_verb(mutation_score.check, self.out((FIRST, "MissedMutant", PASSES + OTHER_PASSES)))
        self.assertEqual(code, 1)
        self.assertIn("fell to another test than a vector", said)

    def test_broken_input_is_no_verdict(self):
        self.gathered(self.whole())
        for name, text in [("outcomes.json", "[]"), ("outcomes.json", "{}"), ("mutants.json", "{}"), ("mutants.json", "[1]"),
                           ("outcomes.json", "{"), ("outcomes.json", '{"outcomes": [{}], "cargo_mutants_version": "1"}'),
                           ("outcomes.json", '{"outcomes": 7, "cargo_mutants_version": "1"}')]:
            run = self.whole()
            (run / "mutants.out" / name).write_text(text)
            self.assertEqual(self.main("check", run)[0], 3, (name, text))
        self.assertEqual(self.main("check", self.folder / "absent")[0], 3)
        self.assertEqual(self.main("gather", self.whole(), "--listing", self.folder / "absent")[0], 3)
        (self.folder / "odd.json").write_text("[7]")
        self.assertEqual(self.main("gather", self.whole(), "--listing", self.folder / "odd.json")[0], 3)
        for text in ["[]", "{}", '{"laws": 1}', "{"]:
            record.PATH.write_text(text)
            self.assertEqual(self.main("check", self.whole())[0], 3, text)

    def test_a_fault_of_the_tool_is_no_verdict(self):
        with mock.patch.object(record, "load", side_effect=ZeroDivisionError):
            code, said = self.main("check", self.whole())
        self.assertEqual(code, 3)
        self.assertIn("ZeroDivisionError", said)

    def main(self, *arguments):
        """Exit code and words of the whole program."""
        with mock.patch.object(sys, "argv", ["mutation_score.py", *map(str, arguments)]):
            with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
                try:
                    code = mutation_score.main()
                except SystemExit as exit:
                    code = exit.code
        return code, said.getvalue()

    def test_an_empty_choice_runs_nothing(self):
        self.gathered(self.out((FIRST, "CaughtMutant", FAILS), (SECOND, "CaughtMutant", FAILS), (THIRD, "Unviable", REFUSED)))
        for arguments in [("sample", "--commit", "a", "--count", "0"), ("survivors",)]:
            code, said = self.main(*arguments)
            self.assertEqual((code, said.splitlines()), (4, ["--re", mutation_score.NOTHING, "no mutant is chosen"]))
        self.assertIsNone(re.search(mutation_score.NOTHING, FIRST["name"]))
        for option in ("--count", "--most"):
            self.assertEqual(self.main("sample", "--commit", "a", option, "-1")[0], 2)

    def test_what_cargo_mutants_does_not_hold_back(self):
        field = listed(20, "delete field depth from struct Self expression", genre="StructField")
        held = self.folder / "held"
        with mock.patch.object(tree, "listing", lambda *arguments: [FIRST, field]):
            for count, names in [(0, [field["name"]]), (2, [])]:
                self.main("sample", "--commit", "a", "--count", count, "--held", held)
                self.assertEqual(held.read_text().splitlines(), names)

    def test_check(self):
        self.gathered(self.whole())
        code, said = self.run_verb(mutation_score.check, self.whole())
        self.assertEqual((code, said), (0, "3 mutants: 1 killed, 1 survived, 1 unviable\n"))
        code, said = self.run_verb(mutation_score.check, self.out((FIRST, "MissedMutant", PASSES)))
        self.assertEqual(code, 1)
        self.assertIn(f"was killed and survives now: mend the corpus (or the verifier, if the change is wrong)\n  {FIRST_KEY}", said)
        code, said = self.run_verb(mutation_score.check, self.out((THIRD, "MissedMutant", PASSES)))
        self.assertEqual(code, 1)
        self.assertIn("is not in contracts/mutation-score.json", said)
        self.argue({THIRD_KEY: "newer than the record"})
        code, said = self.run_verb(mutation_score.check, self.out((THIRD, "MissedMutant", PASSES)))
        self.assertEqual(code, 0, said)
        code, said = self.run_verb(mutation_score.check, self.out((THIRD, "CaughtMutant", FAILS)))
        self.assertEqual(code, 1)
        self.assertIn(f"argues that nothing can kill it: take the argument out and gather\n  {THIRD_KEY}", said)
        self.argue({})
        code, said = self.run_verb(mutation_score.check, self.out((SECOND, "CaughtMutant", FAILS)))
        self.assertEqual(code, 0)
        self.assertIn("gather raises the score", said)
        code, said = self.run_verb(mutation_score.check, self.out((FIRST, "CaughtMutant", FAILS), asked=[FIRST, SECOND]))
        self.assertEqual(code, 1)
        self.assertIn("the run was cut short", said)

    def test_what_the_tree_no_longer_has(self):
        self.gathered(self.whole())
        with mock.patch.object(tree, "listing", lambda: [FIRST, THIRD]):
            found = self.gathered(self.out((FIRST, "CaughtMutant", FAILS)))
            self.assertEqual((found[SURVIVED], found["survivors"]), (0, []))
            with self.assertRaisesRegex(Trouble, "the tree has changed since the run"):
                self.run_verb(mutation_score.gather, self.whole())
            then = self.folder / "then.json"
            then.write_text(json.dumps([FIRST, SECOND, THIRD]))
            self.assertEqual(self.gathered(self.whole(), listing=then)[SURVIVED], 0)

    def test_survivors_are_run_again(self):
        self.gathered(self.out((FIRST, "CaughtMutant", FAILS), (SECOND, "MissedMutant", PASSES)), draft=True)
        names = [FIRST["name"], SECOND["name"], THIRD["name"]]
        for unjudged, wanted in [(False, names[1:2]), (True, names[1:])]:
            _, said = self.run_verb(mutation_score.survivors, unjudged=unjudged)
            lines = said.splitlines()
            asked = [name for name in names if any(re.search(expression, name) for expression in lines[1::2])]
            self.assertEqual((asked, set(lines[::2])), (wanted, {"--re"}))

    def test_one_row_a_line(self):
        self.gathered(self.whole())
        text = record.PATH.read_text()
        self.assertIn('\n      ["f", "delete !", 1, "unviable", ""],\n', text)
        outcomes, _, document = record.load()
        facts = {name: document[name] for name in ("unjudged", "cases", "case_ids", "cargo_mutants", "method", "excluded", "sources")}
        self.assertEqual(record.render(record.document(outcomes, {}, {}, facts)), text)


if __name__ == "__main__":
    unittest.main()
