//! `kernel.audit`.

use assize_verifier::kernel::{self, Outcome, Ran, Snapshot};
use serde_json::Value;

use super::{compared, document, rejected, value};
use crate::disk::HomeFolder;
use crate::testee::{Answer, Request};

pub(super) fn audit(request: &Request) -> Answer {
    let home = request.root.as_deref().and_then(|root| HomeFolder::open(root).ok());
    let (Some(home), Some(ran)) = (home, ran(request)) else {
        return Answer::reject("A_INPUT");
    };
    let before = match document(request, "before").map(Snapshot::parse).transpose() {
        Ok(before) => before,
        Err(why) => return rejected(&why),
    };
    let findings = kernel::audit(&home, before.as_ref(), &ran);
    Answer::accept([("findings", value(findings.iter().map(|one| compared(one).into()).collect::<Vec<Value>>()))])
}

/// What the arguments say that ran.
fn ran(request: &Request) -> Option<Ran<'_>> {
    let text = |name: &str| match request.args.get(name) {
        None => Some(None),
        Some(value) => value.as_str().map(Some),
    };
    let outcome = text("outcome")?.map(|name| Outcome::from_name(name).ok_or(()));
    Some(Ran { operation: text("operation")?, outcome: outcome.transpose().ok()? })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use serde_json::json;

    use super::*;
    use crate::handler;
    use crate::testee::Output;

    fn ask(root: Option<&Path>, args: Value, before: Option<&str>) -> Answer {
        let Value::Object(args) = args else { panic!("{args}") };
        let docs = before.map(|text| ("before".to_owned(), text.as_bytes().to_vec()));
        handler::answer(&Request {
            op: "kernel.audit".to_owned(),
            args,
            docs: BTreeMap::from_iter(docs),
            root: root.map(Path::to_path_buf),
        })
    }

    #[test]
    fn questions_outside_the_domain_are_no_findings() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "{}").unwrap();
        let home = Some(folder.path());
        for (root, args, before) in [
            (None, json!({}), None),
            (Some(file.as_path()), json!({}), None),
            (home, json!({"operation": 1}), None),
            (home, json!({"outcome": "pass"}), None),
            (home, json!({}), Some("[]")),
        ] {
            assert_eq!(ask(root, args.clone(), before), Answer::reject("A_INPUT"), "{root:?} {args} {before:?}");
        }
        assert_eq!(ask(home, json!({}), Some("{")), Answer::reject("A_JSON"));
    }

    #[test]
    fn a_change_since_the_snapshot_is_a_finding_unless_a_promotion_made_it() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("index/committed/index");
        fs::create_dir_all(&ledger).unwrap();
        fs::write(ledger.join("run_ledger.json"), r#"{"lsi_version":"lsi/v1","runs":{"r":"turn-0001"}}"#).unwrap();
        let before = r#"{"index":"dir","index/committed":"dir","index/committed/index":"dir"}"#;
        let place = "/index/committed/index/run_ledger.json";
        let finding = json!({"law": "kernel/fortress", "code": null, "pointer": place, "severity": "error"});
        for (operation, expected) in [("stage_triplet", json!([finding])), ("promote", json!([]))] {
            let args = json!({"operation": operation, "outcome": "PASS"});
            let answer = ask(Some(folder.path()), args, Some(before));
            assert_eq!(answer, Answer::accept([("findings", Output::Value(expected))]));
        }
    }
}
