//! `contracts/sovereign/tables`, and the sealed documents.

use assize_verifier::{
    contracts,
    sovereign::{PRECEDENCE, deny_code, report::Status},
};
use serde_json::json;

use super::{document, is_laid, rows, texts};

#[test]
fn verdicts_have_their_exit_codes() {
    let verdicts = rows("sovereign", "verdicts");
    assert_eq!(Status::ALL.map(Status::name).to_vec(), texts("sovereign", "verdicts", "status"));
    for (status, row) in Status::ALL.into_iter().zip(verdicts) {
        assert_eq!(status.exit_code(), row["exit_code"], "{row}");
    }
    // The sealed schema lists the same.
    let sealed = document("sovereign/replay-report.schema.json");
    assert_eq!(sealed["properties"]["status"]["enum"], json!(texts("sovereign", "verdicts", "status")));
}

#[test]
fn the_first_code_of_a_denial_wins() {
    let codes = texts("sovereign", "deny-precedence", "code");
    assert_eq!(PRECEDENCE.to_vec(), codes);
    for (place, code) in codes.iter().enumerate() {
        let rest: Vec<_> = codes[place..].iter().rev().collect();
        assert_eq!(deny_code(json!(rest).to_string().as_bytes()).expect("codes"), Some(code.as_str()));
    }
}

#[test]
fn schemas_repeat_the_stage_order() {
    for (name, embedded) in [
        ("stage-order", contracts::STAGE_ORDER_SCHEMA),
        ("error-codes", contracts::ERROR_CODES_SCHEMA),
        ("turn-result", contracts::TURN_RESULT_SCHEMA),
        ("kernel-issue", contracts::KERNEL_ISSUE_SCHEMA),
    ] {
        is_laid(&format!("sovereign/{name}.schema.json"), embedded);
    }
}
