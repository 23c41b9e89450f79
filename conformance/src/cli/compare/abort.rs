//! What the end of a reference comparison without a report means.

use assize_verifier::{
    json::{Dialect, Document},
    sovereign::{Inputs, reference::Abort},
};

use super::{Args, CliError, input};

/// Names the exception and says what raises it; a bundle that does not load is named with the place in it.
pub(super) fn explain(abort: Abort, args: &Args, inputs: &Inputs<'_>) -> CliError {
    let named = [
        (Some(&args.bundle_a), Some(inputs.bundle_a)),
        (Some(&args.bundle_b), Some(inputs.bundle_b)),
        (args.stage_order.as_ref(), inputs.stage_order),
    ];
    let message = format!("the comparator ends in {abort} and gives no report: {}", meaning(abort));
    if matches!(abort, Abort::ValueError | Abort::RecursionError) {
        for (path, text) in named {
            if let (Some(path), Some(text)) = (path, text)
                && let Err(error) = Document::parse(text, &Dialect::PYTHON)
            {
                let (name, place) = (path.display(), input::place(error.offset, &error.pointer));
                let found = format!("{message}; {name}: {place}: {}", error.kind);
                return CliError::unreadable(found, error.kind.help());
            }
        }
    }
    CliError::unreadable(message, "compare in law mode: it always reports, and names the place")
}

fn meaning(abort: Abort) -> &'static str {
    match abort {
        Abort::ValueError => "a file does not load, or a number that may not stand there is to be canonicalized",
        Abort::UnicodeEncodeError => "a lone surrogate is to be written as UTF-8",
        Abort::TypeError => "a value has a type that the comparator does not expect",
        Abort::KeyError => "a member that the comparator reads is absent",
        Abort::AttributeError => "a value that is not an object is asked for a member",
        Abort::RecursionError => "a value is nested deeper than Python recurses",
    }
}
