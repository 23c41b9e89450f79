//! Findings as SARIF 2.1.0, the part of it that code hosts read.

use assize::catalogue;
use assize_corpus::store::Store;
use assize_verifier::law::Law;
use serde::Serialize;

use super::{CliError, row::Row};

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Outcome>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Message,
    full_description: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

/// The log of one run; advice is of level `note`.
pub(super) fn log(findings: &[Row], advice: &[Row]) -> Result<Log, CliError> {
    let stated = catalogue::laws(&Store::embedded()).map_err(CliError::bug)?;
    let mut laws: Vec<Law> = findings.iter().chain(advice).map(|row| row.law).collect();
    laws.sort_unstable();
    laws.dedup();
    let rules = stated.into_iter().filter(|entry| laws.iter().any(|law| law.slug() == entry.slug));
    let rules = rules.map(|entry| Rule {
        id: entry.slug,
        short_description: Message { text: entry.title },
        full_description: Message { text: entry.statement },
    });
    let levels = findings.iter().map(|row| (row, "error")).chain(advice.iter().map(|row| (row, "note")));
    let results = levels.map(|(row, level)| Outcome {
        rule_id: row.law.slug(),
        // Laws and catalogue stand in the same, published order.
        rule_index: laws.partition_point(|law| *law < row.law),
        level,
        message: Message { text: row.message.clone() },
        locations: [Location {
            physical_location: Physical {
                artifact_location: Artifact { uri: uri(&row.file) },
                region: row.line.map(|start_line| Region {
                    start_line,
                    start_column: row.seen.as_ref().map(|seen| seen.column),
                    end_column: row.seen.as_ref().map(|seen| seen.end_column),
                }),
            },
            logical_locations: (row.seen.is_none() || !row.pointer.is_empty())
                .then(|| Logical { fully_qualified_name: row.pointer.clone() })
                .into_iter()
                .collect(),
        }],
    });
    let results = results.collect();
    Ok(Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver { name: "assize", semantic_version: env!("CARGO_PKG_VERSION"), rules: rules.collect() },
            },
            column_kind: "unicodeCodePoints",
            results,
        }],
    })
}

/// A path as a relative reference: what a URI cannot hold is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            byte if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("src/a b.py"), "src/a%20b.py");
        assert_eq!(uri(r"src\tools\ä.py"), "src/tools/%C3%A4.py");
    }
}
