//! Certificates: what may be certified, what a certificate says, and that nothing in one can be changed.

mod cli;
mod open;
mod refusal;
mod replay;
mod run;
mod tampering;
