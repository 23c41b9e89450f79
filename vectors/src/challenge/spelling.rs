//! The same values, spelled otherwise: members in another order, white space, escapes.

use super::{
    draft::{Draft, Seat},
    random::Random,
    tree::{Text, Tree},
};
use crate::vector::Case;

/// A text of the same value. The value is plain: no name twice, no half pair.
pub(super) fn respell(tree: &Tree, random: &mut Random) -> String {
    let mut text = String::new();
    let spaced = random.from(0, 6);
    write(tree, &mut text, random, spaced);
    text
}

fn write(tree: &Tree, out: &mut String, random: &mut Random, spaced: usize) {
    blank(out, random, spaced);
    match tree {
        Tree::Word(word) => out.push_str(word),
        Tree::Text(text) => string(text, out, random),
        Tree::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out, random, spaced);
            }
            out.push(']');
        }
        Tree::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            random.shuffle(&mut members);
            out.push('{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                blank(out, random, spaced);
                string(name, out, random);
                blank(out, random, spaced);
                out.push(':');
                write(member, out, random, spaced);
            }
            out.push('}');
        }
    }
    blank(out, random, spaced);
}

fn blank(out: &mut String, random: &mut Random, spaced: usize) {
    if spaced > 0 && random.once_in(spaced) {
        out.push_str(random.one(&[" ", "  ", "\n", "\t", "\r\n", "\n  "]).copied().unwrap_or(" "));
    }
}

/// A string by its own token, or with some of its letters escaped.
fn string(text: &Text, out: &mut String, random: &mut Random) {
    let Some(says) = text.says.as_deref().filter(|_| random.once_in(5)) else {
        out.push_str(&text.raw);
        return;
    };
    out.push_str(&escaped(says, random));
}

/// A JSON string with escapes that need not be.
pub(super) fn escaped(says: &str, random: &mut Random) -> String {
    let mut out = String::from('"');
    for letter in says.chars() {
        match letter {
            '/' if random.once_in(3) => out.push_str("\\/"),
            '\n' if random.once_in(2) => out.push_str("\\n"),
            '\t' if random.once_in(2) => out.push_str("\\t"),
            '"' | '\\' if random.once_in(2) => out.extend(['\\', letter]),
            letter if letter.is_control() || matches!(letter, '"' | '\\') || random.once_in(4) => {
                let small = random.once_in(2);
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    out.push_str(&if small { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") });
                }
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Other spellings of numbers with a fraction or an exponent, digit for digit of the same size; where there is one kind of number alone,
/// of small integers too.
pub(super) fn numbers(base: &Case, random: &mut Random) -> Option<Case> {
    let one_kind =
        matches!(base.args.get("profile").and_then(serde_json::Value::as_str), Some("rfc8785" | "episode" | "jcs"));
    let mut draft = Draft::of(base)?;
    let mut changed = false;
    for (_, tree) in draft.trees.iter_mut().filter(|(seat, _)| matches!(seat, Seat::Document(_))) {
        tree.each_mut("", &mut |_, value| {
            if let Tree::Word(word) = value
                && let Some(spelled) = number(word, one_kind, random)
            {
                changed |= spelled != *word;
                *word = spelled;
            }
        });
    }
    if changed { draft.case(base) } else { None }
}

/// Digits that every reader holds to the last: a longer spelling is another question, which a reader may refuse.
const DIGITS: usize = 15;

/// Another spelling of a number, which is exactly as large; nothing for what is no number or has to stay as it is.
fn number(word: &str, one_kind: bool, random: &mut Random) -> Option<String> {
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (word, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let size = whole.strip_prefix('-').unwrap_or(whole);
    let power = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    let sound = digits(size)
        && (size == "0" || !size.starts_with('0'))
        && fraction.is_none_or(digits)
        && power.is_none_or(digits);
    let integer = fraction.is_none() && exponent.is_none();
    let room = DIGITS.checked_sub(size.len() + fraction.map_or(0, str::len)).filter(|room| *room > 0);
    if !sound || (integer && (!one_kind || word == "-0")) {
        return None;
    }
    let zeros = "0".repeat(random.from(usize::from(fraction.is_none()), room.unwrap_or(0).min(2)));
    let mantissa = match (fraction, room) {
        (Some(fraction), Some(_)) => format!("{whole}.{fraction}{zeros}"),
        (None, Some(_)) => format!("{whole}.{zeros}"),
        (_, None) => mantissa.to_owned(),
    };
    let letter = if random.once_in(2) { 'e' } else { 'E' };
    let exponent = match (exponent, power) {
        (Some(exponent), Some(power)) => {
            let sign = if exponent.starts_with('-') {
                "-"
            } else if random.once_in(2) {
                "+"
            } else {
                ""
            };
            format!("{letter}{sign}{}{power}", "0".repeat(random.below(2)))
        }
        // An integer that no fraction can be given stays one.
        _ if integer && room.is_none() => String::new(),
        _ if random.once_in(2) => format!("{letter}{}0", random.one(&["", "+", "-"]).copied().unwrap_or_default()),
        _ => String::new(),
    };
    Some(mantissa + &exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Node;

    #[test]
    fn another_spelling_has_the_same_value() {
        let text = r#"{"b":[1.50,-0,"\u00e9/\\\"\n"],"a":{"\ud83d\ude00":null,"":true},"c":"\u0001"}"#;
        let tree = Tree::parse(text).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let spelled = respell(&tree, &mut Random::of(&[&seed.to_string()]));
            assert_eq!(Node::parse(&spelled), Node::parse(text), "{spelled}");
            seen.insert(spelled);
        }
        assert!(seen.len() > 150);
    }

    #[test]
    fn another_spelling_of_a_number_is_as_large() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..60 {
            let mut random = Random::of(&[&seed.to_string()]);
            for word in
                ["1.5", "-0.25e3", "7E-2", "0.0", "-0.0", "1e400", "1e-400", "9007199254740993e1", "123456789.1234567"]
            {
                let spelled = number(word, false, &mut random).unwrap();
                assert_eq!(
                    spelled.parse::<f64>().unwrap().to_bits(),
                    word.parse::<f64>().unwrap().to_bits(),
                    "{spelled}"
                );
                assert!(spelled.contains(['.', 'e', 'E']), "{spelled} is no float");
                assert!(Node::parse(&spelled).is_ok(), "{spelled}");
                seen.insert(spelled);
            }
            assert!(["17", "0", "-3"].iter().all(|word| number(word, false, &mut random).is_none()));
            let whole = number("17", true, &mut random).unwrap();
            assert_eq!(whole.parse::<f64>(), Ok(17.0));
            for word in ["01", "1.", ".5", "NaN", "true", "-", "1e", "+1", "-0", "9007199254740993"] {
                let spelled = number(word, true, &mut random);
                assert!(spelled.is_none_or(|spelled| spelled == word), "{word}");
            }
        }
        assert!(seen.len() > 60);
    }
}
