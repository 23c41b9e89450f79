//! The core as a module of Python: a frame in, a frame out. Nothing is decided here.

/// The module that Python imports.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    use pyo3::{prelude::*, types::PyBytes};

    /// The specification's comparator, for the words of its exceptions.
    #[pymodule_export]
    const COMPARATOR: &str = include_str!("../core/reference/comparator.py");

    /// Answers a frame. Other threads of Python run meanwhile.
    #[pyfunction]
    fn answer<'py>(py: Python<'py>, frame: &[u8]) -> Bound<'py, PyBytes> {
        let said = py.detach(|| assize_core::answer(frame));
        PyBytes::new(py, &said)
    }
}
