//! The report for machines: members in the order of the contract, two spaces a level, a final line feed.

use super::Report;

/// The whole document.
///
/// # Errors
/// A value that serde cannot write; none is known.
pub fn write(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}
