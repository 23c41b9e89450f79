//! What must hold of a law-mode report by itself: its contract, its identity, its status and its order.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Report Ordering Law, B.5, replay-report.schema.json, and C,
//! compute_report_id; rulings REP-01, REP-05, REP-07, REP-09, REP-12, LAW-07, LAW-12.
//!
//! Nothing here is the verifier's: the text is read and written again by `serde_json`, whose layout of a structure with sorted
//! members and no floats is the canonical form, and judged by the sealed contract. A report that passes is well made; it may
//! still be wrong about the bundles.

use std::sync::LazyLock;

use jsonschema::{Registry, Validator};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

const SCHEMA: &str = include_str!("../../../../../contracts/sovereign/replay-report.schema.json");
/// The first holds the definition of `StructuralDigest`, to which the report's contract refers, and refers to the others.
const REFERRED: [&str; 3] = [
    include_str!("../../../../../contracts/sovereign/turn-result.schema.json"),
    include_str!("../../../../../contracts/sovereign/capability-decision-record.schema.json"),
    include_str!("../../../../../contracts/sovereign/kernel-issue.schema.json"),
];
const STAGES: &str = include_str!("../../../../../contracts/sovereign/stage-order-v1.json");

/// A report. Members are in canonical order.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    contract_version: String,
    exit_code: i64,
    /// The rows, in the report's order.
    pub mismatches: Vec<Mismatch>,
    report_id: Option<String>,
    run_id: String,
    /// EQUIVALENT, DIVERGENT or ERROR.
    pub status: String,
}

/// A row of a report. Members are in canonical order.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mismatch {
    /// Side B's digest.
    pub actual_digest: Option<String>,
    /// Text for people.
    pub diagnostic: Option<Diagnostic>,
    /// Side A's digest.
    pub expected_digest: Option<String>,
    /// As its token: an ordinal may be larger than any machine's integer.
    ordinal: Box<RawValue>,
    path: String,
    /// The registered code.
    pub reason_code: Option<String>,
    stage_name: String,
    /// The kind of evidence.
    pub surface: String,
    turn_id: String,
}

/// What a row tells people. Members are in canonical order.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    code: Option<String>,
    law: String,
    message: String,
    side: String,
}

impl Report {
    /// Reads a report's text, demanding all that the module promises.
    ///
    /// # Errors
    /// What does not hold.
    pub fn read(text: &str) -> Result<Self, String> {
        let report: Self =
            serde_json::from_str(text).map_err(|error| format!("the report has another shape: {error}"))?;
        if report.text()? != text {
            return Err("the report's text is not its canonical form".to_owned());
        }
        let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if let Some(error) = contract()?.iter_errors(&value).next() {
            return Err(format!("the report breaks contract 5 at {}: {error}", error.instance_path()));
        }
        let id = report.identity()?;
        if report.report_id.as_ref() != Some(&id) {
            return Err(format!("report_id recomputes to {id}"));
        }
        report.check_status()?;
        let stages = STAGE_NAMES.as_ref().map_err(Clone::clone)?;
        if !report.mismatches.iter().map(|row| row.key(stages)).is_sorted() {
            return Err("the mismatches are not in order".to_owned());
        }
        Ok(report)
    }

    /// The report's text with every diagnostic null.
    ///
    /// # Errors
    /// The report cannot be written.
    pub fn undiagnosed(&self) -> Result<String, String> {
        let mut silent = self.clone();
        silent.mismatches.iter_mut().for_each(|row| row.diagnostic = None);
        silent.text()
    }

    /// The report seen from the other side: digests exchanged, ties put in order again, run id, identity and diagnostics
    /// left out (REP-07).
    ///
    /// # Errors
    /// The sealed stage order cannot be read.
    pub fn mirrored(&self) -> Result<String, String> {
        let mut mirrored = self.bare();
        for row in &mut mirrored.mismatches {
            // The lock tells of the local registry and a bundle, not of two bundles: nothing to exchange, and which bundle
            // is named hangs on which is looked at first (SV-8).
            if row.reason_code.as_deref() == Some("E_REGISTRY_DIGEST_MISMATCH") {
                row.actual_digest = None;
            } else {
                std::mem::swap(&mut row.expected_digest, &mut row.actual_digest);
            }
        }
        mirrored.sorted_text()
    }

    /// The report in the form of [`mirrored`](Self::mirrored), but told from its own side.
    ///
    /// # Errors
    /// As there.
    pub fn unmirrored(&self) -> Result<String, String> {
        let mut own = self.bare();
        for row in &mut own.mismatches {
            if row.reason_code.as_deref() == Some("E_REGISTRY_DIGEST_MISMATCH") {
                row.actual_digest = None;
            }
        }
        own.sorted_text()
    }

    /// The report without run id, identity and diagnostics.
    fn bare(&self) -> Self {
        let mut bare = Self { report_id: None, run_id: String::new(), ..self.clone() };
        bare.mismatches.iter_mut().for_each(|row| row.diagnostic = None);
        bare
    }

    fn sorted_text(mut self) -> Result<String, String> {
        let stages = STAGE_NAMES.as_ref().map_err(Clone::clone)?;
        self.mismatches.sort_by_key(|row| row.key(stages));
        self.text()
    }

    fn text(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// SHA-256 of the canonical report in which `report_id` and every `diagnostic` are null (REP-01).
    fn identity(&self) -> Result<String, String> {
        let mut nulled = Self { report_id: None, ..self.clone() };
        nulled.mismatches.iter_mut().for_each(|row| row.diagnostic = None);
        Ok(Sha256::digest(nulled.text()?).iter().map(|octet| format!("{octet:02x}")).collect())
    }

    /// ERROR stands for breaches, DIVERGENT for mismatches without any breach, EQUIVALENT for neither (REP-09).
    fn check_status(&self) -> Result<(), String> {
        let breaches = self.mismatches.iter().filter(|row| row.diagnostic.is_some()).count();
        let (exit_code, holds) = match self.status.as_str() {
            "EQUIVALENT" => (0, self.mismatches.is_empty()),
            "DIVERGENT" => (1, breaches == 0 && !self.mismatches.is_empty()),
            _ => (1, breaches > 0),
        };
        let null = |row: &Mismatch| row.expected_digest.is_none() && row.actual_digest.is_none();
        if !holds || self.exit_code != exit_code {
            return Err(format!("status {} with exit code {} does not suit the rows", self.status, self.exit_code));
        }
        if self.mismatches.iter().any(|row| row.diagnostic.is_some() && !null(row)) {
            return Err("a breach has a digest".to_owned());
        }
        Ok(())
    }
}

impl Mismatch {
    /// What decides the order: the five members of the law, then the digests, null first (REP-05).
    fn key(&self, stages: &[String]) -> impl Ord + use<> {
        let stage = stages.iter().position(|stage| *stage == self.stage_name);
        let ordinal = self.ordinal.get();
        (
            self.turn_id.clone(),
            stage.unwrap_or(stages.len()),
            // Not negative, by the contract: more digits are a larger number.
            (ordinal.len(), ordinal.to_owned()),
            self.surface.clone(),
            self.path.clone(),
            self.expected_digest.clone(),
            self.actual_digest.clone(),
        )
    }
}

#[derive(Deserialize)]
struct StageOrder {
    stage_order: Vec<String>,
}

static STAGE_NAMES: LazyLock<Result<Vec<String>, String>> = LazyLock::new(|| {
    let read: Result<StageOrder, _> = serde_json::from_str(STAGES);
    read.map(|stages| stages.stage_order).map_err(|error| error.to_string())
});

static CONTRACT: LazyLock<Result<Validator, String>> = LazyLock::new(|| {
    let read = |text| serde_json::from_str::<serde_json::Value>(text).map_err(|error| error.to_string());
    let mut registry = Registry::new();
    for text in REFERRED {
        let schema = read(text)?;
        let uri = schema.get("$id").and_then(|id| id.as_str()).unwrap_or_default().to_owned();
        registry = registry.add(uri, schema).map_err(|error| error.to_string())?;
    }
    let registry = registry.prepare().map_err(|error| error.to_string())?;
    jsonschema::options().with_registry(&registry).offline().build(&read(SCHEMA)?).map_err(|error| error.to_string())
});

fn contract() -> Result<&'static Validator, String> {
    CONTRACT.as_ref().map_err(|error| format!("contract 5 does not compile: {error}"))
}
