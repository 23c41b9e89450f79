//! What an answer, or what is expected of one, reaches: values of outputs, codes, laws of findings, and what stands in a
//! comparison report.

use std::{collections::BTreeSet, sync::LazyLock};

use assize_corpus::{
    operation::{self, Operation},
    store,
    testee::{Answer, Output},
    vector::{DeclaredLaw, Expect},
};
use assize_verifier::{law::Law, operation::names};
use serde_json::Value;

use super::{Area, Cell};

const MODES: [&str; 2] = ["law", "reference"];

/// Outputs whose values the operation table does not list, with those that they can have.
const VALUES: [(&str, &str, &[&str]); 4] = [
    ("episode.verify", "phase", &["1", "2", "3", "4"]),
    ("episode.verify", "exit_code", &["0", "1", "2"]),
    ("episode.verify", "receipt_integrity", &["\"PASS\"", "\"FAIL\""]),
    ("episode.verify", "claim_check", &["\"PASS\"", "\"FAIL\"", "null"]),
];

/// The published stages.
static STAGES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let order = contract("contracts/sovereign/stage-order-v1.json");
    let stages = order.get("stage_order").and_then(Value::as_array).into_iter().flatten();
    stages.filter_map(Value::as_str).map(str::to_owned).collect()
});

/// Every cell that an answer can reach: from the operation table, the declared laws, the report's schema and the registry.
pub(super) fn universe() -> BTreeSet<Cell> {
    let mut cells = BTreeSet::new();
    let table = operation::table();
    for operation in names().filter_map(|name| table.find(name)) {
        let cell = |area, text: String| Cell::new(&operation.system, area, format!("{} {text}", operation.name));
        for out in operation.accept.iter().chain(&operation.reject.out) {
            for value in out.values.iter().flatten() {
                cells.insert(cell(Area::Output, format!("{}={value}", out.name)));
            }
        }
        for (_, name, values) in VALUES.iter().filter(|(op, ..)| *op == operation.name) {
            cells.extend(values.iter().map(|value| cell(Area::Output, format!("{name}={value}"))));
        }
        let common = table.common_rejects.iter().filter(|_| operation.reject.common);
        for code in common.chain(&operation.reject.codes) {
            let codes = match code.code.strip_suffix('*') {
                Some(_) => laws(operation),
                None => vec![code.code.clone()],
            };
            cells.extend(codes.into_iter().map(|code| cell(Area::Code, code)));
        }
        if operation
            .accept
            .iter()
            .chain(&operation.reject.out)
            .any(|out| matches!(out.name.as_str(), "findings" | "results"))
        {
            cells.extend(laws(operation).into_iter().map(|law| cell(Area::Finding, law)));
        }
    }
    for mode in MODES {
        let cell = |area, text: &str| Cell::new("sovereign", area, format!("{mode} {text}"));
        for (area, pointer) in [
            (Area::Status, "/properties/status/enum"),
            (Area::Surface, "/properties/mismatches/items/properties/surface/enum"),
            (Area::Stage, "/properties/mismatches/items/properties/stage_name/enum"),
        ] {
            let schema = contract("contracts/sovereign/replay-report.schema.json");
            let members = schema.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
            cells.extend(members.filter_map(Value::as_str).map(|member| cell(area, member)));
        }
        let registry = contract("contracts/sovereign/error-codes-v1.json");
        let codes = registry.get("codes").and_then(Value::as_object).into_iter().flatten();
        cells.extend(codes.filter(|(code, _)| code.starts_with("E_")).map(|(code, _)| cell(Area::Reason, code)));
        cells.insert(cell(Area::Reason, "null"));
    }
    cells
}

/// Laws of its system that name an operation as one that can test them.
fn laws(operation: &Operation) -> Vec<String> {
    let of_system = Law::ALL.into_iter().filter(|law| law.system() == operation.system);
    let declared = of_system.filter_map(|law| {
        let octets = store::embedded(&DeclaredLaw::path(law.slug()))?;
        serde_json::from_slice::<DeclaredLaw>(octets).ok()
    });
    declared.filter(|law| law.operations.contains(&operation.name)).map(|law| law.slug).collect()
}

fn contract(path: &str) -> Value {
    store::embedded(path).and_then(|octets| serde_json::from_slice(octets).ok()).unwrap_or_default()
}

/// What is reached if the expectation holds.
pub(super) fn expected(op: &str, mode: &str, expect: &Expect) -> BTreeSet<Cell> {
    let out = expect
        .out
        .iter()
        .filter_map(|(name, expected)| Some((name.as_str(), serde_json::from_str(expected.raw.get()).ok()?)));
    reached(op, mode, expect.codes.iter().map(String::as_str), out)
}

/// What an answer reaches.
pub(super) fn answered(op: &str, mode: &str, answer: &Answer) -> BTreeSet<Cell> {
    let (codes, out) = match answer {
        Answer::Accept { out } => (None, out),
        Answer::Reject { codes, out } => (Some(codes), out),
        _ => return BTreeSet::new(),
    };
    let out = out.iter().filter_map(|(name, output)| {
        let value = match output {
            Output::Doc(text) => serde_json::from_str(text).ok()?,
            Output::Value(value) => value.clone(),
            Output::Bytes(_) => return None,
        };
        Some((name.as_str(), value))
    });
    reached(op, mode, codes.into_iter().flatten().map(String::as_str), out)
}

fn reached<'a>(
    op: &str,
    mode: &str,
    codes: impl Iterator<Item = &'a str>,
    out: impl Iterator<Item = (&'a str, Value)>,
) -> BTreeSet<Cell> {
    let system = op.split('.').next().unwrap_or_default();
    let cell = |area, text: String| Cell::new(system, area, format!("{op} {text}"));
    let mut cells: BTreeSet<Cell> = codes.map(|code| cell(Area::Code, code.to_owned())).collect();
    let listed = operation::table().find(op).into_iter().flat_map(|op| op.accept.iter().chain(&op.reject.out));
    let listed: BTreeSet<&str> = listed.filter(|out| out.values.is_some()).map(|out| out.name.as_str()).collect();
    for (name, value) in out {
        let own = VALUES.iter().any(|(known, output, _)| (*known, *output) == (op, name));
        match name {
            "report" => cells.extend(report(mode, &value)),
            "findings" => cells.extend(named(&value, "law").map(|law| cell(Area::Finding, law.to_owned()))),
            "results" => cells.extend(named(&value, "error").map(|law| cell(Area::Finding, law.to_owned()))),
            _ if own || listed.contains(name) => {
                cells.insert(cell(Area::Output, format!("{name}={value}")));
            }
            _ => {}
        }
    }
    cells
}

/// A member of every item that has it as a string.
fn named<'v>(items: &'v Value, member: &'v str) -> impl Iterator<Item = &'v str> {
    let items = items.as_array().into_iter().flatten();
    items.filter_map(move |item| item.get(member).and_then(Value::as_str))
}

fn report(mode: &str, report: &Value) -> BTreeSet<Cell> {
    let cell = |area, text: &str| Cell::new("sovereign", area, format!("{mode} {text}"));
    let mismatches = report.get("mismatches").unwrap_or(&Value::Null);
    let mut cells: BTreeSet<Cell> =
        report.get("status").and_then(Value::as_str).map(|status| cell(Area::Status, status)).into_iter().collect();
    for (area, member) in [(Area::Surface, "surface"), (Area::Stage, "stage_name"), (Area::Reason, "reason_code")] {
        // A stage of an order that the case brings itself is not a cell.
        let known = |text: &&str| area != Area::Stage || STAGES.contains(*text);
        cells.extend(named(mismatches, member).filter(known).map(|text| cell(area, text)));
    }
    if mismatches.as_array().into_iter().flatten().any(|item| item.get("reason_code").is_some_and(Value::is_null)) {
        cells.insert(cell(Area::Reason, "null"));
    }
    cells
}
