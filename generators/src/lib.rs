//! Emits the corpus for other languages: vector packs, native test suites, adapter kits.
//!
//! A skeleton for now: it holds the one setting that every template will be rendered under, so that a misspelled name is an
//! error from the first template on. Nothing is emitted yet, and the command line offers no verb for it.

use minijinja::{AutoEscape, Environment, UndefinedBehavior};

/// The environment in which every template is rendered: undefined names are errors, and nothing is escaped behind the
/// template's back, since each language escapes through filters of its own.
#[must_use]
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_name_is_an_error() {
        let environment = environment();
        let render = |text: &str| environment.render_str(text, minijinja::context! { name => "<a>" });
        assert_eq!(render("{{ name }}").expect("defined"), "<a>");
        assert!(render("{{ nmae }}").is_err());
    }
}
