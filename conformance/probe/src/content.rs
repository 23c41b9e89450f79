//! The content of a result: an array of blocks, each with what its type has.
//!
//! Spec: Model Context Protocol, Schema, CallToolResult and ContentBlock, by revision.

use assize_verifier::json::{JsonPointer, NodeRef};

use crate::{
    finding::{Asked, Findings},
    framing::{kind, quoted},
    message,
    rules::Rule,
};

/// Types of blocks, with the revision that each came with.
const TYPES: [(&str, &str); 5] = [
    ("text", "2024-11-05"),
    ("image", "2024-11-05"),
    ("resource", "2024-11-05"),
    ("audio", "2025-03-26"),
    ("resource_link", "2025-06-18"),
];

/// Where objections go.
struct Judge<'j> {
    revision: &'j str,
    asked: &'j Asked,
    found: &'j mut Findings,
}

/// Objects to the content of a result.
pub(crate) fn judge(result: NodeRef<'_>, revision: &str, asked: &Asked, found: &mut Findings) {
    let mut judge = Judge { revision, asked, found };
    let at = JsonPointer::from_text("/result/content");
    match result.get("content") {
        None => judge.breach(Rule::ContentPresent, &at, "content is missing"),
        Some(content) if !content.is_array() => {
            judge.breach(Rule::ContentPresent, &at, &format!("content is {}", kind(content)));
        }
        Some(content) => {
            for (index, block) in content.elements().enumerate() {
                judge.block(block, &at.index(index));
            }
        }
    }
}

impl Judge<'_> {
    fn breach(&mut self, rule: Rule, at: &JsonPointer, message: &str) {
        self.found.breach(rule, self.revision, self.asked, at.as_str(), message);
    }

    fn block(&mut self, block: NodeRef<'_>, at: &JsonPointer) {
        let Some(named) = message::text(block, "type") else {
            self.breach(Rule::ContentTyped, at, "a block has no text type");
            return;
        };
        let Some((_, since)) = TYPES.iter().find(|(name, _)| *name == named) else {
            self.breach(
                Rule::ContentTyped,
                &at.member("type"),
                &format!("there is no block of type {}", quoted(named.as_bytes())),
            );
            return;
        };
        if self.revision < *since {
            self.breach(
                Rule::ContentOfRevision,
                &at.member("type"),
                &format!("a block of type {named} before {since}"),
            );
        }
        match named.as_str() {
            "text" => self.texts(block, at, &["text"]),
            "image" | "audio" => {
                self.texts(block, at, &["data", "mimeType"]);
                self.encoded(block, at, "data");
            }
            "resource_link" => self.texts(block, at, &["uri", "name"]),
            _ => self.resource(block.get("resource"), &at.member("resource")),
        }
    }

    fn resource(&mut self, resource: Option<NodeRef<'_>>, at: &JsonPointer) {
        let Some(resource) = resource.filter(|resource| resource.is_object()) else {
            self.breach(Rule::ContentTyped, at, "a block of type resource has an object resource");
            return;
        };
        self.texts(resource, at, &["uri"]);
        if message::text(resource, "text").is_none() && message::text(resource, "blob").is_none() {
            self.breach(Rule::ContentTyped, at, "a resource has text or blob");
        }
        self.encoded(resource, at, "blob");
    }

    /// Objects where one of these members is not a text.
    fn texts(&mut self, object: NodeRef<'_>, at: &JsonPointer, names: &[&str]) {
        for name in names {
            if message::text(object, name).is_none() {
                self.breach(Rule::ContentTyped, &at.member(name), &format!("{name} is due, as a text"));
            }
        }
    }

    fn encoded(&mut self, object: NodeRef<'_>, at: &JsonPointer, name: &str) {
        if message::text(object, name).is_some_and(|text| !is_base64(text.as_bytes())) {
            self.breach(Rule::ContentEncoded, &at.member(name), &format!("{name} is not base64"));
        }
    }
}

/// Whether a text is base64 in whole groups of four.
fn is_base64(text: &[u8]) -> bool {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = text.iter().rev().skip(padding);
    text.len().is_multiple_of(4)
        && padding <= 2
        && digits.into_iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_comes_in_whole_groups() {
        for good in ["", "QQ==", "QUI=", "QUJD", "+/+/"] {
            assert!(is_base64(good.as_bytes()), "{good}");
        }
        for bad in ["QQ", "QQ=", "====", "Q===", "QU-_", "Q=I=", "QUJ\n"] {
            assert!(!is_base64(bad.as_bytes()), "{bad}");
        }
    }
}
