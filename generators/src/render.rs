//! Templates: one environment for all of them, with the filters that know the language.
//!
//! Escaping is a filter's business and never a template's; an undefined name is an error.

mod context;
mod filters;

use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, syntax::SyntaxConfig};

pub(crate) use context::Context;

use crate::language::Config;

/// Steps that one template may take; the longest of the languages that ship takes less than a tenth.
const FUEL: u64 = 2_000_000;

/// The environment in which the templates of a language are rendered.
pub(crate) fn environment(config: &Config) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    // A template of a stranger's folder ends.
    environment.set_fuel(Some(FUEL));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
    filters::add(&mut environment, config);
    Ok(environment)
}

#[cfg(test)]
mod tests {
    use minijinja::ErrorKind;

    use super::*;
    use crate::language::Language;

    #[test]
    fn a_template_that_takes_too_many_steps_is_stopped() {
        let environment = environment(&Language::built_in("python").unwrap().config).unwrap();
        let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}";
        assert_eq!(environment.render_str(endless, ()).unwrap_err().kind(), ErrorKind::OutOfFuel);
    }
}
