//! Faults of manifest and attestation that their schemas see, a row each.

/// Name of the case, where the fault is planted, what comes there as JSON (none: it is taken away), bug class, rationale.
pub(super) type Row = (&'static str, &'static str, Option<&'static str>, &'static str, &'static str);

/// Why another type stands for a member that is shown.
const COPIED: &str =
    "A verifier that copies this member into its report and never looks at its type accepts any value there.";

/// Why a word outside of a member's list is written.
const ANY_WORD: &str = "A verifier that takes any text for this member accepts a word outside its list.";

/// Faults of the manifest, planted before it is signed.
pub(super) const MANIFEST_ROWS: [Row; 20] = [
    (
        "an-attestation-that-is-no-object",
        "/attestation",
        Some("[]"),
        "TypeConfusion",
        "A verifier that looks for members in whatever it finds breaks on an array, or finds nothing wrong with it.",
    ),
    ("a-pack-id-that-is-a-number", "/pack_id", Some("1"), "TypeConfusion", COPIED),
    (
        "a-claim-set-id-of-null",
        "/claim_set_id",
        Some("null"),
        "TypeConfusion",
        "A verifier that takes null for the word none accepts a claim set without a name.",
    ),
    (
        "a-signer-id-that-is-a-list",
        "/signer_id",
        Some(r#"["assize-public-test-key"]"#),
        "TypeConfusion",
        "A verifier that turns what it shows into text shows a list as its only item.",
    ),
    (
        "a-version-that-is-a-number",
        "/manifest_version",
        Some("1"),
        "TypeConfusion",
        "A verifier that matches the pattern on the text of whatever it finds accepts a number for a version.",
    ),
    (
        "a-suite-hash-that-is-a-number",
        "/suite_hash",
        Some("1"),
        "TypeConfusion",
        "A verifier that never recomputes this digest accepts anything for it.",
    ),
    (
        "a-count-of-receipts-as-text",
        "/receipt_count_expected",
        Some(r#""4""#),
        "TypeConfusion",
        "A verifier that coerces text into numbers finds the count right.",
    ),
    (
        "a-signature-that-is-a-list",
        "/signature",
        Some("[]"),
        "TypeConfusion",
        "A verifier that decodes whatever it finds breaks on a list.",
    ),
    (
        "a-key-that-is-a-number",
        "/signer_pubkey",
        Some("1"),
        "TypeConfusion",
        "A verifier that decodes whatever it finds breaks on a number.",
    ),
    (
        "another-signature-algorithm",
        "/signature_alg",
        Some(r#""ed448""#),
        "EnumMember",
        "A verifier that knows one algorithm, and ignores what the manifest calls it, accepts one that calls it something else.",
    ),
    (
        "another-signature-scope",
        "/signature_scope",
        Some(r#""JCS(pack_manifest)""#),
        "EnumMember",
        "A verifier that ignores the text of the scope accepts a manifest that says its signature covers itself.",
    ),
    (
        "expected-files-that-are-no-list",
        "/expected_files",
        Some(r#""receipt_pack.jsonl""#),
        "TypeConfusion",
        "A verifier that iterates over whatever it finds reads text as a list of letters.",
    ),
    (
        "an-expected-file-that-is-a-number",
        "/expected_files/0",
        Some("1"),
        "TypeConfusion",
        "A verifier that joins whatever it finds to a path breaks on a number.",
    ),
    (
        "files-that-are-no-list",
        "/files",
        Some("{}"),
        "TypeConfusion",
        "A verifier that iterates over whatever it finds reads an object without members as an empty list.",
    ),
    (
        "a-listed-file-that-is-a-name",
        "/files/0",
        Some(r#""receipt_pack.jsonl""#),
        "TypeConfusion",
        "A verifier that takes a bare name for an entry never learns which bytes it has to hold.",
    ),
    (
        "a-listed-file-without-a-length",
        "/files/0/bytes",
        None,
        "MissingMember",
        "A verifier that compares digests alone never misses the length.",
    ),
    (
        "a-listed-file-without-a-path",
        "/files/0/path",
        None,
        "MissingMember",
        "A verifier that skips entries without a path never looks at the receipts.",
    ),
    (
        "a-listed-file-without-a-digest",
        "/files/0/sha256",
        None,
        "MissingMember",
        "A verifier that compares the digest where there is one accepts any bytes of a file without.",
    ),
    (
        "a-listed-file-with-its-length-as-text",
        "/files/0/bytes",
        Some(r#""1""#),
        "TypeConfusion",
        "A verifier that compares digests alone never looks at the type of the length.",
    ),
    (
        "a-listed-file-whose-path-is-a-number",
        "/files/0/path",
        Some("1"),
        "TypeConfusion",
        "A verifier that joins whatever it finds to a path breaks on a number.",
    ),
];

/// Faults of the attestation, planted before anything is derived from it.
pub(super) const ATTESTATION_ROWS: [Row; 25] = [
    ("a-number-for-canon-impl-in-the-attestation", "/canon_impl", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-canon-impl-version-in-the-attestation", "/canon_impl_version", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-claim-set-id-in-the-attestation", "/claim_set_id", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-pack-format-version-in-the-attestation", "/pack_format_version", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-pack-id-in-the-attestation", "/pack_id", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-run-id-in-the-attestation", "/run_id", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-suite-id-in-the-attestation", "/suite_id", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-superseded-by-in-the-attestation", "/superseded_by", Some("1"), "TypeConfusion", COPIED),
    ("a-number-for-verifier-version-in-the-attestation", "/verifier_version", Some("1"), "TypeConfusion", COPIED),
    (
        "text-for-fingerprint-version-in-the-attestation",
        "/fingerprint_version",
        Some(r#""1""#),
        "TypeConfusion",
        "A verifier that coerces text into numbers accepts a version of the wrong type.",
    ),
    (
        "a-fingerprint-version-of-zero",
        "/fingerprint_version",
        Some("0"),
        "FailClosed",
        "A verifier that asks for an integer accepts a version before the first.",
    ),
    (
        "a-format-version-of-two-numbers",
        "/pack_format_version",
        Some(r#""0.1""#),
        "PatternAnchor",
        "A verifier that takes any text for a version accepts one without its third number.",
    ),
    (
        "an-empty-pack-id-in-the-attestation",
        "/pack_id",
        Some(r#""""#),
        "FailClosed",
        "A verifier that asks for presence alone accepts an empty name.",
    ),
    (
        "an-empty-run-id-in-the-attestation",
        "/run_id",
        Some(r#""""#),
        "FailClosed",
        "A verifier that asks for presence alone accepts an empty name.",
    ),
    (
        "an-empty-suite-id-in-the-attestation",
        "/suite_id",
        Some(r#""""#),
        "FailClosed",
        "A verifier that asks for presence alone accepts an empty name.",
    ),
    ("another-assurance-level-in-the-attestation", "/assurance_level", Some(r#""L4""#), "EnumMember", ANY_WORD),
    ("another-canon-version-in-the-attestation", "/canon_version", Some(r#""jcs""#), "EnumMember", ANY_WORD),
    ("another-claim-check-in-the-attestation", "/claim_check", Some(r#""SKIPPED""#), "EnumMember", ANY_WORD),
    (
        "another-head-hash-algorithm-in-the-attestation",
        "/head_hash_algorithm",
        Some(r#""last-receipt-digest-v1""#),
        "EnumMember",
        ANY_WORD,
    ),
    ("another-proof-tier-in-the-attestation", "/proof_tier", Some(r#""core""#), "EnumMember", ANY_WORD),
    (
        "another-receipt-integrity-in-the-attestation",
        "/receipt_integrity",
        Some(r#""UNKNOWN""#),
        "EnumMember",
        ANY_WORD,
    ),
    ("another-time-authority-in-the-attestation", "/time_authority", Some(r#""rfc3161""#), "EnumMember", ANY_WORD),
    (
        "a-prefixed-digest-in-the-attestation",
        "/policy_hash",
        Some(r#""sha256:4791aaa760a131484e3c971c4f9b171ad1ef2f6fb9c2e4858fdad6d8fc8f6c0f""#),
        "DigestSpelling",
        "A verifier that never recomputes this digest accepts the spelling of receipts in the container.",
    ),
    (
        "a-fingerprint-of-discrepancies-in-words",
        "/discrepancy_fingerprint",
        Some(r#""none""#),
        "DigestSpelling",
        "A verifier that knows this member as null alone never looks at what else stands there.",
    ),
    (
        "valid-until-a-day",
        "/valid_until",
        Some(r#""2027-03-02""#),
        "FailClosed",
        "A verifier that reads any date of ISO 8601 accepts a day that names no instant.",
    ),
];

/// Faults of the binding to a build.
pub(super) const BINDING_ROWS: [Row; 4] = [
    (
        "a-build-binding-without-commit",
        "/ci_binding",
        Some(r#"{"provider":"local"}"#),
        "MissingMember",
        "A verifier that shows who built the pack, and not from what, never misses the commit.",
    ),
    (
        "a-build-binding-without-provider",
        "/ci_binding",
        Some(r#"{"commit_sha":"0000000000000000000000000000000000000000"}"#),
        "MissingMember",
        "A verifier that shows from what the pack was built, and not by whom, never misses the provider.",
    ),
    (
        "a-commit-that-is-a-number",
        "/ci_binding",
        Some(r#"{"commit_sha":0,"provider":"local"}"#),
        "TypeConfusion",
        "A verifier that matches the pattern only where it finds text lets a number pass for a commit.",
    ),
    (
        "another-provider",
        "/ci_binding",
        Some(r#"{"commit_sha":"0000000000000000000000000000000000000000","provider":"travis"}"#),
        "EnumMember",
        "A verifier that takes any text for the provider accepts a word outside its list.",
    ),
];
