//! What became of each step, from what was recorded.
//!
//! Spec: RCE Profile v0.1, 3.1 Opcodes, Step status; ruling EP-48.

use std::collections::HashMap;

use crate::episode::laws::{completeness, status_propagation};
use crate::episode::model::canonical::Canon;
use crate::episode::model::contract::{Operation, Step};
use crate::episode::model::made::{Files, Output, Paths, Ran};
use crate::episode::model::options::Numbers;
use crate::episode::model::output_schema::OutputSchemas;
use crate::episode::model::payload::StepStatus;
use crate::episode::model::proof::Script;
use crate::rejection::Rejection;

/// The steps in the order of the script. `recorded` reads the output of a step by the path of its trace; that of a skipped
/// step is not read.
pub(super) fn script(
    script: &Script,
    paths: &Paths,
    files: &Files,
    mut recorded: impl FnMut(&str) -> Result<Vec<u8>, Rejection>,
) -> Result<Vec<Ran>, Rejection> {
    let (schemas, inputs) = (OutputSchemas::of(&script.contract), inputs(script, paths, files));
    let mut canon = Canon::new(Numbers::Rfc8785);
    let mut ran: Vec<Option<Ran>> = script.contract.steps.iter().map(|_| None).collect();
    for &index in &script.order {
        let (Some(step), Some(path)) = (script.contract.steps.get(index), paths.traces.get(index)) else { continue };
        let outcome = if is_blocked(script, index, &ran) {
            Ran { status: StepStatus::Skipped, output: None, broken_schema: None }
        } else {
            let mut output = |canon: &mut Canon| completeness::recorded_output(path, recorded(path)?, canon);
            match &step.operation {
                Operation::LoadInput { reference } => {
                    let input = inputs.get(reference.as_str()).copied().unwrap_or_default();
                    let parsed = completeness::loaded(input, &mut canon)?;
                    Ran::with(StepStatus::Pass, parsed.map_or_else(|| output(&mut canon), Ok)?)
                }
                Operation::ApplyTransform => Ran::with(StepStatus::Pass, output(&mut canon)?),
                Operation::EmitOutput { .. } => emitted(&schemas, step, output(&mut canon)?)?,
                Operation::AssertHash { target, expected_hash } => {
                    let target = script.index_of.get(target).and_then(|&target| ran.get(target)?.as_ref());
                    asserted(status_propagation::holds(target, expected_hash), &mut canon)?
                }
            }
        };
        if let Some(slot) = ran.get_mut(index) {
            *slot = Some(outcome);
        }
    }
    // The order of the replay comes to every step.
    Ok(ran.into_iter().flatten().collect())
}

/// The bytes of the inputs by their reference.
fn inputs<'s>(script: &'s Script, paths: &Paths, files: &'s Files) -> HashMap<&'s str, &'s [u8]> {
    let items = script.contract.inputs.iter().zip(&paths.inputs);
    items.filter_map(|(input, path)| Some((input.reference.as_str(), files.get(path)?.as_slice()))).collect()
}

fn is_blocked(script: &Script, index: usize, ran: &[Option<Ran>]) -> bool {
    let dependencies = script.dependencies.get(index).into_iter().flatten();
    let mut statuses = dependencies.filter_map(|&index| ran.get(index)?.as_ref()).map(|ran| ran.status);
    statuses.any(status_propagation::blocks)
}

/// An assertion is its own output.
fn asserted(holds: bool, canon: &mut Canon) -> Result<Ran, Rejection> {
    let text = serde_json::json!({ "assertion_passed": holds }).to_string();
    let status = if holds { StepStatus::Pass } else { StepStatus::Fail };
    Ok(Ran::with(status, Output::read(text.into_bytes(), canon)?))
}

/// An output that may not have the shape that its step promises.
fn emitted(schemas: &OutputSchemas<'_>, step: &Step, output: Output) -> Result<Ran, Rejection> {
    let broken_schema = status_propagation::broken_schema(schemas, step, &output.text)?;
    let status = if broken_schema.is_some() { StepStatus::Fail } else { StepStatus::Pass };
    Ok(Ran { status, output: Some(output), broken_schema })
}
