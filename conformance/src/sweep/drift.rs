//! What sweeps of the same artefacts have judged otherwise, one after the other.

mod page;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    fs::File,
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use assize_verifier::digest::Digest;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    earlier::each,
    row::{First, Row},
    rows::Reader,
    store::{StoreError, order_of, results_of},
};

pub use page::page;

/// What a comparison of sweeps is called by those who read it.
const CONTRACT: &str = "assize-drift/v1";

/// How the last of several sweeps differs from the one before, and what all of them counted.
#[derive(Clone, Debug, Serialize)]
pub struct Drift {
    /// What this is.
    pub contract: &'static str,
    /// What each sweep counted, in the order in which they were named.
    pub sweeps: Vec<Counted>,
    /// Artefacts of both of the last two that are judged alike.
    pub same: u64,
    /// Those that only the last one has.
    pub new: u64,
    /// Those that only the one before has.
    pub gone: u64,
    /// Those of both that are judged otherwise.
    pub changed: u64,
    /// Those of them whose exit code is larger now, or that break a law that they kept.
    pub worse: u64,
    /// How many artefacts of both begin to break each law, and how many have ceased to.
    pub laws: BTreeMap<String, Turned>,
    /// What has changed, in the order of the last sweep, as far as it is shown.
    pub changes: Vec<Change>,
}

/// What one sweep counted.
#[derive(Clone, Debug, Serialize)]
pub struct Counted {
    /// The folder of its results, as given.
    pub folder: String,
    /// The version that judged.
    pub assize: String,
    /// All rows.
    pub rows: u64,
    /// Rows by verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// How many artefacts break each law.
    pub laws: BTreeMap<String, u64>,
}

/// How many artefacts of two sweeps break a law in one of them alone.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Turned {
    /// They kept it before.
    pub begin: u64,
    /// They keep it now.
    pub cease: u64,
}

/// An artefact that two sweeps judged otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// What kind of artefact it is.
    pub kind: Option<String>,
    /// Where it is.
    pub paths: Vec<String>,
    /// How it was to be judged.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// Whether its exit code is larger now, or it breaks a law that it kept.
    pub worse: bool,
    /// Whether other bytes were judged.
    pub other_bytes: bool,
    /// Laws that it kept, and breaks now; none where either sweep has no verdict.
    pub begins: Vec<String>,
    /// Laws that it broke, and keeps now.
    pub ceases: Vec<String>,
    /// How it was judged.
    pub before: Stand,
    /// How it is judged now.
    pub after: Stand,
}

/// How an artefact was judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stand {
    /// The verdict in the words of the verb.
    pub verdict: String,
    /// The exit code of the verb.
    pub exit_code: u8,
    /// The laws that it breaks.
    pub laws: BTreeSet<String>,
    /// The first finding that decided.
    pub first: Option<First>,
    /// Why there is no verdict.
    pub error: Option<String>,
}

impl Stand {
    fn of(row: Row) -> Self {
        let judged = row.judged;
        Self {
            verdict: judged.verdict,
            exit_code: judged.exit_code,
            laws: judged.laws.into_keys().collect(),
            first: judged.first,
            error: judged.error,
        }
    }

    /// Whether the verdict and the broken laws are the same; the first finding is shown, and decides nothing here.
    fn is_like(&self, other: &Self) -> bool {
        (&self.verdict, self.exit_code, &self.laws) == (&other.verdict, other.exit_code, &other.laws)
    }
}

impl Drift {
    /// Reads the results of two sweeps or more, and of the last two shows at most so many changes. Of a sweep that was broken off the
    /// rows that are there count.
    ///
    /// # Errors
    /// A folder holds no results, or they cannot be read.
    pub fn of(folders: &[PathBuf], most: usize) -> Result<Self, StoreError> {
        let mut drift = Self {
            contract: CONTRACT,
            sweeps: Vec::new(),
            same: 0,
            new: 0,
            gone: 0,
            changed: 0,
            worse: 0,
            laws: BTreeMap::new(),
            changes: Vec::new(),
        };
        let [between @ .., before, after] = folders else { return Ok(drift) };
        for folder in between {
            drift.sweeps.push(counted(folder, |_, _| {})?);
        }
        // An artefact that is listed several times has as many rows, and each is compared with its own.
        let mut places: HashMap<_, VecDeque<u64>> = HashMap::new();
        drift.sweeps.push(counted(before, |at, row| places.entry(artefact(&row)).or_default().push_back(at))?);
        let path = results_of(before);
        let failed = |error| StoreError::Io { path: path.clone(), error };
        let mut earlier = File::open(&path).and_then(Reader::new).map_err(failed)?;
        let mut broken = None;
        let last = counted(after, |_, row| {
            if broken.is_some() {
                return;
            }
            let artefact = artefact(&row);
            let place = places.get_mut(&artefact).and_then(VecDeque::pop_front);
            match place.map(|at| earlier.at(at)).transpose() {
                Ok(None) => drift.new += 1,
                Ok(Some(old)) if self::artefact(&old) == artefact => drift.compare(old, row, most),
                Ok(Some(_)) => broken = Some(io::Error::other("the rows have changed while they were read")),
                Err(error) => broken = Some(error),
            }
        })?;
        if let Some(error) = broken {
            return Err(failed(error));
        }
        drift.sweeps.push(last);
        drift.gone = places.values().map(|places| places.len() as u64).sum();
        Ok(drift)
    }

    fn compare(&mut self, old: Row, new: Row, most: usize) {
        // What was not judged keeps no law and breaks none.
        let both_judged = old.judged.error.is_none() && new.judged.error.is_none();
        let other_bytes = both_judged && old.judged.digests != new.judged.digests;
        let (kind, paths, options) = (new.kind.clone(), new.paths.clone(), new.options.clone());
        let (before, after) = (Stand::of(old), Stand::of(new));
        if before.is_like(&after) {
            self.same += 1;
            return;
        }
        let turned = |of: &Stand, to: &Stand| -> Vec<String> {
            to.laws.difference(&of.laws).filter(|_| both_judged).cloned().collect()
        };
        let (begins, ceases) = (turned(&before, &after), turned(&after, &before));
        for law in &begins {
            self.laws.entry(law.clone()).or_default().begin += 1;
        }
        for law in &ceases {
            self.laws.entry(law.clone()).or_default().cease += 1;
        }
        let worse = after.exit_code > before.exit_code || !begins.is_empty();
        self.changed += 1;
        self.worse += u64::from(worse);
        if self.changes.len() < most {
            self.changes.push(Change { kind, paths, options, worse, other_bytes, begins, ceases, before, after });
        }
    }
}

/// What an artefact is known by in two sweeps: what its line asks, in whichever order its members stand.
fn artefact(row: &Row) -> [u8; 16] {
    let asked = match &row.kind {
        Some(kind) => json!([kind, row.paths, row.options]),
        None => json!(row.id),
    };
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = *Digest::of(asked.to_string().as_bytes()).as_bytes();
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
}

/// What a sweep counted; each row is shown with the place where it begins.
fn counted(folder: &Path, mut show: impl FnMut(u64, Row)) -> Result<Counted, StoreError> {
    let order = order_of(folder)?.ok_or_else(|| StoreError::Nothing(folder.to_path_buf()))?;
    let path = results_of(folder);
    let mut counted = Counted {
        folder: folder.display().to_string(),
        assize: order.assize,
        rows: 0,
        verdicts: BTreeMap::new(),
        laws: BTreeMap::new(),
    };
    let read = File::open(&path).map(BufReader::new).and_then(|mut source| {
        each(&mut source, |at, row| {
            counted.rows += 1;
            *counted.verdicts.entry(row.judged.verdict.clone()).or_default() += 1;
            for law in row.judged.laws.keys() {
                *counted.laws.entry(law.clone()).or_default() += 1;
            }
            show(at, row);
        })
    });
    read.map_err(|error| StoreError::Io { path, error })?;
    Ok(counted)
}

#[cfg(test)]
mod tests;
