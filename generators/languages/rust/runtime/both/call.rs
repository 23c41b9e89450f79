//! Asks an implementation one question, and tells a judgement from an implementation that broke.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{
    declaration::Declaration,
    operations::{Implementation, dispatch},
    question::{Outputs, Request},
    testee::{Refusal, Rejection},
};

/// The stack of a thread that asks: a stack that overflows ends the process, and nothing catches that.
pub const STACK: usize = 64 << 20;

/// A judgement.
#[derive(Debug, Clone)]
pub struct Answer {
    /// `accept` or `reject`.
    pub is: &'static str,
    /// Of a rejection.
    pub codes: Vec<String>,
    /// The outputs.
    pub out: Outputs,
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// Not implemented.
    Unsupported,
    /// An error or a panic.
    Fault(String),
}

/// What of a request a declaration leaves out: the operation, or the operation with a value.
#[must_use]
pub fn undeclared(declared: Declaration, request: &Request) -> Option<String> {
    let Some((_, choices)) = declared.iter().find(|(name, _)| *name == request.op) else {
        return Some(request.op.clone());
    };
    for (name, values) in *choices {
        let value = request.text(name).unwrap_or_default();
        if !values.contains(&value.as_str()) {
            return Some(format!("{}/{value}", request.op));
        }
    }
    None
}

/// Puts a question.
///
/// # Errors
/// The implementation judged nothing.
pub fn ask(implementation: &dyn Implementation, request: Request) -> Result<Answer, Broken> {
    let mut out = Outputs::default();
    let asked = catch_unwind(AssertUnwindSafe(|| dispatch(implementation, request, &mut out)));
    match asked {
        Ok(Ok(())) => Ok(Answer { is: "accept", codes: Vec::new(), out }),
        Ok(Err(Refusal::Rejected(Rejection { codes, out }))) => Ok(Answer { is: "reject", codes, out }),
        Ok(Err(Refusal::Unsupported)) => Err(Broken::Unsupported),
        Ok(Err(Refusal::Fault(message))) => Err(Broken::Fault(message)),
        Err(caught) => Err(Broken::Fault(format!("panic: {}", said(caught.as_ref())))),
    }
}

fn said(caught: &(dyn Any + Send)) -> &str {
    let text = caught.downcast_ref::<&str>().copied();
    text.or_else(|| caught.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
