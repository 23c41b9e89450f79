//! A certificate opens to what was signed; a byte that is changed is noticed, or belongs to the spelling of the envelope; a
//! claim whose counts cannot be true is refused though its signature holds; no text makes the reader panic.
//!
//! What may be spelt otherwise: white space between tokens, the hint that names a key (the member's name and its value, as
//! long as they stay JSON strings), and the two letters by which the alphabets of base64 part, where one alphabet is kept
//! to. Every other byte counts.

use assize::certificate::{
    self, Claim, Envelope, OpenError, ReportFile, Statement, StatementError, SubjectClaim,
    keys::{PrivateKey, PublicKey},
};
use assize_inputs::SignedClaim;
use serde_json::Value;

use crate::documents::{DocumentError, Documents};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct Certificate;

impl Target for Certificate {
    const NAME: &'static str = "certificate";
    const KIND: Kind = Kind::Property;
    const LAW: &'static str = "certificates: a signed claim opens to itself, a changed byte is noticed or mere spelling, \
                               counts that cannot be true are refused";
    type Input = SignedClaim;

    fn decode(octets: &[u8]) -> Option<SignedClaim> {
        Some(SignedClaim::from_bytes(octets))
    }

    fn documents(input: &SignedClaim) -> Documents {
        let change = format!("{} {} {}", input.key, input.place, input.with);
        let documents = Documents::default().with("claim", &input.claim).with("change", change.as_bytes());
        documents.with("noise", &input.noise)
    }

    fn input(documents: &Documents) -> Result<SignedClaim, DocumentError> {
        let unreadable = || DocumentError::Unreadable {
            name: "change".to_owned(),
            reason: "not the numbers of a key, a place and a byte".to_owned(),
        };
        let change = documents.octets("change")?;
        let numbers: Option<Vec<u16>> = std::str::from_utf8(&change)
            .ok()
            .and_then(|text| text.split(' ').map(|number| number.parse().ok()).collect());
        let Some(&[key, place, with]) = numbers.as_deref() else { return Err(unreadable()) };
        let octet = |number: u16| u8::try_from(number).map_err(|_| unreadable());
        let (key, with) = (octet(key)?, octet(with)?);
        Ok(SignedClaim { claim: documents.octets("claim")?, key, place, with, noise: documents.octets("noise")? })
    }

    fn check(input: &SignedClaim) -> Result<(), String> {
        let key = PrivateKey::from_seed(&[input.key; 32]);
        let public = key.public().map_err(|error| error.to_string())?;
        let keys = [public];
        never_opened(&input.noise, &key, &keys)?;

        // Other texts than those that the generator makes need not be a claim.
        let Some(claim) = claim(&input.claim) else { return Ok(()) };
        let value: Value = serde_json::from_slice(&input.claim).map_err(|error| error.to_string())?;
        let statement = Statement::around(claim);
        let envelope = certificate::sign(&statement, &key).map_err(|error| error.to_string())?;
        let possible = adds_up(&value);
        let opened = opens(&envelope, &keys)?;
        agree(possible, opened.as_ref() == Some(&statement), &input.claim)?;
        if opened.is_none() {
            return Ok(());
        }
        let stranger = PrivateKey::from_seed(&[!input.key; 32]).public().map_err(|error| error.to_string())?;
        if certificate::open(&envelope, &[stranger]).is_ok() {
            return Err("a key that did not sign opens the certificate".to_owned());
        }
        let (changed, place) = change(&envelope, input.place, input.with);
        let same = opens_changed(&changed, &keys)?;
        if same.as_ref().is_some_and(|found| *found != statement) {
            return Err(format!("byte {place} changed to {}: another statement opens", input.with));
        }
        noticed(&envelope, place, input.with, same.is_some())
    }
}

/// A claim that says what it does not prove in the words of the harness, which the generator does not know.
fn claim(text: &[u8]) -> Option<Claim> {
    let mut claim: Claim = serde_json::from_slice(text).ok()?;
    // Seeds say what a command is; what it consists of is the same for all.
    if let Some(command) = &mut claim.command {
        let whole = SubjectClaim { paths: vec![".".to_owned()], files: 1, bytes: 1, sha256: "6".repeat(64) };
        command.subject.get_or_insert(whole);
    }
    claim.does_not_prove =
        certificate::does_not_prove(claim.transport, claim.containment.as_ref(), claim.command.as_ref());
    Some(claim)
}

/// What is not signed, or is not a statement, does not open.
fn never_opened(noise: &[u8], key: &PrivateKey, keys: &[PublicKey]) -> Result<(), String> {
    let _ = (ReportFile::parse(noise), PublicKey::from_pem("key", noise));
    let sealed = serde_json::to_vec(&Envelope::seal(noise, key, "")).map_err(|error| error.to_string())?;
    for (what, bytes) in [("text", noise), ("a signed text", sealed.as_slice())] {
        if certificate::open(bytes, keys).is_ok() {
            return Err(format!("{what} opens as a certificate: {}", noise.escape_ascii()));
        }
    }
    Ok(())
}

/// The statement of a certificate that nobody touched; nothing if it contradicts itself.
fn opens(envelope: &[u8], keys: &[PublicKey]) -> Result<Option<Statement>, String> {
    match certificate::open(envelope, keys) {
        Ok(certified) => Ok(Some(certified.statement)),
        Err(OpenError::Statement(StatementError::Contradiction(_))) => Ok(None),
        Err(error) => Err(format!("a certificate does not open with its own key: {error}")),
    }
}

/// The statement of a certificate of which a byte was changed; nothing if it is refused.
fn opens_changed(envelope: &[u8], keys: &[PublicKey]) -> Result<Option<Statement>, String> {
    match certificate::open(envelope, keys) {
        Ok(certified) => Ok(Some(certified.statement)),
        // The signature was found to hold, so what is signed must be what was signed.
        Err(OpenError::Statement(error)) => {
            Err(format!("a changed certificate holds, and is not a statement: {error}"))
        }
        Err(_) => Ok(None),
    }
}

/// Both readings of the counts must agree.
fn agree(possible: bool, opened: bool, claim: &[u8]) -> Result<(), String> {
    match (possible, opened) {
        (true, false) => Err(format!("refused, though the counts can be true: {}", claim.escape_ascii())),
        (false, true) => Err(format!("opens, though the counts cannot be true: {}", claim.escape_ascii())),
        _ => Ok(()),
    }
}

fn change(envelope: &[u8], place: u16, with: u8) -> (Vec<u8>, usize) {
    let back = usize::from(place).checked_rem(envelope.len()).unwrap_or(0);
    let place = envelope.len().saturating_sub(back + 1);
    let mut changed = envelope.to_vec();
    if let Some(octet) = changed.get_mut(place) {
        *octet = with;
    }
    (changed, place)
}

/// Whether a change opens exactly where it is one of spelling.
fn noticed(envelope: &[u8], place: usize, with: u8, opens: bool) -> Result<(), String> {
    let spelling = is_spelling(envelope, place, with);
    if opens == spelling {
        return Ok(());
    }
    let (was, says) = (envelope.get(place).copied().unwrap_or(0), if opens { "opens" } else { "is refused" });
    Err(format!("byte {place} changed from {was} to {with}: the certificate {says}, spelling is {spelling}"))
}

/// Whether a changed byte belongs to the spelling alone. The certificate is as we write it: indented, without escapes.
fn is_spelling(envelope: &[u8], place: usize, with: u8) -> bool {
    let Some(&was) = envelope.get(place) else { return true };
    if was == with {
        return true;
    }
    let quotes: Vec<usize> =
        envelope.iter().enumerate().filter(|(_, octet)| **octet == b'"').map(|(at, _)| at).collect();
    let pairs = quotes.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
    let Some((number, (start, end))) = pairs.enumerate().find(|(_, (start, end))| (*start..=*end).contains(&place))
    else {
        return b" \n\t\r".contains(&was) && b" \n\t\r".contains(&with);
    };
    if place == start || place == end {
        return false;
    }
    let mut inside = envelope.get(start..=end).unwrap_or_default().to_vec();
    if let Some(octet) = inside.get_mut(place - start) {
        *octet = with;
    }
    // In the order of the members: payloadType, its value, payload, its value, signatures, keyid, its value, sig, its value.
    match number {
        5 | 6 => serde_json::from_slice::<String>(&inside).is_ok(),
        3 | 8 => {
            let swapped = matches!((was, with), (b'+', b'-') | (b'-', b'+') | (b'/', b'_') | (b'_', b'/'));
            let has = |letters: &[u8]| inside.iter().any(|octet| letters.contains(octet));
            swapped && !(has(b"+/") && has(b"-_"))
        }
        _ => false,
    }
}

/// Whether the counts of a claim can be true, read from the JSON as the contract describes them.
fn adds_up(claim: &Value) -> bool {
    let at = |value: &Value, pointer: &str| value.pointer(pointer).and_then(Value::as_u64).map_or(0, u128::from);
    let sum = |value: &Value| {
        ["/pass", "/fail", "/not_applicable", "/not_run"].into_iter().map(|count| at(value, count)).sum::<u128>()
    };
    let laws: Vec<&Value> =
        claim.get("laws").and_then(Value::as_array).into_iter().flatten().filter_map(|law| law.get("counts")).collect();
    let totals = claim.get("totals").unwrap_or(&Value::Null);
    let reasons = |name: &str| -> u128 {
        let reasons = claim.get(name).and_then(Value::as_object).into_iter().flatten();
        reasons.filter_map(|(_, count)| count.as_u64()).map(u128::from).sum()
    };
    let law_rows: Vec<&Value> = claim.get("laws").and_then(Value::as_array).into_iter().flatten().collect();
    let each_law = law_rows.iter().all(|law| {
        at(law, "/credit") <= at(law, "/counts/pass")
            && at(law, "/counts/cases") <= at(law, "/in_suite")
            && at(law, "/counts/cases") > 0
            && (at(claim, "/not_selected") > 0 || at(law, "/counts/cases") == at(law, "/in_suite"))
            && (at(law, "/credit") > 0 || law.get("grade").and_then(Value::as_str) == Some("violates"))
    });
    let null_rows: Vec<&Value> =
        claim.pointer("/controls/null_testees").and_then(Value::as_array).into_iter().flatten().collect();
    let nulls_were_asked = null_rows.iter().all(|row| at(row, "/cases") == at(totals, "/pass") + at(totals, "/fail"));
    let by_law: u128 = law_rows.iter().map(|law| at(law, "/altered/planted")).sum();
    let rows_add_up = laws.iter().chain([&totals]).all(|counts| sum(counts) == at(counts, "/cases"));
    let weights_add_up = laws.iter().chain([&totals]).all(|counts| {
        at(counts, "/spec") + at(counts, "/ruling") == at(counts, "/fail")
            && at(counts, "/remarks") <= at(counts, "/pass")
            && at(counts, "/expected") <= at(counts, "/fail")
    });
    // The grades that are drawn say that everything passes, or that a specification is broken.
    let graded = |of: &Value, counts: &Value| match of.get("grade").and_then(Value::as_str) {
        Some("violates") => at(counts, "/spec") > 0,
        _ => at(counts, "/fail") == 0,
    };
    let rows = claim.get("laws").and_then(Value::as_array).into_iter().flatten();
    let grades_follow =
        graded(claim, totals) && rows.into_iter().all(|law| graded(law, law.get("counts").unwrap_or(&Value::Null)));
    let excused = at(totals, "/ruling");
    let laws_add_up =
        ["/cases", "/pass", "/remarks", "/fail", "/spec", "/ruling", "/expected", "/not_applicable", "/not_run"]
            .into_iter()
            .all(|count| laws.iter().map(|law| at(law, count)).sum::<u128>() == at(totals, count));
    let planted = at(claim, "/controls/altered/planted");
    rows_add_up
        && each_law
        && nulls_were_asked
        && by_law == planted
        && laws_add_up
        && weights_add_up
        && grades_follow
        && at(totals, "/cases") + at(claim, "/not_selected") == at(claim, "/suite/cases")
        && reasons("not_applicable") == at(totals, "/not_applicable")
        && at(totals, "/not_run") == 0
        && at(totals, "/fail") - at(totals, "/expected") <= excused
        && (at(totals, "/expected") == 0 || claim.get("expectations").is_some())
        && at(totals, "/pass") + at(totals, "/fail") > 0
        && planted > 0
        && planted == at(claim, "/controls/altered/caught")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oracle_can_fail() {
        let input = SignedClaim::seeded(1);
        let key = PrivateKey::from_seed(&[7; 32]);
        let claim = claim(&SignedClaim::from_bytes(&[]).claim).unwrap();
        let envelope = certificate::sign(&Statement::around(claim), &key).unwrap();
        // Planted answers of the reader: a flipped signature that opens, white space that is refused.
        let last = envelope.len() - 20;
        assert!(noticed(&envelope, last, b'?', true).unwrap_err().contains("opens"));
        assert!(noticed(&envelope, 1, b' ', false).unwrap_err().contains("is refused"));
        assert!(agree(false, true, &input.claim).unwrap_err().starts_with("opens"));
        assert!(agree(true, false, &input.claim).unwrap_err().starts_with("refused"));
        // A key that signs something else.
        assert!(opens(&envelope, &[PrivateKey::from_seed(&[8; 32]).public().unwrap()]).is_err());
    }

    #[test]
    fn inputs_reach_what_they_are_meant_to() {
        let (mut possible, mut impossible, mut spelling, mut content) = (0, 0, 0, 0);
        for seed in 0..400 {
            let input = SignedClaim::seeded(seed);
            let claim = claim(&input.claim).unwrap();
            let value: Value = serde_json::from_slice(&input.claim).unwrap();
            if !adds_up(&value) {
                impossible += 1;
                continue;
            }
            possible += 1;
            let key = PrivateKey::from_seed(&[input.key; 32]);
            let envelope = certificate::sign(&Statement::around(claim), &key).unwrap();
            let place = change(&envelope, input.place, input.with).1;
            if is_spelling(&envelope, place, input.with) { spelling += 1 } else { content += 1 }
        }
        assert!(
            possible > 200 && impossible > 60 && spelling > 4 && content > 150,
            "{possible} {impossible} {spelling} {content}"
        );
    }
}
