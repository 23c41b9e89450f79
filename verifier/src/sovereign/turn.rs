//! A turn file as law mode reads it: what can be compared, and every breach.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.3, capability-decision-record.schema.json, and B.6,
//! turn-result.schema.json (patch); rulings TURN-11, TURN-12, TRN-02 to TRN-05, DEC-04 to DEC-15, ISS-01, ISS-06 to
//! ISS-14, SCH-06, SCH-18, SV-28.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::breach;
use super::breach::{Breach, Side};
use super::bundle::digest_text;
use super::contract::{self, Contract};
use super::float_ban::{self, Banned, Found, MOST_FINDINGS};
use super::registry_lock::Registry;
use super::report_ordering::StageOrder;
use super::{safe_boundary, surface_list};
use crate::canon::{Canonicalizer, Rules, TroubleKind};
use crate::json::{Document, JsonPointer, Kind, NodeRef};
use crate::law::Law;

/// A decision record that can be compared.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The ordinal's token.
    pub(super) ordinal: String,
    /// The canonical record, in [`Turn::canonical`].
    pub(super) span: (usize, usize),
}

/// An issue that can be compared.
#[derive(Clone, Debug)]
pub(super) struct IssueSpans<'d> {
    pub(super) stage_index: usize,
    /// Decoded strings, borrowed from the file unless they hold escapes.
    pub(super) stage: Cow<'d, [u8]>,
    pub(super) location: Cow<'d, [u8]>,
    pub(super) code: Cow<'d, [u8]>,
    /// The canonical details, in [`Turn::canonical`].
    pub(super) details: (usize, usize),
    /// The canonical issue without its message.
    pub(super) normal: (usize, usize),
}

/// A turn file that has been read.
pub(super) struct Turn<'d> {
    pub(super) root: NodeRef<'d>,
    pub(super) breaches: Vec<Breach>,
    /// Transition members that are parity inputs: a digest, or null.
    pub(super) transition: BTreeMap<String, Option<String>>,
    /// What can be compared at all.
    pub(super) usable: Usable,
    /// Transition members that cannot be compared.
    pub(super) unusable_transition: BTreeSet<String>,
    /// Records in order of ordinals.
    pub(super) records: Vec<Record>,
    /// Ordinals that cannot be compared.
    pub(super) unusable_ordinals: BTreeSet<String>,
    pub(super) issues: Vec<IssueSpans<'d>>,
    /// Canonical bytes of records and issues.
    pub(super) canonical: Vec<u8>,
}

/// Which of the three containers of surfaces are there to be compared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usable {
    pub(super) transition: bool,
    pub(super) decisions: bool,
    pub(super) issues: bool,
}

/// The members that the comparator reads.
const TRANSITION: [&str; 3] = ["prior_state_digest", "proposed_state_digest", "inputs_digest"];

/// What a turn file is judged by.
pub(super) struct Context<'c> {
    pub(super) turn_id: &'c str,
    pub(super) side: Side,
    pub(super) stages: &'c StageOrder,
    pub(super) registry: &'c Registry,
}

impl<'d> Turn<'d> {
    /// Takes a document whose constants all stand on canonical surfaces.
    pub(super) fn take(document: &'d Document<'d>, context: &Context<'_>) -> Self {
        let root = document.root();
        let mut turn = Self {
            root,
            breaches: Vec::new(),
            transition: BTreeMap::new(),
            usable: Usable::default(),
            unusable_transition: BTreeSet::new(),
            records: Vec::new(),
            unusable_ordinals: BTreeSet::new(),
            issues: Vec::new(),
            canonical: Vec::new(),
        };
        if !root.is_object() {
            turn.shape(context, JsonPointer::root(), Law::ContractTurnResult, "a turn result is an object");
            return turn;
        }
        turn.repeated_members(context);
        turn.take_transition(context);
        turn.take_decisions(context);
        turn.take_issues(context);
        breach::cut(&mut turn.breaches, MOST_FINDINGS);
        turn
    }

    fn shape(&mut self, context: &Context<'_>, path: JsonPointer, law: Law, message: &str) {
        self.breaches.push(Breach {
            turn_id: context.turn_id.to_owned(),
            surface: surface_list::in_turn(&path),
            path,
            reason: None,
            law,
            side: context.side,
            message: message.to_owned(),
        });
    }

    fn banned(&mut self, context: &Context<'_>, banned: Banned) {
        let surface = surface_list::in_turn(&banned.pointer);
        self.breaches.push(Breach::banned(banned, context.turn_id, surface, context.side));
    }

    /// Everything without canonical form at or below a place; true if there is any.
    fn scan(&mut self, context: &Context<'_>, node: NodeRef<'_>, place: &JsonPointer) -> bool {
        let mut found = Found::where_it(|banned| safe_boundary::is_canonical_surface(&banned.pointer));
        float_ban::scan(node, place, &mut found);
        let any = !found.list.is_empty();
        for banned in found.list {
            self.banned(context, banned);
        }
        any
    }

    /// A repeated member that holds surfaces hides what stood there first (JSN-07).
    fn repeated_members(&mut self, context: &Context<'_>) {
        let holds_surfaces = |banned: &Banned| {
            matches!(banned.pointer.as_str(), "/transition" | "/capabilities" | "/issues" | "/capabilities/decisions")
        };
        let mut found = Found::where_it(holds_surfaces);
        float_ban::repeated_names(self.root, &JsonPointer::root(), &mut found);
        if let Some(capabilities) = self.root.get("capabilities") {
            float_ban::repeated_names(capabilities, &JsonPointer::from_text("/capabilities"), &mut found);
        }
        for banned in found.list {
            self.banned(context, banned);
        }
    }

    fn take_transition(&mut self, context: &Context<'_>) {
        let place = JsonPointer::from_text("/transition");
        let Some(transition) = self.root.get("transition").filter(|transition| transition.is_object()) else {
            self.shape(context, place, Law::ContractTurnResult, "a turn result has an object `transition`");
            return;
        };
        self.usable.transition = true;
        let mut repeated = Found::where_it(|banned| safe_boundary::is_canonical_surface(&banned.pointer));
        float_ban::repeated_names(transition, &place, &mut repeated);
        for banned in repeated.list {
            self.banned(context, banned);
        }
        let mut seen = BTreeSet::new();
        for (name, value) in transition.members() {
            let name = name.decode();
            if !surface_list::is_transition_digest(&name) {
                continue;
            }
            let Some(text) = name.to_str().map(str::to_owned) else {
                // A name without UTF-8 form cannot be compared, and no report could point at it (STR-06).
                let pointer = place.member(&name.to_text_lossy());
                self.banned(context, Banned { kind: TroubleKind::LoneSurrogate, pointer });
                continue;
            };
            let pointer = place.member(&text);
            let repeated = !seen.insert(text.clone());
            if self.scan(context, value, &pointer) || repeated {
                self.unusable_transition.insert(text);
            } else if value.kind() == Kind::Null {
                self.transition.insert(text, None);
            } else if let Some(digest) = digest_text(value) {
                self.transition.insert(text, Some(digest));
            } else {
                let message = "a transition digest is 64 lower-case hexadecimal digits, or null";
                self.shape(context, pointer, Law::SurfaceList, message);
                self.unusable_transition.insert(text);
            }
        }
        for name in TRANSITION {
            if transition.get(name).is_none() {
                self.shape(context, place.member(name), Law::ContractTurnResult, "the transition lacks this digest");
                self.unusable_transition.insert(name.to_owned());
            }
        }
    }

    fn take_decisions(&mut self, context: &Context<'_>) {
        let place = JsonPointer::from_text("/capabilities");
        let Some(capabilities) = self.root.get("capabilities").filter(|capabilities| capabilities.is_object()) else {
            self.shape(context, place, Law::ContractTurnResult, "a turn result has an object `capabilities`");
            return;
        };
        let place = place.member("decisions");
        let Some(decisions) = capabilities.get("decisions").filter(|decisions| decisions.is_array()) else {
            self.shape(context, place, Law::ContractTurnResult, "capabilities have an array `decisions`");
            return;
        };
        let mut canonicalizer = Canonicalizer::new(Rules::LAW);
        let mut seen = BTreeSet::new();
        for (index, record) in decisions.elements().enumerate() {
            if self.breaches.len() > MOST_FINDINGS {
                // The rest is not looked at, so nothing here can be compared.
                return;
            }
            let pointer = place.index(index);
            let ordinal = record.get("ordinal").and_then(NodeRef::as_number).filter(|token| !token.is_banned());
            let ordinal = ordinal.map(|token| token.text.to_owned());
            let repeated = ordinal.as_ref().is_some_and(|ordinal| !seen.insert(ordinal.clone()));
            if repeated {
                self.shape(
                    context,
                    pointer.member("ordinal"),
                    Law::SingleEmission,
                    "another record of this turn has the same ordinal",
                );
            }
            let lawful = self.judge_record(context, record, &pointer);
            let Some(ordinal) = ordinal else { continue };
            match append(record, &mut canonicalizer, &mut self.canonical) {
                Some(span) if lawful && !repeated => self.records.push(Record { ordinal, span }),
                _ => {
                    self.unusable_ordinals.insert(ordinal);
                }
            }
        }
        self.usable.decisions = true;
        self.records.sort_by(|a, b| crate::json::NumberToken::cmp_integers(&a.ordinal, &b.ordinal));
    }

    /// Contract 3, the float ban, and the registration of a denial's code.
    fn judge_record(&mut self, context: &Context<'_>, record: NodeRef<'_>, place: &JsonPointer) -> bool {
        let before = self.breaches.len();
        self.scan(context, record, place);
        let banned: HashSet<JsonPointer> =
            self.breaches.iter().skip(before).map(|breach| breach.path.clone()).collect();
        for found in contract::breaches(Contract::DecisionRecord, record) {
            let path = JsonPointer::from_text(format!("{place}{}", found.pointer));
            // What has no canonical form is not also of the wrong shape.
            if !banned.contains(&path) {
                self.shape(context, path, Law::ContractDecisionRecord, &found.message);
            }
        }
        if let Some(message) = unregistered_denial(record, context.registry) {
            self.shape(context, place.member("deny_code"), Law::ContractDecisionRecord, &message);
        }
        self.breaches.len() == before
    }

    fn take_issues(&mut self, context: &Context<'_>) {
        let place = JsonPointer::from_text("/issues");
        let Some(issues) = self.root.get("issues").filter(|issues| issues.is_array()) else {
            self.shape(context, place, Law::ContractTurnResult, "a turn result has an array `issues`");
            return;
        };
        let mut canonicalizer = safe_boundary::issue_canonicalizer(Rules::LAW);
        for (index, issue) in issues.elements().enumerate() {
            if self.breaches.len() > MOST_FINDINGS {
                return;
            }
            let pointer = place.index(index);
            let before = self.breaches.len();
            self.scan(context, issue, &pointer);
            for (member, message) in issue_shape(issue, context.stages) {
                self.shape(context, pointer.member(member), Law::ContractTurnResult, message);
            }
            if !issue.is_object() {
                self.shape(context, pointer, Law::ContractTurnResult, "an issue is an object");
            }
            if self.breaches.len() == before && self.keep_issue(context, issue, &mut canonicalizer).is_none() {
                // Nothing is known to lead here; if something does, the issue must not be lost in silence.
                self.shape(context, place.index(index), Law::CanonicalParity, "the issue has no canonical form");
            }
        }
        self.usable.issues = true;
    }

    /// Keeps a lawful issue for comparison.
    fn keep_issue(
        &mut self,
        context: &Context<'_>,
        issue: NodeRef<'d>,
        canonicalizer: &mut Canonicalizer,
    ) -> Option<()> {
        let text = |name: &str| issue.get(name).and_then(NodeRef::as_string);
        let (stage, location, code) = (text("stage")?, text("location")?, text("code")?);
        let normal = append(issue, canonicalizer, &mut self.canonical)?;
        let members = canonicalizer.outermost_members();
        let details = members
            .iter()
            .find(|member| self.canonical.get(member.name.0 as usize..member.name.1 as usize) == Some(b"details"));
        let details = details.map(|member| (member.value.0 as usize, member.value.1 as usize))?;
        let stage_index = stage.to_str().and_then(|stage| context.stages.index(stage)).unwrap_or(usize::MAX);
        self.issues.push(IssueSpans {
            stage_index,
            stage: stage.into_bytes(),
            location: location.into_bytes(),
            code: code.into_bytes(),
            details,
            normal,
        });
        Some(())
    }
}

/// Appends canonical bytes and returns their span, if there is a canonical form.
fn append(node: NodeRef<'_>, canonicalizer: &mut Canonicalizer, out: &mut Vec<u8>) -> Option<(usize, usize)> {
    let start = out.len();
    let trouble = canonicalizer.append_node(node, out).ok()?;
    trouble.is_none().then_some((start, out.len()))
}

/// The members of an issue that have a wrong type or are absent.
pub(super) fn issue_shape(issue: NodeRef<'_>, stages: &StageOrder) -> Vec<(&'static str, &'static str)> {
    if !issue.is_object() {
        return Vec::new();
    }
    let string = |name: &str| issue.get(name).and_then(NodeRef::as_string);
    let mut found = Vec::new();
    let stage = string("stage");
    if stage.as_ref().and_then(|stage| stage.to_str()).and_then(|stage| stages.index(stage)).is_none() {
        found.push(("stage", "the stage is one of the stage order"));
    }
    if string("location").is_none() {
        found.push(("location", "the location is a string"));
    }
    if string("code").is_none() {
        found.push(("code", "the code is a string"));
    }
    if !issue.get("details").is_some_and(NodeRef::is_object) {
        found.push(("details", "details are an object"));
    }
    found
}

/// Why a denied record's code is no denial code, if it is not (SCH-06).
pub(super) fn unregistered_denial(record: NodeRef<'_>, registry: &Registry) -> Option<String> {
    let text =
        |name: &str| record.get(name).and_then(NodeRef::as_string).and_then(|text| text.to_str().map(str::to_owned));
    if text("outcome")? != "denied" {
        return None;
    }
    let code = text("deny_code").filter(|code| code.starts_with("E_"))?;
    (!registry.admits_denial(&code)).then(|| format!("`{code}` is not registered for stage capability"))
}
