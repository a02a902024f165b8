//! The store and the access that changed places in a run that no sequentially consistent run is like.

use std::fmt;

use taut_ir::Finding;
use taut_witness::happens::{Edge, Object, Order, Swapped, circle};

use crate::race::RacingAccess;
use crate::view::RunView;

/// Two accesses of one process that changed places, and why that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swap {
    /// The store that was delayed.
    pub store: RacingAccess,
    /// The access that it was delayed past.
    pub past: RacingAccess,
    /// The circle in happens-before, edge by edge, in words.
    pub circle: Vec<String>,
}

/// "p's store to x (line 15) is delayed past its load of y (line 16)".
impl fmt::Display for Swap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is delayed past its {}", self.store, self.past.words)?;
        match self.past.line {
            Some(line) => write!(f, " (line {line})"),
            None => write!(f, " (row {})", self.past.row + 1),
        }
    }
}

/// The accesses that changed places; none if the run is not one that is found not to be robust.
pub fn swap(view: RunView<'_>, finding: Finding) -> Option<Swap> {
    if finding != Finding::NotRobust {
        return None;
    }
    let found = circle(&view.machine(), view.run())?;
    let links = found.edges.iter().map(|edge| link(view, *edge));
    Some(Swap {
        store: access(view, found.store),
        past: access(view, found.past),
        circle: links.collect(),
    })
}

fn object(view: RunView<'_>, object: Object) -> String {
    match object {
        Object::Cell(address) => view.names().location(address),
        Object::Channel(channel) => view.program().channel(channel).name.clone(),
        Object::Processes => "the table of processes".into(),
    }
}

fn access(view: RunView<'_>, swapped: Swapped) -> RacingAccess {
    let words = match (swapped.object, swapped.is_load) {
        (Some(found), true) => format!("load of {}", object(view, found)),
        (Some(found @ Object::Cell(_)), false) => format!("store to {}", object(view, found)),
        (Some(found), false) => format!("use of {}", object(view, found)),
        (None, _) => "start of a process".into(),
    };
    let step = view.names().find_step(swapped.process, swapped.step);
    RacingAccess {
        row: swapped.row,
        process: view.names().process(swapped.process).to_owned(),
        words,
        span: step.map_or(taut_ir::Span::NONE, |step| step.span),
        line: view.names().step_line(swapped.process, swapped.step),
    }
}

/// One edge: "row 2 comes before row 3 (program order)".
fn link(view: RunView<'_>, Edge { from, to, order }: Edge) -> String {
    let why = match order {
        Order::Program => "program order".into(),
        Order::Coherence(found) => format!("both store to {}", object(view, found)),
        Order::ReadsFrom(found) => format!("it loads {} from there", object(view, found)),
        Order::FromRead(found) => format!("it loads an older value of {}", object(view, found)),
    };
    let row = |index: usize| {
        let part = view.row(index).first();
        let line = part.line().map_or(String::new(), |line| format!(", line {line}"));
        format!("{} in row {}{line}", part.name(), index + 1)
    };
    format!("{} comes before {} ({why})", row(from), row(to))
}
