//! A registry of reply codes, with the place of each breach.

use assize_verifier::reply::{self, Rejection};

/// The second code is active and retired at once, and the third is the first again.
const REGISTRY: &str = r#"{
  "registries": [{
    "name": "canonical",
    "active": [
      {"code": "WA-RES-S-001", "message_key": "results.found"},
      {"code": "WA-RES-I-001", "message_key": "results.none"},
      {"code": "WA-RES-S-001", "message_key": "results.some"}
    ],
    "retired": ["WA-RES-I-001"]
  }]
}"#;

fn main() -> Result<(), Rejection> {
    print!("{}", lint(REGISTRY)?);
    Ok(())
}

/// A line for each finding, or one that says there are none.
pub(crate) fn lint(registry: &str) -> Result<String, Rejection> {
    let found = reply::registry(registry.as_bytes())?;
    if found.is_lawful() {
        return Ok("lawful\n".to_owned());
    }
    let findings = found.findings.iter().map(|breach| &breach.finding);
    Ok(findings.map(|finding| format!("{} {}: {}\n", finding.pointer, finding.law, finding.message)).collect())
}
