//! What the corpus says about a seeded fault.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::vector::law_of;

use super::declared::Expected;

/// What running the vectors gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ran {
    /// Every vector was judged: how many passed, and the ids of those that failed with what their answers were against.
    Judged { passed: usize, failed: BTreeMap<String, String> },
    /// The changed sources do not compile.
    Unbuildable(String),
    /// It did not end.
    Timeout,
    /// It ended without reporting every vector.
    Broken(String),
}

impl Ran {
    /// Whether a vector, of whichever law, shows that a specification is broken.
    pub(crate) fn violates(&self) -> bool {
        matches!(self, Self::Judged { failed, .. } if failed.values().any(|against| against == SPECIFICATION))
    }
}

/// What became of a seeded fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Vectors of its own law fail.
    Killed,
    /// Nothing fails, and it is declared and argued that nothing can.
    Equivalent,
    /// Only vectors of other laws fail.
    Silent,
    /// No vector fails.
    Survived,
    /// It does not compile, so that nothing is known.
    Unbuildable,
    /// It had to be ended.
    Timeout,
    /// The run was cut short.
    Broken,
    /// It is declared to be equivalent, and is not.
    Distinguished,
}

impl Outcome {
    pub(crate) const ALL: [Self; 8] = [
        Self::Killed,
        Self::Equivalent,
        Self::Silent,
        Self::Survived,
        Self::Unbuildable,
        Self::Timeout,
        Self::Broken,
        Self::Distinguished,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Equivalent => "equivalent",
            Self::Silent => "silent",
            Self::Survived => "survived",
            Self::Unbuildable => "unbuildable",
            Self::Timeout => "timeout",
            Self::Broken => "broken",
            Self::Distinguished => "distinguished",
        }
    }

    /// Whether it is what was declared.
    pub(crate) fn is_as_declared(self) -> bool {
        matches!(self, Self::Killed | Self::Equivalent)
    }

    /// The outcome of a run for a seeded fault of this law, and what there is to say about it.
    pub(crate) fn of(ran: &Ran, law: &str, expected: &Expected) -> (Self, String) {
        let failed = match ran {
            Ran::Judged { failed, .. } => failed,
            Ran::Unbuildable(why) => return (Self::Unbuildable, format!(": {why}")),
            Ran::Timeout => return (Self::Timeout, String::new()),
            Ran::Broken(why) => return (Self::Broken, format!(": {why}")),
        };
        let own = failed.keys().filter(|id| law_of(id) == law).count();
        let others = failed.len() - own;
        match (expected, own, others) {
            (Expected::Equivalent(argument), 0, 0) => (Self::Equivalent, format!(": {argument}")),
            (Expected::Equivalent(_), ..) => {
                (Self::Distinguished, format!(" by {own} of its vectors, {others} of others"))
            }
            (Expected::Killed, 0, 0) => (Self::Survived, String::new()),
            (Expected::Killed, 0, _) => {
                let laws: BTreeSet<&str> = failed.keys().map(|id| law_of(id)).collect();
                let laws: Vec<&str> = laws.into_iter().collect();
                (Self::Silent, format!(": none of its vectors, {others} of {}", laws.join(", ")))
            }
            // Those of other laws are run only where its own show no specification broken.
            (Expected::Killed, ..) => {
                let (of_law, of_others) = failed.iter().partition(|(id, _)| law_of(id) == law);
                (Self::Killed, format!(" by {own} of its vectors, {}", against(&of_law, &of_others)))
            }
        }
    }
}

/// What answers that break a specification are against.
const SPECIFICATION: &str = "specification";

/// Failing vectors by id, with what their answers are against.
type Failed<'f> = BTreeMap<&'f String, &'f String>;

/// What failing vectors show that a fault is against: a specification where one of the law's own does, or one of its system's;
/// else the rulings or conventions of its own.
fn against(own: &Failed<'_>, others: &Failed<'_>) -> String {
    let counted = |failed: &Failed<'_>| failed.values().filter(|against| **against == SPECIFICATION).count();
    let all: BTreeSet<&str> = own.values().map(|against| against.as_str()).collect();
    match (counted(own), counted(others)) {
        (0, _) if all.contains("") => "which do not say what it is against".to_owned(),
        (0, 0) => format!("against {} alone", all.into_iter().collect::<Vec<_>>().join(", ")),
        (0, elsewhere) => format!("and by {elsewhere} of other laws against a {SPECIFICATION}"),
        (here, _) => format!("{here} of them against a {SPECIFICATION}"),
    }
}

/// Reads what the test binary of the vectors printed. What it counted and what it named must be the same.
pub(crate) fn read(text: &str) -> Ran {
    let mut failed = BTreeMap::new();
    let mut told = None;
    for line in text.lines() {
        if let Some(id) = line.strip_prefix("---- vector::").and_then(|rest| rest.split_once(".json ")) {
            told = Some(id.0);
        }
        if let Some((against, id)) = line.trim_start().strip_prefix("against: ").zip(told) {
            failed.insert(id.to_owned(), against.to_owned());
        }
        let id = line.strip_prefix("test vector::").and_then(|rest| rest.strip_suffix("FAILED"));
        let id = id
            .and_then(|rest| rest.trim_end().strip_suffix("..."))
            .and_then(|rest| rest.trim_end().strip_suffix(".json"));
        if let Some(id) = id {
            failed.entry(id.to_owned()).or_default();
        }
    }
    let summary = text.lines().rev().find(|line| line.starts_with("test result: "));
    let count = |word: &str| -> Option<usize> {
        let part = summary?.split(['.', ';']).map(str::trim).find(|part| part.ends_with(word))?;
        part.strip_suffix(word)?.trim().parse().ok()
    };
    match (count("passed"), count("failed")) {
        (Some(passed), Some(counted)) if counted == failed.len() => Ran::Judged { passed, failed },
        (Some(_), Some(counted)) => Ran::Broken(format!("{counted} vectors failed, and {} are named", failed.len())),
        _ => Ran::Broken("there is no summary".to_owned()),
    }
}

#[test]
fn outcomes_are_kept_apart() {
    let failing = |ids: &[&str]| {
        let lines = ids.iter().map(|id| format!("test vector::{id}.json  ... FAILED\n")).collect::<String>();
        let passing = "test vector::canon/episode/other.json  ... ok\n";
        read(&format!("{lines}{passing}\ntest result: x. 1 passed; {} failed; 0 ignored; 0 measured", ids.len()))
    };
    let check = |ids: &[&str], expected: &Expected, outcome: Outcome| {
        assert_eq!(Outcome::of(&failing(ids), "canon/episode", expected).0, outcome, "{ids:?} {expected:?}");
    };
    let equivalent = Expected::Equivalent("it cannot matter".to_owned());
    check(&["canon/episode/a", "canon/sovereign/a"], &Expected::Killed, Outcome::Killed);
    check(&["canon/episode-more/a", "canon/sovereign/a"], &Expected::Killed, Outcome::Silent);
    check(&[], &Expected::Killed, Outcome::Survived);
    check(&[], &equivalent, Outcome::Equivalent);
    check(&["canon/sovereign/a"], &equivalent, Outcome::Distinguished);
    let text = Outcome::of(
        &failing(&["canon/episode/a", "canon/episode/b", "canon/authority/a"]),
        "canon/episode",
        &Expected::Killed,
    )
    .1;
    assert_eq!(text, " by 2 of its vectors, which do not say what it is against");
    let told = |what: &[&str]| {
        let line = |(at, against): (usize, &&str)| {
            format!("test vector::a/b/{at}.json  ... FAILED\n---- vector::a/b/{at}.json ----\n  against: {against}\n")
        };
        let lines: String = what.iter().enumerate().map(line).collect();
        read(&format!("{lines}test result: x. 1 passed; {} failed; 0 ignored; 0 measured", what.len()))
    };
    let says = |what: &[&str]| Outcome::of(&told(what), "a/b", &Expected::Killed).1;
    assert_eq!(says(&["ruling X-1", "specification"]), " by 2 of its vectors, 1 of them against a specification");
    assert!(told(&["ruling X-1", "specification"]).violates() && !told(&["ruling X-1", "convention"]).violates());
    assert_eq!(says(&["ruling X-1", "convention"]), " by 2 of its vectors, against convention, ruling X-1 alone");
    let elsewhere = BTreeMap::from([("a/b/0", "ruling X-1"), ("a/c/0", "specification"), ("a/d/0", "convention")]);
    let failed = elsewhere.iter().map(|(id, against)| ((*id).to_owned(), (*against).to_owned())).collect();
    let ran = Ran::Judged { passed: 1, failed };
    assert_eq!(
        Outcome::of(&ran, "a/b", &Expected::Killed),
        (Outcome::Killed, " by 1 of its vectors, and by 1 of other laws against a specification".to_owned())
    );
    assert!(ran.violates());
    for broken in ["", "test result: FAILED. 1 passed; 2 failed;\ntest vector::a/b/c.json ... FAILED\n"] {
        assert_eq!(Outcome::of(&read(broken), "a/b", &Expected::Killed).0, Outcome::Broken, "{broken:?}");
    }
}
