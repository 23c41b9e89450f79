//! authority/cost-and-collapse: every interpretation has a cost, and the cheapest is committed.
//!
//! Spec: Kernel Contract 0.1.0, 2.3 and 4.4; rulings AU-20, AU-29, AU-30, AU-32 and AU-34.

use std::collections::HashMap;

use crate::authority::breach::Breach;
use crate::authority::model::recorded::Placed;
use crate::law::Law;

use super::policy_bounds::{Field, Policy};
use super::proposal_boundary::Interpretation;

pub(crate) const LAW: Law = Law::named("authority/cost-and-collapse");

/// How many of the proposed interpretations hold each assumption.
pub(crate) struct Holders<'i>(HashMap<&'i str, usize>);

impl<'i> Holders<'i> {
    /// Counts over everything proposed, before anything is cut.
    pub(crate) fn of(proposed: &'i [Interpretation]) -> Self {
        let mut holders = HashMap::new();
        for text in proposed.iter().flat_map(|interpretation| &interpretation.assumptions) {
            *holders.entry(text.as_str()).or_default() += 1;
        }
        Self(holders)
    }

    /// Occurrences of assumptions beyond the first of each: what the contradiction budget is for.
    pub(crate) fn contradictions(&self) -> usize {
        self.0.values().map(|count| count - 1).sum()
    }

    /// The cost of one of the interpretations; lower is better. The summary counts by code points.
    fn cost(&self, interpretation: &Interpretation) -> usize {
        let shared = |text: &String| 5 * (self.0.get(text.as_str()).copied().unwrap_or(1) - 1);
        let assumptions: usize = interpretation.assumptions.iter().map(|text| 10 + shared(text)).sum();
        interpretation.intent_summary.chars().count() + assumptions
    }
}

/// An interpretation and what it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<'i> {
    pub(crate) interpretation: &'i Interpretation,
    pub(crate) cost: usize,
}

/// The interpretations by cost, then by name in code points, then as they were proposed. The first is the winner: pruning
/// cuts from the end, and a lawful policy leaves one at least.
pub(crate) fn ranking<'i>(proposed: &'i [Interpretation], holders: &Holders<'_>) -> Vec<Ranked<'i>> {
    let ranked = |interpretation| Ranked { interpretation, cost: holders.cost(interpretation) };
    let mut ranking: Vec<_> = proposed.iter().map(ranked).collect();
    ranking.sort_by(|a, b| a.cost.cmp(&b.cost).then_with(|| a.interpretation.name.cmp(&b.interpretation.name)));
    ranking
}

/// An interpretation that was proposed, as it was ranked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// What it costs; lower is better.
    pub cost: usize,
    /// Whether it survives pruning.
    pub kept: bool,
}

/// The ranking, and how much of it survives pruning.
pub(crate) fn candidates(policy: &Policy, ranking: &[Ranked<'_>]) -> Vec<Candidate> {
    // A limit beyond the machine's integers cuts nothing.
    let kept = policy.get(Field::MaxInterpretations).parse().unwrap_or(usize::MAX);
    let candidate = |(place, ranked): (usize, &Ranked<'_>)| Candidate {
        name: ranked.interpretation.name.clone(),
        cost: ranked.cost,
        kept: place < kept,
    };
    ranking.iter().enumerate().map(candidate).collect()
}

/// The interpretation that `commit`, the payload of a record, has to hold.
pub(crate) fn winner<'i>(ranking: &[Ranked<'i>], commit: &Placed<'_>) -> Result<&'i Interpretation, Box<Breach>> {
    // Nothing proposed is a reason to refuse, so there is a first.
    let first = ranking.first().map(|ranked| ranked.interpretation);
    first.ok_or_else(|| Breach::of(LAW)(commit.wrong("nothing was proposed")))
}

/// Holds a committed interpretation against the winner's canonical bytes.
pub(crate) fn check(ranking: &[Ranked<'_>], committed: &Placed<'_>, winner: &[u8]) -> Result<(), Box<Breach>> {
    let stored = committed.canonical();
    if stored == winner {
        return Ok(());
    }
    Err(Breach::of(LAW)(committed.differs(winner, another_winner(ranking, &stored))))
}

/// Why an interpretation is not the one to commit.
fn another_winner(ranking: &[Ranked<'_>], committed: &[u8]) -> String {
    let found = ranking.iter().find(|ranked| ranked.interpretation.canonical() == committed);
    match (ranking.first(), found) {
        (Some(winner), Some(found)) => format!(
            "{:?} costs {}; {:?} costs {} and comes first",
            found.interpretation.name, found.cost, winner.interpretation.name, winner.cost
        ),
        _ => "not one of the interpretations that were proposed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpretation(name: &str, assumptions: &[&str], intent_summary: &str) -> Interpretation {
        let assumptions = assumptions.iter().map(|&text| text.to_owned()).collect();
        Interpretation { name: name.to_owned(), assumptions, intent_summary: intent_summary.to_owned() }
    }

    fn check(proposed: &[Interpretation], expected: &[(&str, usize)], contradictions: usize) {
        let holders = Holders::of(proposed);
        let ranking = ranking(proposed, &holders);
        let found: Vec<_> = ranking.iter().map(|ranked| (ranked.interpretation.name.as_str(), ranked.cost)).collect();
        assert_eq!((found.as_slice(), holders.contradictions()), (expected, contradictions));
    }

    #[test]
    fn the_worked_example() {
        let brew = interpretation("Brew", &["one cup"], "Count down minutes");
        let bell = interpretation("Bell", &["one cup", "sound on"], "Ring once");
        check(&[brew, bell], &[("Brew", 33), ("Bell", 34)], 1);
    }

    #[test]
    fn summaries_count_by_code_points_and_names_sort_by_them() {
        let family = interpretation("\u{1F600}", &[], "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}");
        let others = [interpretation("\u{FF5E}", &[], "1234567"), interpretation("b", &[], "e\u{301}\r\n ")];
        let proposed: Vec<_> = [family].into_iter().chain(others).collect();
        check(&proposed, &[("b", 5), ("\u{FF5E}", 7), ("\u{1F600}", 7)], 0);
    }
}
