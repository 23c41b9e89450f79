//! Decides what the sealed comparator answers to two bundles and their turn files.
//!
//! Spec: Sealed comparator v1.2.1.
//!
//! A report that says EQUIVALENT proves only that the comparator found no difference: it checks no schema, no local registry and
//! no law that the code leaves out.
//!
//! ```
//! use std::collections::BTreeMap;
//! use assize_oracle::{AbortClass, Case, Files, Outcome, compare};
//!
//! # fn main() -> Result<(), assize_oracle::OracleError> {
//! let bundle = br#"{"contract_version":"replay_bundle/v1","run_envelope":{"run_id":"r","workflow_id":"w"},"registry_digest":"",
//!     "digests":{"policy_digest":"","runtime_profile_digest":"","contract_registry_snapshot_digest":""},"turn_results":[]}"#;
//! let files = BTreeMap::new();
//! let case = Case { bundle_a: bundle, bundle_b: bundle, stage_order: None, files: Files::Memory(&files) };
//! assert!(matches!(compare(&case)?, Outcome::Report(_)));
//!
//! let broken = Case { bundle_b: b"{", ..case };
//! assert_eq!(compare(&broken)?, Outcome::Abort(AbortClass::ValueError));
//! # Ok(())
//! # }
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use assize_inputs::Pair;

use crate::interpreter::{OracleError, oracle_of, with_oracle};

/// The input of one comparison.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The bundle that the report is told from.
    pub bundle_a: &'a [u8],
    /// The bundle it is compared with.
    pub bundle_b: &'a [u8],
    /// The stage order document; the sealed one when absent.
    pub stage_order: Option<&'a [u8]>,
    /// Where the paths of the turn entries lead.
    pub files: Files<'a>,
}

/// The turn files of a case.
#[derive(Debug, Clone, Copy)]
pub enum Files<'a> {
    /// Contents by plain relative path (`a/turn.json`); folders are what the paths imply.
    ///
    /// Paths are walked as an operating system would walk them: `sub/../turn.json` needs a folder `sub`. Nothing outside the
    /// map exists: absolute paths, and `..` above its root, are not found.
    Memory(&'a BTreeMap<String, Vec<u8>>),
    /// A folder of the file system. Paths are joined to it; absolute ones are not found, and nothing else is held back.
    Folder(&'a Path),
}

impl<'a> From<&'a Pair> for Case<'a> {
    /// The comparison of the pair, with files held in memory and the sealed stage order.
    fn from(pair: &'a Pair) -> Self {
        Self {
            bundle_a: &pair.bundle_a,
            bundle_b: &pair.bundle_b,
            stage_order: None,
            files: Files::Memory(&pair.files),
        }
    }
}

/// What the comparator did.
#[derive(Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It returned a report: its canonical bytes, without a final line feed.
    Report(Vec<u8>),
    /// It raised an exception of this class.
    Abort(AbortClass),
}

/// The exception classes under which aborts are compared.
///
/// `JSONDecodeError` and `UnicodeDecodeError` count as the `ValueError` that they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AbortClass {
    /// A float on a canonical surface, or a bundle that does not load.
    ValueError,
    /// A lone surrogate in what is serialized.
    UnicodeEncodeError,
    /// A value of a type that cannot be indexed, hashed, iterated or ordered.
    TypeError,
    /// A member that is not there.
    KeyError,
    /// A bundle or run envelope that is not an object.
    AttributeError,
    /// Nesting beyond what the interpreter can follow.
    RecursionError,
}

impl AbortClass {
    /// Every class.
    pub const ALL: [Self; 6] = [
        Self::ValueError,
        Self::UnicodeEncodeError,
        Self::TypeError,
        Self::KeyError,
        Self::AttributeError,
        Self::RecursionError,
    ];

    /// The class's name in Python.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ValueError => "ValueError",
            Self::UnicodeEncodeError => "UnicodeEncodeError",
            Self::TypeError => "TypeError",
            Self::KeyError => "KeyError",
            Self::AttributeError => "AttributeError",
            Self::RecursionError => "RecursionError",
        }
    }
}

/// A comparator in the embedded interpreter: the sealed one, or a copy of it with a planted bug.
///
/// A copy says nothing about the specification. It is there to show that whoever compares with a comparator notices when one
/// of the two is wrong.
pub struct Comparator(Py<PyAny>);

impl Comparator {
    /// The sealed comparator, compiled once for the whole process.
    ///
    /// # Errors
    /// When the interpreter cannot be started.
    pub fn sealed() -> Result<Self, OracleError> {
        with_oracle(|oracle| Ok(Self(oracle.clone().unbind())))
    }

    /// The comparator of another source, with the sealed stage order.
    ///
    /// # Errors
    /// When the interpreter cannot be started, or the source does not compile or run.
    pub fn of(source: &str) -> Result<Self, OracleError> {
        Python::attach(|py| Ok(Self(oracle_of(py, source)?)))
    }

    /// Runs the comparator on a case. May be called from any thread.
    ///
    /// # Errors
    /// When the oracle itself fails, or a copy raises what no abort is known to be. An abort is an [`Outcome`].
    pub fn compare(&self, case: &Case<'_>) -> Result<Outcome, OracleError> {
        Python::attach(|py| ask(self.0.bind(py), case))
    }
}

/// Runs the sealed comparator on a case. May be called from any thread.
///
/// # Errors
/// When the oracle itself fails. An abort of the comparator is an [`Outcome`].
pub fn compare(case: &Case<'_>) -> Result<Outcome, OracleError> {
    with_oracle(|oracle| ask(oracle, case))
}

fn ask(oracle: &Bound<'_, PyAny>, case: &Case<'_>) -> Result<Outcome, OracleError> {
    let py = oracle.py();
    let stage_order = case.stage_order.map(|octets| PyBytes::new(py, octets));
    let bundle_a = PyBytes::new(py, case.bundle_a);
    let bundle_b = PyBytes::new(py, case.bundle_b);
    let answer = match case.files {
        Files::Memory(files) => {
            let served = PyDict::new(py);
            for (path, content) in files {
                served.set_item(path, PyBytes::new(py, content))?;
            }
            oracle.call_method1("compare_memory", (bundle_a, bundle_b, stage_order, served))?
        }
        Files::Folder(folder) => oracle.call_method1("compare_folder", (bundle_a, bundle_b, stage_order, folder))?,
    };
    let (abort, report): (Option<String>, Option<Vec<u8>>) = answer.extract()?;
    match (abort, report) {
        (None, Some(octets)) => Ok(Outcome::Report(octets)),
        (Some(class), _) => Ok(Outcome::Abort(class.parse()?)),
        (None, None) => Err(OracleError::Interpreter("the glue gave no answer".into())),
    }
}

impl FromStr for AbortClass {
    type Err = OracleError;

    fn from_str(name: &str) -> Result<Self, OracleError> {
        Self::ALL
            .into_iter()
            .find(|class| class.name() == name)
            .ok_or_else(|| OracleError::UnknownAbort(name.to_owned()))
    }
}

impl fmt::Display for AbortClass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl fmt::Debug for Comparator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Comparator").finish_non_exhaustive()
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Report(octets) => {
                write!(formatter, "Report({})", String::from_utf8_lossy(octets))
            }
            Self::Abort(class) => write!(formatter, "Abort({class})"),
        }
    }
}
