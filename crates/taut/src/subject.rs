//! What a check is about: a program that was read, or one that was built.

use taut_ir::{MemoryModel, Program};

use crate::load::Loaded;
use crate::pool::ProcessPool;

/// What a check is about. [`crate::Check::of`] takes everything that can be made into one.
///
/// A program that was read brings its own memory model and bound, if its text has them; as many processes as it starts,
/// if they are not counted in its text; and the questions that were asked from outside. A program that was built is
/// taken as it is.
#[derive(Clone, Debug)]
pub struct Subject<'p> {
    pub(crate) pool: ProcessPool<'p>,
    /// The memory model that the program itself asks for.
    pub(crate) model: Option<MemoryModel>,
    /// The bound on buffers that the program itself asks for.
    pub(crate) bound: Option<u32>,
    /// Whether a deadlock is a mistake unless something else is said.
    pub(crate) deadlock: bool,
    /// The questions that were asked from outside; all if there are none.
    pub(crate) asked: Vec<String>,
}

impl<'p> From<&'p Program> for Subject<'p> {
    fn from(program: &'p Program) -> Subject<'p> {
        let pool = ProcessPool::new(program);
        Subject { pool, model: None, bound: None, deadlock: true, asked: Vec::new() }
    }
}

impl<'p> From<&'p Loaded> for Subject<'p> {
    fn from(loaded: &'p Loaded) -> Subject<'p> {
        Subject {
            pool: ProcessPool::of(loaded),
            model: loaded.memory_model(),
            bound: loaded.has_bound().then(|| loaded.bound()),
            deadlock: loaded.language.asks_deadlock(),
            asked: loaded.asked.clone(),
        }
    }
}
