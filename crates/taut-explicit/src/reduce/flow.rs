//! Where steps lead in the code of a process, and which of them close its loops.

use taut_ir::{Control, Effect, PointId, ProcessDef, Step};

/// Where a step may lead. A return may lead behind any call.
pub(super) fn targets(def: &ProcessDef, step: &Step) -> Vec<PointId> {
    match &step.target {
        Control::Goto(to) => vec![*to],
        Control::Call { procedure, .. } => vec![def.procedures[procedure.index()].entry],
        Control::Return => def.steps.iter().filter_map(returns_to).collect(),
        Control::Exit => vec![],
    }
}

fn returns_to(step: &Step) -> Option<PointId> {
    match step.target {
        Control::Call { return_to, .. } => Some(return_to),
        _ => None,
    }
}

/// The code of a process as a graph.
pub(super) struct Flow {
    /// By program point.
    leaving: Vec<Vec<usize>>,
    /// By step.
    closing: Vec<bool>,
}

impl Flow {
    pub(super) fn new(def: &ProcessDef) -> Flow {
        let mut leaving = vec![Vec::new(); def.points.len()];
        for (number, step) in def.steps.iter().enumerate() {
            leaving[step.source.index()].push(number);
        }
        let closing = closing(def, &leaving);
        Flow { leaving, closing }
    }

    /// The numbers of the steps that leave a program point.
    pub(super) fn leaving(&self, point: PointId) -> &[usize] {
        &self.leaving[point.index()]
    }

    /// Whether a step closes a loop: every way that comes back to a program point takes such a step. Calls, returns,
    /// spawns and exits count as such, since loops may lead through other code.
    pub(super) fn closes_loop(&self, step: usize) -> bool {
        self.closing[step]
    }
}

fn closing(def: &ProcessDef, leaving: &[Vec<usize>]) -> Vec<bool> {
    let leaves = |step: &Step| {
        !matches!(step.target, Control::Goto(_))
            || step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }))
    };
    let mut closing: Vec<bool> = def.steps.iter().map(leaves).collect();
    let mut marks = vec![Mark::New; def.points.len()];
    for root in 0..def.points.len() {
        mark_back_edges(def, leaving, PointId::from(root), (&mut marks, &mut closing));
    }
    closing
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    OnPath,
    Left,
}

/// DepthFirst-first search; the steps that lead back to its path are on every loop.
fn mark_back_edges(
    def: &ProcessDef,
    leaving: &[Vec<usize>],
    root: PointId,
    (marks, closing): (&mut [Mark], &mut [bool]),
) {
    if marks[root.index()] != Mark::New {
        return;
    }
    marks[root.index()] = Mark::OnPath;
    let mut path = vec![(root, leaving[root.index()].clone())];
    while let Some((at, left)) = path.last_mut() {
        let Some(step) = left.pop() else {
            marks[at.index()] = Mark::Left;
            path.pop();
            continue;
        };
        let Control::Goto(to) = def.steps[step].target else { continue };
        match marks[to.index()] {
            Mark::OnPath => closing[step] = true,
            Mark::Left => {}
            Mark::New => {
                marks[to.index()] = Mark::OnPath;
                path.push((to, leaving[to.index()].clone()));
            }
        }
    }
}
