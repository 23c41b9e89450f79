//! A page of what several sweeps counted and what changed between the last two.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{
    Error, context,
    value::{Serde, Value},
};

use super::{Counted, Drift};
use crate::report::html;

const PAGE: &str = include_str!("page.html");

/// The page; none of fewer than two sweeps. It asks no network for anything, and is whole without its script.
///
/// # Errors
/// The template names something that is not there: a bug.
pub fn page(drift: &Drift) -> Result<Option<String>, Error> {
    let [.., before, after] = drift.sweeps.as_slice() else { return Ok(None) };
    let mut environment = html::environment()?;
    environment.add_template("drift.html", PAGE)?;
    let names = |of: fn(&Counted) -> &BTreeMap<String, u64>| {
        let names: BTreeSet<String> = drift.sweeps.iter().flat_map(|sweep| of(sweep).keys().cloned()).collect();
        Value::from(Serde(names))
    };
    let text = environment.get_template("drift.html")?.render(context! {
        drift => Value::from(Serde(drift)),
        before => Value::from(Serde(before)),
        after => Value::from(Serde(after)),
        laws => names(|sweep| &sweep.laws),
        verdicts => names(|sweep| &sweep.verdicts),
        title => "Drift between sweeps",
        policy => html::policy(html::STYLE, html::SCRIPT),
        style => Value::from_safe_string(html::STYLE.to_owned()),
        script => Value::from_safe_string(html::SCRIPT.to_owned()),
    })?;
    Ok(Some(text))
}
