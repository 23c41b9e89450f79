//! The walk over a turn file in law mode: what can be compared, and every breach.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.3, capability-decision-record.schema.json, and B.6,
//! turn-result.schema.json (patch); rulings TURN-11, TURN-12, TRN-02 to TRN-05, DEC-04 to DEC-15, ISS-01, ISS-06 to
//! ISS-14, SCH-06, SCH-18, SV-28.

use std::collections::{BTreeSet, HashSet};

use super::laws::{
    canonical_parity, contract_decision_record, contract_turn_result, issue_detail_parity, path_selection,
    safe_boundary, single_emission, surface_list,
};
use super::model::banned::{Banned, Found, MOST_FINDINGS};
use super::model::breach::{self, Side};
use super::model::member;
use super::model::registry::Registry;
use super::model::stage_order::StageOrder;
use super::model::turn::{Record, Turn, append};
use super::scan;
use crate::canon::{Canonicalizer, Rules};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef, NumberToken, Reader};
use crate::schema::straight::{Order, Straight};

/// What a turn file is judged by.
pub(super) struct Context<'c> {
    pub(super) turn_id: &'c str,
    pub(super) side: Side,
    pub(super) stages: &'c StageOrder,
    pub(super) registry: &'c Registry,
    /// The contract of records as straight-line checks, where these may tell which record surely breaks nothing.
    pub(super) records: Option<&'static Straight>,
}

/// Reads the turn file that was chosen; what is wrong with it names its path.
pub(super) fn load_chosen<'t>(path: &[u8], text: &'t [u8], place: &JsonPointer) -> Result<Document<'t>, Finding> {
    load(text, place).map_err(|finding| path_selection::in_file(path, finding))
}

/// Reads a turn file, for which `place` is that of its paths. Constants are tokens on canonical surfaces; anywhere else
/// they make the file no JSON.
fn load<'t>(text: &'t [u8], place: &JsonPointer) -> Result<Document<'t>, Finding> {
    let document = Document::parse(text, &Dialect::LAW).map_err(|error| {
        if error.kind.is_limit() {
            contract_turn_result::over_limit(error)
        } else {
            path_selection::not_json(place, &error)
        }
    })?;
    match document.constant_where(|place| !safe_boundary::is_canonical_surface(place)) {
        Some(pointer) => Err(path_selection::constant(place, &pointer)),
        None => Ok(document),
    }
}

impl Context<'_> {
    /// Whether a record surely breaks nothing, so that no schema has to be asked.
    fn surely_lawful(&self, record: NodeRef<'_>, order: &mut Order) -> bool {
        let (Some(checks), Ok(mut reader)) = (self.records, Reader::new(record.raw(), &Dialect::STRICT)) else {
            return false;
        };
        contract_decision_record::surely_holds(checks, &mut reader, order, self.registry).is_some()
    }
}

impl<'d> Turn<'d> {
    /// Takes a document whose constants all stand on canonical surfaces.
    pub(super) fn take(document: &'d Document<'d>, context: &Context<'_>) -> Self {
        let mut turn = Self::default();
        let Some(root) = turn.lawful(context, contract_turn_result::object(document.root())) else { return turn };
        let repeated = turn.repeated_members(context, root);
        turn.take_transition(context, root);
        turn.take_decisions(context, root);
        turn.take_issues(context, root);
        // Which of two values is the turn's is not for a comparison to choose (LAW-12).
        let sole = |place: &str| !repeated.iter().any(|pointer| pointer.as_str() == place);
        turn.usable.transition &= sole("/transition");
        turn.usable.decisions &= sole("/capabilities") && sole("/capabilities/decisions");
        turn.usable.issues &= sole("/issues");
        breach::cut(&mut turn.breaches, MOST_FINDINGS);
        turn
    }

    fn find(&mut self, context: &Context<'_>, finding: Finding) {
        self.breaches.push(surface_list::breach_in_turn(context.turn_id, context.side, finding));
    }

    /// What a law lets pass; what it does not is a breach.
    fn lawful<T>(&mut self, context: &Context<'_>, judged: Result<T, Finding>) -> Option<T> {
        judged.map_err(|finding| self.find(context, finding)).ok()
    }

    /// Keeps what a walk has found; true if there is any.
    fn banned(&mut self, context: &Context<'_>, found: Found) -> bool {
        let any = !found.list.is_empty();
        for banned in found.list {
            self.find(context, canonical_parity::without_form(banned));
        }
        any
    }

    /// Everything without canonical form at or below a place; true if there is any.
    fn scan(&mut self, context: &Context<'_>, node: NodeRef<'_>, place: &JsonPointer) -> bool {
        let mut found = Found::where_it(|banned| safe_boundary::is_canonical_surface(&banned.pointer));
        scan::scan(node, place, &mut found);
        self.banned(context, found)
    }

    /// A repeated member that holds surfaces hides what stood there first (JSN-07).
    fn repeated_members(&mut self, context: &Context<'_>, root: NodeRef<'_>) -> Vec<JsonPointer> {
        let holds_surfaces = |banned: &Banned| {
            matches!(banned.pointer.as_str(), "/transition" | "/capabilities" | "/issues" | "/capabilities/decisions")
        };
        let mut found = Found::where_it(holds_surfaces);
        scan::repeated_names(root, &JsonPointer::root(), &mut found);
        if let Some(capabilities) = root.get("capabilities") {
            scan::repeated_names(capabilities, &JsonPointer::from_text("/capabilities"), &mut found);
        }
        let places = found.list.iter().map(|banned| banned.pointer.clone()).collect();
        self.banned(context, found);
        places
    }

    fn take_transition(&mut self, context: &Context<'_>, root: NodeRef<'_>) {
        let Some(transition) = self.lawful(context, contract_turn_result::transition(root)) else { return };
        self.usable.transition = true;
        let place = JsonPointer::from_text("/transition");
        let mut repeated = Found::where_it(|banned| safe_boundary::is_canonical_surface(&banned.pointer));
        scan::repeated_names(transition, &place, &mut repeated);
        self.banned(context, repeated);
        let mut seen = BTreeSet::new();
        for (name, value) in transition.members() {
            let name = name.decode();
            if !surface_list::is_transition_digest(&name) {
                continue;
            }
            let Some(text) = self.lawful(context, canonical_parity::name(&name, &place)) else { continue };
            let pointer = place.member(text);
            let repeated = !seen.insert(text.to_owned());
            let banned = self.scan(context, value, &pointer);
            // A scalar without canonical form is that breach alone; a list or an object is no digest, whatever it holds.
            let digest = if banned && !value.is_array() && !value.is_object() {
                None
            } else {
                self.lawful(context, surface_list::transition_digest(value, pointer))
            };
            match digest {
                Some(digest) if !banned && !repeated => {
                    self.transition.insert(text.to_owned(), digest);
                }
                _ => {
                    self.unusable_transition.insert(text.to_owned());
                }
            }
        }
        for (name, finding) in contract_turn_result::absent_digests(transition) {
            self.find(context, finding);
            self.unusable_transition.insert(name.to_owned());
        }
    }

    fn take_decisions(&mut self, context: &Context<'_>, root: NodeRef<'_>) {
        let Some(decisions) = self.lawful(context, contract_turn_result::decisions(root)) else { return };
        let place = JsonPointer::from_text("/capabilities/decisions");
        let mut canonicalizer = Canonicalizer::new(Rules::LAW);
        let mut ordinals = single_emission::Ordinals::default();
        let mut order = Order::default();
        for (index, record) in decisions.elements().enumerate() {
            if self.breaches.len() > MOST_FINDINGS {
                // The rest is not looked at, so nothing here can be compared.
                return;
            }
            let pointer = place.index(index);
            let ordinal = member::ordinal(record);
            let repeat = ordinal.as_ref().and_then(|ordinal| ordinals.take(ordinal, &pointer));
            let repeated = repeat.is_some();
            if let Some(finding) = repeat {
                self.find(context, finding);
            }
            let lawful = context.surely_lawful(record, &mut order) || self.judge_record(context, record, &pointer);
            let Some(ordinal) = ordinal else { continue };
            match append(record, &mut canonicalizer, &mut self.canonical) {
                Some(span) if lawful && !repeated => self.records.push(Record { ordinal, span }),
                _ => {
                    self.unusable_ordinals.insert(ordinal);
                }
            }
        }
        self.usable.decisions = true;
        self.records.sort_by(|a, b| NumberToken::cmp_integers(&a.ordinal, &b.ordinal));
    }

    /// Contract 3, the float ban, and the registration of a denial's code.
    fn judge_record(&mut self, context: &Context<'_>, record: NodeRef<'_>, place: &JsonPointer) -> bool {
        let before = self.breaches.len();
        self.scan(context, record, place);
        let banned: HashSet<JsonPointer> =
            self.breaches.iter().skip(before).map(|breach| breach.finding.pointer.clone()).collect();
        for finding in contract_decision_record::check(record, place, &banned, context.registry) {
            self.find(context, finding);
        }
        self.breaches.len() == before
    }

    fn take_issues(&mut self, context: &Context<'_>, root: NodeRef<'d>) {
        let Some(issues) = self.lawful(context, contract_turn_result::issues(root)) else { return };
        let mut canonicalizer = safe_boundary::issue_canonicalizer(Rules::LAW);
        let place = JsonPointer::from_text("/issues");
        for (index, issue) in issues.elements().enumerate() {
            if self.breaches.len() > MOST_FINDINGS {
                return;
            }
            let pointer = place.index(index);
            let before = self.breaches.len();
            self.scan(context, issue, &pointer);
            for finding in contract_turn_result::issue(issue, &pointer, context.stages) {
                self.find(context, finding);
            }
            if self.breaches.len() == before {
                let spans = issue_detail_parity::spans(issue, context.stages, &mut canonicalizer, &mut self.canonical);
                let comparable = self.lawful(context, canonical_parity::comparable(spans, &pointer));
                self.issues.extend(comparable);
            }
        }
        self.usable.issues = true;
    }
}
