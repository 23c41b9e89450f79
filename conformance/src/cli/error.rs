//! What a verb says when it has no answer: what is wrong, where, and what to do.

use std::{
    fmt,
    io::{self, IsTerminal as _, Write as _},
};

use assize::{clean, config::ConfigError, exit::Exit, report::Paint};
use thiserror::Error;

use super::terminal;

/// The end of a verb without an answer.
#[derive(Debug, Error)]
#[error("{message}")]
pub(crate) struct CliError {
    message: String,
    help: String,
    exit: Exit,
}

impl CliError {
    /// The input cannot be read, or the run cannot be completed.
    pub(crate) fn unreadable(message: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::new(Exit::NoAnswer, message, help)
    }

    /// The input was read, and is unlawful.
    pub(crate) fn unlawful(message: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::new(Exit::Violates, message, help)
    }

    /// The input does not hold together.
    pub(crate) fn broken(message: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::new(Exit::Integrity, message, help)
    }

    /// The testee cannot be used.
    pub(crate) fn testee(message: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::new(Exit::Testee, message, help)
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, message, help)
    }

    /// Assize itself is wrong.
    pub(crate) fn bug(message: impl fmt::Display) -> Self {
        Self::new(Exit::Bug, message, "this is a bug of assize: report it with the command line and the input")
    }

    /// There is nothing of that name; `near` are the names that come close.
    pub(crate) fn unknown(kind: &str, name: &str, near: &[&str], list: &str) -> Self {
        let help = match near {
            [] => format!("`{list}` lists what there is"),
            near => format!("did you mean {}? `{list}` lists what there is", near.join(", ")),
        };
        Self::usage(format!("no {kind} is called {name:?}"), help)
    }

    /// How a verb ends with it.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// What to do.
    pub(crate) fn advice(&self) -> &str {
        &self.help
    }

    fn new(exit: Exit, message: impl fmt::Display, help: impl fmt::Display) -> Self {
        let clean = |text: String| clean::clean(&text).into_owned();
        Self { message: clean(message.to_string()), help: clean(help.to_string()), exit }
    }

    /// Writes the message to standard error, in colours where that is a terminal.
    pub(crate) fn show(&self) -> Exit {
        let coloured = io::stderr().is_terminal() && terminal::colours();
        let paint = if coloured { Paint::Colour } else { Paint::Plain };
        let (error, help) = (paint.bad("error"), paint.strong("help"));
        let text = format!("{error}: {}\n  {help}: {}\n", self.message, self.help);
        // Nothing is left to say when even this cannot be written.
        let _ = io::stderr().lock().write_all(terminal::folded(&text, terminal::error_width()).as_bytes());
        self.exit
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        Self::unreadable(&error, error.help())
    }
}

#[cfg(test)]
mod tests {
    use assize::config::Config;

    use super::*;

    #[test]
    fn a_broken_configuration_is_unreadable_input() {
        let error = CliError::from(Config::parse("a.toml", b"comand = []").unwrap_err());
        assert_eq!((error.to_string().as_str(), error.exit), ("a.toml:1:1: `comand` is not a key", Exit::NoAnswer));
        assert!(error.help.contains("did you mean command?"), "{}", error.help);
    }
}
