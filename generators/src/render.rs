//! Templates: one environment for all of them, with the filters that know the language.
//!
//! Escaping is a filter's business and never a template's; an undefined name is an error.

mod context;
mod filters;

use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, syntax::SyntaxConfig};

pub(crate) use context::Context;

use crate::language::Config;

/// The environment in which the templates of a language are rendered.
pub(crate) fn environment(config: &Config) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
    filters::add(&mut environment, config);
    Ok(environment)
}
