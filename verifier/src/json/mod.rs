//! Reads judged JSON and keeps what ordinary readers throw away.
//!
//! Spec: RFC 8259; Sovereign Capability & Replay Spec v1.2.1, A, Strict Canonical Parity Law, and A, Float Ban Law;
//! Kernel Contract 0.1.0, 2.1, with rulings AU-44 and AU-46.
//!
//! Number tokens, duplicate names, byte offsets, lone surrogates and the spellings `NaN` and `Infinity` all survive,
//! because the laws are about them. One tokenizer ([`Reader`]) feeds every output through the [`Sink`] trait: the
//! canonical writer of [`crate::canon`], the arena of [`Document`], and the plain syntax check. Nothing here recurses:
//! nesting costs one bit a level and stops at the limit that the [`Dialect`] names.
//!
//! A document that reads without error is well-formed in its dialect; nothing more is promised.
//!
//! ```
//! use assize_verifier::json::{Dialect, Document};
//!
//! let document = Document::parse(br#"{"n": -0, "n": 1e2}"#, &Dialect::STRICT)?;
//! let members: Vec<_> = document.root().members().map(|(name, value)| (name.decode(), value.raw())).collect();
//! assert_eq!(members.len(), 2, "both spellings of the repeated name are kept");
//! assert!(Document::parse(b"[1,]", &Dialect::STRICT).is_err());
//! # Ok::<(), assize_verifier::json::JsonError>(())
//! ```

mod cursor;
mod dialect;
mod elements;
mod error;
mod extent;
pub(crate) mod laws;
mod locate;
mod number;
mod pointer;
mod reader;
mod scan;
mod string;
mod token;
mod tree;

pub use dialect::Dialect;
pub use elements::Elements;
pub use error::{JsonError, JsonErrorKind};
pub(crate) use extent::extent;
pub use laws::grammar::{Sink, Skip};
pub use number::NumberToken;
pub use pointer::JsonPointer;
pub use reader::Reader;
pub use string::JsonStr;
pub(crate) use string::{append_escaped, append_json_string, respell};
pub use token::{RawString, Scalar};
pub use tree::{Document, Kind, NodeRef};
