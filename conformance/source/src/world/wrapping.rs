//! Which statements call what makes a tool safe.

use crate::{
    names::Names,
    syntax::{Expr, Kind, Stmt},
};

/// Whether statements call what makes a tool safe.
pub(super) fn calls_wrapper(body: &[Stmt], names: &Names) -> bool {
    body.iter().any(|stmt| {
        let below = stmt.below();
        below.exprs.into_iter().any(|expr| holds_wrapper(expr, names))
            || below.functions.into_iter().any(|inner| {
                inner.decorators.iter().any(|one| holds_wrapper(one, names)) || calls_wrapper(&inner.body, names)
            })
            || below.blocks.into_iter().any(|block| calls_wrapper(block, names))
    })
}

fn holds_wrapper(expr: &Expr, names: &Names) -> bool {
    expr.last_name().is_some_and(|name| names.is_wrapper(name))
        || expr.parts().into_iter().any(|part| holds_wrapper(part, names))
        || match &expr.kind {
            Kind::Function(function) => calls_wrapper(&function.body, names),
            _ => false,
        }
}
