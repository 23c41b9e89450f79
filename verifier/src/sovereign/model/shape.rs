//! The sealed schemas: compiled offline, with references between files resolved from memory.

use crate::contracts;
use crate::schema::Schema;

/// Compiles a contract's schema, which may refer to those of turn results, decision records and issues.
pub(crate) fn compile(schema: &str) -> Schema {
    let shared = [contracts::DECISION_RECORD_SCHEMA, contracts::TURN_RESULT_SCHEMA, contracts::KERNEL_ISSUE_SCHEMA];
    Schema::compile(schema, &shared)
}
