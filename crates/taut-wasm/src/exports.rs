//! The functions that the worker calls.
//!
//! The worker asks for room ([`taut_room`]), writes the job there as JSON, and calls [`taut_run`]. Only numbers go over
//! the border; no pointer that comes from outside is followed.
#![allow(unsafe_code, reason = "an exported name is `unsafe` to declare")]

use std::sync::Mutex;

use crate::work;

/// The job, as the worker wrote it.
static ROOM: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for a job of so many bytes; where it is.
#[unsafe(no_mangle)]
pub extern "C" fn taut_room(length: usize) -> *mut u8 {
    let Ok(mut room) = ROOM.lock() else { return std::ptr::null_mut() };
    *room = vec![0; length];
    room.as_mut_ptr()
}

/// Does the job that was written.
#[unsafe(no_mangle)]
pub extern "C" fn taut_run() {
    let bytes = ROOM.lock().map(|mut room| std::mem::take(&mut *room)).unwrap_or_default();
    work::run(&bytes);
}
