//! Scenarios of the kernel: steps, view and audit as the Python oracle gives them; laws between the states of a home.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2 and 3, and Spec-002; rulings KE-1 to KE-57.

use arbitrary::Unstructured;
use assize::minimise::input::Question;
use assize_inputs::kernel::{Scenario, scenario};
use assize_verifier::kernel::MemoryHome;
use serde_json::{Value, json};

use crate::documents::{DocumentError, Documents};
use crate::oracles::kernel::{Outcome, agree, audits_agree, run};
use crate::oracles::steps::{in_any_order, is_damaged, one_by_one, operations};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct KernelScenario;

impl Target for KernelScenario {
    const NAME: &'static str = "kernel_scenario";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`kernel/*`: a second source in Python gives steps, view and audit alike; committed is old or new \
                               wherever a promotion stops, and no matter in which order a turn was staged; a repeated promotion \
                               changes nothing, nor does another spelling";
    type Input = Scenario;

    fn decode(octets: &[u8]) -> Option<Scenario> {
        scenario(&mut Unstructured::new(octets)).ok()
    }

    fn documents(input: &Scenario) -> Documents {
        let told = json!({"settled": input.settled, "stop": input.stop});
        let documents = Documents::default().with("operations", &input.operations).with("respelt", &input.respelt);
        documents.with("told", told.to_string().as_bytes())
    }

    fn input(documents: &Documents) -> Result<Scenario, DocumentError> {
        let told: Value = serde_json::from_slice(&documents.octets("told")?)
            .map_err(|why| DocumentError::Unreadable { name: "told".to_owned(), reason: why.to_string() })?;
        Ok(Scenario {
            operations: documents.octets("operations")?,
            respelt: documents.octets("respelt")?,
            settled: told.get("settled") == Some(&Value::Bool(true)),
            stop: told.get("stop").and_then(Value::as_u64).and_then(|stop| u32::try_from(stop).ok()).unwrap_or(0),
        })
    }

    fn asks(_input: &Scenario) -> Vec<Question> {
        vec![Question::of("kernel.scenario").doc("operations", "operations")]
    }

    fn check(input: &Scenario) -> Result<(), String> {
        let mut home = MemoryHome::default();
        let outcome = run(&mut home, &input.operations);
        if input.settled {
            agree(&input.operations, &outcome)?;
        }
        same(&outcome, &run(&mut MemoryHome::default(), &input.respelt))?;
        let Some(operations) = operations(&input.operations) else { return Ok(()) };
        let damaged = is_damaged(&operations);
        match &outcome {
            Outcome::Refused(_) => Ok(()),
            Outcome::Failed(_) if damaged => Ok(()),
            Outcome::Failed(failure) => Err(format!("the home failed, though nobody touched it: {failure}")),
            Outcome::Ran(report) => {
                if !damaged || input.settled {
                    audits_agree(&home, damaged)?;
                }
                one_by_one(&operations, report, input.stop)?;
                in_any_order(&operations, report)
            }
        }
    }
}

/// Demands one outcome of two spellings.
fn same(one: &Outcome, other: &Outcome) -> Result<(), String> {
    let same = match (one, other) {
        (Outcome::Ran(one), Outcome::Ran(other)) => one == other,
        (Outcome::Refused(one), Outcome::Refused(other)) => one == other,
        (Outcome::Failed(one), Outcome::Failed(other)) => one == other,
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("another spelling, another outcome\none:   {one:?}\nother: {other:?}")) }
}
