//! The texts of fences: those that the file uses already, else those of its headers.

use taut_source::Point;

use super::written::Written;
use crate::fence::{self, Fence};
use crate::hir::{Block, Function, Stmt, Unit};
use crate::visit::Part;

/// A full fence as a statement.
pub(crate) const FENCE: &str = "atomic_thread_fence(memory_order_seq_cst);";
/// A store fence as a statement.
pub(crate) const STORE_FENCE: &str = "atomic_thread_fence(memory_order_release);";
/// A full fence in a file that does not include `stdatomic.h`.
const BUILTIN_FENCE: &str = "__atomic_thread_fence(__ATOMIC_SEQ_CST);";
/// A store fence in a file that does not include `stdatomic.h`.
const BUILTIN_STORE_FENCE: &str = "__atomic_thread_fence(__ATOMIC_RELEASE);";

/// The texts of fences in a file, as statements.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) fence: String,
    pub(crate) store_fence: String,
    /// A full fence that no macro and no function makes.
    pub(crate) mark: &'static str,
}

impl Words {
    /// Those of a unit. A fence of its own is used if it is defined before all points where one can be put.
    pub(super) fn of(
        unit: &Unit,
        written: &Written<'_>,
        has_atomics: bool,
        points: &[Point],
    ) -> Words {
        let (fence, store_fence) = match has_atomics {
            true => (FENCE, STORE_FENCE),
            false => (BUILTIN_FENCE, BUILTIN_STORE_FENCE),
        };
        let first = points.iter().map(|point| point.at).min().unwrap_or(0);
        let own = |kind: Fence, usual: &str| {
            let used = used(unit, written, kind);
            let known = |word: &String| is_defined_before(unit, written, word, first);
            used.filter(known).unwrap_or_else(|| usual.to_owned())
        };
        Words {
            fence: own(Fence::Full, fence),
            store_fence: own(Fence::Store, store_fence),
            mark: fence,
        }
    }
}

/// The first fence of a kind that stands in the file as a statement on one line. One inside of a function that is nothing but
/// this fence counts if there is no other.
fn used(unit: &Unit, written: &Written<'_>, kind: Fence) -> Option<String> {
    let is_wrapper = |f: &&Function| fence::of_function(f).is_some();
    let others = unit.functions.iter().filter(|f| !is_wrapper(f));
    let first = first_used(unit, written, kind, others);
    first.or_else(|| first_used(unit, written, kind, unit.functions.iter().filter(is_wrapper)))
}

fn first_used<'u>(
    unit: &Unit,
    written: &Written<'_>,
    kind: Fence,
    functions: impl Iterator<Item = &'u Function>,
) -> Option<String> {
    let mut found: Option<(u32, &str)> = None;
    let mut look = |stmt: &Stmt| {
        let Some(text) = written.slice(stmt.span) else { return };
        let is_one = fence::of_statement_or_call(unit, stmt) == Some(kind);
        let is_whole = text.ends_with(';') && !text.contains('\n');
        if is_one && is_whole && found.is_none_or(|(start, _)| stmt.span.start < start) {
            found = Some((stmt.span.start, text));
        }
    };
    functions
        .filter_map(|function| function.body.as_ref())
        .for_each(|body| each_statement(body, &mut look));
    found.map(|(_, text)| text.to_owned())
}

/// Calls a function with each statement of a block, inner ones included.
pub(super) fn each_statement<'u>(block: &'u Block, f: &mut dyn FnMut(&'u Stmt)) {
    for stmt in block {
        f(stmt);
        stmt.parts(&mut |part| {
            if let Part::Block(inner) = part {
                each_statement(inner, f);
            }
        });
    }
}

/// Whether a macro or a function of the file that a statement uses is defined before a place.
fn is_defined_before(unit: &Unit, written: &Written<'_>, word: &str, place: usize) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = &word[..word.find(|c| !is_name(c)).unwrap_or(word.len())];
    let as_function = unit.functions.iter().find(|function| function.name == name);
    if let Some(function) = as_function.filter(|f| f.span.file == written.file) {
        return (function.span.start as usize) < place;
    }
    let mut lines = written.text.match_indices("define").filter(|(at, word)| {
        let rest = written.text[at + word.len()..].trim_start();
        rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_name))
    });
    lines.next().is_none_or(|(at, _)| at < place)
}
