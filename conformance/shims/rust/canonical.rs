//! What every reader of JSON in Rust needs as a testee, beside `atp.rs`: the value of `serde_json` that it has read is written by
//! RFC 8785.

use std::process::ExitCode;

use crate::atp::{accept, base64_text, reject, serve, sha256};
use serde_json::{Value, json};

/// Serves one reader, which may stop at a depth: then these words are in what it says.
pub fn reader<E: ToString>(
    name: &str,
    version: &str,
    (max_depth, words): (u32, &str),
    read: impl Fn(Vec<u8>) -> Result<Value, E>,
) -> ExitCode {
    let about = json!({
        "testee": {"name": name, "version": version, "lang": "rust"},
        "shim": {"name": "assize-read-rust", "version": "1"},
        "ops": {"canon.bytes": {"profile": ["rfc8785"]}},
        "capabilities": {"max_depth": max_depth},
        "in_flight": 8,
    });
    serve(&about, |request| {
        let value = match read(request.docs.get("doc").cloned().unwrap_or_default()) {
            Ok(value) => value,
            Err(error) if error.to_string().contains(words) => return reject(&["A_LIMIT"]),
            Err(_) => return reject(&["A_JSON"]),
        };
        let octets = canonical(&value).into_bytes();
        accept(json!({"bytes": base64_text(&octets), "sha256": sha256(&octets)}))
    })
}

/// A value as RFC 8785 has it.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            let written = sorted.iter().map(|(name, value)| format!("{}:{}", quoted(name), canonical(value)));
            format!("{{{}}}", written.collect::<Vec<_>>().join(","))
        }
        Value::Array(elements) => format!("[{}]", elements.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::String(text) => quoted(text),
        Value::Number(token) => number(token.as_f64().unwrap_or(f64::NAN)),
        Value::Bool(_) | Value::Null => value.to_string(),
    }
}

fn quoted(text: &str) -> String {
    let mut made = String::from("\"");
    for one in text.chars() {
        match one {
            '"' | '\\' => made.extend(['\\', one]),
            '\u{8}' => made += "\\b",
            '\t' => made += "\\t",
            '\n' => made += "\\n",
            '\u{c}' => made += "\\f",
            '\r' => made += "\\r",
            '\0'..' ' => made += &format!("\\u{:04x}", u32::from(one)),
            _ => made.push(one),
        }
    }
    made + "\""
}

/// ECMAScript's spelling: the fewest digits that tell the double, and of two that are as near the even one.
fn number(double: f64) -> String {
    if !double.is_finite() {
        // No text of JSON has it. It goes out as it came, since it was not refused.
        return double.to_string();
    }
    if double == 0.0 {
        return "0".to_owned();
    }
    let size = format!("{:e}", double.abs()).bytes().take_while(|&one| one != b'e').filter(u8::is_ascii_digit).count();
    let spelled = format!("{:.*e}", size - 1, double.abs());
    let (mantissa, exponent) = spelled.split_once('e').unwrap_or((&spelled, "0"));
    let digits = mantissa.replace('.', "");
    let (count, point) = (digits.len() as i32, exponent.parse::<i32>().unwrap_or(0) + 1);
    let text = match point {
        _ if count <= point && point <= 21 => format!("{digits}{}", "0".repeat((point - count) as usize)),
        1..=21 => format!("{}.{}", &digits[..point as usize], &digits[point as usize..]),
        -5..=0 => format!("0.{}{digits}", "0".repeat(-point as usize)),
        _ => format!("{mantissa}e{:+}", point - 1),
    };
    if double < 0.0 { format!("-{text}") } else { text }
}
