//! Named pipes in place of files. Nobody writes to them: whoever opened one would wait for ever.

use std::{collections::BTreeSet, fs, process::Command};

use crate::support::{run, run_in, write};

/// What is said of a pipe where a file belongs.
const FILE: [&str; 2] = ["pipe: is a named pipe, not a file", "standard input"];

/// Every file that a verb reads, one row each.
const FILES: [&str; 61] = [
    "bench pipe",
    "sweep pipe --out out",
    "certify --config pipe",
    "certify --expectations pipe",
    "minimise pipe -- true",
    "probe mcp --plan pipe -- true",
    "sign pipe --key k.key",
    "sign s.json --key pipe",
    "sign s.json --key k.key --report pipe",
    "sign s.json --key k.key --report r.json --expectations pipe",
    "verify-certificate pipe --key k.pub",
    "verify-certificate s.cert --key pipe",
    "verify-certificate s.cert --key k.pub --report pipe",
    "verify-certificate s.cert --key k.pub --expectations pipe",
    "verify-certificate s.cert --key k.pub --replay --config pipe",
    "bundle compare pipe empty.json",
    "bundle compare empty.json pipe",
    "bundle compare empty.json empty.json --registry pipe",
    "bundle compare empty.json empty.json --stage-order pipe",
    "bundle audit pipe",
    "bundle audit empty.json --attempts pipe",
    "bundle audit empty.json --registry pipe",
    "bundle record pipe --run r --turn t",
    "bundle make pipe --run r --workflow w --digests empty.json",
    "bundle make empty.json --run r --workflow w --digests pipe",
    "bundle make empty.json --run r --workflow w --digests empty.json --registry pipe",
    "sovereign contract replay-bundle pipe",
    "sovereign decision-id pipe",
    "sovereign registry-digest pipe",
    "sovereign report-id pipe",
    "sovereign deny-code pipe",
    "sovereign order pipe",
    "sovereign order empty.json --stage-order pipe",
    "sovereign select-path pipe",
    "pack make pipe --inputs folder --outputs folder --now 2026-01-01T00:00:00Z --key key --out out",
    "pack make empty.json --inputs folder --outputs folder --now 2026-01-01T00:00:00Z --key pipe --out out",
    "pack hash pipe",
    "ledger verify pipe",
    "ledger append --ts 1 --kind k pipe empty.json",
    "ledger append --ts 1 --kind k empty.json pipe",
    "ledger replay pipe",
    "ledger show pipe",
    "engine run pipe",
    "engine version pipe",
    "kernel audit folder --before pipe",
    "kernel run pipe",
    "kernel registry pipe",
    "reply action pipe",
    "reply build pipe",
    "reply envelope pipe",
    "reply lint pipe",
    "reply lint empty.json --used pipe",
    "reply lint empty.json --call-sites pipe",
    "reply tool-result pipe",
    "reply lint empty.json --source folder --baseline pipe",
    "reply lint empty.json --source folder --cache pipe",
    "reply trace pipe",
    "reply wrap pipe",
    "canon --profile rfc8785 pipe",
    "vectors fmt pipe",
    "expectations pipe",
];

/// Files that a verb reads into a case or an emission; what is written beside them is another's.
const MORE: [&str; 5] = [
    "vectors add --corpus corpus --op canon.bytes --arg profile=rfc8785 --in doc=pipe canon/rfc8785/x",
    "vectors add --corpus corpus --op canon.bytes --arg profile=rfc8785 --in doc=empty.json --file a=pipe canon/rfc8785/x",
    "emit --what packs --out out --expectations pipe",
    "emit --what verifier --lang go --out out --core pipe",
    "emit --what page --out out --core pipe",
];

/// Every folder that a verb reads.
const FOLDERS: [&str; 22] = [
    "sweep --folder pipe --kind pack --pattern * --out out",
    "sweep empty.json --root pipe --out out",
    "sweep empty.json --since pipe --out out",
    "drift pipe folder",
    "certify --corpus pipe",
    "challenge --seed x --out out --corpus pipe",
    "bundle compare empty.json empty.json --root pipe",
    "pack verify pipe",
    "pack explain pipe",
    "pack make empty.json --inputs pipe --outputs folder --now 2026-01-01T00:00:00Z --key key --out out",
    "pack make empty.json --inputs folder --outputs pipe --now 2026-01-01T00:00:00Z --key key --out out",
    "kernel audit pipe",
    "kernel snapshot pipe",
    "reply lint empty.json --history pipe",
    "reply lint empty.json --source pipe",
    "gallery pipe --out out",
    "laws --corpus pipe",
    "explain x --corpus pipe",
    "vectors check pipe",
    "vectors census pipe",
    "emit --what packs --out out --corpus pipe",
    "init python out --corpus pipe",
];

/// Verbs that read no file that is named, and why.
const NONE: [(&str, &str); 7] = [
    ("doctor", "it starts a program"),
    ("keygen", "it writes keys"),
    ("codes", "it knows them"),
    ("errata", "it knows them"),
    ("testee", "it reads standard input"),
    ("completions", "it writes them"),
    ("man", "it writes a folder"),
];

/// Files that a verb writes: option and verb, or any verb.
const WRITTEN: [(&str, &str); 6] = [
    ("--output", ""),
    ("--report", "certify"),
    ("--statement", "certify"),
    ("--out", "minimise"),
    ("--html", "drift"),
    ("--parquet", "sweep"),
];

/// How an option's value is called that is the path of a file.
const PATHS: [&str; 5] = ["FILE", "PUB", "SNAPSHOT", "NAME=FILE", "PATH=FILE"];

/// Every verb, and every file that one of its options names, from its own help.
fn listed(verb: &str, verbs: &mut BTreeSet<String>, options: &mut BTreeSet<(String, String)>) {
    let words: Vec<&str> = verb.split_whitespace().chain(["--help"]).collect();
    let help = run(&words).exits(0).text().to_owned();
    let mut lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).peekable();
    if lines.peek().is_none() {
        verbs.insert(verb.to_owned());
        for line in help.lines() {
            let mut words = line.split_whitespace().skip_while(|word| !word.starts_with("--"));
            let (Some(option), Some(value)) = (words.next(), words.next()) else { continue };
            let value = value.strip_prefix('<').and_then(|value| value.strip_suffix('>'));
            let writes = WRITTEN.iter().any(|(name, of)| *name == option && (of.is_empty() || *of == verb));
            if line.trim_start().starts_with('-') && value.is_some_and(|value| PATHS.contains(&value)) && !writes {
                options.insert((verb.to_owned(), option.to_owned()));
            }
        }
        return;
    }
    // Where a line is continued, it begins with more than two spaces.
    let named = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    for name in named.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        listed(format!("{verb} {name}").trim_start(), verbs, options);
    }
}

/// The rows in which a verb is given something.
fn rows(verb: &str) -> impl Iterator<Item = &'static str> {
    let verb = format!("{verb} ");
    FILES.into_iter().chain(MORE).chain(FOLDERS).filter(move |row| row.starts_with(&verb))
}

#[test]
fn every_verb_and_every_file_of_an_option_is_listed() {
    let (mut verbs, mut options) = (BTreeSet::new(), BTreeSet::new());
    listed("", &mut verbs, &mut options);
    assert!(verbs.len() > 45 && options.len() > 15, "{verbs:?} {options:?}");
    let unlisted: Vec<_> =
        verbs.iter().filter(|verb| rows(verb).next().is_none() && NONE.iter().all(|(name, _)| name != verb)).collect();
    assert!(unlisted.is_empty(), "what do these read? {unlisted:?}");
    let piped = |verb: &str, option: &str| {
        rows(verb).any(|row| {
            row.split(' ').skip_while(|word| *word != option).nth(1).is_some_and(|value| value.ends_with("pipe"))
        })
    };
    let unlisted: Vec<_> = options.iter().filter(|(verb, option)| !piped(verb, option)).collect();
    assert!(unlisted.is_empty(), "a pipe is given to none of these: {unlisted:?}");
    let gone: Vec<_> = NONE.iter().filter(|(name, _)| !verbs.contains(*name) || rows(name).next().is_some()).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

/// A folder with a pipe, and with what is asked for before the pipe is looked at.
fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
    assert!(made.success());
    for name in ["folder", "corpus", "corpus/canon"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    write(&folder, "empty.json", "{}");
    write(&folder, "key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n");
    let run = |line: &str| run_in(folder.path(), &line.split(' ').collect::<Vec<_>>(), b"").exits(0);
    run("keygen k");
    run("certify --filter canon/i-json --seed 1 --statement s.json --report r.json");
    run("sign s.json --key k.key --output s.cert");
    folder
}

#[test]
fn named_pipes_are_refused_by_every_verb_that_reads_a_file() {
    let folder = scene();
    let run = |line: &str| run_in(folder.path(), &line.split(' ').collect::<Vec<_>>(), b"").exits(3);
    for line in FILES.into_iter().chain(MORE) {
        run(line).complains(&FILE);
    }
    for line in FOLDERS {
        run(line).complains(&["pipe: ", "Not a directory"]);
    }
}
