//! Drops the steps of a lowered process that can never be reached, such as those after an endless loop,
//! and numbers its program points in the order of the steps that are left. A program point that only a label names
//! stays, without steps, so that properties can speak of it.

use taut_ir::{Control, PointId, ProcessDef, Step};

/// Drops what is never reached and renumbers the rest.
pub(super) fn tidy(mut def: ProcessDef) -> ProcessDef {
    let reached = reached(&def);
    def.steps.retain(|s| reached[s.source.index()]);
    let mut order = Order { new: vec![None; def.points.len()], old: Vec::new() };
    order.take(def.entry);
    for step in &mut def.steps {
        step.source = order.take(step.source);
        match &mut step.target {
            Control::Goto(to) | Control::Call { return_to: to, .. } => *to = order.take(*to),
            Control::Return | Control::Exit => {}
        }
    }
    for procedure in &mut def.procedures {
        procedure.entry = order.take(procedure.entry);
    }
    let labelled = |l: &PointId| !def.points[l.index()].labels.is_empty();
    let named: Vec<_> = (0..def.points.len()).map(PointId::from).filter(labelled).collect();
    named.into_iter().for_each(|l| {
        order.take(l);
    });
    def.entry = order.take(def.entry);
    def.points = order.old.iter().map(|l| def.points[l.index()].clone()).collect();
    def
}

/// Which program points can be reached by following steps from the entries of the process and its procedures.
fn reached(def: &ProcessDef) -> Vec<bool> {
    let mut leaving: Vec<Vec<&Step>> = vec![Vec::new(); def.points.len()];
    def.steps.iter().for_each(|s| leaving[s.source.index()].push(s));
    let mut reached = vec![false; def.points.len()];
    let mut todo: Vec<PointId> = def.procedures.iter().map(|p| p.entry).collect();
    todo.push(def.entry);
    while let Some(at) = todo.pop() {
        if std::mem::replace(&mut reached[at.index()], true) {
            continue;
        }
        todo.extend(leaving[at.index()].iter().filter_map(|s| match &s.target {
            Control::Goto(to) | Control::Call { return_to: to, .. } => Some(*to),
            Control::Return | Control::Exit => None,
        }));
    }
    reached
}

struct Order {
    new: Vec<Option<PointId>>,
    old: Vec<PointId>,
}

impl Order {
    /// The new number of a program point.
    fn take(&mut self, point: PointId) -> PointId {
        let next = PointId::from(self.old.len());
        *self.new[point.index()].get_or_insert_with(|| {
            self.old.push(point);
            next
        })
    }
}
