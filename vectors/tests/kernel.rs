//! What the kernel promises whatever it is asked, and wherever it is stopped.
//!
//! `ASSIZE_KERNEL_SEQUENCES` asks for another number of random sequences than 10,000.

mod acts;
mod disk;
mod sequences;
