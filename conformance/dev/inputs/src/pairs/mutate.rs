//! What happens to a draft: small changes, lawful or not, each aimed at one thing the comparator looks at or looks past.

mod both;
mod decisions;
mod digests;
mod documents;
mod ignored;
mod issues;
mod lawful;
mod place;
mod turns;

pub(crate) use both::{kin, overlap, two_faults};
pub(crate) use lawful::{lawful, make_lawful};

use arbitrary::{Result, Unstructured};

use super::{draft::Draft, draw::int};

type Mutation = fn(&mut Unstructured<'_>, &mut Draft) -> Result<()>;

/// Every mutation with its weight.
const MUTATIONS: &[(u32, Mutation)] = &[
    (6, ignored::ignored_place),
    (5, ignored::message),
    (3, digests::registry_digest),
    (6, digests::bundle_digest),
    (5, digests::turn_digest),
    (8, digests::transition),
    (10, decisions::decision_member),
    (8, decisions::decision_list),
    (9, decisions::ordinal),
    (12, issues::issue_member),
    (9, issues::issue_list),
    (7, issues::stage),
    (7, issues::location),
    (7, issues::details),
    (6, turns::turn_list),
    (5, turns::turn_id),
    (11, turns::paths),
    (8, turns::turn_file),
    (12, documents::anywhere),
    (3, documents::bundle_member),
    (4, documents::run_envelope),
    (2, documents::bundle_shape),
    (1, documents::bundle_bytes),
    (1, documents::nesting),
];

/// Applies one mutation.
pub(crate) fn one(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let mut left = int(u, MUTATIONS.iter().map(|(weight, _)| weight).sum::<u32>() - 1)?;
    for (weight, mutation) in MUTATIONS {
        if left < *weight {
            return mutation(u, draft);
        }
        left -= weight;
    }
    Ok(())
}
