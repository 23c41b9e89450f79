#!/usr/bin/env python3
"""How the corpus bites: turns runs of cargo-mutants over the verifier into contracts/teeth.json, and holds runs to it.

    python3 conformance/teeth/teeth.py gather OUT...     outcomes of runs into the record
    python3 conformance/teeth/teeth.py check OUT...      is a run worse than the record?
    python3 conformance/teeth/teeth.py sample --commit HASH
    python3 conformance/teeth/teeth.py survivors         open ones and candidates, to run them again

OUT is the folder that `cargo mutants -o` was given; README.md in this folder has the commands of whole runs. Needs
nothing but the standard library, and cargo-mutants on the path to list the mutants of the tree.

Exit codes: 0 done, 1 the run is worse than the record, 3 no answer.
"""

import argparse
import json
import pathlib
import sys
from collections import Counter

import mutant
import outcome
import record
from mutant import Trouble
from outcome import BITTEN, CANDIDATE, SURVIVED, TESTED

MOST = 40  # lines of one kind of trouble that are printed


def listed(lines):
    """Some lines, the rest counted."""
    rest = [f"and {len(lines) - MOST} more"] if len(lines) > MOST else []
    return "".join(f"\n  {line}" for line in [*lines[:MOST], *rest])


def keyed(runs, names):
    """Outcomes of runs by key; of two for one mutant the later counts."""
    found = {name: result for run in runs for name, result in run.outcomes.items()}
    strange = sorted(name for name in found if name not in names)
    if strange:
        raise Trouble(
            "the tree has changed since the run: it has no such mutants. Give the listing of the tree that was run with"
            f" --listing (`cargo mutants --list --json` there), or run again{listed(strange)}"
        )
    return {names[name]: result for name, result in found.items()}


def gather(options):
    """Writes the record anew: what the runs say replaces what it said, what the tree no longer has is dropped."""
    runs = [outcome.read(folder) for folder in options.out]
    now = mutant.keys(mutant.listing())
    then = mutant.keys(json.loads(pathlib.Path(options.listing).read_text(encoding="utf-8"))) if options.listing else now
    before, _, old = record.load()
    present = set(now.values())
    outcomes = {key: of for key, of in {**before, **keyed(runs, then)}.items() if key in present}
    arguments = record.equivalents()
    surviving = {key for key, of in outcomes.items() if of.kind in (SURVIVED, CANDIDATE)}
    stale = sorted(key for key in arguments if key not in surviving and not (options.draft and key in present - set(outcomes)))
    if stale:
        raise Trouble(f"equivalents.json argues for what does not survive: take these out{listed(stale)}")
    unjudged = sorted(present - set(outcomes))
    candidates = sorted(key for key, of in outcomes.items() if of.kind == CANDIDATE)
    if not options.draft and (unjudged or candidates):
        kinds = [("no run judged these", unjudged), ("these outlived a part of the corpus; run them against all of it", candidates)]
        raise Trouble("not written (--draft does):" + "".join(f"\n{len(of)}: {what}{listed(of)}" for what, of in kinds if of))
    facts = {
        "unjudged": len(unjudged),
        "cases": max((run.cases for run in runs), default=0) or old.get("cases", 0),
        "cargo_mutants": runs[-1].version,
        "excluded": mutant.excluded_patterns(),
    }
    # A candidate is no survivor yet, and what is not judged may be killed: their arguments wait.
    argued = {key: why for key, why in arguments.items() if key in outcomes and outcomes[key].kind == SURVIVED}
    document = record.document(outcomes, argued, facts)
    record.PATH.write_text(record.render(document), encoding="utf-8", newline="\n")
    summary(document)
    return 0


def summary(document):
    """Prints the totals, the modules and where the survivors are."""
    names = ("score", "by_vectors", "killed", "tested", "timeout", "crashed", "survived", "equivalent", "unviable")
    print(f"{'module':12}" + "".join(f"{name:>11}" for name in names))
    for row in [*document["modules"], {"module": "total", **document}]:
        print(f"{row['module']:12}" + "".join(f"{'-' if row[name] is None else row[name]:>11}" for name in names))
    print(f"{document['candidate']} candidates, {document['unjudged']} not judged, {document['cases']} cases")
    for file, count in sorted(Counter(row["file"] for row in document["survivors"] if row["state"] != "equivalent").items()):
        print(f"  {count:4} without an argument  {file}")


def check(options):
    """Holds a run to the record: what was killed is killed, and what survives is listed."""
    recorded, arguments, document = record.load()
    runs = [outcome.read(folder) for folder in options.out]
    found = keyed(runs, mutant.keys(mutant.listing()))
    of = lambda condition: sorted(key for key, result in found.items() if condition(key, result.kind))
    was = lambda key: recorded[key].kind if key in recorded else None
    survives = (SURVIVED, CANDIDATE)
    failures = [
        ("was killed and survives now: mend the corpus (or the verifier, if the change is wrong)",
         of(lambda key, kind: kind in survives and was(key) in BITTEN and was(key) != TESTED)),
        ("survives and is not in contracts/teeth.json: write a vector that kills it, or argue in equivalents.json that none can;"
         " then gather",
         of(lambda key, kind: kind in survives and was(key) not in (*BITTEN, *survives))),
        ("is killed, though equivalents.json argues that nothing can kill it: take the argument out and gather",
         of(lambda key, kind: kind in BITTEN and key in arguments)),
        ("was not judged: the run was cut short", sorted(name for run in runs for name in run.unjudged)),
    ]
    if document.get("unjudged") or document.get("candidate"):
        failures.append(("contracts/teeth.json is a draft: judge the rest and gather", [str(record.PATH.name)]))
    news = of(lambda key, kind: kind in BITTEN and was(key) in survives and key not in arguments)
    if news:
        print(f"{len(news)} recorded survivors are killed now: gather raises the score{listed(news)}")
    print(f"{len(found)} mutants: " + ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(one.kind for one in found.values()).items())))
    failures = [(what, keys) for what, keys in failures if keys]
    for what, keys in failures:
        print(f"\n{len(keys)}: {what}{listed(keys)}", file=sys.stderr)
    return 1 if failures else 0


def sample(options):
    """Prints the arguments with which cargo-mutants runs the chosen mutants and no others, one a line."""
    names = mutant.keys(mutant.listing())
    wanted = set(mutant.chosen(names, options.commit, options.count))
    if options.changed:
        changed = {one["name"]: names[one["name"]] for one in mutant.listing("--in-diff", options.changed)}
        taken = mutant.chosen(changed, options.commit, options.most)
        print(f"{len(taken)} of {len(changed)} mutants in the change, {len(wanted)} of {len(names)} by hash", file=sys.stderr)
        wanted.update(taken)
    return asked(wanted)


def survivors(options):
    """Prints the same for recorded survivors without an argument."""
    recorded, arguments, _ = record.load()
    survives = {key for key, result in recorded.items() if result.kind in (SURVIVED, CANDIDATE) and key not in arguments}
    wanted = lambda key: key in survives or options.unjudged and key not in recorded
    return asked(name for name, key in mutant.keys(mutant.listing()).items() if wanted(key))


def asked(names):
    """Prints arguments of cargo-mutants for these mutants and no others."""
    for name in sorted(names):
        print(f"--re\n{mutant.exactly(name)}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    verb = verbs.add_parser("gather", help=gather.__doc__)
    verb.add_argument("out", nargs="+", metavar="OUT", help="of two outcomes of one mutant the later folder's counts")
    verb.add_argument("--listing", metavar="FILE", help="the whole listing of the tree that was run, if this one has changed")
    verb.add_argument("--draft", action="store_true", help="write although mutants are not judged, or only by a part of the corpus")
    verb.set_defaults(run=gather)
    verb = verbs.add_parser("check", help=check.__doc__)
    verb.add_argument("out", nargs="+", metavar="OUT")
    verb.set_defaults(run=check)
    verb = verbs.add_parser("sample", help=sample.__doc__)
    verb.add_argument("--commit", required=True, metavar="HASH")
    verb.add_argument("--count", type=int, default=60)
    verb.add_argument("--changed", metavar="DIFF", help="also mutants in the lines that this diff changes")
    verb.add_argument("--most", type=int, default=60, help="of these, chosen in the same way")
    verb.set_defaults(run=sample)
    verb = verbs.add_parser("survivors", help=survivors.__doc__)
    verb.add_argument("--unjudged", action="store_true", help="also mutants that no run has judged")
    verb.set_defaults(run=survivors)
    options = parser.parse_args()
    try:
        return options.run(options)
    except Trouble as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
