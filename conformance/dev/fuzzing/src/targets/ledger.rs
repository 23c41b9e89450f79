//! Runs and ledgers, tampered with or not: engine, chain, replay and appending as the Python oracle has them, in every layout.
//!
//! Spec: Kernel Contract 0.1.0, 2.2, 2.6 and 2.7; rulings AU-1, AU-8, AU-10 and AU-17.

use arbitrary::{Result as Drawn, Unstructured};
use assize::minimise::input::Question;
use assize_corpus::testee::{Answer, Output, Request};
use assize_inputs::authority::{damaged, run_inputs, tampered};
use assize_oracle::authority::hash;
use serde_json::{Value, json};

use crate::documents::{DocumentError, Documents};
use crate::oracles::authority::{agree, append, oracle, request};
use crate::oracles::layouts::{Border, layouts_agree};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct Ledger;

/// What is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records {
    /// Inputs of a run, as JSON.
    pub inputs: Vec<u8>,
    /// A JSON array of records.
    pub records: Vec<u8>,
    /// What replay is told of the proposals: `source` and `confidence`, or neither.
    pub assumed: serde_json::Map<String, Value>,
    /// Where the text is cut while it is read.
    pub border: Border,
}

impl Target for Ledger {
    const NAME: &'static str = "ledger";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`authority/*`: a second source in Python gives runs, chains, replays and appended records alike, of ledgers tampered \
                               with or not; an array, lines and a stream that is cut anywhere get one verdict";
    type Input = Records;

    fn decode(octets: &[u8]) -> Option<Records> {
        draw(&mut Unstructured::new(octets)).ok().flatten()
    }

    fn documents(ledger: &Records) -> Documents {
        let told = json!({
            "assumed": ledger.assumed, "behind": ledger.border.behind, "sip": ledger.border.sip,
        });
        Documents::default()
            .with("inputs", &ledger.inputs)
            .with("records", &ledger.records)
            .with("told", told.to_string().as_bytes())
    }

    fn input(documents: &Documents) -> Result<Records, DocumentError> {
        let told: Value = serde_json::from_slice(&documents.octets("told")?)
            .map_err(|why| DocumentError::Unreadable { name: "told".to_owned(), reason: why.to_string() })?;
        let number =
            |name: &str| told.get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        Ok(Records {
            inputs: documents.octets("inputs")?,
            records: documents.octets("records")?,
            assumed: told.get("assumed").and_then(Value::as_object).cloned().unwrap_or_default(),
            border: Border { behind: number("behind"), sip: number("sip").unwrap_or(1) },
        })
    }

    fn asks(ledger: &Records) -> Vec<Question> {
        let mut replay = Question::of("authority.replay").doc("records", "records");
        replay.args.clone_from(&ledger.assumed);
        let chain = Question::of("authority.chain").doc("records", "records");
        let mut append = Question::of("authority.append").doc("records", "records").doc("payload", "inputs");
        append.args = appended(ledger).args;
        vec![chain, append, replay, Question::of("authority.run").doc("inputs", "inputs")]
    }

    fn check(ledger: &Records) -> Result<(), String> {
        agree(&request("authority.run", "inputs", ledger.inputs.as_slice()))?;
        agree(&request("authority.chain", "records", ledger.records.as_slice()))?;
        let mut replay = request("authority.replay", "records", ledger.records.as_slice());
        replay.args.clone_from(&ledger.assumed);
        agree(&replay)?;
        agree(&appended(ledger))?;
        layouts_agree(&ledger.records, ledger.border)
    }
}

/// The inputs of the run, appended to the records under a token and a kind that have to be escaped.
fn appended(ledger: &Records) -> Request {
    let ts = format!("t\u{2028}{}\"", ledger.border.sip);
    append(&ledger.records, &ts, "note\u{e9}\\", &ledger.inputs)
}

/// The records come from the second source, and so do the hashes of whoever tampers with them.
fn draw(u: &mut Unstructured<'_>) -> Drawn<Option<Records>> {
    let how = u.int_in_range(0..=7)?;
    let mut assumed = serde_json::Map::new();
    if u.ratio(1, 5)? {
        assumed.insert("source".to_owned(), (*u.choose(&["heuristic", "llm", ""])?).into());
    }
    if u.ratio(1, 5)? {
        assumed.insert("confidence".to_owned(), u.choose(&[json!(null), json!(0.5), json!(1), json!(1.0)])?.clone());
    }
    // A block of the reader is 1 MiB: most inputs do without, so that there are many.
    let behind = if u.int_in_range(0..=15)? == 15 { Some(u.int_in_range(0..=4_000)?) } else { None };
    let border = Border { behind, sip: u.int_in_range(1..=300)? };
    let inputs = run_inputs(u)?;
    let ledger = ledger_of(&inputs);
    let records = match (how, ledger) {
        (_, None) => b"[]".to_vec(),
        (0, Some(ledger)) => ledger.into_bytes(),
        (how, Some(ledger)) => {
            let other = ledger_of(&run_inputs(u)?);
            let hashed = |text: &str| hash(text).ok().flatten();
            let other = other.as_deref().unwrap_or("[]");
            let records = tampered(u, &ledger, other, &hashed)?.unwrap_or_else(|| ledger.into_bytes());
            if how == 1 { damaged(u, records)? } else { records }
        }
    };
    Ok(Some(Records { inputs, records, assumed, border }))
}

/// The ledger that the second source makes of some inputs; `None` if they are refused.
fn ledger_of(inputs: &[u8]) -> Option<String> {
    let run: Request = request("authority.run", "inputs", inputs);
    match oracle(&run) {
        Ok(Answer::Accept { mut out }) => match out.remove("records") {
            Some(Output::Doc(records)) => Some(records),
            _ => None,
        },
        _ => None,
    }
}
