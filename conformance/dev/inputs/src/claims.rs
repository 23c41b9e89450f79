//! Claims to be certified: what a run may have come to, with a count that is wrong now and then, a key, and one byte of the
//! certificate to be changed.
//!
//! Contract: `contracts/interface/certificate.schema.json`, Claim. Bytes that run out make a small lawful claim.

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::pairs::{
    draw::{self, int, odds, pick},
    emit::{Style, emit},
    json::{Json, Step},
};
use crate::seed::noise;

/// A claim, a key to sign it, and what happens to the certificate.
#[derive(Clone, PartialEq, Eq)]
pub struct SignedClaim {
    /// The claim as JSON.
    pub claim: Vec<u8>,
    /// The secret of a key that nobody uses.
    pub key: u8,
    /// Place of the byte that is changed, counted back from the end of the certificate, and round it.
    pub place: u16,
    /// What stands there then.
    pub with: u8,
    /// Bytes to be opened as they are, and as a payload that is signed.
    pub noise: Vec<u8>,
}

impl SignedClaim {
    /// The claim that a string of bytes stands for. Every string stands for one.
    #[must_use]
    pub fn from_bytes(octets: &[u8]) -> Self {
        let nothing = Self { claim: b"{}".to_vec(), key: 0, place: 0, with: 0, noise: Vec::new() };
        Self::arbitrary(&mut Unstructured::new(octets)).unwrap_or(nothing)
    }

    /// The claim of a seed: the same for ever within one version of this crate.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self::from_bytes(&noise(seed, 256))
    }
}

impl<'a> Arbitrary<'a> for SignedClaim {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        // The change first: it must not depend on what is left of the bytes.
        let key = u.arbitrary()?;
        // Hint and signature stand at the end.
        let place = if odds(u, 1, 2)? { u.arbitrary()? } else { u.int_in_range(0..=300)? };
        let with = if odds(u, 1, 2)? { *pick(u, b" \t+-/_\"\\Aa0={}")? } else { u.arbitrary()? };
        let mut claim = claim(u)?;
        if odds(u, 1, 3)? {
            miscount(u, &mut claim)?;
        }
        let claim = emit(&claim, &Style::draw(u)?);
        let noise = if odds(u, 1, 3)? { crate::pairs::json_text(u)? } else { u.bytes(u.len().min(48))?.to_vec() };
        Ok(Self { claim, key, place, with, noise })
    }
}

fn number(value: u32) -> Json {
    Json::integer(value as usize)
}

fn digest(digit: &str) -> Json {
    Json::text(&digit.repeat(64))
}

fn claim(u: &mut Unstructured<'_>) -> Result<Json> {
    let (mut laws, mut sums) = (Vec::new(), [0_u32; 4]);
    for slug in ["canon/episode", "canon/sovereign"].into_iter().take(1 + int(u, 1)? as usize) {
        // Pass, fail, not applicable, what the suite has beyond them.
        let counts = [1 + int(u, 5)?, int(u, 1)?, int(u, 2)?, int(u, 1)?];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let [pass, fail, undeclared, beyond] = counts;
        laws.push(Json::object([
            ("slug", Json::text(slug)),
            ("grade", Json::text(if fail > 0 { "violates" } else { "conforms-strictly" })),
            ("in_suite", number(pass + fail + undeclared + beyond)),
            ("counts", totals(pass, fail, undeclared)),
            ("altered", Json::object([("planted", number(1)), ("caught", number(1))])),
            ("null_passes", number(0)),
            ("credit", number(pass)),
        ]));
    }
    let [pass, fail, undeclared, beyond] = sums;
    let planted = || Json::object([("planted", Json::integer(laws.len())), ("caught", Json::integer(laws.len()))]);
    let null =
        |name: &str| Json::object([("name", Json::text(name)), ("cases", number(pass + fail)), ("pass", number(0))]);
    let controls = Json::object([
        ("altered", planted()),
        ("kinds", Json::object([("verdict", planted())])),
        ("null_testees", Json::List(["accept-all", "reject-all", "echo", "constant"].map(null).to_vec())),
    ]);
    let name = Json::Text(draw::text(u, false)?);
    let reasons: Vec<_> = (undeclared > 0).then(|| ("not declared".into(), number(undeclared))).into_iter().collect();
    let mut claim = Json::object([
        ("contract", Json::text("assize-certificate/v2")),
        ("harness", Json::object([("version", Json::text("0.1.0")), ("sha256", digest("f"))])),
        ("report_sha256", digest("a")),
        (
            "suite",
            Json::object([
                ("sha256", digest("1")),
                ("cases", number(pass + fail + undeclared + beyond)),
                ("laws_sha256", digest("2")),
                ("operations_sha256", digest("3")),
            ]),
        ),
        (
            "testee",
            Json::object([
                ("name", name),
                ("version", Json::text("1")),
                ("ops", Json::Object(Vec::new())),
                ("capabilities", Json::Object(Vec::new())),
            ]),
        ),
        ("transport", Json::text("in-process")),
        ("selection", Json::object([("cases", Json::List(vec![Json::text("canon")]))])),
        ("seed", number(int(u, 9)?)),
        (
            "limits",
            Json::object([
                ("line", number(8 << 20)),
                ("case_ms", number(2000)),
                ("start_ms", number(30_000)),
                ("ends", number(20)),
                ("cpu_s", Json::NULL),
                ("memory_mb", Json::NULL),
            ]),
        ),
        ("jobs", number(1)),
        ("started", Json::text("2026-01-02T03:04:05Z")),
        ("sessions", Json::List(Vec::new())),
        ("grade", Json::text(if fail > 0 { "violates" } else { "conforms-strictly" })),
        ("fail_on", Json::text("spec")),
        ("rulings", Json::object([("rests_on", Json::List(Vec::new())), ("left_out", Json::List(Vec::new()))])),
        ("totals", totals(pass, fail, undeclared)),
        ("not_selected", number(beyond)),
        ("not_applicable", Json::Object(reasons)),
        ("not_run", Json::Object(Vec::new())),
        ("laws", Json::List(laws)),
        ("levels", Json::List(Vec::new())),
        ("controls", controls),
        ("does_not_prove", Json::List(vec![Json::text("what it does not prove, in the words of the harness")])),
    ]);
    if fail > 0 {
        let file = [("sha256", digest("4")), ("entries", number(fail)), ("expected", number(fail))];
        claim.set("expectations", Json::object(file));
    }
    if odds(u, 1, 3)? {
        let file = Json::object([("argument", number(0)), ("name", Json::text("kernel")), ("sha256", digest("5"))]);
        let command = [
            ("argv", Json::List(vec![Json::text("./kernel")])),
            ("directory_given", Json::token("false")),
            ("environment", Json::List(Vec::new())),
            ("files", Json::List(vec![file])),
        ];
        claim.set("transport", Json::text("process"));
        claim.set("command", Json::object(command));
        let contained =
            [("level", Json::text("none")), ("measures", Json::List(Vec::new())), ("missing", Json::List(Vec::new()))];
        claim.set("containment", Json::object(contained));
        let session = |purpose: &str, served: u32| {
            Json::object([
                ("purpose", Json::text(purpose)),
                ("served", number(served)),
                ("chain", digest("6")),
                ("agreed", Json::token("true")),
            ])
        };
        let mut sessions = vec![session("orders", 2 * (pass + fail))];
        sessions.extend((0..pass.min(8)).map(|_| session("fresh", 1)));
        claim.set("sessions", Json::List(sessions));
    }
    Ok(claim)
}

fn totals(pass: u32, fail: u32, undeclared: u32) -> Json {
    Json::object([
        ("cases", number(pass + fail + undeclared)),
        ("pass", number(pass)),
        ("remarks", number(0)),
        ("fail", number(fail)),
        ("spec", number(fail)),
        ("ruling", number(0)),
        ("expected", number(fail)),
        ("not_applicable", number(undeclared)),
        ("not_run", number(0)),
    ])
}

/// Changes one count. Whether that makes the claim impossible is for others to say.
fn miscount(u: &mut Unstructured<'_>, claim: &mut Json) -> Result<()> {
    let count =
        *pick(u, &["pass", "cases", "fail", "spec", "ruling", "remarks", "expected", "not_applicable", "not_run"])?;
    let steps = match int(u, 7)? {
        0..=2 => vec![Step::Member("totals"), Step::Member(count)],
        3 | 4 => vec![Step::Member("laws"), Step::Index(0), Step::Member("counts"), Step::Member(count)],
        5 => vec![Step::Member("not_selected")],
        6 => vec![Step::Member("suite"), Step::Member("cases")],
        _ => vec![Step::Member("controls"), Step::Member("altered"), Step::Member(pick(u, &["planted", "caught"])?)],
    };
    if let Some(slot) = claim.at_mut(&steps) {
        *slot = Json::token(*pick(u, &["0", "1", "2", "3", "7", "18446744073709551615"])?);
    }
    Ok(())
}

impl fmt::Debug for SignedClaim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "SignedClaim: key {}, byte {} becomes {}", self.key, self.place, self.with)?;
        writeln!(formatter, "  claim: {}", self.claim.escape_ascii())?;
        writeln!(formatter, "  noise: {}", self.noise.escape_ascii())
    }
}
