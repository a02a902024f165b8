//! The kinds of search that a checkpoint can hold.

use std::io;

use taut_explicit::checkpoint::{Reader, Saved, Writer, damaged};

/// The way in which a search that stands still looks for cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Components,
    Nested,
    Shared,
}

impl Saved for Method {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        (*self as u8).save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Method> {
        let methods = [Method::Components, Method::Nested, Method::Shared];
        let method = methods.get(usize::from(u8::restore(from)?));
        method.copied().ok_or_else(|| damaged("a search is of no known kind"))
    }
}
