//! authority/policy-bounds: five integers within their bounds, and one way to break ties.
//!
//! Spec: Kernel Contract 0.1.0, 2.3; rulings AU-18 to AU-23 and AU-27. The kernel never validates the
//! policy of a run; here an illegal one is refused before the run, and found in a ledger.

use crate::authority::breach::Breach;
use crate::authority::model::member::{self, Misfit};
use crate::authority::model::recorded::Placed;
use crate::canon::compose;
use crate::finding::Finding;
use crate::json::{JsonPointer, NodeRef, NumberToken};
use crate::law::Law;
use crate::tables::authority::policy_texts::{self, Row};

pub(crate) const LAW: Law = Law::named("authority/policy-bounds");

authority_policy_bounds_field! {
    /// A bound of a policy, in the order in which it is validated: `contracts/authority/tables/policy-bounds.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Field
}

impl Field {
    pub(crate) fn name(self) -> &'static str {
        self.row().field
    }

    /// The bound of this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::of_spelling(name.as_bytes())
    }

    /// The least lawful value, in decimal.
    fn least(self) -> String {
        self.row().least.to_string()
    }
}

/// A lawful policy: integers of any size, as canonical text, in the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Policy([String; Field::ALL.len()]);

impl Policy {
    /// A policy as inputs give it: six members, of which the last may be left out.
    pub(crate) fn parse(node: NodeRef<'_>, place: &JsonPointer) -> Result<Self, Misfit> {
        member::closed(node, place, &Field::ALL.map(Field::name), &policy_texts::FIELD)?;
        let policy = Self::fields(node, place)?;
        for Row { field, text } in policy_texts::ROWS {
            if node.get(field).is_some() && member::text(node, place, field)? != *text {
                return Err(Misfit::new(place.member(field), format!("there is one lawful text: {text:?}")));
            }
        }
        Ok(policy)
    }

    /// A policy as a ledger records it: the five integers.
    pub(crate) fn recorded(summary: &Placed<'_>) -> Result<Self, Box<Breach>> {
        let names = Field::ALL.map(Field::name);
        let policy = member::closed(summary.node, &summary.place, &names, &[])
            .and_then(|()| Self::fields(summary.node, &summary.place));
        policy.map_err(|misfit| Breach::of(LAW)(summary.misfit(misfit)))
    }

    fn fields(node: NodeRef<'_>, place: &JsonPointer) -> Result<Self, Misfit> {
        let mut values: [String; Field::ALL.len()] = Default::default();
        for (slot, field) in values.iter_mut().zip(Field::ALL) {
            let (value, place) = member::member(node, place, field.name())?;
            *slot = member::integer(value, &place)?;
            let least = field.least();
            if NumberToken::cmp_integers(slot, &least).is_lt() {
                return Err(Misfit::new(place, format!("{slot} is out of bounds: at least {least} is due")));
            }
        }
        Ok(Self(values))
    }

    /// The value of a field, in decimal.
    pub(crate) fn get(&self, field: Field) -> &str {
        self.0.get(field as usize).map(String::as_str).unwrap_or_default()
    }

    /// Whether a count exceeds a field.
    pub(crate) fn exceeded_by(&self, field: Field, count: usize) -> bool {
        NumberToken::cmp_integers(&count.to_string(), self.get(field)).is_gt()
    }

    /// Canonical bytes of what record 0 keeps of it.
    pub(crate) fn summary(&self) -> Vec<u8> {
        compose::object(&Field::ALL.map(|field| (field.name(), self.get(field))))
    }

    /// Limits that a successful run of so many nodes and steps exceeds although the kernel lets it (AU-22 and AU-23);
    /// `place` is the policy's.
    pub(crate) fn advisories(&self, nodes: usize, steps: usize, place: &JsonPointer) -> Vec<Finding> {
        let counts = [(Field::MaxNodes, nodes, "nodes"), (Field::MaxSteps, steps, "steps")];
        let exceeded = counts.into_iter().filter(|(field, count, _)| self.exceeded_by(*field, *count));
        exceeded
            .map(|(field, count, what)| {
                let message = format!("the run has {count} {what}; this limit is looked at before they are made");
                Finding::error(LAW, place.member(field.name()), message).as_warning()
            })
            .collect()
    }
}
