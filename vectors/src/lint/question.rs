//! What a case asks and expects exists in the operation table.
//!
//! Contract: `contracts/interface/operations`: names, arguments, documents, outputs, and the codes that a
//! rejection may carry.

use serde_json::Value;

use super::Linter;
use crate::{
    operation::{Argument, Kind},
    vector::{Agreement, Case, Expect, Verdict},
};

const TABLE: &str = "look it up in contracts/interface/operations";

pub(super) fn check(linter: &mut Linter<'_>, case: &Case) {
    let file = case.path();
    let Some(operation) = linter.table.find(&case.op).cloned() else {
        return linter.find(&file, "/op", format!("no operation {}", case.op), TABLE);
    };
    for (name, value) in &case.args {
        let known = operation.args.iter().find(|argument| argument.name == *name);
        if !known.is_some_and(|argument| fits(argument, value)) {
            linter.find(
                &file,
                &format!("/args/{name}"),
                format!("no such argument, or not of its values: {value}"),
                TABLE,
            );
        }
    }
    for argument in operation.args.iter().filter(|argument| argument.required) {
        if !case.args.contains_key(&argument.name) {
            linter.find(&file, "/args", format!("the argument {} is missing", argument.name), "add it");
        }
    }
    for name in case.inputs.keys() {
        if !operation.inputs.iter().any(|input| input.name == *name) {
            linter.find(&file, &format!("/in/{name}"), "no such document", TABLE);
        }
    }
    for input in operation.inputs.iter().filter(|input| input.required) {
        if !case.inputs.contains_key(&input.name) {
            linter.find(&file, "/in", format!("the document {} is missing", input.name), "add it");
        }
    }
    if !operation.root && !case.files.is_empty() {
        linter.find(&file, "/files", "the operation has no folder", "remove the files, or ask another operation");
    }
    for (index, expect) in case.answers().enumerate() {
        let pointer = if index == 0 { "/expect".to_owned() } else { format!("/any_of/{}", index - 1) };
        answer(linter, &file, &pointer, case, expect, &operation);
    }
}

fn answer(
    linter: &mut Linter<'_>,
    file: &str,
    pointer: &str,
    case: &Case,
    expect: &Expect,
    operation: &crate::operation::Operation,
) {
    let accepts = expect.is == Verdict::Accept;
    for (name, expected) in &expect.out {
        let pointer = format!("{pointer}/out/{name}");
        match operation.kind(accepts, name) {
            None => linter.find(file, &pointer, "no such output", TABLE),
            Some(Kind::Bytes) if expected.bytes().is_none() => {
                linter.find(file, &pointer, "no bytes", "write {\"text\": ...} or {\"base64\": ...}");
            }
            Some(_) => {}
        }
        let outs = if accepts { &operation.accept } else { &operation.reject.out };
        let listed = outs.iter().find(|out| out.name == *name).and_then(|out| out.values.as_ref());
        let value = || serde_json::from_str::<Value>(expected.raw.get()).ok();
        if listed.is_some_and(|listed| value().is_none_or(|value| !listed.contains(&value))) {
            linter.find(file, &pointer, format!("not of its values: {}", expected.raw), TABLE);
        }
    }
    let owed = if accepts { &operation.accept } else { &operation.reject.out };
    if case.agreement == Agreement::Exact {
        for out in owed.iter().filter(|out| accepts && !expect.out.contains_key(&out.name)) {
            let message = format!("exact, but {} is not expected", out.name);
            linter.find(
                file,
                &format!("{pointer}/out"),
                message,
                "expect every output, or agree on listed ones (located)",
            );
        }
    }
    for code in &expect.codes {
        let common = &linter.table.common_rejects;
        if !operation.may_reject(code, &case.args, common) {
            let message = format!("{} cannot reject with {code} here", case.op);
            linter.find(file, &format!("{pointer}/codes"), message, TABLE);
        }
    }
    let status = expect.out.get("report").and_then(|report| report.node.member("status"));
    if accepts && case.mode().is_some() && case.agreement != Agreement::Verdict && status.is_none() {
        linter.find(file, pointer, "a comparison without an expected status", "expect /out/report/status");
    }
}

fn fits(argument: &Argument, value: &Value) -> bool {
    let listed = |value: &Value| argument.values.as_ref().is_none_or(|values| values.contains(value));
    match argument.kind.as_str() {
        "string" => value.is_string() && listed(value),
        "array" => value.as_array().is_some_and(|items| items.iter().all(listed)),
        _ => listed(value),
    }
}
