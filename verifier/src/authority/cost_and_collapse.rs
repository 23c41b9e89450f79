//! authority/cost-and-collapse: every interpretation has a cost, and the cheapest is committed.
//!
//! Spec: Kernel Contract 0.1.0, 2.3 and 4.4; rulings AU-20, AU-29, AU-30, AU-32 and AU-34.

use std::collections::HashMap;

use super::proposal_boundary::Interpretation;

/// How many of the proposed interpretations hold each assumption.
pub(super) struct Holders<'i>(HashMap<&'i str, usize>);

impl<'i> Holders<'i> {
    /// Counts over everything proposed, before anything is cut.
    pub(super) fn of(proposed: &'i [Interpretation]) -> Self {
        let mut holders = HashMap::new();
        for text in proposed.iter().flat_map(|interpretation| &interpretation.assumptions) {
            *holders.entry(text.as_str()).or_default() += 1;
        }
        Self(holders)
    }

    /// Occurrences of assumptions beyond the first of each: what the contradiction budget is for.
    pub(super) fn contradictions(&self) -> usize {
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
pub(super) struct Ranked<'i> {
    pub(super) interpretation: &'i Interpretation,
    pub(super) cost: usize,
}

/// The interpretations by cost, then by name in code points, then as they were proposed. The first is the winner: pruning
/// cuts from the end, and a lawful policy leaves one at least.
pub(super) fn ranking<'i>(proposed: &'i [Interpretation], holders: &Holders<'_>) -> Vec<Ranked<'i>> {
    let ranked = |interpretation| Ranked { interpretation, cost: holders.cost(interpretation) };
    let mut ranking: Vec<_> = proposed.iter().map(ranked).collect();
    ranking.sort_by(|a, b| a.cost.cmp(&b.cost).then_with(|| a.interpretation.name.cmp(&b.interpretation.name)));
    ranking
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
