//! Asks Python what its JSON reader sees in a text.
//!
//! Spec: ruling AU-46; rulings NUM-01 to NUM-16 and JSN-01 to JSN-09.
//!
//! Two readings of one text: its *value*, and its *spelling*, which hooks of the same reader write down before Python throws
//! it away: number tokens, repeated names, integers of any size. Both are told in lines, each a bracket, name or scalar:
//!
//! | line | meaning |
//! |---|---|
//! | `{`, `}`, `[`, `]`, `true`, `false`, `null` | themselves |
//! | `n` or `s` and hexadecimal | a member name or a string: its code points in UTF-8, extended to lone surrogates |
//! | `i` and digits | an integer: by value, or in a spelling by token |
//! | `f` and 16 hexadecimal digits | the bits of a double (`fnan`), after them in a spelling a space and the token |

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::comparator::AbortClass;
use crate::interpreter::{OracleError, with_oracle};

/// What Python's reader made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Lines of the value that `json.loads` returns, or the class it raises.
    pub value: Result<String, AbortClass>,
    /// Lines of the text as the reader's hooks meet it: no limit on digits is met, and no member is forgotten.
    pub spelling: Result<String, AbortClass>,
}

/// Reads a text. May be called from any thread.
///
/// # Errors
/// When the oracle itself fails. A text that Python refuses has a [`Reading`].
pub fn read(text: &[u8]) -> Result<Reading, OracleError> {
    type Answer = (Option<String>, Option<String>);
    let told = |(class, lines): Answer| match (class, lines) {
        (None, Some(lines)) => Ok(Ok(lines)),
        (Some(class), _) => Ok(Err(class.parse()?)),
        (None, None) => Err(OracleError::Interpreter("the glue gave no answer".into())),
    };
    with_oracle(|oracle| {
        let answer = oracle.call_method1("read", (PyBytes::new(oracle.py(), text),))?;
        let (value, spelling): (Answer, Answer) = answer.extract()?;
        Ok(Reading { value: told(value)?, spelling: told(spelling)? })
    })
}
