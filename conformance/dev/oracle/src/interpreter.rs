//! The embedded interpreter: started once, with the sealed comparator and the models of five systems compiled into it.

use std::ffi::{CStr, CString};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::{MutexExt as _, PyOnceLock};
use pyo3::types::PyBytes;

const COMPARATOR: &str = include_str!("../../../../contracts/reference/comparator.py");
const STAGE_ORDER: &[u8] = include_bytes!("../../../../contracts/sovereign/stage-order-v1.json");
const GLUE: &str = include_str!("glue.py");
const AUTHORITY_VALUES: &str = include_str!("authority_values.py");
const AUTHORITY_CHANGE: &str = include_str!("authority_change.py");
const AUTHORITY: &str = include_str!("authority.py");
/// What the oracles of two systems import.
const STAGES: &str = include_str!("stages.py");
const KERNEL: &str = include_str!("kernel.py");
/// What the kernel oracle imports, each after what it needs itself.
const KERNEL_PARTS: &[(&str, &CStr, &CStr)] = &[
    (include_str!("kernel_values.py"), c"kernel_values.py", c"kernel_values"),
    (include_str!("kernel_index.py"), c"kernel_index.py", c"kernel_index"),
    (include_str!("kernel_turn.py"), c"kernel_turn.py", c"kernel_turn"),
    (include_str!("kernel_steps.py"), c"kernel_steps.py", c"kernel_steps"),
    (include_str!("kernel_replay.py"), c"kernel_replay.py", c"kernel_replay"),
    (include_str!("kernel_trace.py"), c"kernel_trace.py", c"kernel_trace"),
    (include_str!("kernel_audit.py"), c"kernel_audit.py", c"kernel_audit"),
    (include_str!("kernel_registry.py"), c"kernel_registry.py", c"kernel_registry"),
];
const REPLY: &str = include_str!("reply.py");
const REPLY_REGISTRY: &str = include_str!("reply_registry.py");
const REPLY_MAKE: &str = include_str!("reply_make.py");
const REPLY_USE: &str = include_str!("reply_use.py");
/// What the sovereign oracle's last module imports, each after what it needs itself.
const SOVEREIGN_PARTS: &[(&str, &CStr, &CStr)] = &[
    (include_str!("sovereign.py"), c"sovereign.py", c"sovereign"),
    (include_str!("sovereign_audit.py"), c"sovereign_audit.py", c"sovereign_audit"),
    (include_str!("sovereign_text.py"), c"sovereign_text.py", c"sovereign_text"),
    (include_str!("sovereign_turn.py"), c"sovereign_turn.py", c"sovereign_turn"),
];
const SOVEREIGN: &str = include_str!("sovereign_law.py");

const EPISODE_VALUES: &str = include_str!("episode_values.py");
const EPISODE_CONTRACT: &str = include_str!("episode_contract.py");
const EPISODE: &str = include_str!("episode.py");
const EPISODE_ALONE: &str = include_str!("episode_alone.py");

const TEXTS: &str = include_str!("texts.py");

static ORACLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static STAGES_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static GLUE_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static AUTHORITY_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static KERNEL_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static REPLY_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static SOVEREIGN_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static EPISODE_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
static TEXTS_MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// No answer: the fault lies with the oracle, never with the input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// Python raised outside the comparator, in the glue or while starting.
    #[error("the embedded interpreter failed: {0}")]
    Interpreter(String),
    /// The comparator raised an exception of a class that no abort is known to have.
    #[error("the comparator aborted with {0}, which is not a known abort class")]
    UnknownAbort(String),
}

impl From<PyErr> for OracleError {
    fn from(error: PyErr) -> Self {
        Self::Interpreter(error.to_string())
    }
}

/// The version text of the embedded interpreter (`sys.version`).
///
/// # Errors
/// When the interpreter cannot be started.
pub fn python_version() -> Result<String, OracleError> {
    with_oracle(|oracle| Ok(oracle.call_method0("version")?.extract()?))
}

/// The source of the sealed comparator, for copies with a planted bug.
#[must_use]
pub fn comparator_source() -> &'static str {
    COMPARATOR
}

/// The folder of the libpython that this crate was linked with, as the build found it.
#[must_use]
pub fn libpython_folder() -> &'static str {
    env!("ASSIZE_ORACLE_LIBPYTHON_FOLDER")
}

/// What a cell holds, made by the first who asks for it.
///
/// A module that is made twice under one name is run twice in one namespace: its classes change under whoever is using them. So no
/// two threads load at once, and whoever waits lets Python go on.
fn once<'py, T>(
    py: Python<'py>,
    cell: &'py PyOnceLock<Py<T>>,
    load: impl FnOnce() -> Result<Py<T>, OracleError>,
) -> Result<&'py Bound<'py, T>, OracleError> {
    static LOADING: Mutex<()> = Mutex::new(());
    if cell.get(py).is_none() {
        let _alone = LOADING.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        cell.get_or_try_init(py, load)?;
    }
    cell.get(py).map(|made| made.bind(py)).ok_or_else(|| OracleError::Interpreter("nothing was loaded".to_owned()))
}

/// Calls `work` with the glue's `Oracle` object, attached to the interpreter.
pub(crate) fn with_oracle<T>(work: impl FnOnce(&Bound<'_, PyAny>) -> Result<T, OracleError>) -> Result<T, OracleError> {
    Python::attach(|py| {
        // First, since a thread that loads waits for no other load.
        glue(py)?;
        work(once(py, &ORACLE, || oracle_of(py, COMPARATOR))?)
    })
}

/// Calls `work` with the authority oracle's module, attached to the interpreter.
pub(crate) fn with_authority<T>(
    work: impl FnOnce(&Bound<'_, PyModule>) -> Result<T, OracleError>,
) -> Result<T, OracleError> {
    Python::attach(|py| {
        let load = || {
            // These stay among the interpreter's modules, where the last one imports them from.
            module(py, AUTHORITY_VALUES, c"authority_values.py", c"authority_values")?;
            module(py, AUTHORITY_CHANGE, c"authority_change.py", c"authority_change")?;
            Ok::<_, OracleError>(module(py, AUTHORITY, c"authority.py", c"assize_oracle_authority")?.unbind())
        };
        work(once(py, &AUTHORITY_MODULE, load)?)
    })
}

/// Calls `work` with the kernel oracle's module, attached to the interpreter.
pub(crate) fn with_kernel<T>(
    work: impl FnOnce(&Bound<'_, PyModule>) -> Result<T, OracleError>,
) -> Result<T, OracleError> {
    Python::attach(|py| {
        stages(py)?;
        let load = || {
            for (source, file, name) in KERNEL_PARTS {
                // A module made from code is registered under its name, where the next one's import finds it.
                module(py, source, file, name)?;
            }
            Ok::<_, OracleError>(module(py, KERNEL, c"kernel.py", c"assize_oracle_kernel")?.unbind())
        };
        work(once(py, &KERNEL_MODULE, load)?)
    })
}

/// Calls `work` with the reply oracle's last module, which holds all operations, attached to the interpreter.
pub(crate) fn with_reply<T>(
    work: impl FnOnce(&Bound<'_, PyModule>) -> Result<T, OracleError>,
) -> Result<T, OracleError> {
    Python::attach(|py| {
        let load = || {
            // These stay among the interpreter's modules, where the last one imports them from.
            module(py, REPLY, c"reply.py", c"reply")?;
            module(py, REPLY_REGISTRY, c"reply_registry.py", c"reply_registry")?;
            module(py, REPLY_MAKE, c"reply_make.py", c"reply_make")?;
            Ok::<_, OracleError>(module(py, REPLY_USE, c"reply_use.py", c"reply_use")?.unbind())
        };
        work(once(py, &REPLY_MODULE, load)?)
    })
}

/// Calls `work` with the sovereign oracle's last module, which holds all operations, attached to the interpreter.
pub(crate) fn with_sovereign<T>(
    work: impl FnOnce(&Bound<'_, PyModule>) -> Result<T, OracleError>,
) -> Result<T, OracleError> {
    Python::attach(|py| {
        stages(py)?;
        let load = || {
            // These stay among the interpreter's modules, where the last one imports them from.
            for (source, file, name) in SOVEREIGN_PARTS {
                module(py, source, file, name)?;
            }
            Ok::<_, OracleError>(module(py, SOVEREIGN, c"sovereign_law.py", c"sovereign_law")?.unbind())
        };
        work(once(py, &SOVEREIGN_MODULE, load)?)
    })
}

/// Calls `work` with the episode oracle's last module, attached to the interpreter.
pub(crate) fn with_episode<T>(
    work: impl FnOnce(&Bound<'_, PyModule>) -> Result<T, OracleError>,
) -> Result<T, OracleError> {
    Python::attach(|py| {
        let load = || {
            module(py, EPISODE_VALUES, c"episode_values.py", c"episode_values")?;
            module(py, EPISODE_CONTRACT, c"episode_contract.py", c"episode_contract")?;
            module(py, EPISODE, c"episode.py", c"episode")?;
            Ok::<_, OracleError>(module(py, EPISODE_ALONE, c"episode_alone.py", c"episode_alone")?.unbind())
        };
        work(once(py, &EPISODE_MODULE, load)?)
    })
}

/// Calls `work` with the module of texts and the glue's `Oracle` object, attached to the interpreter.
pub(crate) fn with_texts<T>(
    work: impl FnOnce(&Bound<'_, PyModule>, &Bound<'_, PyAny>) -> Result<T, OracleError>,
) -> Result<T, OracleError> {
    with_oracle(|oracle| {
        let py = oracle.py();
        let load = || Ok(module(py, TEXTS, c"texts.py", c"assize_oracle_texts")?.unbind());
        work(once(py, &TEXTS_MODULE, load)?, oracle)
    })
}

/// The glue's `Oracle` object around a comparator's source.
pub(crate) fn oracle_of(py: Python<'_>, comparator: &str) -> Result<Py<PyAny>, OracleError> {
    let oracle = glue(py)?.getattr("Oracle")?.call1((comparator, PyBytes::new(py, STAGE_ORDER)))?;
    Ok(oracle.unbind())
}

/// The stages, which have to be loaded before those who import them: a thread that loads waits for no other load.
fn stages(py: Python<'_>) -> Result<&Bound<'_, PyModule>, OracleError> {
    once(py, &STAGES_MODULE, || Ok(module(py, STAGES, c"stages.py", c"stages")?.unbind()))
}

/// The glue, which every comparator shares.
fn glue(py: Python<'_>) -> Result<&Bound<'_, PyModule>, OracleError> {
    once(py, &GLUE_MODULE, || Ok(module(py, GLUE, c"glue.py", c"assize_oracle_glue")?.unbind()))
}

fn module<'py>(py: Python<'py>, source: &str, file: &CStr, name: &CStr) -> Result<Bound<'py, PyModule>, OracleError> {
    let source = CString::new(source).map_err(|error| OracleError::Interpreter(error.to_string()))?;
    Ok(PyModule::from_code(py, &source, file, name)?)
}
