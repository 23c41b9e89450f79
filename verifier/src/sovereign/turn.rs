//! A turn file as law mode reads it: what can be compared, and every breach.
//!
//! Spec: operations.md, "Law mode" (what a turn file owes); `000_2d13fa6304d8a0d4.txt` section B contract 3; behaviour
//! table TURN-11, TURN-12, TRN-02 to TRN-05, DEC-04 to DEC-15, ISS-01, ISS-06 to ISS-14, SCH-06, SCH-18.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::breach::{Breach, Side};
use super::bundle::digest_text;
use super::contract::{self, Contract};
use super::float_ban::{self, Banned};
use super::registry_lock::Registry;
use super::report_ordering::StageOrder;
use super::{safe_boundary, surface_list};
use crate::canon::{Canonicalizer, Rules};
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
    /// Those that cannot be compared.
    pub(super) unusable_transition: BTreeSet<String>,
    /// Records in order of ordinals.
    pub(super) records: Vec<Record>,
    /// Ordinals that cannot be compared.
    pub(super) unusable_ordinals: BTreeSet<String>,
    pub(super) issues: Vec<IssueSpans<'d>>,
    /// Canonical bytes of records and issues.
    pub(super) canonical: Vec<u8>,
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
            unusable_transition: BTreeSet::new(),
            records: Vec::new(),
            unusable_ordinals: BTreeSet::new(),
            issues: Vec::new(),
            canonical: Vec::new(),
        };
        if !root.is_object() {
            turn.shape(context, JsonPointer::root(), Law::ContractTurnResult, "a turn result is an object");
            turn.unusable_transition.extend(TRANSITION.map(str::to_owned));
            return turn;
        }
        turn.repeated_members(context);
        turn.take_transition(context);
        turn.take_decisions(context);
        turn.take_issues(context);
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
        let mut all = Vec::new();
        float_ban::scan(node, place, &mut |banned| all.push(banned));
        all.retain(|banned| safe_boundary::is_canonical_surface(&banned.pointer));
        let any = !all.is_empty();
        for banned in all {
            self.banned(context, banned);
        }
        any
    }

    /// A repeated member that holds surfaces hides what stood there first (JSN-07).
    fn repeated_members(&mut self, context: &Context<'_>) {
        let mut all = Vec::new();
        float_ban::repeated_names(self.root, &JsonPointer::root(), &mut |banned| all.push(banned));
        if let Some(capabilities) = self.root.get("capabilities") {
            let place = JsonPointer::from_text("/capabilities");
            float_ban::repeated_names(capabilities, &place, &mut |banned| all.push(banned));
        }
        all.retain(|banned| {
            matches!(banned.pointer.as_str(), "/transition" | "/capabilities" | "/issues" | "/capabilities/decisions")
        });
        for banned in all {
            self.banned(context, banned);
        }
    }

    fn take_transition(&mut self, context: &Context<'_>) {
        let place = JsonPointer::from_text("/transition");
        let Some(transition) = self.root.get("transition").filter(|transition| transition.is_object()) else {
            self.shape(context, place, Law::ContractTurnResult, "a turn result has an object `transition`");
            self.unusable_transition.extend(TRANSITION.map(str::to_owned));
            return;
        };
        let mut repeated = Vec::new();
        float_ban::repeated_names(transition, &place, &mut |banned| repeated.push(banned));
        for banned in repeated.into_iter().filter(|banned| safe_boundary::is_canonical_surface(&banned.pointer)) {
            self.unusable_transition.extend(banned.pointer.as_str().rsplit('/').next().map(str::to_owned));
            self.banned(context, banned);
        }
        for (name, value) in transition.members() {
            let name = name.decode();
            if !surface_list::is_transition_digest(&name) {
                continue;
            }
            let name = name.to_text_lossy().into_owned();
            let pointer = place.member(&name);
            if self.scan(context, value, &pointer) {
                self.unusable_transition.insert(name);
            } else if value.kind() == Kind::Null {
                self.transition.insert(name, None);
            } else if let Some(digest) = digest_text(value) {
                self.transition.insert(name, Some(digest));
            } else {
                self.shape(
                    context,
                    pointer,
                    Law::SurfaceList,
                    "a transition digest is 64 lower-case hexadecimal digits, or null",
                );
                self.unusable_transition.insert(name);
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
        self.records.sort_by(|a, b| crate::json::NumberToken::cmp_integers(&a.ordinal, &b.ordinal));
    }

    /// Contract 3, the float ban, and the registration of a denial's code.
    fn judge_record(&mut self, context: &Context<'_>, record: NodeRef<'_>, place: &JsonPointer) -> bool {
        let before = self.breaches.len();
        self.scan(context, record, place);
        for found in contract::breaches(Contract::DecisionRecord, record) {
            let path = JsonPointer::from_text(format!("{place}{}", found.pointer));
            // What has no canonical form is not also of the wrong shape.
            if !self.breaches.iter().skip(before).any(|breach| breach.path == path) {
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
            let pointer = place.index(index);
            let before = self.breaches.len();
            self.scan(context, issue, &pointer);
            for (member, message) in issue_shape(issue, context.stages) {
                self.shape(context, pointer.member(member), Law::ContractTurnResult, message);
            }
            if !issue.is_object() {
                self.shape(context, pointer, Law::ContractTurnResult, "an issue is an object");
            }
            if self.breaches.len() == before {
                self.keep_issue(context, issue, &mut canonicalizer);
            }
        }
    }

    fn keep_issue(&mut self, context: &Context<'_>, issue: NodeRef<'d>, canonicalizer: &mut Canonicalizer) {
        let text = |name: &str| issue.get(name).and_then(NodeRef::as_string);
        let (Some(stage), Some(location), Some(code)) = (text("stage"), text("location"), text("code")) else { return };
        let Some(normal) = append(issue, canonicalizer, &mut self.canonical) else { return };
        let members = canonicalizer.outermost_members();
        let details = members
            .iter()
            .find(|member| self.canonical.get(member.name.0 as usize..member.name.1 as usize) == Some(b"details"));
        let Some(details) = details.map(|member| (member.value.0 as usize, member.value.1 as usize)) else { return };
        let stage_index = stage.to_str().and_then(|stage| context.stages.index(stage)).unwrap_or(usize::MAX);
        self.issues.push(IssueSpans {
            stage_index,
            stage: stage.into_bytes(),
            location: location.into_bytes(),
            code: code.into_bytes(),
            details,
            normal,
        });
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
