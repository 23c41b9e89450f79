//! Whatever the other targets make, rewritten by every relation of the table: the answers are related as the table says.
//!
//! Contract: `contracts/interface/relations.json`, which challenge sets use as well. An input is one of another target, with which of its
//! questions is asked and the draws of the relations.

use arbitrary::{Result as Drawn, Unstructured};
use assize::minimise::input::{Ask, Question, Start, document};
use assize_corpus::vector::{Case, Entry};
use serde::Deserialize;
use serde_json::json;

use super::{
    CanonIdempotent, CanonVsPython, CompareVsComparator, Dag, EpisodeVerify, JsonReaderVsPython, KernelScenario,
    LawModeTotal, Ledger, ReplyEnvelope, ReplyRegistry, ReplyTrace,
};
use crate::documents::{DocumentError, Documents};
use crate::oracles::rewritings::{hold, verifier};
use crate::target::{Entry as TargetEntry, Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct Relations;

/// A question of another target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// What is asked.
    pub question: Question,
    /// Of which documents.
    pub documents: Documents,
    /// What the relations draw from.
    pub seed: String,
}

/// The targets whose inputs ask an operation.
const ASKING: [TargetEntry; 12] = [
    TargetEntry::of::<CanonIdempotent>(),
    TargetEntry::of::<CanonVsPython>(),
    TargetEntry::of::<CompareVsComparator>(),
    TargetEntry::of::<Dag>(),
    TargetEntry::of::<EpisodeVerify>(),
    TargetEntry::of::<JsonReaderVsPython>(),
    TargetEntry::of::<KernelScenario>(),
    TargetEntry::of::<LawModeTotal>(),
    TargetEntry::of::<Ledger>(),
    TargetEntry::of::<ReplyEnvelope>(),
    TargetEntry::of::<ReplyRegistry>(),
    TargetEntry::of::<ReplyTrace>(),
];

/// The document that says what is asked of the others.
const TOLD: &str = "rewritten";

/// What stands in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    question: Question,
    seed: String,
}

impl Target for Relations {
    const NAME: &'static str = "relations";
    const KIND: Kind = Kind::Property;
    const LAW: &'static str = "every relation of `contracts/interface/relations.json`, over what the other targets make: another spelling, other \
                               names, another order, something further or exchanged sides change an answer as the table says";
    type Input = Rewritten;

    fn decode(octets: &[u8]) -> Option<Rewritten> {
        draw(Unstructured::new(octets)).ok().flatten()
    }

    fn documents(input: &Rewritten) -> Documents {
        let told = json!({"question": input.question, "seed": input.seed});
        input.documents.clone().with(TOLD, told.to_string().as_bytes())
    }

    fn input(documents: &Documents) -> Result<Rewritten, DocumentError> {
        let unreadable = |reason: String| DocumentError::Unreadable { name: TOLD.to_owned(), reason };
        let Told { question, seed } =
            serde_json::from_slice(&documents.octets(TOLD)?).map_err(|error| unreadable(error.to_string()))?;
        Ok(Rewritten { question, documents: documents.clone(), seed })
    }

    fn asks(input: &Rewritten) -> Vec<Question> {
        vec![input.question.clone()]
    }

    fn check(input: &Rewritten) -> Result<(), String> {
        hold(&input.case()?, &input.seed, verifier).map(|_| ())
    }
}

impl Rewritten {
    /// The question as a case that expects nothing yet.
    ///
    /// # Errors
    /// It is none of its operation.
    pub fn case(&self) -> Result<Case, String> {
        let Question { op, args, docs, files, .. } = &self.question;
        let docs = docs.iter().map(|(name, place)| Ok((name.clone(), document(self.documents.octets(place)?))));
        let docs = docs.collect::<Result<_, DocumentError>>().map_err(|error| error.to_string())?;
        let below = files.as_ref().map(|prefix| self.documents.below(prefix)).transpose();
        let files = below.map_err(|error| error.to_string())?.unwrap_or_default();
        let files = files.into_iter().map(|(path, content)| (path, Entry::File(document(content)))).collect();
        let ask = Ask { args: args.clone(), ..Ask::default() };
        Start::documents(op, &ask, docs, files).map(|start| start.case).map_err(|error| error.to_string())
    }
}

/// A question to the verifier costs no interpreter, but the inputs of some targets do.
fn draw(mut u: Unstructured<'_>) -> Drawn<Option<Rewritten>> {
    let target = u.choose(&ASKING)?;
    let (which, seed) = (u.int_in_range(0..=7_usize)?, u.arbitrary::<u16>()?.to_string());
    let Some(find) = (target.decode)(u.take_rest()) else { return Ok(None) };
    let question = find.asks.get(which.checked_rem(find.asks.len()).unwrap_or(0)).cloned();
    Ok(question.map(|question| Rewritten { question, documents: find.documents, seed }))
}
