//! Decisions by the text of a message.

use super::Walker;
use crate::{
    Family,
    flow::State,
    lookup::Lookup,
    syntax::{Call, Expr, Kind},
    world::Bound,
};

const LAW: &str = "reply/branch-on-code";

/// Members of a reply or an envelope whose value is for people.
const MESSAGES: [&str; 3] = ["message", "msg", "text"];

/// Methods that leave a text what it is, but for its letters.
const SAME: [&str; 14] = [
    "lower",
    "upper",
    "strip",
    "lstrip",
    "rstrip",
    "casefold",
    "toLowerCase",
    "toUpperCase",
    "trim",
    "trimStart",
    "trimEnd",
    "toString",
    "normalize",
    "replace",
];

/// Methods that test a text.
const TESTS: [&str; 15] = [
    "startswith",
    "endswith",
    "startsWith",
    "endsWith",
    "includes",
    "indexOf",
    "find",
    "search",
    "match",
    "matchAll",
    "fullmatch",
    "index",
    "count",
    "localeCompare",
    "test",
];

/// Those of them that nothing but texts and patterns have.
const SURE: [&str; 13] = [
    "startswith",
    "endswith",
    "startsWith",
    "endsWith",
    "fullmatch",
    "localeCompare",
    "test",
    "HasPrefix",
    "HasSuffix",
    "EqualFold",
    "MatchString",
    "equalsIgnoreCase",
    "contentEquals",
];

/// What has functions that test texts.
const ABOUT_TEXTS: [&str; 8] = ["re", "regex", "strings", "regexp", "Objects", "Pattern", "StringUtils", "String"];

/// Those of Go and of Java, by their names there or of functions of the package `strings`.
const TYPED_TESTS: [&str; 12] = [
    "Contains",
    "HasPrefix",
    "HasSuffix",
    "EqualFold",
    "Index",
    "MatchString",
    "contains",
    "equals",
    "equalsIgnoreCase",
    "contentEquals",
    "matches",
    "compareTo",
];

/// Functions of the package `strings` that leave a text what it is, but for its letters.
const TYPED_SAME: [&str; 7] = ["ToLower", "ToUpper", "TrimSpace", "Trim", "TrimPrefix", "TrimSuffix", "ReplaceAll"];

/// Names followed one after another.
const FARTHEST: usize = 8;

impl<'a> Walker<'_, 'a> {
    /// Objects to what is decided by a value that is the text of a message.
    pub(super) fn decides(&mut self, value: &'a Expr, state: &State<'a>) {
        if self.lookup(state).is_message(value, FARTHEST) {
            self.find(LAW, value.span, "", "it is decided by the text of a message: decide by type and code");
        }
    }

    /// Objects to a test of such a text.
    pub(super) fn tests(&mut self, call: &'a Call, state: &State<'a>) {
        if let Kind::Member(of, name, _) = &call.callee.plain().kind
            && (TESTS.contains(&name.as_str())
                || (self.world.family.is_typed() && TYPED_TESTS.contains(&name.as_str())))
        {
            self.decides(of, state);
            let of_texts = SURE.contains(&name.as_str()) || self.lookup(state).is_about_texts(of, FARTHEST);
            for argument in &call.arguments {
                if of_texts {
                    self.decides(&argument.value, state);
                } else if self.lookup(state).is_message(&argument.value, FARTHEST) {
                    let message = "if this tests a text, it is decided by the text of a message";
                    self.advise(LAW, argument.value.span, "", message);
                }
            }
        }
    }
}

impl<'a> Lookup<'_, 'a> {
    /// Whether it is a text or a pattern, or what has functions for these.
    fn is_about_texts(&self, expr: &'a Expr, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        match &expr.plain().kind {
            Kind::Text(_) | Kind::Template(_) | Kind::Sum(_) | Kind::Literal => true,
            Kind::Name(name) if ABOUT_TEXTS.contains(&name.as_str()) => true,
            Kind::Name(name) => self.name(name).iter().any(|(meaning, from)| match meaning.bound {
                Bound::Parameter(parameter) => is_text_type(&parameter.types),
                Bound::Typed(types) => is_text_type(types),
                Bound::Value(value, types) => {
                    is_text_type(types) || (value.as_name() != Some(name) && from.is_about_texts(value, left))
                }
                _ => false,
            }),
            Kind::Call(call) => match &call.callee.plain().kind {
                Kind::Member(of, name, _) => {
                    matches!(name.as_str(), "compile" | "MustCompile" | "Compile")
                        || SAME.contains(&name.as_str()) && self.is_about_texts(of, left)
                }
                Kind::Name(name) => matches!(name.as_str(), "str" | "String" | "RegExp"),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_message(&self, expr: &'a Expr, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        match &expr.plain().kind {
            Kind::Name(name) => {
                let meanings = self.name(name);
                !meanings.is_empty()
                    && meanings.iter().all(|(meaning, from)| match meaning.bound {
                        Bound::Value(value, _) => value.as_name() != Some(name) && from.is_message(value, left),
                        _ => false,
                    })
            }
            Kind::Member(of, name, _) => self.names_message(name) && self.is_answer_or_error(of, left),
            Kind::Index(of, at) => is_message_key(at) && self.is_answer_or_error(of, left),
            Kind::Call(call) => match &call.callee.plain().kind {
                Kind::Name(name) if matches!(name.as_str(), "str" | "repr" | "String" | "string") => call
                    .arguments
                    .first()
                    .is_some_and(|one| self.is_answer(&one.value, left) || self.is_message(&one.value, left)),
                Kind::Member(of, name, _) if name == "get" => {
                    call.arguments.first().is_some_and(|one| is_message_key(&one.value))
                        && self.is_answer_or_error(of, left)
                }
                Kind::Member(of, name, _) if self.world.family.is_typed() => self.is_said(of, name, call, left),
                Kind::Member(of, name, _) if SAME.contains(&name.as_str()) => self.is_message(of, left),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a member is called as the text of a message is.
    fn names_message(&self, name: &str) -> bool {
        MESSAGES.contains(&self.world.family.method(name).as_str())
    }

    /// Whether a call of Go or of Java gives the text of a message, or that of a whole reply.
    fn is_said(&self, of: &'a Expr, name: &str, call: &'a Call, left: usize) -> bool {
        let first = call.arguments.first().map(|one| &one.value);
        match (name, first) {
            ("toString" | "String", None) if self.is_answer(of, left) => true,
            ("valueOf", Some(value)) if of.as_name() == Some("String") => {
                self.is_answer(value, left) || self.is_message(value, left)
            }
            (name, Some(value)) if TYPED_SAME.contains(&name) && of.as_name() == Some("strings") => {
                self.is_message(value, left)
            }
            (name, None) if self.names_message(getter(name)) => self.is_answer_or_error(of, left),
            (name, _) => SAME.contains(&name) && self.is_message(of, left),
        }
    }

    /// Whether it is a reply or an envelope, or the error in one.
    fn is_answer_or_error(&self, expr: &'a Expr, left: usize) -> bool {
        let of = match &expr.plain().kind {
            Kind::Member(of, name, _) if self.world.family.method(name) == "error" => Some(of),
            Kind::Index(of, at) if matches!(&at.plain().kind, Kind::Text(text) if text == "error") => Some(of),
            Kind::Call(call) => match &call.callee.plain().kind {
                Kind::Member(of, name, _)
                    if self.world.family == Family::Java
                        && call.arguments.is_empty()
                        && matches!(name.as_str(), "error" | "getError") =>
                {
                    Some(of)
                }
                Kind::Member(of, name, _) if name == "get" => {
                    let key = call.arguments.first().map(|one| &one.value.plain().kind);
                    matches!(key, Some(Kind::Text(text)) if text == "error").then_some(of)
                }
                _ => None,
            },
            _ => None,
        };
        self.is_answer(expr, left) || of.is_some_and(|of| self.is_answer(of, left))
    }

    /// Whether it is known to be a reply or an envelope.
    fn is_answer(&self, expr: &'a Expr, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        match &expr.plain().kind {
            Kind::Name(name) => self.name(name).iter().any(|(meaning, from)| match meaning.bound {
                Bound::Parameter(parameter) => from.is_answer_type(&parameter.types),
                Bound::Typed(types) => from.is_answer_type(types),
                Bound::Value(value, types) => {
                    from.is_answer_type(types) || (value.as_name() != Some(name) && from.is_answer(value, left))
                }
                _ => false,
            }),
            Kind::Call(call) => {
                let made = match &call.callee.plain().kind {
                    Kind::Member(of, method, _) => {
                        crate::names::is_method(&self.world.family.method(method)) && self.receiver(of).is_some()
                    }
                    _ => false,
                };
                let meanings = self.meanings(&call.callee);
                made || self.agree(&meanings, |_, from, function| from.is_answer_type(&function.returns))
                    || meanings.iter().any(|(meaning, _)| match meaning.bound {
                        Bound::Class(class) => {
                            self.world.names.is_reply(&class.name) || self.world.names.is_envelope(&class.name)
                        }
                        _ => false,
                    })
            }
            _ => false,
        }
    }

    fn is_answer_type(&self, types: &[String]) -> bool {
        self.is_reply_type(types) || self.is_envelope_type(types)
    }
}

fn is_text_type(types: &[String]) -> bool {
    matches!(types.last().map(String::as_str), Some("str" | "string" | "String" | "Pattern" | "RegExp" | "Regexp"))
}

/// `getMessage` gives what is called `message`, in Go `GetMessage` what is called `Message`.
fn getter(name: &str) -> &str {
    match name {
        "getMessage" | "GetMessage" => "message",
        "getText" | "GetText" => "text",
        name => name,
    }
}

fn is_message_key(at: &Expr) -> bool {
    matches!(&at.plain().kind, Kind::Text(text) if MESSAGES.contains(&text.as_str()))
}
