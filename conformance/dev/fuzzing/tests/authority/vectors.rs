//! Every vector of the authority system expects what the oracle says.

use assize_corpus::vector::{Agreement, Case};

use super::oracle;
use crate::vectors::hold;

#[test]
fn every_vector_expects_what_the_oracle_says() {
    let says = |case: &mut Case| {
        // A testee may be let off with the verdict alone; the expectation that stands there is held to its every word.
        if case.agreement == Agreement::Verdict {
            case.agreement = Agreement::Located;
        }
        Ok(oracle(&case.request(None)))
    };
    hold(|case| case.op.starts_with("authority."), says, 150);
}
