//! The implementation under test. This file joins it to suite and shim; the modules below do the work, and know neither.

mod authority;
mod canon;
mod error;
mod json;
mod sovereign;

use assize::{
    Answered, AuthorityChain, CanonBytes, CanonBytesResult, Declaration, Implementation, JsonText, Refusal,
    SovereignDenyCode, SovereignDenyCodeResult, SovereignOrder, SovereignOrderResult, SovereignReportId,
    SovereignReportIdResult, SovereignSelectPath, SovereignSelectPathResult, Testee, sha256,
};

use error::Error;

/// What suite and shim ask.
pub static TESTEE: Testee = Testee {
    name: "example-kernel",
    version: "0.1.0",
    declares: DECLARES,
    // Nothing is beyond it, which needs no word; this extra is said by its name.
    capabilities: r#"{"features": ["hostile-paths"]}"#,
    implementation: &Kernel,
};

/// What is listed here is asked, and has to be right; the rest is skipped.
const DECLARES: Declaration = &[
    ("canon.bytes", &[("profile", &["rfc8785", "episode", "sovereign", "authority"])]),
    ("sovereign.deny_code", &[]),
    ("sovereign.order", &[]),
    ("sovereign.report_id", &[]),
    ("sovereign.select_path", &[]),
    ("authority.chain", &[]),
];

/// Has a method for each operation that is declared.
struct Kernel;

impl Implementation for Kernel {
    fn canon_bytes(&self, request: CanonBytes) -> Answered<CanonBytesResult> {
        let Some(profile) = canon::by_name(&request.profile) else { return Err(Refusal::Unsupported) };
        let uncanonical = if request.profile == "sovereign" { UNCANONICAL } else { "A_VALUE" };
        let bytes = profile.document(&request.doc).map_err(|error| refusal(&error, uncanonical))?;
        Ok(CanonBytesResult { sha256: sha256::hex(&bytes), bytes })
    }

    fn sovereign_deny_code(&self, request: SovereignDenyCode) -> Answered<SovereignDenyCodeResult> {
        let code = sovereign::deny_code(&request.conditions).map_err(|error| refusal(&error, UNCANONICAL))?;
        Ok(SovereignDenyCodeResult { deny_code: code.map(str::to_owned) })
    }

    fn sovereign_order(&self, request: SovereignOrder) -> Answered<SovereignOrderResult> {
        let sorted = sovereign::order(&request.mismatches, request.stage_order.as_deref());
        let sorted = sorted.map_err(|error| refusal(&error, UNCANONICAL))?;
        Ok(SovereignOrderResult { mismatches: JsonText(String::from_utf8(sorted)?) })
    }

    fn sovereign_report_id(&self, request: SovereignReportId) -> Answered<SovereignReportIdResult> {
        let report_id = sovereign::report_id(&request.report).map_err(|error| refusal(&error, UNCANONICAL))?;
        Ok(SovereignReportIdResult { report_id })
    }

    fn sovereign_select_path(&self, request: SovereignSelectPath) -> Answered<SovereignSelectPathResult> {
        let path = sovereign::select_path(&request.entry, request.root.as_deref());
        Ok(SovereignSelectPathResult { path: path.map_err(|error| refusal(&error, UNCANONICAL))? })
    }

    fn authority_chain(&self, request: AuthorityChain) -> Answered<()> {
        authority::check_chain(&request.records).map_err(|error| refusal(&error, "A_VALUE"))
    }
}

/// The registered code of the sovereign system.
const UNCANONICAL: &str = "E_CANONICALIZATION_ERROR";

/// The rejection that stands for an error.
fn refusal(error: &Error, uncanonical: &'static str) -> Refusal {
    Refusal::reject([match error {
        Error::Syntax => "A_JSON",
        Error::Limit => "A_LIMIT",
        Error::Value => uncanonical,
        Error::Input => "A_INPUT",
        Error::Missing => "E_REPLAY_INPUT_MISSING",
        Error::Law(law) => law,
    }])
}
