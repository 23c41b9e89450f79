//! What a turn leaves for whoever compares runs.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-003, TurnResult; rulings KE-20, KE-21, KE-45.

use crate::canon::compose;
use crate::digest::Digest;
use crate::kernel::laws::capability::{Authorization, Verdict};
use crate::kernel::laws::event_format::line;
use crate::kernel::model::issue::{CONTRACT, Issue, Issues, Level, Outcome, Stage};
use crate::kernel::model::record::hex;
use crate::kernel::model::token::Stem;

/// The result of one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnResult {
    /// The run, or `unknown`.
    pub run_id: String,
    /// The turn, or `unknown`.
    pub turn_id: String,
    /// The furthest stage that was reached.
    pub stage: Stage,
    /// What the turn said.
    pub issues: Issues,
    /// Whether its context left the capability module on.
    pub jailed: bool,
    /// What was decided about its tool call, if it made one.
    pub authorization: Option<Authorization>,
    /// What it would change.
    pub transition: Transition,
}

/// State before and after, in digests. The contract lets the first alone be null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Of the committed triplet records; none where there are none.
    pub prior_state: Option<Digest>,
    /// Of the committed records under what the turn has staged.
    pub proposed_state: Digest,
    /// Of the turn's input, where that has a canonical form.
    pub inputs: Option<Digest>,
    /// The stem that the turn has staged.
    pub staged: Option<Stem>,
}

impl TurnResult {
    /// Whether the turn passed.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.issues.outcome()
    }

    /// The result as a canonical document.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let issues = self.issues.as_slice();
        let errors = issues.iter().filter(|issue| issue.level == Level::Fail).count();
        compose::object(&[
            ("contract_version", compose::string(CONTRACT)),
            ("run_id", compose::string(&self.run_id)),
            ("turn_id", compose::string(&self.turn_id)),
            ("outcome", compose::string(self.outcome().name())),
            ("stage", compose::string(self.stage.name())),
            ("errors", errors.to_string().into_bytes()),
            ("warnings", b"0".to_vec()),
            ("issues", compose::array(issues.iter().map(issue))),
            ("events", compose::array(issues.iter().map(|issue| compose::string(&line(issue, &message(issue)))))),
            ("transition", self.transition.canonical()),
            ("capabilities", self.capabilities()),
        ])
    }

    fn capabilities(&self) -> Vec<u8> {
        let count = |counted: fn(Verdict) -> bool| {
            let counts = self.authorization.as_ref().is_some_and(|made| counted(made.verdict));
            u8::from(counts).to_string().into_bytes()
        };
        let records = self.authorization.iter().map(|made| &made.record);
        compose::object(&[
            ("mode", compose::string(if self.jailed { "enabled" } else { "disabled" })),
            ("decisions", compose::array(records)),
            ("denied_count", count(|verdict| matches!(verdict, Verdict::Denied(_)))),
            ("granted_count", count(|verdict| verdict == Verdict::Allowed)),
        ])
    }
}

impl Transition {
    /// Canonical digests of the state before, of the state proposed, and of what was handed in.
    pub(crate) fn digests(&self) -> [Vec<u8>; 3] {
        let prior = self.prior_state.map_or_else(|| b"null".to_vec(), hex);
        [prior, hex(self.proposed_state), self.inputs.map_or_else(|| compose::string(NOTHING), hex)]
    }

    fn canonical(&self) -> Vec<u8> {
        let stems = compose::array(self.staged.iter().map(|stem| compose::string(stem.as_str())));
        let changed = usize::from(self.staged.is_some()).to_string().into_bytes();
        let summary = compose::object(&[
            ("kind", compose::string("host_supplied")),
            ("changed_count", changed),
            ("triplet_stems", stems),
            ("solo_json_paths", b"[]".to_vec()),
        ]);
        let [prior, proposed, inputs] = self.digests();
        compose::object(&[
            ("prior_state_digest", prior),
            ("proposed_state_digest", proposed),
            ("inputs_digest", inputs),
            ("diff_summary", summary),
            ("artifacts", b"[]".to_vec()),
        ])
    }
}

/// What the public implementation writes where there is nothing to digest.
const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// An issue as the kernel's contract has it: with its contract's name and a message.
fn issue(issue: &Issue) -> Vec<u8> {
    compose::object(&[
        ("contract_version", compose::string(CONTRACT)),
        ("level", compose::string(issue.level.name())),
        ("stage", compose::string(issue.stage.name())),
        ("code", compose::string(issue.code)),
        ("location", compose::string(issue.location.as_str())),
        ("message", compose::string(&message(issue))),
        ("details", issue.details.as_slice().to_vec()),
    ])
}

fn message(issue: &Issue) -> String {
    format!("{} in stage {}", issue.code, issue.stage.name())
}
