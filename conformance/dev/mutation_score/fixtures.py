"""What the tests here judge: logs as cargo-mutants keeps them, and three mutants."""

from mutant import Key

FILE = "verifier/src/json/a.rs"
CASES = ("canon/authority/c", "canon/episode/a", "canon/episode/b", "canon/episode/d", "canon/episode/e")


def ran(failed=(), left_out=0):
    """What the vectors print: every case, and the count."""
    said = "".join(f"test vector::{case}.json      ... {'FAILED' if case in failed else 'ok'}\n" for case in CASES)
    if failed:
        said += "failures:\n" + "".join(f"    vector::{case}.json\n" for case in failed) + "\n"
    result = f"{'FAILED' if failed else 'ok'}. {len(CASES) - len(failed)} passed; {len(failed)} failed"
    return f"{said}test result: {result}; 0 ignored; 0 measured; {left_out} filtered out; finished in 0.2s\n"


PASSES, PART = ran(), ran(left_out=7)
FAILS = ran(("canon/episode/a", "canon/authority/c"))
# As cargo --verbose prints them, shortened: compiler calls, warnings, and what ended the build.
BUILDS = (
    "       Fresh thiserror v2.0.21\n   Compiling assize-verifier v0.1.0 (/copy/verifier)\n"
    "     Running `rustc --crate-name assize_verifier --edition=2024 verifier/src/lib.rs --error-format=json`\n"
    "warning: unused import: `Chain`\n --> verifier/src/authority/chain.rs:8:5\n  |\n8 | use super::Chain;\n\n"
)
REFUSED = BUILDS + (
    "error[E0277]: the trait bound `chain::Chain: Default` is not satisfied\n"
    "   --> verifier/src/authority/chain.rs:129:9\n    |\n129 |         Default::default()\n\n"
    "error: could not compile `assize-verifier` (lib) due to 1 previous error; 1 warning emitted\n\n"
    "Caused by:\n  process didn't exit successfully: `rustc --crate-name assize_verifier` (exit status: 1)\n"
)
OTHER_PASSES = "test place ... ok\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n"
OTHER_FAILS = (
    "test place ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n"
)
LINTED = REFUSED.replace("error[E0277]: the trait bound", "error: unused variable")
NO_SPACE = BUILDS + (
    "error: linking with `cc` failed: exit status: 1\n  |\n"
    '  = note:  "cc" "-m64" "/copy/target/mutants/deps/assize_verifier.o"\n'
    "  = note: /usr/bin/ld: final link failed: No space left on device\n          collect2: error: ld returned 1 exit status\n\n"
    "error: could not compile `assize-verifier` (lib test) due to 1 previous error\n"
)
UNWRITTEN = BUILDS + (
    "error: failed to write /copy/target/mutants/deps/rmeta/lib.rmeta: No space left on device (os error 28)\n\n"
    "error: could not compile `assize-verifier` (lib) due to 1 previous error\n"
)


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
