//! The two functions that a WebAssembly module exports.
//!
//! `assize_allocate(len)` gives the place of `len` bytes for a frame, or 0 where that is more than is taken. `assize_answer()` answers the
//! frame that was written there, and gives the place of its answer in the upper 32 bits and the answer's length in the lower ones; it
//! stays there until the next call of either. A trap leaves an instance that is of no further use.
//!
//! No pointer of the caller's is followed: it writes to the module's memory and reads from it, and both buffers are owned by [`State`].
//! A third function is exported since it has to be linked by its name, and is of no use to a host.
#![cfg(target_arch = "wasm32")]

use std::ptr;
use std::sync::{Mutex, PoisonError};

use crate::{LIMITS, answer};

/// What the caller may write to and read from.
struct State {
    frame: Vec<u8>,
    answer: Vec<u8>,
}

static STATE: Mutex<State> = Mutex::new(State { frame: Vec::new(), answer: Vec::new() });

// SAFETY: no other symbol of this name is linked, which is all that the attribute needs.
#[allow(unsafe_code, reason = "a name that the host finds")]
#[unsafe(no_mangle)]
extern "C" fn assize_allocate(len: usize) -> usize {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    state.answer = Vec::new();
    state.frame = Vec::new();
    if len > LIMITS.bytes || state.frame.try_reserve_exact(len).is_err() {
        return 0;
    }
    state.frame.resize(len, 0);
    state.frame.as_mut_ptr().expose_provenance()
}

// SAFETY: no other symbol of this name is linked, which is all that the attribute needs.
#[allow(unsafe_code, reason = "a name that the host finds")]
#[unsafe(no_mangle)]
extern "C" fn assize_answer() -> u64 {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let frame = std::mem::take(&mut state.frame);
    state.answer = answer(&frame);
    let (place, len) = (state.answer.as_ptr().expose_provenance(), state.answer.len());
    ((place as u64) << 32) | len as u64
}

/// What stands for randomness: hash tables are seeded by it, and one answer is as good as another where nobody else can ask.
///
/// # Safety
/// `place` is valid for writes of `len` bytes.
// SAFETY: the crate getrandom declares a function of this name and type and calls no other.
#[allow(unsafe_code, reason = "the name and the type are getrandom's, which hands over a place to write to")]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(place: *mut u8, len: usize) -> Result<(), getrandom::Error> {
    const SEED: u8 = 0x5a;
    // SAFETY: the caller promises that the place is valid for writes of so many bytes.
    unsafe { ptr::write_bytes(place, SEED, len) };
    Ok(())
}
