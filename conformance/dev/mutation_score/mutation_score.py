#!/usr/bin/env python3
"""What the corpus catches: turns runs of cargo-mutants over the verifier into contracts/mutation-score.json, and holds runs to it.

    python3 conformance/dev/mutation_score/mutation_score.py gather OUT...     outcomes of runs into the record
    python3 conformance/dev/mutation_score/mutation_score.py check OUT...      is a run worse than the record?
    python3 conformance/dev/mutation_score/mutation_score.py sample --commit HASH
    python3 conformance/dev/mutation_score/mutation_score.py survivors         open ones and candidates, to run them again
    python3 conformance/dev/mutation_score/mutation_score.py tree              the copy that cargo-mutants has to run in

OUT is the folder that `cargo mutants -o` was given; README.md in this folder has the commands of whole runs. Needs
only the standard library, and cargo-mutants on the path to list the mutants of the tree.

Exit codes: 0 done, 1 the run is worse than the record, 3 no answer, 4 no mutant is chosen.
"""

import argparse
import pathlib
import sys
import traceback
from collections import Counter

import mutant
import outcome
import record
import tree
from mutant import Trouble
from outcome import BITTEN, CANDIDATE, CRASHED, KILLED, SURVIVED, TESTED, TIMEOUT, UNJUDGED, UNVIABLE, Outcome

NOTHING = "^$"  # an expression that matches no name
MOST = 40  # lines of one kind of trouble that are printed


def listed(lines):
    """Some lines, the rest counted."""
    rest = [f"and {len(lines) - MOST} more"] if len(lines) > MOST else []
    return "".join(f"\n  {line}" for line in [*lines[:MOST], *rest])


def listing(path):
    """Names and keys of the tree that was run: this one, or the one whose listing is in a file."""
    if not path:
        return mutant.keys(tree.listing())
    try:
        return mutant.keys(mutant.read_json(path, list))
    except (LookupError, TypeError) as error:
        raise Trouble(f"{path}: no listing of cargo-mutants: {type(error).__name__} {error}") from error


def keyed(runs, names):
    """Outcomes of runs by key; of two for one mutant, the later counts."""
    found = {name: result for run in runs for name, result in run.outcomes.items()}
    strange = sorted(name for name in found if name not in names)
    if strange:
        raise Trouble(
            "the tree has changed since the run: it has no such mutants. Give the listing of the tree that was run with"
            f" --listing (`cargo mutants --list --json` there), or run again{listed(strange)}"
        )
    return {names[name]: result for name, result in found.items()}


def moved(document, now):
    """Files with recorded mutants whose text is no longer the one that was judged."""
    recorded = document.get("sources", {})
    files = {*document.get("mutants", {}), *(row["file"] for row in document.get("survivors", ()))}
    return sorted(file for file in files if file in now and recorded.get(file) != now[file])


def gather(options):
    """Writes the record again: what the runs say replaces what it said, and what the tree no longer has is dropped."""
    runs = [outcome.read(folder) for folder in options.out]
    present = set(mutant.keys(tree.listing()).values())
    judged = keyed(runs, listing(options.listing))
    before, _, old = record.load()
    digests = mutant.sources()
    changed = moved(old, digests)
    known = {key for key, of in before.items() if of.kind == UNJUDGED}
    kept = {key: of for key, of in before.items() if key not in known and (options.keep or key.file not in changed)}
    outcomes = {key: of for key, of in {**kept, **judged}.items() if key in present}
    unjudged = sorted(present - set(outcomes))
    versions = {run.version for run in runs} | ({old["cargo_mutants"]} if kept else set())
    if len(versions) != 1:
        raise Trouble(f"outcomes of one version of cargo-mutants make a record, not of {sorted(versions)}: judge all of them anew")
    arguments, reasons = record.equivalents(), record.open_reasons()
    surviving = {key for key, of in outcomes.items() if of.kind in (SURVIVED, CANDIDATE)}
    waiting = set(unjudged) if options.draft else set()
    for name, stale in [
        ("equivalents.json argues", sorted(set(arguments) - surviving - waiting)),
        ("open.json gives reasons", sorted(set(reasons) - (surviving - set(arguments)) - waiting)),
    ]:
        if stale:
            raise Trouble(f"{name} for what does not survive, or is argued: take these out{listed(stale)}")
    candidates = sorted(key for key, of in outcomes.items() if of.kind == CANDIDATE)
    unknown = [key for key in unjudged if key not in known]
    if not options.draft and (unknown or candidates):
        kinds = [("no run judged these", unknown), ("these outlived a part of the corpus; run them against all of it", candidates)]
        raise Trouble("not written (--draft does):" + "".join(f"\n{len(of)}: {what}{listed(of)}" for what, of in kinds if of))
    method = options.method or old.get("method", "")
    if not method.strip():
        raise Trouble("say with --method how the outcomes were obtained: the record shows it")
    # A file's digest is of the text that was judged: of the text here if these runs judged all that is recorded of the
    # file. Runs of another tree (--listing) say nothing about the text here.
    files, recorded = {key.file for key in present}, old.get("sources", {})
    fresh = set() if options.listing else files - {key.file for key in kept if key in present and key not in judged}
    sources = {file: digests[file] if file in fresh else recorded[file] for file in sorted(files) if file in fresh or file in recorded}
    cases = max((run.cases for run in runs), key=len, default=frozenset())
    facts = {
        "cases": len(cases) or old.get("cases", 0),
        "case_ids": record.digest_of(cases) if cases else old.get("case_ids"),
        "cargo_mutants": versions.pop(),
        "method": method,
        "excluded": mutant.excluded_patterns(),
        "sources": sources,
    }
    # A candidate is not a survivor yet, and what is not judged may be killed: their arguments wait.
    argued = {key: why for key, why in arguments.items() if key in outcomes and outcomes[key].kind == SURVIVED}
    document = record.document({**outcomes, **dict.fromkeys(unjudged, Outcome(UNJUDGED))}, argued, reasons, facts)
    record.PATH.write_text(record.render(document), encoding="utf-8", newline="\n")
    summary(document)
    return 0


def summary(document):
    """Prints the totals, the modules and where the survivors are."""
    names = ("by_vectors", "score", "killed", "tested", "timeout", "crashed", "survived", "argued", "unviable")
    print(f"{'module':12}" + "".join(f"{name:>11}" for name in names))
    for row in [*document["modules"], {"module": "total", **document}]:
        print(f"{row['module']:12}" + "".join(f"{'-' if row[name] is None else row[name]:>11}" for name in names))
    print(f"{document['candidate']} candidates, {document['unjudged']} not judged, {document['cases']} cases")
    for file, count in sorted(Counter(row["file"] for row in document["survivors"] if row["state"] not in record.KINDS).items()):
        print(f"  {count:4} without an argument  {file}")


def check(options):
    """Compares a run with the record: what was killed is still killed, and what survives is listed."""
    recorded, argued, document = record.load()
    runs = [outcome.read(folder) for folder in options.out]
    names = mutant.keys(tree.listing())
    found = keyed(runs, names)
    beside = {names[name] for run in runs for name in run.beside}
    of = lambda condition: sorted(key for key, result in found.items() if condition(key, result.kind))
    was = lambda key: recorded[key].kind if key in recorded else None
    # Arguments about code that is newer than the record count before the next gathering copies them into it.
    newer = {key for key in record.equivalents() if was(key) in (None, UNVIABLE)}
    survives = (SURVIVED, CANDIDATE)
    note = lambda what, keys: keys and print(f"{len(keys)} {what}{listed(keys)}")
    failures = [
        ("was killed and survives now: mend the corpus (or the verifier, if the change is wrong)",
         of(lambda key, kind: kind in survives and was(key) in BITTEN and was(key) != TESTED)),
        ("fell to another test than a vector and survives all of them now: mend that test",
         of(lambda key, kind: kind in survives and was(key) == TESTED and key in beside)),
        ("was built and judged, and does not build now: if the change means that, judge its file anew and gather",
         of(lambda key, kind: kind == UNVIABLE and was(key) in (*BITTEN, *survives))),
        ("survives and is not in contracts/mutation-score.json: write a vector that kills it, or argue in equivalents.json that none can;"
         " then gather",
         of(lambda key, kind: kind in survives and was(key) not in (*BITTEN, *survives, UNJUDGED) and key not in newer)),
        ("is killed, though equivalents.json argues that nothing can kill it: take the argument out and gather",
         of(lambda key, kind: kind in BITTEN and (key in argued or key in newer))),
        ("was not judged: the run was cut short", sorted(name for run in runs for name in run.unjudged)),
    ]
    if all(result.kind == UNVIABLE for result in found.values()):
        failures.append(("the run judged no mutant at all: that nothing is worse is not an answer", [str(folder) for folder in options.out]))
    if document.get("candidate"):
        failures.append(("contracts/mutation-score.json is a draft: judge the rest and gather", [str(record.PATH.name)]))
    others = sorted({run.version for run in runs} - {document.get("cargo_mutants")})
    if others:
        failures.append((f"other version of cargo-mutants than the record's, {document.get('cargo_mutants')}", others))
    note("recorded survivors are killed now: gather raises the score",
         of(lambda key, kind: kind in BITTEN and was(key) in survives and key not in argued))
    note("recorded kills ended by a limit of time or broke off before a vector failed: they count as caught; try them alone",
         of(lambda key, kind: kind in (TIMEOUT, CRASHED) and was(key) in (KILLED, TESTED)))
    note("survive the vectors, as recorded: another test of the corpus crate kills them, and this run had the vectors alone",
         of(lambda key, kind: kind in survives and was(key) == TESTED and key not in beside))
    note("survive, and no run had judged them before: write a vector, or argue in equivalents.json that none can kill them; then gather",
         of(lambda key, kind: kind in survives and was(key) == UNJUDGED))
    note("files of the verifier have changed since their mutants were judged", moved(document, mutant.sources()))
    print(f"{len(found)} mutants: " + ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(one.kind for one in found.values()).items())))
    failures = [(what, keys) for what, keys in failures if keys]
    for what, keys in failures:
        print(f"\n{len(keys)}: {what}{listed(keys)}", file=sys.stderr)
    return 1 if failures else 0


def sample(options):
    """Prints the arguments with which cargo-mutants runs only the chosen mutants, one on each line."""
    listing = tree.listing()
    names = mutant.keys(listing)
    wanted = set(mutant.chosen(names, options.commit, options.count))
    if options.changed:
        changed = {one["name"]: names[one["name"]] for one in tree.listing("--in-diff", str(pathlib.Path(options.changed).resolve()))}
        taken = mutant.chosen(changed, options.commit, options.most)
        print(f"{len(taken)} of {len(changed)} mutants in the change, {len(wanted)} of {len(names)} by hash", file=sys.stderr)
        wanted.update(taken)
    if options.held:
        held = sorted(mutant.unfiltered(listing) - wanted)
        pathlib.Path(options.held).write_text("".join(f"{name}\n" for name in held), encoding="utf-8", newline="\n")
    return asked(wanted)


def survivors(options):
    """Prints the same for recorded survivors that are not argued."""
    recorded, argued, _ = record.load()
    survives = {key for key, result in recorded.items() if result.kind in (SURVIVED, CANDIDATE) and key not in argued}
    judged = {key for key, result in recorded.items() if result.kind != UNJUDGED}
    wanted = lambda key: key in survives or options.unjudged and key not in judged
    return asked(name for name, key in mutant.keys(tree.listing()).items() if wanted(key))


def copy(_):
    """Makes the copy of this tree that cargo-mutants has to run in, and prints where it is."""
    print(tree.made())
    return 0


def asked(names):
    """Prints arguments of cargo-mutants for only these mutants; for none, one that matches nothing: no argument means all."""
    expressions = [mutant.exactly(name) for name in sorted(names)]
    for expression in expressions or [NOTHING]:
        print(f"--re\n{expression}")
    if not expressions:
        print("no mutant is chosen", file=sys.stderr)
    return 0 if expressions else 4


def number(text):
    """A number that is not negative, as an argument."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    verb = verbs.add_parser("gather", help=gather.__doc__)
    verb.add_argument("out", nargs="*", metavar="OUT", help="of two outcomes of one mutant the later folder's counts")
    verb.add_argument("--listing", metavar="FILE", help="the whole listing of the tree that was run, if this one has changed")
    verb.add_argument("--keep", action="store_true", help="keep recorded outcomes of files that have changed since; they stay named as changed")
    verb.add_argument("--method", metavar="TEXT", help="how the outcomes were obtained; without it what the record says stays")
    verb.add_argument("--draft", action="store_true", help="write although mutants are not judged, or only by a part of the corpus")
    verb.set_defaults(run=gather)
    verb = verbs.add_parser("check", help=check.__doc__)
    verb.add_argument("out", nargs="+", metavar="OUT")
    verb.set_defaults(run=check)
    verb = verbs.add_parser("sample", help=sample.__doc__)
    verb.add_argument("--commit", required=True, metavar="HASH")
    verb.add_argument("--count", type=number, default=60)
    verb.add_argument("--changed", metavar="DIFF", help="also mutants in the lines that this diff changes")
    verb.add_argument("--most", type=number, default=60, help="of these, chosen in the same way")
    verb.add_argument("--held", metavar="FILE", help="write the names that cargo-mutants would run though they are not chosen")
    verb.set_defaults(run=sample)
    verb = verbs.add_parser("tree", help=copy.__doc__)
    verb.set_defaults(run=copy)
    verb = verbs.add_parser("survivors", help=survivors.__doc__)
    verb.add_argument("--unjudged", action="store_true", help="also mutants that no run has judged")
    verb.set_defaults(run=survivors)
    options = parser.parse_args()
    try:
        return options.run(options)
    except Trouble as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 3
    except Exception:  # a fault of these tools is not a verdict on the run, which Python's own exit code 1 would be
        traceback.print_exc()
        return 3


if __name__ == "__main__":
    sys.exit(main())
