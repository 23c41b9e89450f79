//! Every vector of the authority system expects what the oracle says.

use assize_corpus::agreement::{self, Outcome};
use assize_corpus::store::Store;
use assize_corpus::vector::{Agreement, Corpus};

use super::oracle;

#[test]
fn every_vector_expects_what_the_oracle_says() {
    let corpus = Corpus::load(&Store::embedded());
    assert!(corpus.errors.is_empty(), "{:?}", corpus.errors);
    let (mut asked, mut wrong) = (0, Vec::new());
    for mut case in corpus.cases.into_values().filter(|case| case.op.starts_with("authority.")) {
        // A testee may be let off with the verdict alone; the expectation that stands there is held to its every word.
        if case.agreement == Agreement::Verdict {
            case.agreement = Agreement::Located;
        }
        let judged = agreement::judge(&case, &oracle(&case.request(None)), &agreement::Terms::default());
        if judged.outcome != Outcome::Pass {
            let places: Vec<_> = judged.mismatches.iter().map(ToString::to_string).collect();
            wrong.push(format!("{}: {}\n  {}", case.id, judged.outcome, places.join("\n  ")));
        }
        asked += 1;
    }
    assert!(asked >= 150, "only {asked} vectors");
    assert!(wrong.is_empty(), "{} of {asked} differ:\n{}", wrong.len(), wrong.join("\n"));
}
