//! Random operations over a few names, so that they meet.

use std::collections::BTreeMap;

use assize_verifier::files::HomeFiles;
use assize_verifier::kernel::path_safety::{RunId, Stem, Turn, TurnId};
use assize_verifier::kernel::{Ending, HomeFailure, Index, MemoryHome, Outcome, Stop, Triplet};
use proptest::prelude::*;

/// One operation on an index.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Stage { turn: Turn, stem: Stem, body: String, links: String },
    Delete { turn: Turn, stems: Vec<Stem> },
    Validate { turn: Turn, stem: Stem },
    Promote { turn: Turn },
    Finish { run: RunId, ending: Ending },
}

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    Refused,
    Home(HomeFailure),
}

impl Act {
    /// Does it in a home of which nothing is known.
    pub(crate) fn on(&self, home: &mut dyn HomeFiles) -> End {
        self.with(&mut Index::new(home))
    }

    /// Does it.
    pub(crate) fn with(&self, index: &mut Index<'_>) -> End {
        let done = match self {
            Self::Stage { turn, stem, body, links } => {
                let triplet = Triplet::new(stem.clone(), body.as_bytes(), links.as_bytes(), b"{}").unwrap();
                index.stage_triplet(turn, &triplet).map(drop)
            }
            Self::Delete { turn, stems } => index.stage_deletions(turn, stems),
            Self::Validate { turn, stem } => index.validate_links(turn, stem).map(drop),
            Self::Promote { turn } => index.promote(turn).map(drop),
            Self::Finish { run, ending } => index.finish_run(run, *ending).map(drop).map_err(Stop::from),
        };
        match done {
            Ok(()) => End::Done,
            Err(Stop::Refused(_)) => End::Refused,
            Err(Stop::Home(failure)) => End::Home(failure),
        }
    }

    /// Whether it may change committed.
    pub(crate) fn promotes(&self) -> bool {
        matches!(self, Self::Promote { .. } | Self::Finish { .. })
    }
}

/// The committed tree: every path with its bytes.
pub(crate) fn committed(home: &MemoryHome) -> BTreeMap<String, Option<Vec<u8>>> {
    let below = home.below("index/committed");
    below.map(|(path, bytes)| (path.to_owned(), bytes.map(<[u8]>::to_vec))).collect()
}

fn run() -> impl Strategy<Value = RunId> {
    prop::sample::select(vec!["r", "..", "s/1"]).prop_map(|run| RunId::parse(run).unwrap())
}

pub(crate) fn turn() -> impl Strategy<Value = Turn> {
    // Mostly the first turns, so that many promotions are the next of their run.
    let id = prop::sample::select(vec!["turn-0001", "turn-0001", "turn-0002", "turn-0003"]);
    (run(), id).prop_map(|(run, id)| Turn { run, id: TurnId::parse(id).unwrap() })
}

pub(crate) fn stem() -> impl Strategy<Value = Stem> {
    prop::sample::select(vec!["a", "b", "a/b", "a/b.v1", "a.json"]).prop_map(|stem| Stem::parse(stem).unwrap())
}

fn body() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["x", "y", "z"]).prop_map(|id| format!(r#"{{"dto_type": "skill", "id": "{id}"}}"#))
}

pub(crate) fn links() -> impl Strategy<Value = String> {
    let target = (prop::sample::select(vec!["skill", ".."]), prop::sample::select(vec!["x", "y", "a/b", "a%2Fb", "."]));
    prop::collection::vec(target, 0..3).prop_map(|targets| {
        let items = targets.iter().map(|(kind, id)| format!(r#"{{"type": "{kind}", "id": "{id}"}}"#));
        format!(r#"{{"k": [{}]}}"#, items.collect::<Vec<_>>().join(", "))
    })
}

pub(crate) fn stage() -> impl Strategy<Value = Act> {
    (turn(), stem(), body(), links()).prop_map(|(turn, stem, body, links)| Act::Stage { turn, stem, body, links })
}

pub(crate) fn act() -> impl Strategy<Value = Act> {
    let ending = (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(pass, commit, keep_evidence)| Ending {
        outcome: if pass { Outcome::Pass } else { Outcome::Fail },
        commit,
        keep_evidence,
    });
    prop_oneof![
        4 => stage(),
        1 => (turn(), prop::collection::vec(stem(), 0..3)).prop_map(|(turn, stems)| Act::Delete { turn, stems }),
        1 => (turn(), stem()).prop_map(|(turn, stem)| Act::Validate { turn, stem }),
        4 => turn().prop_map(|turn| Act::Promote { turn }),
        1 => (run(), ending).prop_map(|(run, ending)| Act::Finish { run, ending }),
    ]
}
