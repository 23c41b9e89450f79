//! The sealed schemas: compiled offline, with references between files resolved from memory.

use std::ops::Deref;
use std::sync::OnceLock;

use crate::contracts;
use crate::schema::Schema;
use crate::schema::straight::Straight;

/// A contract's schema, compiled when a document is first judged by it.
pub(crate) struct Shape {
    text: &'static str,
    compiled: OnceLock<Schema>,
    straight: OnceLock<Option<Straight>>,
}

/// The schemas that others refer to.
const SHARED: [&str; 3] =
    [contracts::DECISION_RECORD_SCHEMA, contracts::TURN_RESULT_SCHEMA, contracts::KERNEL_ISSUE_SCHEMA];

impl Shape {
    /// The shape that a schema states; it may refer to those of turn results, decision records and issues.
    pub(crate) const fn stated_by(text: &'static str) -> Self {
        Self { text, compiled: OnceLock::new(), straight: OnceLock::new() }
    }

    /// The same shape as straight-line checks, if it has such.
    pub(crate) fn straight(&self) -> Option<&Straight> {
        self.straight.get_or_init(|| Straight::compile(self.text, &SHARED)).as_ref()
    }
}

impl Deref for Shape {
    type Target = Schema;

    fn deref(&self) -> &Schema {
        self.compiled.get_or_init(|| Schema::compile(self.text, &SHARED))
    }
}
