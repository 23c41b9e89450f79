//! Which cases of a corpus a testee is asked.
//!
//! Everything here looks at a case alone: what else is selected, and what became of it, plays no part.

use std::{collections::BTreeSet, fmt, str::FromStr};

use assize_corpus::{
    challenge::is_challenge,
    operation::{self, Level},
    vector::{Case, Corpus},
};
use assize_verifier::digest::Digest;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which cases to run; an empty list takes all.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Ids, prefixes of ids that end at a segment, or patterns with `*` and `?`.
    pub filters: Vec<String>,
    /// Systems.
    pub systems: Vec<String>,
    /// Modes; a case that is asked without a mode is in none.
    pub modes: Vec<String>,
    /// Certification levels; a case that belongs to any of them is taken.
    pub levels: Vec<String>,
    /// One part of the ids.
    pub shard: Option<Shard>,
}

impl Selection {
    /// Whether the id is selected, as far as an id can tell. A filter takes a case by the ids that it had before, too, and with a
    /// case of a law the challenges of that law.
    #[must_use]
    pub fn takes_id(&self, corpus: &Corpus, id: &str) -> bool {
        (self.filters.is_empty() || self.filters.iter().any(|filter| names(filter, id, corpus) || reaches(filter, id)))
            && self.takes_system(id)
            && self.shard.is_none_or(|shard| shard.takes(id))
    }

    /// Whether the case is selected.
    #[must_use]
    pub fn takes(&self, corpus: &Corpus, id: &str, case: &Case) -> bool {
        self.takes_id(corpus, id) && self.takes_question(case)
    }

    /// Whether it may take a question of a law: a case of the law, or one that is made of such a case.
    #[must_use]
    pub fn takes_law(&self, corpus: &Corpus, law: &str) -> bool {
        let cases = || corpus.of_law(law);
        let named = |filter: &String| {
            let head = head(filter);
            head.starts_with(law) || law.starts_with(head) || cases().any(|(id, _)| names(filter, id, corpus))
        };
        self.takes_system(law)
            && (self.filters.is_empty() || self.filters.iter().any(named))
            && cases().any(|(_, case)| self.takes_question(case))
    }

    /// What a report says about it: sorted, each name once.
    #[must_use]
    pub fn stated(&self) -> Selected {
        let distinct = |names: &[String]| names.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect();
        Selected {
            systems: distinct(&self.systems),
            modes: distinct(&self.modes),
            levels: distinct(&self.levels),
            cases: distinct(&self.filters),
            shard: self.shard.map(|shard| shard.to_string()),
        }
    }

    /// Whether a case or a law is of a system that is selected.
    fn takes_system(&self, id: &str) -> bool {
        let system = id.split('/').next().unwrap_or_default();
        self.systems.is_empty() || self.systems.iter().any(|known| known == system)
    }

    /// Whether what a case asks is selected, whatever it is called.
    fn takes_question(&self, case: &Case) -> bool {
        let mode = || case.args.get("mode").and_then(serde_json::Value::as_str);
        (self.modes.is_empty() || mode().is_some_and(|mode| self.modes.iter().any(|known| known == mode)))
            && (self.levels.is_empty() || self.takes_level(case))
    }

    fn takes_level(&self, case: &Case) -> bool {
        let levels = operation::table().levels.iter().filter(|level| self.levels.contains(&level.name));
        levels.into_iter().any(|level| belongs(level, case))
    }
}

/// The filters that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selected {
    /// Systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<String>,
    /// Modes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// Certification levels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<String>,
    /// Ids, prefixes and patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// Which part of how many, as `k/n`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// Whether a case belongs to a level: it is of one of its laws, if it names any, and asks one of its operations.
#[must_use]
pub fn belongs(level: &Level, case: &Case) -> bool {
    let asks = level.operations.iter().any(|need| {
        need.op == case.op
            && need.args.iter().all(|(name, values)| {
                let asked = case.args.get(name).and_then(serde_json::Value::as_str);
                asked.is_some_and(|asked| values.iter().any(|value| value == asked))
            })
    });
    asks && (level.laws.is_empty() || level.laws.iter().any(|law| law == case.law()))
}

impl Selected {
    /// The selection that states this.
    ///
    /// # Errors
    /// The part is none.
    pub fn selection(&self) -> Result<Selection, ShardError> {
        Ok(Selection {
            filters: self.cases.clone(),
            systems: self.systems.clone(),
            modes: self.modes.clone(),
            levels: self.levels.clone(),
            shard: self.shard.as_deref().map(str::parse).transpose()?,
        })
    }
}

/// One part of how many. The digest of an id alone says in which part it is: a new case moves no other, and the parts of
/// one number make up the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    part: u32,
    of: u32,
}

/// What is wrong with a shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShardError {
    /// It is not two numbers.
    #[error("{text:?} is not of the form k/n; write 1/4 for the first of four parts")]
    Form {
        /// What was given.
        text: String,
    },
    /// There are no parts, or too many.
    #[error("{of} is not a number of parts; write one from 1 to {most}", most = Shard::MOST)]
    Count {
        /// What was given.
        of: u32,
    },
    /// There is no such part.
    #[error("there is no part {part} of {of}; write one from 1/{of} to {of}/{of}")]
    Part {
        /// What was given.
        part: u32,
        /// Number of parts.
        of: u32,
    },
}

impl Shard {
    /// Most parts.
    pub const MOST: u32 = 10_000;

    /// Part `part`, from 1, of `of`.
    ///
    /// # Errors
    /// The numbers do not fulfil `1 <= part <= of <= MOST`.
    pub fn new(part: u32, of: u32) -> Result<Self, ShardError> {
        match (part, of) {
            (_, of) if of == 0 || of > Self::MOST => Err(ShardError::Count { of }),
            (part, of) if part == 0 || part > of => Err(ShardError::Part { part, of }),
            (part, of) => Ok(Self { part, of }),
        }
    }

    /// Whether an id is in this part.
    #[must_use]
    pub fn takes(self, id: &str) -> bool {
        let digest = Digest::of(id.as_bytes());
        let [a, b, c, d, e, f, g, h, ..] = *digest.as_bytes();
        u64::from_be_bytes([a, b, c, d, e, f, g, h]) % u64::from(self.of) == u64::from(self.part - 1)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        // `parse` alone would take a plus sign.
        let number = |digits: &str| digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let parts = text.split_once('/').and_then(|(part, of)| Some((number(part)?, number(of)?)));
        let (part, of) = parts.ok_or_else(|| ShardError::Form { text: text.to_owned() })?;
        Self::new(part, of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// Whether a filter names a case of the corpus, by its id or by one that it had before.
pub(crate) fn names(filter: &str, id: &str, corpus: &Corpus) -> bool {
    fits(filter, id) || corpus.former_ids(id).any(|former| fits(filter, former))
}

/// Whether a filter that names cases of a law reaches a challenge: who asks for some of a law cannot say which others it is asked.
fn reaches(filter: &str, id: &str) -> bool {
    let of_law = filter.match_indices('/').nth(1).and_then(|(end, _)| filter.get(..end));
    is_challenge(id) && of_law.is_some_and(|law| fits(law, id)) && !is_challenge(filter)
}

/// Whether an id is named by a filter: itself, a prefix up to a slash, or a pattern.
pub(crate) fn fits(filter: &str, id: &str) -> bool {
    if filter.contains(WILD) {
        return glob(filter.as_bytes(), id.as_bytes());
    }
    let filter = filter.trim_end_matches('/');
    id.strip_prefix(filter).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What every id that a filter names begins with.
pub(crate) fn head(filter: &str) -> &str {
    filter.split(WILD).next().unwrap_or_default().trim_end_matches('/')
}

/// What makes a filter a pattern.
const WILD: [char; 2] = ['*', '?'];

/// `*` stands for any run of bytes, slashes too; `?` for one.
pub(crate) fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut pattern, mut text) = (pattern, text);
    // Where to continue after a mismatch: after the last star, one byte further in the text.
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern.split_first(), text.split_first()) {
            (Some((b'*', rest)), _) => {
                retry = Some((rest, text));
                pattern = rest;
            }
            (Some((wanted, rest)), Some((given, left))) if *wanted == b'?' || wanted == given => {
                (pattern, text) = (rest, left);
            }
            (None, None) => return true,
            _ => {
                let Some((behind, [_, left @ ..])) = retry else {
                    return false;
                };
                retry = Some((behind, left));
                (pattern, text) = (behind, left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use assize_corpus::{store::Store, vector::Corpus};

    use super::*;
    use crate::suite::Suite;

    #[test]
    fn a_filter_is_an_id_a_prefix_or_a_pattern() {
        const ID: &str = "sovereign/float-ban/minus-zero";
        for (filter, takes) in [
            (ID, true),
            ("sovereign/float-ban", true),
            ("sovereign/float-ban/", true),
            ("sovereign", true),
            ("sovereign/float", false),
            ("float-ban", false),
            ("*minus*", true),
            ("*/float-ban/*", true),
            ("sovereign/*/minus-zer?", true),
            ("sovereign/*/minus-zero?", false),
            ("*", true),
            ("?", false),
        ] {
            assert_eq!(fits(filter, ID), takes, "{filter}");
            assert!(!takes || ID.starts_with(head(filter)), "{filter}");
        }
    }

    #[test]
    fn a_shard_is_k_of_n() {
        for text in ["1/1", "3/4", "10000/10000"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for (text, says) in [
            ("", "k/n"),
            ("1", "k/n"),
            ("1/2/3", "k/n"),
            ("+1/2", "k/n"),
            (" 1/2", "k/n"),
            ("/2", "k/n"),
            ("-1/2", "k/n"),
            ("1/99999999999", "k/n"),
            ("0/0", "0 is not a number of parts"),
            ("1/10001", "from 1 to 10000"),
            ("0/4", "no part 0 of 4; write one from 1/4 to 4/4"),
            ("5/4", "no part 5 of 4"),
        ] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn shards_are_disjoint_complete_and_stable() {
        let corpus = Corpus::load(&Store::embedded());
        let ids: Vec<_> = corpus.cases.keys().collect();
        for of in [1, 2, 3, 7] {
            let parts: Vec<Vec<_>> = (1..=of)
                .map(|part| {
                    let shard = Some(Shard::new(part, of).unwrap());
                    let selection = Selection { shard, ..Selection::default() };
                    corpus
                        .cases
                        .iter()
                        .filter(|(id, case)| selection.takes(&corpus, id, case))
                        .map(|(id, _)| id)
                        .collect()
                })
                .collect();
            assert!(parts.iter().all(|part| part.len() > ids.len() / (2 * parts.len())), "lopsided parts of {of}");
            let mut joined = parts.concat();
            joined.sort_unstable();
            assert_eq!(joined, ids, "{of}");
        }
        // SHA-256 of "abc" begins ba7816bf8f01cfea, which is 2 modulo 4: other versions must agree on that.
        let taking: Vec<_> = (1..=4).filter(|part| Shard::new(*part, 4).unwrap().takes("abc")).collect();
        assert_eq!(taking, [3]);
    }

    #[test]
    fn a_filter_of_single_cases_takes_the_challenges_of_their_law() {
        let corpus = Corpus::load(&Store::embedded());
        let takes = |filter: &str, id: &str| {
            let selection = Selection { filters: vec![filter.to_owned()], ..Selection::default() };
            selection.takes_id(&corpus, id)
        };
        let (own, other) = ("canon/episode/challenge-other-order-1", "canon/sovereign/challenge-other-order-1");
        for filter in ["canon/episode", "canon/episode/keys-*", "canon/*/keys-*", "canon/episode/array"] {
            assert!(takes(filter, own), "{filter}");
        }
        assert!(!takes("canon/episode/keys-*", other) && takes("canon/*/keys-*", other));
        // One that is named is asked alone.
        assert!(takes(own, own) && !takes("canon/episode/challenge-other-order-2", own));
        assert!(!takes("*keys*", own));
    }

    #[test]
    fn a_filter_takes_a_case_by_its_former_ids() {
        let corpus = Corpus::load(&Store::embedded());
        let taken = |filter: &str| -> Vec<&String> {
            let selection = Selection { filters: vec![filter.to_owned()], ..Selection::default() };
            corpus.cases.iter().filter(|(id, case)| selection.takes(&corpus, id, case)).map(|(id, _)| id).collect()
        };
        for (former, now) in [
            ("canon/jcs", "canon/episode"),
            ("canon/jcs/keys-*", "canon/episode/keys-*"),
            ("*jcs/float-on?", "*episode/float-on?"),
            ("canon/jcs/array-one", "canon/episode/array-one"),
        ] {
            assert_eq!(taken(former), taken(now), "{former}");
            assert!(!taken(former).is_empty(), "{former}");
        }
        assert!(taken("canon/jcs/no-such-case").is_empty() && taken("canon/jc").is_empty());
    }

    #[test]
    fn a_level_may_name_its_laws() {
        let corpus = Corpus::load(&Store::embedded());
        let laws = |level: &str| -> BTreeSet<&str> {
            let level = operation::table().level(level).unwrap();
            corpus.cases.values().filter(|case| belongs(level, case)).map(Case::law).collect()
        };
        assert_eq!(laws("canonical-form-rfc8785"), BTreeSet::from(["canon/rfc8785", "canon/i-json"]));
        assert_eq!(laws("json-reader"), BTreeSet::from(["json/grammar"]));
        assert_eq!(laws("canonical-form-jcs"), laws("canonical-form-episode"));
    }

    #[test]
    fn levels_are_joined() {
        let corpus = Corpus::load(&Store::embedded());
        let taken = |levels: &[&str]| -> BTreeSet<&String> {
            let levels = levels.iter().map(|level| (*level).to_owned()).collect();
            let selection = Selection { levels, ..Selection::default() };
            corpus.cases.iter().filter(|(id, case)| selection.takes(&corpus, id, case)).map(|(id, _)| id).collect()
        };
        let (law, auditor) = (taken(&["comparator-law"]), taken(&["auditor"]));
        assert!(!law.is_empty() && !auditor.is_empty() && law.is_disjoint(&auditor));
        assert_eq!(taken(&["comparator-law", "auditor"]), law.union(&auditor).copied().collect());
        for (level, op) in [(&law, "sovereign.compare"), (&auditor, "sovereign.audit")] {
            assert!(level.iter().any(|id| corpus.cases[*id].op == op), "{op}");
        }
        assert!(taken(&["no-level"]).is_empty());
    }

    #[test]
    fn what_did_not_load_is_taken_by_id_and_shard() {
        let suite = Suite::load(&Store::memory([("vectors/canon/episode/a.json", "{")])).unwrap();
        let count = |selection: Selection| suite.count(&selection);
        let levels = vec!["auditor".to_owned()];
        let modes = vec!["reference".to_owned()];
        assert_eq!(count(Selection { levels, modes, ..Selection::default() }), 1);
        let shards = [1, 2].map(|part| Shard::new(part, 2).ok());
        let counts = shards.map(|shard| count(Selection { shard, ..Selection::default() }));
        assert_eq!(counts.iter().sum::<usize>(), 1);
        assert_eq!(count(Selection { filters: vec!["canon/other".to_owned()], ..Selection::default() }), 0);
    }
}
