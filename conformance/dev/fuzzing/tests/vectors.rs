//! Every vector of some operations expects what a second source says.

use assize_corpus::agreement::{self, Outcome};
use assize_corpus::store::Store;
use assize_corpus::testee::Answer;
use assize_corpus::vector::{Case, Corpus};

/// Puts the cases that are `asked` to a second source and judges what it `says`; at least so many have to be there. Before it answers,
/// it may ask more of a case than the corpus does.
pub(crate) fn hold(asked: impl Fn(&Case) -> bool, says: impl Fn(&mut Case) -> Result<Answer, String>, least: usize) {
    let corpus = Corpus::load(&Store::embedded());
    assert!(corpus.errors.is_empty(), "{:?}", corpus.errors);
    let (mut count, mut wrong) = (0, Vec::new());
    for mut case in corpus.cases.into_values().filter(asked) {
        let said = says(&mut case).unwrap_or_else(|why| panic!("{}: {why}", case.id));
        let judged = agreement::judge(&case, &said, &agreement::Terms::default());
        if judged.outcome != Outcome::Pass {
            let places: Vec<_> = judged.mismatches.iter().map(ToString::to_string).collect();
            wrong.push(format!("{}: {}\n  {}", case.id, judged.outcome, places.join("\n  ")));
        }
        count += 1;
    }
    assert!(count >= least, "only {count} vectors");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}
