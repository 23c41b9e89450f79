//! Whether two answers are related as the table of rewritings says: a question is asked, every relation of the table rewrites it, and
//! from the first answer follows what the second has to be.
//!
//! Contract: `contracts/interface/relations.json`. Neither answer is known to be right; a fault that both have is not seen here.

use assize_corpus::agreement::{Outcome, Terms, judge};
use assize_corpus::challenge::{answered, every_challenge};
use assize_corpus::testee::Answer;
use assize_corpus::trial::Posed;
use assize_corpus::vector::{Agreement, Case};

/// What the verifier answers, with what is observed of the answer.
///
/// # Errors
/// The files of the question cannot be laid out.
pub fn verifier(case: &Case) -> Result<Answer, String> {
    let observed = Posed::new(case).and_then(|mut posed| {
        let answer = posed.answer();
        posed.observed(answer)
    });
    observed.map_err(|error| error.to_string())
}

/// Asks a question and all that relations make of it; how many that were.
///
/// # Errors
/// An answer that does not follow from the first, or one that is none.
pub fn hold(question: &Case, seed: &str, ask: impl Fn(&Case) -> Result<Answer, String>) -> Result<usize, String> {
    let first = ask(question)?;
    let mut expect = answered(&first).ok_or_else(|| format!("{}: {first:?}", question.op))?;
    // What is over a limit may come under it by losing a blank.
    if expect.codes.contains("A_LIMIT") {
        return Ok(0);
    }
    // A wrapper makes up what these repeat.
    if question.op == "reply.wrap" {
        expect.out.remove("envelopes");
    }
    let base = Case { expect, any_of: Vec::new(), agreement: Agreement::Located, ..question.clone() };
    let mut held = 0;
    for challenge in every_challenge(&base, seed) {
        let case = challenge.case;
        let judgement = judge(&case, &ask(&case)?, &Terms::default());
        if judgement.outcome != Outcome::Pass {
            let places: Vec<_> = judgement.mismatches.iter().map(ToString::to_string).collect();
            let docs = |case: &Case| -> String {
                let docs =
                    case.inputs.iter().map(|(name, document)| format!("\n{name}: {}", document.bytes().escape_ascii()));
                docs.collect()
            };
            return Err(format!(
                "{} of {}: {}\n  {}\nasked:{}\nrewritten:{}",
                challenge.relation,
                case.op,
                judgement.outcome,
                places.join("\n  "),
                docs(&base),
                docs(&case)
            ));
        }
        held += 1;
    }
    Ok(held)
}
