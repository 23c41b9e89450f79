//! Parts of a replay: which code a denial carries, which file of a turn is read, and the order and the identity of a report.

mod order;
mod paths;
mod report;

use crate::{
    error::Error,
    json::{Dialect, parse},
};

pub(crate) use order::order;
pub(crate) use paths::select_path;
pub(crate) use report::report_id;

/// The codes of a denial, first the one that wins.
const DENY_PRECEDENCE: [&str; 3] = ["E_SIDE_EFFECT_UNDECLARED", "E_CAPABILITY_DENIED", "E_PERMISSION_DENIED"];

/// The code of a denial for which all these conditions hold, if there is one.
pub(crate) fn deny_code(conditions: &[u8]) -> Result<Option<&'static str>, Error> {
    let list = parse(conditions, Dialect::STRICT)?;
    let mut first = None;
    for item in list.items().ok_or(Error::Input)? {
        let text = item.text().ok_or(Error::Input)?;
        let rank = DENY_PRECEDENCE.iter().position(|code| code.as_bytes() == text).ok_or(Error::Input)?;
        first = Some(first.map_or(rank, |first: usize| first.min(rank)));
    }
    Ok(first.map(|rank| DENY_PRECEDENCE[rank]))
}
