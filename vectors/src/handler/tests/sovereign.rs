//! `sovereign.compare` without a folder.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    handler,
    testee::{Answer, Request},
};

#[test]
fn a_comparison_without_a_root_still_reports() {
    let bundle = r#"{"contract_version":"replay_bundle/v1"}"#.as_bytes().to_vec();
    for mode in ["law", "reference"] {
        let request = Request {
            op: "sovereign.compare".to_owned(),
            args: serde_json::Map::from_iter([("mode".to_owned(), Value::from(mode))]),
            docs: BTreeMap::from([("bundle_a".to_owned(), bundle.clone()), ("bundle_b".to_owned(), bundle.clone())]),
            root: None,
        };
        assert!(matches!(handler::answer(&request), Answer::Accept { .. }), "{mode}");
    }
}
