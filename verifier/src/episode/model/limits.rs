//! The stated limits of the episode verifier.
//!
//! Exceeding one is `A_LIMIT`: INTEGRITY_FAIL in the phase that reads the file.

use crate::json::Dialect;

/// Bytes of `episode_contract.json`: 128 MiB.
pub const CONTRACT_BYTES: u64 = 128 << 20;
/// Bytes of `pack_manifest.json`: 64 MiB.
pub const MANIFEST_BYTES: u64 = 64 << 20;
/// Bytes of `receipt_pack.jsonl`: 512 MiB.
pub const RECEIPTS_BYTES: u64 = 512 << 20;
/// Receipts of a pack.
pub const RECEIPTS: usize = 2_000_000;
/// Bytes of one receipt: 16 MiB.
pub const RECEIPT_BYTES: usize = 16 << 20;
/// Bytes of one trace: 256 MiB.
pub const TRACE_BYTES: u64 = 256 << 20;
/// Bytes of one input, and of any other file that the manifest lists: 1 GiB.
pub const FILE_BYTES: u64 = 1 << 30;
/// Steps of a script.
pub const STEPS: usize = 1_000_000;
/// Containers that may be open at once in a judged document.
pub const DEPTH: u32 = Dialect::EPISODE.depth;
/// Bytes of all different output schemas of a script that are applied: 64 KiB. Beyond it a warning says so.
pub const SCHEMA_BYTES: usize = 64 << 10;
/// Bytes of an output schema times bytes of a trace: 2^28. Beyond it the schema is not applied, and a warning says so.
pub const SCHEMA_WORK: u64 = 1 << 28;
/// Bytes of everything that a pack is made of, which is held in memory: 1 GiB.
pub const MADE_BYTES: u64 = 1 << 30;
/// Errors that are kept, and warnings that are; one more finding says how many were left out.
pub const FINDINGS: usize = 10_000;
