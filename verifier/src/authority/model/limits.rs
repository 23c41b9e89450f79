//! The stated limits of the authority system. Exceeding one is `A_LIMIT`.

use crate::json::Dialect;

/// Bytes of one record: 256 MiB.
pub const RECORD_BYTES: u32 = 256 << 20;
/// Containers that may be open at once in a record.
pub const DEPTH: u32 = Dialect::AUTHORITY.depth;
/// Bytes of engine inputs: 256 MiB.
pub const INPUT_BYTES: u32 = 256 << 20;
/// Containers that may be open at once in engine inputs. The kernel takes pins of one less; the blueprint in the last record
/// holds the pin two levels deeper, and is read again.
pub const INPUT_DEPTH: u32 = 989;
