//! Documents that are asked for one by one: the contract of an episode, and a receipt by itself.

use arbitrary::{Result, Unstructured};
use assize_packs::{TestKey, canon::hash};
use serde_json::Value;

use super::episode;
use crate::pairs::damage::Damage;
use crate::pairs::draw::{index, odds, pick};
use crate::pairs::emit::{Style, emit};
use crate::pairs::json::{Json, Text};
use crate::spoil::{awkward, spoil};

/// Numbers at the edges of what has a canonical form, and of how it is written.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1.0",
    "-0.0",
    "9007199254740991",
    "-9007199254740991",
    "9007199254740992",
    "1e21",
    "1E20",
    "123456789e12",
    "0.000001",
    "1e-7",
    "123e-9",
    "5e-324",
    "2e-324",
    "1.7976931348623157e308",
    "1e400",
    "0.1",
    "-1.5E+3",
    "4.35",
    "1e-6",
    "18446744073709551616",
    "333333333.3333333",
    "9007199254740993.0",
];

/// A receipt by itself, and the key that its signature is checked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoneReceipt {
    /// The receipt as text.
    pub receipt: Vec<u8>,
    /// Base64 of the key, if there is one.
    pub public_key: Option<String>,
}

/// The contract of a lawful episode, about one in five of them spoiled.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn contract(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let contract = episode::episode(u)?.contract;
    let mut contract = json(&contract);
    if odds(u, 1, 3)?
        && let Some(steps) = contract.member_mut("replay_script").and_then(|script| script.member_mut("steps"))
        && let Some(step) = steps.items_mut().and_then(|steps| steps.first_mut())
    {
        step.set(
            "output_schema",
            Json::object([("maximum", number(u)?), ("\u{10000}", Json::NULL), ("\u{ffff}", number(u)?)]),
        );
    }
    if odds(u, 1, 8)? {
        spoil(u, &mut contract)?;
    }
    spelt(u, contract, true)
}

/// A receipt of a lawful pack, with or without a declared hash, a signature and a key.
///
/// What no ruling settles is not made: a key that is none, and a signature that is an object of another shape.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn receipt(u: &mut Unstructured<'_>) -> Result<LoneReceipt> {
    let episode = episode::episode(u)?;
    let mut receipts = episode::sealed(u, &episode)?.receipts;
    let at = index(u, receipts.len())?.unwrap_or_default();
    let mut receipt = receipts.get_mut(at).map(std::mem::take).unwrap_or_default();
    receipt.remove("receipt_hash");
    let mut receipt = json(&Value::Object(receipt));
    if odds(u, 1, 3)? {
        receipt.set(pick(u, &["x", "\u{e9}", "signatures", "anchor"])?, number(u)?);
    }
    if odds(u, 1, 8)? {
        spoil(u, &mut receipt)?;
    }
    let right = hash_of(&receipt);
    let declared = match *pick(u, &["right", "none", "right", "wrong", "null", "upper", "bare"])? {
        "right" => Some(Json::text(&right)),
        "wrong" => Some(Json::text(&hash(&Value::Null))),
        "null" => Some(Json::NULL),
        "upper" => Some(Json::text(&right.to_uppercase())),
        "bare" => Some(Json::text(right.trim_start_matches("sha256:"))),
        _ => None,
    };
    let key = if odds(u, 2, 3)? { Some(one_of_two(u)?) } else { None };
    let signature = match *pick(u, &["none", "signed", "signed", "other", "shape"])? {
        "signed" => Some(signed(u, &right, key.is_some())?),
        "other" => Some(signed(u, &hash(&Value::Null), key.is_some())?),
        "shape" => Some(no_object(u)?),
        _ => None,
    };
    // A damaged signature may be of another shape.
    let damaged = key.is_some() || signature.is_none();
    for (name, member) in [("receipt_hash", declared), ("signature", signature)] {
        if let Some(member) = member {
            receipt.set(name, member);
        }
    }
    Ok(LoneReceipt { receipt: spelt(u, receipt, damaged)?, public_key: key.map(|key| key.public()) })
}

fn one_of_two(u: &mut Unstructured<'_>) -> Result<TestKey> {
    Ok(if odds(u, 1, 4)? { TestKey::other() } else { TestKey::usual() })
}

/// A signature of a hash, which may be spelled in a way that is none where somebody looks at it.
fn signed(u: &mut Unstructured<'_>, hash: &str, looked_at: bool) -> Result<Json> {
    let mut octets = one_of_two(u)?.sign(hash.as_bytes());
    let mut algorithm = "Ed25519";
    let mut text = TestKey::base64(&octets);
    if looked_at && odds(u, 1, 3)? {
        match *pick(u, &["cut", "flipped", "unpadded", "blank", "algorithm", "small", "bits"])? {
            "cut" => text = TestKey::base64(octets.get(..63).unwrap_or_default()),
            "flipped" => {
                if let Some(at) = index(u, octets.len())?
                    && let Some(octet) = octets.get_mut(at)
                {
                    *octet ^= 1 << *pick(u, &[0_u8, 3, 7])?;
                }
                text = TestKey::base64(&octets);
            }
            "unpadded" => drop(text.drain(text.len().saturating_sub(2)..)),
            "blank" => text.push(' '),
            "algorithm" => algorithm = pick(u, &["ed25519", "EdDSA", ""])?,
            "small" => {
                octets.splice(..32, std::iter::once(1).chain([0; 31]));
                text = TestKey::base64(&octets);
            }
            _ => text = text.replacen("==", "B==", 1),
        }
    }
    let members = [("alg", Json::text(algorithm)), ("key_id", Json::text("k")), ("sig", Json::text(&text))];
    Ok(Json::object(members))
}

/// A signature that is not an object.
fn no_object(u: &mut Unstructured<'_>) -> Result<Json> {
    let value = awkward(u)?;
    Ok(if matches!(value, Json::Object(_)) { Json::NULL } else { value })
}

fn number(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(Json::token(*pick(u, NUMBERS)?))
}

/// The hash of what a text stands for; that of null where it stands for nothing.
fn hash_of(document: &Json) -> String {
    hash(&serde_json::from_slice(&emit(document, &Style::PLAIN)).unwrap_or_default())
}

fn json(value: &Value) -> Json {
    Json::read(&value.to_string()).unwrap_or(Json::NULL)
}

/// The document as text: half of them in the shortest, the others in one of the many that mean the same, a few damaged where that is
/// asked.
fn spelt(u: &mut Unstructured<'_>, mut document: Json, damaged: bool) -> Result<Vec<u8>> {
    if odds(u, 1, 30)?
        && let Some(members) = document.members_mut()
        && let Some((name, _)) = members.first().cloned()
    {
        members.push((name, Json::NULL));
    }
    if odds(u, 1, 40)? {
        document.each_text(&mut |text: &mut Text| text.0.push(0xDC00));
    }
    let style = if odds(u, 1, 2)? { Style::draw(u)? } else { Style::PLAIN };
    let mut text = emit(&document, &style);
    if damaged && odds(u, 1, 40)? {
        Damage::draw(u)?.apply(u, &mut text)?;
    }
    Ok(text)
}
