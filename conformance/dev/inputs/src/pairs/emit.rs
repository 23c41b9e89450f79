//! Writes a value in one of many spellings.

use arbitrary::{Result, Unstructured};

use super::draw::{odds, pick};
use super::json::{Json, Text};

/// How a document is spelt. None of it changes what the document means.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    gaps: &'static [&'static str],
    escape_every: u32,
    upper_hex: bool,
    solidus: bool,
    order: Order,
    margins: (&'static str, &'static str),
}

#[derive(Debug, Clone, Copy)]
enum Order {
    AsDrafted,
    Reversed,
    Sorted,
}

impl Style {
    /// The shortest spelling, members as they stand.
    pub(crate) const PLAIN: Self = Self {
        gaps: &[""],
        escape_every: 0,
        upper_hex: false,
        solidus: false,
        order: Order::AsDrafted,
        margins: ("", ""),
    };

    pub(crate) fn draw(u: &mut Unstructured<'_>) -> Result<Self> {
        let gaps: &[&[&str]] = &[&[""], &[""], &[" "], &["", " ", "", "\n", "\t"], &["\r\n", "", "  "]];
        Ok(Self {
            gaps: pick(u, gaps)?,
            // 0: only where it must be; 1: every character.
            escape_every: *pick(u, &[0, 0, 0, 5, 2, 1])?,
            upper_hex: odds(u, 1, 3)?,
            solidus: odds(u, 1, 4)?,
            order: *pick(u, &[Order::AsDrafted, Order::AsDrafted, Order::Reversed, Order::Sorted])?,
            margins: *pick(u, &[("", ""), ("", ""), ("", "\n"), (" \t", ""), ("\r\n", " \n")])?,
        })
    }
}

/// The bytes of a document.
pub(crate) fn emit(value: &Json, style: &Style) -> Vec<u8> {
    let mut writer = Writer { style, out: String::new(), gap: 0, character: 0 };
    writer.out.push_str(style.margins.0);
    writer.value(value);
    writer.out.push_str(style.margins.1);
    writer.out.into_bytes()
}

struct Writer<'a> {
    style: &'a Style,
    out: String,
    gap: usize,
    character: u32,
}

impl Writer<'_> {
    fn value(&mut self, value: &Json) {
        match value {
            Json::Token(spelling) => self.out.push_str(spelling),
            Json::Text(text) => self.text(text),
            Json::List(items) => {
                self.out.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separator(index);
                    self.value(item);
                }
                self.gap();
                self.out.push(']');
            }
            Json::Object(members) => {
                self.out.push('{');
                for (index, (name, value)) in self.ordered(members).into_iter().enumerate() {
                    self.separator(index);
                    self.text(name);
                    self.gap();
                    self.out.push(':');
                    self.gap();
                    self.value(value);
                }
                self.gap();
                self.out.push('}');
            }
        }
    }

    /// The members in the style's order; as they stand when a name repeats, since then the order has a meaning.
    fn ordered<'m>(&self, members: &'m [(Text, Json)]) -> Vec<&'m (Text, Json)> {
        let mut ordered: Vec<_> = members.iter().collect();
        if matches!(self.style.order, Order::AsDrafted) {
            return ordered;
        }
        ordered.sort_by(|left, right| left.0.0.cmp(&right.0.0));
        if ordered.windows(2).any(|two| matches!(two, [left, right] if left.0 == right.0)) {
            return members.iter().collect();
        }
        if matches!(self.style.order, Order::Reversed) {
            ordered.reverse();
        }
        ordered
    }

    fn separator(&mut self, index: usize) {
        if index > 0 {
            self.gap();
            self.out.push(',');
        }
        self.gap();
    }

    fn gap(&mut self) {
        let gaps = self.style.gaps;
        if let Some(gap) = gaps.get(self.gap % gaps.len().max(1)) {
            self.out.push_str(gap);
        }
        self.gap += 1;
    }

    fn text(&mut self, text: &Text) {
        self.out.push('"');
        for point in &text.0 {
            self.character = self.character.wrapping_add(1);
            let every = self.style.escape_every;
            let escape = every > 0 && self.character.is_multiple_of(every);
            match char::from_u32(*point) {
                Some(plain) if !escape => self.plain(plain),
                _ => self.escaped(*point),
            }
        }
        self.out.push('"');
    }

    fn plain(&mut self, character: char) {
        match character {
            '"' => self.out.push_str("\\\""),
            '\\' => self.out.push_str("\\\\"),
            '/' if self.style.solidus => self.out.push_str("\\/"),
            '\n' => self.out.push_str("\\n"),
            '\t' => self.out.push_str("\\t"),
            '\u{8}' => self.out.push_str("\\b"),
            '\u{c}' => self.out.push_str("\\f"),
            '\r' => self.out.push_str("\\r"),
            '\0'..='\u{1f}' => self.escaped(character.into()),
            _ => self.out.push(character),
        }
    }

    fn escaped(&mut self, point: u32) {
        if let Some(above) = point.checked_sub(0x1_0000) {
            self.unit(0xD800 + (above >> 10));
            self.unit(0xDC00 + (above & 0x3FF));
        } else {
            self.unit(point);
        }
    }

    fn unit(&mut self, unit: u32) {
        let spelling = if self.style.upper_hex { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
        self.out.push_str(&spelling);
    }
}
