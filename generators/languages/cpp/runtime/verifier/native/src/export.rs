//! The functions of the header: the one file that follows pointers of a caller.
//!
//! Null pointers, sizes that no memory has and pointers out of line are looked at; that what a pointer names is there, and stays there
//! until the call returns, only the caller can know.
#![allow(unsafe_code, reason = "C hands over pointers, and finds functions by their names")]

use std::{ffi::c_char, ptr, slice};

use crate::{
    Part,
    answer::Answer,
    ask, guarded,
    header::{ASSIZE_MISUSE, assize_bytes, assize_part, assize_status},
};

/// What a question is made of, as slices.
struct Held<'q> {
    part: assize_part,
    name: &'q [u8],
    value: Option<&'q [u8]>,
    items: Vec<&'q [u8]>,
}

/// # Safety
/// Each pointer that is not null is valid for reads of as many as its size or count says, until this returns, and so is each pointer of
/// what lies there; nobody writes there meanwhile. `answer` is null or valid for a write.
// SAFETY: no other symbol of this name is linked, which is all that the attribute needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assize_ask(
    operation: assize_bytes,
    parts: *const assize_part,
    part_count: usize,
    files: *const assize_part,
    file_count: usize,
    answer: *mut *mut Answer,
) -> assize_status {
    if !answer.is_null() && answer.is_aligned() {
        // SAFETY: it is valid for a write, as the caller promises.
        unsafe { answer.write(ptr::null_mut()) };
    }
    let (status, said) = guarded(|| {
        // SAFETY: the caller promises it of each pointer that was handed over.
        let held = unsafe { (bytes(operation), held(parts, part_count), held(files, file_count)) };
        match held {
            (Some(operation), Some(parts), Some(files)) if !answer.is_null() && answer.is_aligned() => {
                ask(operation.unwrap_or_default(), &seen(&parts), &seen(&files))
            }
            _ => {
                (ASSIZE_MISUSE, Answer::message("a null pointer, a size that no memory has, or a pointer out of line"))
            }
        }
    });
    match said {
        Some(said) if !answer.is_null() && answer.is_aligned() => {
            // SAFETY: it is valid for a write, as the caller promises; `assize_answer_free` takes the box back.
            unsafe { answer.write(Box::into_raw(Box::new(said))) };
        }
        _ => {}
    }
    status
}

/// # Safety
/// `answer` is null or comes from `assize_ask` and was not freed, nor is it before what is returned was read; `count` is null or valid
/// for a write.
// SAFETY: no other symbol of this name is linked, which is all that the attribute needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assize_answer_parts(answer: *const Answer, count: *mut usize) -> *const assize_part {
    // SAFETY: it is null or a box of `assize_ask`, which nobody has freed.
    let parts = unsafe { answer.as_ref() }.map_or(&[][..], Answer::parts);
    if !count.is_null() {
        // SAFETY: it is valid for a write, as the caller promises.
        unsafe { count.write(parts.len()) };
    }
    if parts.is_empty() { ptr::null() } else { parts.as_ptr() }
}

/// # Safety
/// `answer` is null or comes from `assize_ask` and was not freed; neither it nor any of its parts is used any more.
// SAFETY: no other symbol of this name is linked, which is all that the attribute needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assize_answer_free(answer: *mut Answer) {
    if !answer.is_null() {
        // SAFETY: it is a box of `assize_ask`, which is freed this once.
        drop(unsafe { Box::from_raw(answer) });
    }
}

// SAFETY: no other symbol of this name is linked, which is all that the attribute needs.
#[unsafe(no_mangle)]
pub extern "C" fn assize_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

fn seen<'q>(held: &'q [Held<'q>]) -> Vec<Part<'q>> {
    let seen =
        |held: &'q Held<'q>| Part { kind: held.part.kind, name: held.name, value: held.value, items: &held.items };
    held.iter().map(seen).collect()
}

/// Parts of a question; none where a pointer cannot be followed.
///
/// # Safety
/// As for [`assize_ask`].
unsafe fn held<'q>(parts: *const assize_part, count: usize) -> Option<Vec<Held<'q>>> {
    // SAFETY: the caller promises it.
    let parts: &[assize_part] = unsafe { many(parts, count) }?;
    let one = |part: &assize_part| {
        // SAFETY: the caller promises it of each pointer in a part.
        let (name, value, items) =
            unsafe { (bytes(part.name)?, bytes(part.value)?, many(part.items, part.item_count)?) };
        // SAFETY: and of each in an item.
        let items = items.iter().map(|item| unsafe { bytes(*item) }.map(Option::unwrap_or_default));
        Some(Held { part: *part, name: name.unwrap_or_default(), value, items: items.collect::<Option<_>>()? })
    };
    parts.iter().map(one).collect()
}

/// Bytes, or that the pointer is null; none where it cannot be followed.
///
/// # Safety
/// As for [`assize_ask`].
unsafe fn bytes<'q>(bytes: assize_bytes) -> Option<Option<&'q [u8]>> {
    // SAFETY: the caller promises it.
    let found = unsafe { many(bytes.data, bytes.size) }?;
    Some((!bytes.data.is_null()).then_some(found))
}

/// # Safety
/// As for [`assize_ask`].
unsafe fn many<'q, T>(place: *const T, count: usize) -> Option<&'q [T]> {
    if count == 0 {
        return Some(&[]);
    }
    let size = count.checked_mul(size_of::<T>()).filter(|size| isize::try_from(*size).is_ok());
    if place.is_null() || !place.is_aligned() || size.is_none() {
        return None;
    }
    // SAFETY: it is neither null nor out of line nor too long, and valid for reads as the caller promises.
    Some(unsafe { slice::from_raw_parts(place, count) })
}
