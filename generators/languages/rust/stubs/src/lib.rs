//! The implementation under test.

use assize::{Declaration, Implementation, Testee};

/// What suite and shim ask. Write a method for an operation, then name the operation in `DECLARES`: from there on it is
/// asked, and has to be right.
///
/// ```text
/// const DECLARES: Declaration = &[("canon.bytes", &[("profile", &["rfc8785"])]), ("sovereign.deny_code", &[])];
/// ```
pub static TESTEE: Testee =
    Testee { name: "my-kernel", version: "0.1.0", declares: DECLARES, capabilities: "{}", implementation: &Kernel };

const DECLARES: Declaration = &[];

/// Answers nothing yet. A method looks like this:
///
/// ```text
/// fn canon_bytes(&self, request: CanonBytes) -> Answered<CanonBytesResult> {
///     Err(Refusal::reject(["A_JSON"]))
/// }
/// ```
struct Kernel;

impl Implementation for Kernel {}
