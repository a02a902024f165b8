//! Windows: few values for the cells that the code alone does not bound.
//!
//! A counter that a lock keeps between 0 and 1 has every value for the over-approximation of `compile.rs`, which does not know the
//! lock. Such a cell gets a *window*: the list of values that it may have. A store of any other value leads to a control
//! point of its own ([`Bound::Values`]) that nothing leaves. Then
//!
//! - what the search finds is a run of the program: windows only end runs;
//! - if no run reaches such a control point, no run is ended, and every answer is exact. The search itself shows that, as
//!   these control points are looked for like anything else;
//! - if a run does reach one, the value is one that the program really stores. The window gets it, and the
//!   program is compiled again.
//!
//! *Does it end?* A window grows by a value that a run stores, and to twice its size, up to [`MOST`]. So a program whose runs store few
//! values is decided, whatever its types say. One that counts without end is refused with the cell, unless a
//! violation was found on the way.
//!
//! [`Bound::Values`]: crate::edge::Bound::Values

use std::collections::BTreeMap;

use taut_engine::Unsupported;

use crate::not_compiled::NotCompiled;
use crate::places::{Cell, Places};

/// Values of a new window: those that were found first.
const FIRST: usize = 4;
/// Values of the largest window.
const MOST: usize = 256;

/// The values that cells may have; a cell that is not listed has a value for each that is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    of: BTreeMap<Cell, Vec<i64>>,
    grown: u32,
}

impl Windows {
    /// Whether a store leaves the window of its cell.
    pub(crate) fn are_left_by(&self, cell: Cell, value: i64) -> bool {
        self.of.get(&cell).is_some_and(|values| !values.contains(&value))
    }

    /// Whether a cell has a window.
    pub(crate) fn has(&self, cell: Cell) -> bool {
        self.of.contains_key(&cell)
    }

    /// The number of times that a run has left a window.
    pub(crate) fn grown(&self) -> u32 {
        self.grown
    }

    /// Gives a window to the cell that made a program too large; false if there is none.
    fn open(&mut self, why: NotCompiled, places: &Places) -> bool {
        let NotCompiled::Values(cell) = why else { return false };
        debug_assert!(!self.has(cell), "a cell with a window has few values");
        let values = places.values(cell).iter().take(FIRST).copied().collect();
        // A slot has no window: its values are numbers of what parameters were given.
        places.place(cell).is_some() && self.of.insert(cell, values).is_none()
    }

    /// Adds a value that a run stores, and as many of those that may come next as there are; false if that is too much.
    fn widen(&mut self, (cell, value): (Cell, i64), beyond: &[(Cell, i64)]) -> bool {
        let Some(values) = self.of.get_mut(&cell) else { return false };
        debug_assert!(!values.contains(&value), "the window was left");
        let size = values.len() * 2;
        values.push(value);
        let next = beyond.iter().filter(|(other, v)| *other == cell && *v != value);
        values.extend(next.map(|(_, v)| *v).take(size - values.len()));
        self.grown += 1;
        size <= MOST
    }
}

/// What a search with windows came to.
pub(crate) enum Attempt<S> {
    /// No run leaves a window, or a limit was met.
    Whole(S),
    /// A run leaves a window, or it is not known whether one does.
    Left {
        /// What was found within the windows: runs of the program.
        found: Option<S>,
        /// The cell and the value by which a run leaves its window.
        by: Option<(Cell, i64)>,
        /// All stores that would leave a window, whether or not a run makes them.
        beyond: Vec<(Cell, i64)>,
    },
    /// The program was not compiled.
    Large(NotCompiled, Unsupported, Box<Places>),
    /// The program is refused.
    Refused(Unsupported),
}

/// Searches with windows that grow until no run leaves them. With `all`, a violation within a window is not enough.
pub(crate) fn search<S>(
    all: bool,
    mut attempt: impl FnMut(&Windows) -> Attempt<S>,
) -> Result<S, Unsupported> {
    let mut windows = Windows::default();
    let (mut best, mut refused) = (None, None);
    loop {
        taut_budget::tick();
        let (why, goes_on) = match attempt(&windows) {
            Attempt::Whole(search) => return Ok(search),
            Attempt::Refused(why) => (Some(why), false),
            Attempt::Large(why, refusal, places) => (Some(refusal), windows.open(why, &places)),
            Attempt::Left { found, by, beyond } => {
                best = found.or(best);
                let is_enough = best.is_some() && !all;
                (None, !is_enough && by.is_some_and(|by| windows.widen(by, &beyond)))
            }
        };
        // The first reason is the one that the text of the program shows.
        refused = refused.or(why);
        if !goes_on {
            let nothing = || Unsupported::new("a run leaves the windows of the search");
            return best.ok_or_else(|| refused.unwrap_or_else(nothing));
        }
    }
}
