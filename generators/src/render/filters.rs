//! Filters: names, literals, types and comments of a language.

use std::sync::Arc;

use heck::{ToKebabCase, ToLowerCamelCase, ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use minijinja::{Environment, Error, ErrorKind, value::Value};

use crate::{language::Config, resolve};

/// A filter that makes an identifier, and how.
type Spelling = (&'static str, fn(&str) -> String);

pub(super) fn add(environment: &mut Environment<'static>, config: &Config) {
    let config = Arc::new(config.clone());
    let cases: [Spelling; 5] = [
        ("snake", |name| name.to_snake_case()),
        ("camel", |name| name.to_lower_camel_case()),
        ("pascal", |name| name.to_upper_camel_case()),
        ("screaming", |name| name.to_shouty_snake_case()),
        ("kebab", |name| name.to_kebab_case()),
    ];
    for (name, spell) in cases {
        let config = Arc::clone(&config);
        environment.add_filter(name, move |wire: &str| identifier(&config, spell(wire)));
    }
    let literal = Arc::clone(&config);
    environment.add_filter("literal", move |text: &str| literal.strings.literal(text));
    let comments = Arc::clone(&config);
    environment.add_filter("comment", move |text: &str, width: usize| comment(&comments, text, width));
    environment.add_filter("type", move |member: Value| typed(&config, &member));
    environment.add_filter("counted", |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    });
    environment.add_filter("json", |value: Value| {
        resolve::json(&value).map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))
    });
}

/// A name that the language takes as an identifier.
fn identifier(config: &Config, name: String) -> String {
    if config.reserved.words.contains(&name) { name + &config.reserved.suffix } else { name }
}

/// Text that stays inside the comment it is written into: no line end but those of the folding, and nothing that ends it.
fn comment(config: &Config, text: &str, width: usize) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (ends, harmless) in &config.comments.replace {
        text = text.replace(ends, harmless);
    }
    textwrap::wrap(&text, width).join("\n")
}

/// The type of an argument, an input or an output: each says in `wire` what it is.
fn typed(config: &Config, member: &Value) -> Result<String, Error> {
    let wire = member.get_attr("wire")?;
    let known = wire.as_str().and_then(|wire| config.types.find(wire));
    let Some(spelled) = known else {
        return Err(Error::new(ErrorKind::InvalidOperation, format!("no argument, input or output: {member}")));
    };
    if member.get_attr("nullable")?.is_true() {
        return Ok(config.types.nullable.replace("{}", spelled));
    }
    Ok(spelled.to_owned())
}
