//! What whoever checks a certificate asks of it beyond that it is true.

use std::{collections::BTreeSet, str::FromStr};

use assize_corpus::{challenge::Count, operation};
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};
use thiserror::Error;

use super::{claim::Claim, difference::Difference, replay::digest_pairs, tables::instant};
use crate::{
    report::{LevelState, RunGrade},
    suite::SuiteInfo,
    testee::{PARTLY, SEALED, TransportKind},
};

/// The level of a testee that nothing contained.
const OPEN: &str = "none";

/// A policy. The default asks for the suite of the checker, for a run without known failures against a specification, for questions
/// that nobody could know, and for a process that was sealed.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Digests of other corpora, laws and operation tables that are accepted.
    pub accepted: BTreeSet<String>,
    /// Levels that must be held.
    pub levels: Vec<String>,
    /// The least grade.
    pub grade: Option<RunGrade>,
    /// How long ago the run may have begun.
    pub max_age: Option<Age>,
    /// Whether failures that the expectations file names may stand in it.
    pub expected_failures: bool,
    /// Whether it may have asked fewer questions than usual that nobody could know.
    pub known_questions: bool,
    /// How far the testee has to have been contained at least; where nothing is said, a process is to be sealed.
    pub containment: Option<Contained>,
}

/// How far a testee was contained at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contained {
    /// By everything that the contract names.
    Sealed,
    /// By something.
    Partly,
    /// However far: whatever lay within reach may have answered.
    Any,
}

impl Contained {
    /// The word of a claim for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sealed => SEALED,
            Self::Partly => PARTLY,
            Self::Any => OPEN,
        }
    }

    /// Whether the level of a claim is no less.
    fn is_met_by(self, level: &str) -> bool {
        match self {
            Self::Sealed => level == SEALED,
            Self::Partly => level == SEALED || level == PARTLY,
            Self::Any => true,
        }
    }
}

/// How old something may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age(SignedDuration);

/// Not a length of time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a length of time: write 90d, 12h or 2w")]
pub struct AgeError(String);

impl FromStr for Age {
    type Err = AgeError;

    fn from_str(text: &str) -> Result<Self, AgeError> {
        let wrong = || AgeError(text.to_owned());
        let span: Span = text.parse().map_err(|_| wrong())?;
        let length = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
        if length.is_negative() { Err(wrong()) } else { Ok(Self(length)) }
    }
}

impl Policy {
    /// Where a claim falls short of it, at this time and beside the suite of the checker.
    #[must_use]
    pub fn falls_short(&self, claim: &Claim, here: &SuiteInfo, now: Timestamp) -> Vec<Difference> {
        let mut found = Vec::new();
        let mut short = |member: &str, message: String| {
            found.push(Difference::new(format!("/predicate/assize{member}"), message));
        };
        let members = ["/suite/sha256", "/suite/laws_sha256", "/suite/operations_sha256"];
        for (pair, member) in digest_pairs(claim, here).into_iter().zip(members) {
            if !pair.same && !self.accepted.contains(&pair.certified) {
                let (name, other, here) = (pair.name, pair.certified, pair.here);
                short(member, format!("another {name} than the one here, {here}: --accept {other} takes it"));
            }
        }
        if !self.expected_failures && (claim.totals.expected > 0 || claim.grade == RunGrade::Violates) {
            let count = claim.totals.expected;
            short("/totals/expected", format!("{count} known failures: --allow-expected-failures takes them"));
        }
        let each = claim.challenges.as_ref().map(|challenges| challenges.each.unwrap_or(Count::LEAST));
        if !self.known_questions
            && claim.transport == TransportKind::Process
            && each.is_none_or(|each| each < Count::LEAST)
        {
            let asked = each.map_or_else(|| "no".to_owned(), |each| format!("only {each}"));
            short(
                "/challenges",
                format!(
                    "{asked} questions for each law beside the corpus, which anybody can learn: --allow-known-questions takes it"
                ),
            );
        }
        for wanted in &self.levels {
            let name = operation::table().level(wanted).map_or(wanted, |level| &level.name);
            let row = claim.levels.iter().position(|row| row.name == *name);
            let state = row.and_then(|row| claim.levels.get(row)).map(|row| row.state);
            if state != Some(LevelState::Held) {
                let is = state.map_or("not among its levels", LevelState::name);
                let place = row.map(|row| format!("/{row}/state")).unwrap_or_default();
                short(&format!("/levels{place}"), format!("{name} is required to be held, and is {is}"));
            }
        }
        // The built-in verifier is in nobody's way, but a claim without containment is none of a testee that was contained.
        let level = claim.containment.as_ref().map(|contained| contained.level.as_str());
        match (self.containment, level) {
            (None, Some(level)) if !Contained::Sealed.is_met_by(level) => short(
                "/containment/level",
                format!("sealed is required, and it is {level}: --require-containment {level} takes it"),
            ),
            (Some(least), Some(level)) if !least.is_met_by(level) => {
                short("/containment/level", format!("{} is required, and it is {level}", least.name()));
            }
            (Some(least @ (Contained::Sealed | Contained::Partly)), None) => {
                let is = "not there: it is that of the built-in verifier";
                short("/containment/level", format!("{} is required, and it is {is}", least.name()));
            }
            _ => {}
        }
        let rank = |grade: RunGrade| match grade {
            RunGrade::ConformsStrictly => 0,
            RunGrade::Conforms => 1,
            RunGrade::Violates => 2,
            RunGrade::Incomplete => 3,
        };
        if let Some(least) = self.grade.filter(|least| rank(claim.grade) > rank(*least)) {
            short("/grade", format!("{:?} is required, and it is {:?}", least.name(), claim.grade.name()));
        }
        if let Some(Age(most)) = self.max_age {
            let age = instant(&claim.started).map(|started| now.duration_since(started));
            if age.is_none_or(|age| age > most) {
                short("/started", format!("the run began {}, longer ago than {most:#}", claim.started));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_is_more_than_partly_and_that_more_than_none() {
        for (level, sealed, partly) in
            [("sealed", true, true), ("partly", false, true), ("none", false, false), ("Sealed", false, false)]
        {
            assert!(Contained::Any.is_met_by(level));
            assert_eq!(
                (Contained::Sealed.is_met_by(level), Contained::Partly.is_met_by(level)),
                (sealed, partly),
                "{level}"
            );
        }
    }

    #[test]
    fn an_age_is_a_length_of_time() {
        for (text, hours) in [("90d", 2160), ("12h", 12), ("2w", 336), ("1d 1h", 25)] {
            assert_eq!(text.parse(), Ok(Age(SignedDuration::from_hours(hours))), "{text}");
        }
        for text in ["", "7", "-1d", "soon", "1y"] {
            assert_eq!(text.parse::<Age>().unwrap_err().to_string(), AgeError(text.to_owned()).to_string());
        }
    }
}
