//! The report for machines: members in the order of the contract, two spaces for each level, a final line feed.

use super::Report;

/// The whole document.
///
/// # Errors
/// A value that serde cannot write; none is known.
pub fn write(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use assize_corpus::store;
    use assize_verifier::digest::Digest;
    use serde_json::{json, value::RawValue};

    use super::{super::fixture, *};

    /// The canonical text, made by `serde_json` alone: tokens of numbers are never read.
    fn canonical(text: &str) -> String {
        match text.as_bytes()[0] {
            b'{' => {
                let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).unwrap();
                let members = members.iter().map(|(name, member)| {
                    format!("{}:{}", serde_json::to_string(name).unwrap(), canonical(member.get()))
                });
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
            b'[' => {
                let items: Vec<Box<RawValue>> = serde_json::from_str(text).unwrap();
                format!("[{}]", items.iter().map(|item| canonical(item.get())).collect::<Vec<_>>().join(","))
            }
            b'"' => serde_json::to_string(&serde_json::from_str::<String>(text).unwrap()).unwrap(),
            _ => text.to_owned(),
        }
    }

    fn schema() -> jsonschema::Validator {
        let schema = store::embedded("contracts/interface/report.schema.json").unwrap();
        jsonschema::validator_for(&serde_json::from_slice(schema).unwrap()).unwrap()
    }

    #[test]
    fn the_contract_refuses_what_no_run_can_say() {
        let (schema, written) = (schema(), write(&fixture::failing().0).unwrap());
        for (pointer, value) in [
            ("/result/exit_code", json!(0)),
            ("/result/certifying", json!(false)),
            ("/result/expectations", json!(null)),
            ("/result/failures/0/outcome", json!("PASS")),
            ("/result/failures/0/expectation", json!("stale")),
            ("/result/cases/0/expectation", json!("stale")),
            ("/result/suite", json!({})),
            ("/run/transport", json!("in-process")),
            ("/digest", json!("")),
        ] {
            let mut report: serde_json::Value = serde_json::from_str(&written).unwrap();
            assert!(schema.is_valid(&report));
            *report.pointer_mut(pointer).unwrap() = value;
            assert!(!schema.is_valid(&report), "{pointer}");
        }
    }

    #[test]
    fn every_report_has_the_shape_of_the_contract() {
        let schema = schema();
        for (name, report, _) in fixture::all() {
            let written: serde_json::Value = serde_json::from_str(&write(&report).unwrap()).unwrap();
            let errors = schema.iter_errors(&written).map(|error| format!("{}: {error}", error.instance_path()));
            assert_eq!(errors.collect::<Vec<_>>(), Vec::<String>::new(), "{name}");
        }
    }

    #[test]
    fn the_digest_is_that_of_the_written_result() {
        for (name, report, _) in fixture::all() {
            let written = write(&report).unwrap();
            let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&written).unwrap();
            let digest = Digest::of(canonical(members["result"].get()).as_bytes()).to_hex();
            assert_eq!(members["digest"].get(), format!("\"{digest}\""), "{name}");
        }
    }

    #[test]
    fn the_run_is_not_in_the_digest() {
        let (mut report, _) = fixture::failing();
        let digest = report.digest.clone();
        report.run = crate::report::Run::default();
        assert_eq!(report.result.digest().unwrap().to_hex(), digest);
        report.result.seed += 1;
        assert_ne!(report.result.digest().unwrap().to_hex(), digest);
    }
}
