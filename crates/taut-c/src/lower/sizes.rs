//! Pointers that are given another type: no access with another size.
//!
//! Memory is made of whole scalars, so an access to a part of one, or to several at once, means nothing here. A cast between pointers to
//! scalars of different sizes is refused where it stands. A pointer that goes through `void *`, or that pointed to a structure, is looked at here: if all
//! objects that it can point to have no cell of the size that it is now said to point to, the program is refused.
//!
//! What an object of several sizes hides is not seen: a pointer to `char` into a structure with an `int` and a `char` may point to either.

use taut_source::{Diagnostic, Span};

use super::codes::UNSUPPORTED;
use super::mir::{Mir, ObjectId, ThreadId, Value};
use super::points_to::Classes;

/// What a program is told about an access with another size.
pub(crate) const OTHER_SIZE: &str = "a pointer to a part of a value, or to several values at once";
pub(crate) const OWN_SIZE: &str =
    "access the object with a type of its own size: memory is made of whole values, not of bytes";

/// A pointer that is given the type of a pointer to a scalar.
#[derive(Clone, Debug)]
pub(crate) struct Retyped {
    pub thread: ThreadId,
    pub pointer: Value,
    /// The size of the scalar.
    pub bytes: u64,
    pub span: Span,
}

/// Refuses a program in which a pointer can only point to objects without a cell of its type's size.
pub(crate) fn check(mir: &Mir) -> Result<(), Box<Diagnostic>> {
    if mir.retyped.is_empty() {
        return Ok(());
    }
    let classes = Classes::of(mir);
    for Retyped { thread, pointer, bytes, span } in &mir.retyped {
        taut_budget::tick();
        let Some(class) = classes.of_pointer(*thread, pointer) else { continue };
        let objects = mir.objects.iter().enumerate();
        let inside = objects.filter(|(i, _)| classes.of_object(ObjectId(*i as u32)) == class);
        let sizes = inside.flat_map(|(_, object)| object.cells.iter().map(|cell| cell.bytes));
        let sizes: Vec<Option<u64>> = sizes.collect();
        let fits = sizes.iter().any(|size| size.is_none_or(|size| size == *bytes));
        if !sizes.is_empty() && !fits {
            let found = Diagnostic::error(UNSUPPORTED, OTHER_SIZE, *span);
            return Err(found.label("not supported").help(OWN_SIZE).into());
        }
    }
    Ok(())
}
