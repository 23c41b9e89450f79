//! The questions beside the corpus that a run asks.

use assize::{
    certificate::Claim,
    certification::Order,
    suite::{MOST_EACH, Suite},
};
use assize_corpus::store::Store;

use super::error::CliError;

/// The values of `--challenges`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Challenges {
    None,
    Each(usize),
}

impl Challenges {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "none" => Ok(Self::None),
            Ok(each @ 1..=MOST_EACH) => Ok(Self::Each(each)),
            _ => Err(format!("write a number from 1 to {MOST_EACH}, or none")),
        }
    }
}

/// Adds those that were asked for; where nothing was said, as many as a run has that is neither quick nor about single cases or a
/// part, or that is `stated`: what is to be certified is asked what nobody could know.
pub(crate) fn add(suite: &mut Suite, wanted: Option<Challenges>, order: &Order, stated: bool) {
    let part = !order.selection.filters.is_empty() || order.selection.shard.is_some();
    let narrow = !order.plan.certifying || part && !stated;
    let seed = order.plan.seed.to_string();
    match wanted {
        Some(Challenges::None) => {}
        None if narrow => {}
        None => suite.challenge(&seed, None, &order.selection),
        Some(Challenges::Each(each)) => suite.challenge(&seed, Some(each), &order.selection),
    }
}

/// The suite that is built in, with the challenges of a claim: they are made again from what it states.
pub(crate) fn claimed(store: &Store, claim: &Claim) -> Result<Suite, CliError> {
    let mut suite = Suite::load(store).map_err(CliError::bug)?;
    if let Some(challenges) = claim.challenges.as_ref().filter(|_| suite.sha256.to_hex() == claim.suite.sha256) {
        // A part that is none is refused with the statement.
        let selection = claim.selection.selection().unwrap_or_default();
        suite.challenge(&challenges.seed, challenges.each, &selection);
    }
    Ok(suite)
}
