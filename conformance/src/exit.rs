//! How a command ends: the one table of exit codes, for every verb.
//!
//! Contract: `docs/book/src/verbs.md`. A code speaks of the whole run; what it is made of stands in the output.

use std::process::{ExitCode, Termination};

/// The ends of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Exit {
    /// Lawful, equivalent, conforms.
    #[default]
    Conforms = 0,
    /// Findings, divergent, violates.
    Violates = 1,
    /// Integrity failure, or stale expectations.
    Integrity = 2,
    /// Unreadable input, aborted comparison, incomplete run.
    NoAnswer = 3,
    /// The testee cannot be used.
    Testee = 4,
    /// The command line is wrong.
    Usage = 64,
    /// A bug of Assize.
    Bug = 70,
}

impl Exit {
    /// Where several apply, the first of these wins.
    const PRECEDENCE: [Self; 7] =
        [Self::Bug, Self::Usage, Self::Testee, Self::NoAnswer, Self::Violates, Self::Integrity, Self::Conforms];

    /// The end of this number; nothing for a number that no verb ends with.
    #[must_use]
    pub fn of(code: u8) -> Option<Self> {
        Self::PRECEDENCE.into_iter().find(|exit| exit.code() == code)
    }

    /// The number that the system gets.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// This end or the other, whichever wins.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::PRECEDENCE.into_iter().find(|exit| *exit == self || *exit == other).unwrap_or(Self::Bug)
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        self.code().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_table_wins() {
        assert_eq!(Exit::Violates.or(Exit::NoAnswer), Exit::NoAnswer);
        assert_eq!(Exit::Integrity.or(Exit::Violates), Exit::Violates);
        assert_eq!(Exit::Conforms.or(Exit::Integrity), Exit::Integrity);
        assert_eq!(Exit::Usage.or(Exit::Bug), Exit::Bug);
        assert_eq!(Exit::default().or(Exit::Conforms).code(), 0);
    }
}
